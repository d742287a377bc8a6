"""The predictions of a step: choose by letter, lock, and read what the run said."""

import string

from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.widget import Widget

from jittutor.lesson import Choice, Predict
from jittutor.study.guess import TRIES, Guess
from jittutor.tui.panes.flow import Block, inline, laid_out
from jittutor.tui.say import clicked, does, join, say, stack

LETTERS = string.ascii_lowercase


class Questions(Widget, can_focus=True):
    """All questions of the step; keys go to the first that is still open."""

    DEFAULT_CSS = "Questions { height: auto; width: 1fr; }"

    class Locked(Message):
        """The learner made a guess."""

        def __init__(self, predict: Predict, text: str) -> None:
            """Carry the question and the choice."""
            super().__init__()
            self.predict, self.text = predict, text

    class Moved(Message):
        """The learner looks at the choices, or there is a verdict."""

        def __init__(self, guesses: list[Guess]) -> None:
            """Carry the questions: they may be gone when this is heard."""
            super().__init__()
            self.predicts = [guess.predict for guess in guesses]

    def __init__(self) -> None:
        """No questions yet."""
        super().__init__(id="questions")
        self.guesses: list[Guess] = []
        self.chosen: str | None = None
        self._news: str | None = None
        """The question that a run has just judged: its verdict is to be seen."""

    def show(self, guesses: list[Guess]) -> None:
        """Draw these questions."""
        if guesses != self.guesses:
            old, before, self.guesses = self.guesses, self.active, guesses
            now = self.active
            same = before is not None and now is not None and before.predict.id == now.predict.id
            if not same or now is None or self.chosen not in [choice.text for choice in now.open]:
                self.chosen = None
            said = {g.predict.id: g.judged for g in old}
            self._news = next(
                (g.predict.id for g in guesses if g.judged != said.get(g.predict.id, g.judged)), None
            )
            self.call_after_refresh(self._tell)
        # Not by a class: styles of classes come later, and what is not displayed cannot get the focus now.
        self.display = bool(guesses)
        self.refresh(layout=True)

    def on_resize(self) -> None:
        """More or less to read changes the height, and only then it is known."""
        self._tell()

    def _tell(self) -> None:
        if self._news is not None:
            self.post_message(self.Moved(self.guesses))

    @property
    def active(self) -> Guess | None:
        """The question that takes the keys."""
        return next((g for g in self.guesses if not g.is_settled and g.locked is None), None)

    @property
    def place(self) -> Region:
        """Where the question stands that was just judged, else the one that takes the keys, else all."""
        width, active = self.size.width, self.active
        wanted = self._news or (active.predict.id if active is not None else None)
        at = next((n for n, guess in enumerate(self.guesses) if guess.predict.id == wanted), None)
        if at is None:
            return Region(0, 0, *self.size)
        above, below = (len(laid_out(self._of(self.guesses[:n], width), width)) for n in (at, at + 1))
        return Region(0, above, width, below - above)

    # ------------------------------------------------------------ choosing

    def choose(self, text: str) -> None:
        """Put the mark at a choice."""
        self.chosen, self._news = text, None
        self.refresh()
        self.post_message(self.Moved(self.guesses))

    def take(self) -> tuple[Predict, str] | None:
        """The choice that is marked, once; None when nothing is."""
        active, chosen = self.active, self.chosen
        if active is None or chosen is None:
            return None
        self.chosen = None
        return active.predict, chosen

    def on_click(self, event: events.Click) -> None:
        """A click on a choice."""
        active, text = self.active, clicked(event)
        if active is not None and text in [choice.text for choice in active.open]:
            self.choose(text)

    def on_key(self, event: events.Key) -> None:
        """Letters and arrows choose, Enter locks."""
        active = self.active
        if active is None:
            return
        letters = LETTERS[: len(active.predict.choices)]
        if event.key in letters:
            choice = active.predict.choices[letters.index(event.key)]
            if choice in active.open:
                self.choose(choice.text)
        elif event.key in ("up", "down"):
            self._move(active.open, 1 if event.key == "down" else -1)
        elif event.key == "enter" and (taken := self.take()) is not None:
            self.post_message(self.Locked(*taken))
        else:
            return
        event.stop()
        event.prevent_default()

    def _move(self, choices: tuple[Choice, ...], offset: int) -> None:
        texts = [choice.text for choice in choices]
        at = texts.index(self.chosen) + offset if self.chosen in texts else (0 if offset > 0 else -1)
        self.choose(texts[at % len(texts)])

    # ------------------------------------------------------------ drawing

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's signature
        """The lines all questions take."""
        return len(laid_out(self._blocks(width), width))

    def render(self) -> Content:
        """The questions below each other."""
        width = self.size.width
        return stack(laid_out(self._blocks(width), width))

    def _blocks(self, width: int) -> list[Block]:
        return self._of(self.guesses, width)

    def _of(self, guesses: list[Guess], width: int) -> list[Block]:
        return [block for guess in guesses for block in self._one(guess, width)]

    def _one(self, guess: Guess, width: int) -> list[Block]:
        mark = join(("? ", "bold $accent"))
        shown = [Block(join(mark, inline(guess.predict.question).stylize_before("bold")), 2)]
        for text, right in guess.judged:
            shown.append(judged(guess, text, right=right))
        if guess.is_settled:
            return shown if guess.right or not guess.answer else [*shown, the_answer(guess)]
        shown += self._choices(guess, width)
        if guess.trouble:
            shown.append(Block(join("  ", (guess.trouble, "$wrong")), 2, gap=False))
        elif guess.judged and guess.locked is None:
            left = TRIES - len(guess.judged)
            shown.append(
                Block(join("  ", (f"{left} more {'try' if left == 1 else 'tries'}", "$muted")), 2, gap=False)
            )
        return shown

    def _choices(self, guess: Guess, width: int) -> list[Block]:
        cells = [self._choice(guess, at, choice) for at, choice in enumerate(guess.predict.choices)]
        row = Content("   ").join(cells)
        if guess.locked is not None:
            row = join(row, ("   locked ✓", "$muted"))
        if row.cell_length < width:
            return [Block(row, gap=False)]
        return [Block(cell, 4, gap=False) for cell in cells]

    def _choice(self, guess: Guess, at: int, choice: Choice) -> Content:
        here = choice.text == (guess.locked or (self.chosen if guess is self.active else None))
        is_open = choice in guess.open
        style = "bold" if here else "" if is_open else "$muted strike"
        text = join(
            ("▸" if here else " ", "bold $accent"),
            (LETTERS[at], "bold $accent"),
            " ",
            say(choice.text, style),
        )
        return does(text, choice.text) if is_open and guess.locked is None else text


def judged(guess: Guess, text: str, *, right: bool) -> Block:
    """What the run said about a choice, and why."""
    mark = ("✓ ", "bold $right") if right else ("✗ ", "bold $wrong")
    why = guess.why(text)
    word = f" is {'right' if right else 'not it'}{': ' if why else '.'}"
    return Block(join(mark, (text, "bold"), word, inline(why)), 2, gap=False)


def the_answer(guess: Guess) -> Block:
    """The answer of the run, for those who did not find it."""
    answer = guess.answer or ""
    why = guess.why(answer)
    return Block(join("  the answer is ", (answer, "bold"), ": " if why else ".", inline(why)), 2, gap=False)
