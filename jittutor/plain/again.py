"""Questions that were guessed wrong come back at the end of a chapter; a run of their step answers them."""

from jittutor import review
from jittutor.plain import words
from jittutor.plain.lines import Lines
from jittutor.plain.running import Running
from jittutor.review import Question
from jittutor.study.guess import Guess
from jittutor.study.source import normal
from jittutor.study.study import Study

LEAVE = "leave"


class Again:
    """One question after the other, each with one try."""

    def __init__(self, study: Study, running: Running, lines: Lines) -> None:
        """Nothing was asked yet."""
        self.study, self.running, self.lines = study, running, lines
        self._asked: list[tuple[str, str, str]] = []
        """Questions that were offered already at the end of this chapter."""

    async def ask(self) -> None:
        """Ask what is due here, once."""
        if not self.study.ends_chapter:
            return
        due = [q for q in review.questions(self.study.course, self.study.state) if q.standing == "due"]
        places = [question.place for question in due]
        if not due or places == self._asked:
            return
        self._asked = places
        self.lines.write("Before you go on: what you guessed wrong some time ago is asked again.")
        self.lines.write(f"Type the letter of your answer, or `{LEAVE}`. These runs do not count as yours.")
        for number, question in enumerate(due, 1):
            self.lines.write()
            for line in words.again(question, number, len(due)):
                self.lines.write(line)
            if not await self._answer(question):
                break
        self.lines.write()

    async def _answer(self, question: Question) -> bool:
        """Take an answer and say how it was; False when the learner leaves."""
        choices = question.predict.choices
        letters = words.LETTERS[: len(choices)]
        while (typed := await self.lines.ask()) is not None and typed.strip().lower() != LEAVE:
            letter = typed.strip().lower()
            if len(letter) == 1 and letter in letters:
                await self._judge(question, choices[letters.index(letter)].text)
                return True
            self.lines.write(f"The letters are {', '.join(letters)}; `{LEAVE}` goes on in the course.")
        return False

    async def _judge(self, question: Question, choice: str) -> None:
        study, step, own = self.study, question.step, self.running.output
        await self.running.run(study.aside(question.lesson, step, normal(step.source)))
        guess = Guess(question.predict).lock(choice).judge(study.record.answers.get(question.predict.id))
        if guess.judged:
            review.answered(study.state, question.place, choice, right=guess.right)
            study.state.save()
        study.come_back()
        self.running.output = own
        for line in words.verdict(guess):
            self.lines.write(line)
