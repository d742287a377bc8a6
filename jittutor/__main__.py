"""Hands over to the command line."""

import sys


def main() -> None:
    """What the command `jittutor` and `python -m jittutor` call."""
    from jittutor import early  # noqa: PLC0415 - `python -m jittutor.worker…` must not pay for it

    early.begin(sys.argv[1:])
    from jittutor.cli.main import start  # noqa: PLC0415 - JAX is on its way meanwhile

    sys.exit(start(sys.argv[1:]))


if __name__ == "__main__":
    main()
