"""The commands of the plain tutor, one table; a command is a word that may be cut short."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from jittutor.course import Broken
from jittutor.lesson import Lesson, Step
from jittutor.plain import results, words
from jittutor.plain.again import Again
from jittutor.plain.lines import Lines
from jittutor.plain.running import Running
from jittutor.study.source import normal
from jittutor.study.study import Study


class Command(msgspec.Struct, frozen=True):
    """A word the learner can type."""

    name: str
    arguments: str
    does: str


COMMANDS = (
    Command("read", "", "the text, the code and the questions of this step"),
    Command("code", "", "your code of this step"),
    Command("above", "", "the code that runs before each step of this lesson"),
    Command("edit", "", "change the code with $EDITOR"),
    Command("write", "", "type new code, line by line; a line with a single dot ends it"),
    Command("load", "FILE", "take the code from a file"),
    Command("run", "[FILE]", "run your code, or that of a file"),
    Command("guess", "LETTER", "answer the question; the letter alone does the same"),
    Command("output", "", "all that the last run printed"),
    Command("calls", "", "all calls of the last run: hit or miss, times, why not reused"),
    Command("program", "[N] [jaxpr|stablehlo|hlo]", "a program that JAX built, the newest without N"),
    Command("check", "", "how the exercise stands"),
    Command("hint", "", "one more hint"),
    Command("solution", "", "the lesson's own solution; skips an open exercise"),
    Command("take", "", "put the solution in place of your code"),
    Command("reset", "", "put the step's own code back"),
    Command("next", "", "the next step"),
    Command("previous", "", "the step before"),
    Command("lessons", "", "all lessons, numbered"),
    Command("go", "LESSON [STEP]", "another lesson, by number or name, and one of its steps by number"),
    Command("help", "", "these words"),
    Command("quit", "", "leave; everything is saved"),
)


def find(word: str) -> Command | list[Command]:
    """The command that is meant, or those that could be."""
    fits = [command for command in COMMANDS if command.name.startswith(word.lower())]
    exact = [command for command in fits if command.name == word.lower()]
    first = {"n": "next", "p": "previous", "r": "run", "h": "help", "q": "quit", "?": "help"}.get(word)
    exact = exact or [command for command in COMMANDS if command.name == first]
    return exact[0] if exact else fits[0] if len(fits) == 1 else fits


class Session:
    """One learner who types words and reads lines."""

    def __init__(self, study: Study, running: Running, lines: Lines) -> None:
        """Begin where the study is."""
        self.study, self.running, self.lines = study, running, lines
        self.again = Again(study, running, lines)
        self.over = False

    def tell(self, told: Iterator[str]) -> None:
        """Write lines."""
        for line in told:
            self.lines.write(line)

    async def obey(self, line: str) -> None:
        """Do what one line asks for."""
        word, _, rest = line.strip().partition(" ")
        if not word or self._is_guess(word):
            return
        found = find(word)
        if isinstance(found, list):
            many = ", ".join(command.name for command in found)
            self.lines.write(f"Which one: {many}?" if many else f"There is no word {word}. `help` tells all.")
            return
        done = getattr(self, f"do_{found.name}")(rest.strip())
        if done is not None:
            await done
        self.study.state.save()

    # ------------------------------------------------------------ reading

    def do_read(self, _: str) -> None:
        """The step."""
        self.tell(words.text(self.study))

    def do_code(self, _: str) -> None:
        """The code."""
        self.tell(words.code(self.study.source))

    def do_above(self, _: str) -> None:
        """The setup."""
        if self.study.lesson.setup.strip():
            self.tell(words.code(self.study.lesson.setup))
        else:
            self.lines.write("Nothing runs before the steps of this lesson.")

    def do_output(self, _: str) -> None:
        """All output."""
        self.tell(results.printed(self.running.output, 10**9))

    def do_calls(self, _: str) -> None:
        """All calls."""
        self.tell(results.calls(self.study.record, 10**9))

    def do_check(self, _: str) -> None:
        """The exercise."""
        self.tell(results.check(self.study))

    def do_program(self, rest: str) -> None:
        """A program in one of its languages."""
        many, number, language = len(self.study.record.programs), 0, "jaxpr"
        for word in rest.lower().split():
            if word.isdecimal():
                number = int(word)
            else:
                language = word
        if language not in results.LANGUAGES:
            self.lines.write(f"The languages are {', '.join(results.LANGUAGES)}.")
        elif number > many:
            self.lines.write(f"This run built {many} programs.")
        else:
            self.tell(results.program(self.study.record, number or many, language))

    def do_help(self, _: str) -> None:
        """All words."""
        for command in COMMANDS:
            self.lines.write(f"{command.name} {command.arguments}".strip() + f": {command.does}")

    def do_lessons(self, _: str) -> None:
        """All lessons."""
        self.tell(words.lessons(self.study.course, self.study))

    # ------------------------------------------------------------ guesses and hints

    def _is_guess(self, word: str) -> bool:
        """Take a single letter as a guess, if a question waits for one."""
        guess = next((g for g in self.study.guesses.values() if not g.is_settled and g.locked is None), None)
        if guess is None or len(word) != 1:
            return False
        letters = words.LETTERS[: len(guess.predict.choices)]
        if word.lower() not in letters:
            return False
        choice = guess.predict.choices[letters.index(word.lower())]
        if choice not in guess.open:
            self.lines.write("That choice was wrong already.")
            return True
        self.study.lock(guess.predict, choice.text)
        self.tell(words.question(self.study.guesses[guess.predict.id]))
        self.study.state.save()
        return True

    def do_guess(self, rest: str) -> None:
        """A guess with its word."""
        if not self._is_guess(rest):
            self.lines.write("No question of this step waits for that letter.")

    def do_hint(self, _: str) -> None:
        """One more hint."""
        if not self.study.step.hints:
            self.lines.write("This step has no hints.")
        else:
            self.study.hint()
            self.tell(words.hints(self.study))

    def do_solution(self, _: str) -> None:
        """The solution; an exercise that is not done counts as skipped then."""
        if self.study.step.solution is not None and not self.study.known.done:
            self.study.change(skipped=True)
        self.tell(words.solution(self.study))

    # ------------------------------------------------------------ the code

    def keep(self, text: str) -> None:
        """Take a text as the learner's code."""
        self.study.keep(normal(text))
        self.lines.write(f"Your code has {len(self.study.source.splitlines())} lines now. `run` runs it.")

    def do_reset(self, _: str) -> None:
        """The lesson's code."""
        self.keep(self.study.step.source)

    def do_take(self, _: str) -> None:
        """The solution's code."""
        found = self.study.step.solution
        known = self.study.known
        if found is None or not (known.done or known.skipped):
            self.lines.write("There is nothing to take before `solution` has shown it.")
        else:
            self.keep(found.source)

    def load(self, name: str) -> bool:
        """Take the code of a file; False when that cannot be."""
        try:
            self.keep(Path(name).expanduser().read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            self.lines.write(f"{name} cannot be read: {(reason or str(error)).lower()}")
            return False
        return True

    def do_load(self, rest: str) -> None:
        """A file's code."""
        if rest:
            self.load(rest)
        else:
            self.lines.write("Which file? `load FILE`")

    async def do_write(self, _: str) -> None:
        """Code from the keyboard."""
        self.lines.write("Type the code; a line with a single dot ends it.")
        typed: list[str] = []
        while (line := await self.lines.ask("")) not in (None, "."):
            typed.append(line or "")
        self.keep("\n".join(typed) + "\n")

    async def do_edit(self, _: str) -> None:
        """The code in the learner's own editor."""
        from jittutor.study.editing import NoEditor, edited  # noqa: PLC0415 - few use it

        try:
            self.keep(edited(self.study.source, self.lines.stdin))
        except NoEditor as error:
            self.lines.write(f"{error} `write` and `load FILE` work everywhere.")

    async def do_run(self, rest: str) -> None:
        """Run, once every question has a guess."""
        if rest and not self.load(rest):
            return
        if (waiting := self.study.waiting) is not None:
            self.lines.write("Guess first, then run.")
            self.tell(words.question(waiting))
            return
        await self.running.run(self.study.begin(self.study.source))
        self.tell(results.summary(self.study, self.running.output))

    # ------------------------------------------------------------ the place

    def open(self, lesson: Lesson, step: Step) -> None:
        """Another step."""
        self.study.open(lesson, step)
        self.do_read("")

    async def do_next(self, _: str) -> None:
        """The next step; at the end of a chapter first the questions that come back."""
        await self.again.ask()
        self._beside(1, "This is the last step. `lessons` shows all lessons.")

    def do_previous(self, _: str) -> None:
        """The step before."""
        self._beside(-1, "This is the first step.")

    def _beside(self, offset: int, otherwise: str) -> None:
        found = self.study.course.beside(self.study.lesson.slug, self.study.step.id, offset)
        if found is None:
            self.lines.write(otherwise)
        else:
            self.open(*found)

    def do_go(self, rest: str) -> None:
        """A lesson by number or name."""
        name, _, number = rest.partition(" ")
        found = self.study.course.find(name) if name else None
        if found is None:
            near = self.study.course.nearest(name) if name else None
            self.lines.write(f"There is no lesson {name}." + (f" Did you mean {near}?" if near else ""))
        elif isinstance(found, Broken):
            self.lines.write(f"This lesson cannot be opened: {found.message}")
        elif number and not (number.isdecimal() and 1 <= int(number) <= len(found.steps)):
            self.lines.write(f"{found.title} has the steps 1 to {len(found.steps)}.")
        else:
            self.open(found, found.steps[int(number or 1) - 1])

    def do_quit(self, _: str) -> None:
        """Leave."""
        self.over = True
