"""One prediction: what was guessed, and what the run said about it. No screen in here."""

import msgspec

from jittutor.event import Answered
from jittutor.lesson import Choice, Predict

TRIES = 2


class Guess(msgspec.Struct, frozen=True):
    """The guesses at one question so far."""

    predict: Predict
    judged: tuple[tuple[str, bool], ...] = ()
    """Choices the run has answered: (text, was it right)."""
    locked: str | None = None
    """A choice that waits for a run."""
    trouble: str = ""
    """Why the run could not judge the locked choice."""
    answer: str | None = None

    @property
    def right(self) -> bool:
        """Whether a guess was right."""
        return any(right for _, right in self.judged)

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to guess."""
        return self.right or len(self.judged) >= TRIES

    @property
    def is_ready(self) -> bool:
        """Whether the code may run: something was guessed."""
        return self.locked is not None or bool(self.judged)

    @property
    def open(self) -> tuple[Choice, ...]:
        """The choices that may still be right."""
        wrong = {text for text, right in self.judged if not right}
        return tuple(choice for choice in self.predict.choices if choice.text not in wrong)

    def why(self, text: str) -> str:
        """What the lesson says about a choice."""
        return next((choice.why for choice in self.predict.choices if choice.text == text), "")

    def lock(self, text: str) -> "Guess":
        """The same with a choice made."""
        return msgspec.structs.replace(self, locked=text, trouble="")

    def judge(self, answered: Answered | None) -> "Guess":
        """The same after a run: the locked choice is right, wrong, or cannot be judged."""
        if self.locked is None or answered is None:
            return self
        if not answered.ok:
            return msgspec.structs.replace(self, trouble=f"this run gives no answer: {answered.text}")
        found = next((c.text for c in self.predict.choices if bare(c.text) == bare(answered.text)), None)
        if found is None:
            trouble = f"with your changes the answer is {answered.text}, which is none of the choices"
            return msgspec.structs.replace(self, trouble=trouble)
        judged = (*self.judged, (self.locked, found == self.locked))
        return msgspec.structs.replace(self, judged=judged, locked=None, trouble="", answer=found)


def bare(text: str) -> str:
    """The value without the marks around it: `'hit'` and `hit` are the same answer."""
    return text.strip().strip("'\"`").strip()
