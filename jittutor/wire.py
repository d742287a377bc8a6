"""One message, one JSON line, both ways."""

import msgspec

from jittutor.event import Event, Request, Word

_encoder = msgspec.json.Encoder()
_events: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_requests: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)


def encode(word: Word) -> bytes:
    """The message as one line that ends in a newline."""
    return _encoder.encode(word) + b"\n"


def decode_event(line: bytes) -> Event:
    """The event in a line.

    Raises:
        msgspec.DecodeError: the line is no event.
    """
    return _events.decode(line)


def decode_request(line: bytes) -> Request:
    """The request in a line.

    Raises:
        msgspec.DecodeError: the line is no request.
    """
    return _requests.decode(line)
