"""The lesson that a new one starts as: it has every kind of cell and holds its word."""

import re
import tomllib
from pathlib import Path

from jittutor.course import read_text
from jittutor.lesson import slugify

INDEX = "course.toml"


class CannotBeginError(Exception):
    """A lesson that cannot be begun; says why in a sentence."""


def begin(slug: str, title: str, folder: Path, *, in_course: bool) -> list[Path]:
    """Write the skeleton (and the course's index, if it belongs to one); the files that were written.

    Raises:
        CannotBeginError: the name is no slug, or the file is there or cannot be written.
        jittutor.lesson.LessonError: the index cannot be read.
    """
    if slug != slugify(slug) or slug.isdecimal():
        near = slugify(slug)
        good = f"`{near}`, for example" if near and not near.isdecimal() else "`weak-types`, for example"
        raise CannotBeginError(f"a lesson's name is small letters, digits and hyphens: {good}")
    path, index = folder / f"{slug}.py", folder / INDEX
    try:
        folder.mkdir(parents=True, exist_ok=True)
        new = _index(index, slug, folder.resolve().name) if in_course or index.exists() else None
        with path.open("x", encoding="utf-8") as file:
            file.write(_TEXT.replace("@TITLE@", " ".join(_harmless(title).split())))
        if new is None:
            return [path]
        index.write_text(new, encoding="utf-8")
    except FileExistsError:
        raise CannotBeginError(f"{path} is there already") from None
    except OSError as error:
        raise CannotBeginError(
            f"{error.filename or path}: {(error.strerror or str(error)).lower()}"
        ) from None
    return [path, index]


def _harmless(title: str) -> str:
    """The title without what would end the docstring it stands in."""
    return title.replace("\\", "/").replace('"', "'")


def _index(path: Path, slug: str, name: str) -> str:
    """The text of course.toml with one more lesson at its end."""
    if not path.exists():
        return f'title = "{_harmless(name)}"\n\n[[chapter]]\ntitle = "Drafts"\nlessons = ["{slug}"]\n'
    text = read_text(path)
    before, bracket, after = text.rpartition("]")
    comma = "" if before.rstrip().endswith((",", "[")) else ","
    longer = f'{before.rstrip()}{comma} "{slug}"{bracket}{after}'.replace('[ "', '["')
    for new in (longer, f'{text.rstrip()}\n\n[[chapter]]\ntitle = "Drafts"\nlessons = ["{slug}"]\n'):
        if _last(new) == slug and _slugs(new) == [*_slugs(text), slug]:
            return new
    raise CannotBeginError(f"{path} is not understood: it needs [[chapter]] tables with title and lessons")


def _slugs(text: str) -> list[str]:
    try:
        found = [slug for chapter in tomllib.loads(text)["chapter"] for slug in chapter["lessons"]]
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        return []
    return [str(slug) for slug in found]


def _last(text: str) -> str:
    return next(reversed(_slugs(text)), "")


def title_of(slug: str) -> str:
    """A title to start with."""
    return re.sub(r"-+", " ", slug).strip().capitalize()


_TEXT = '''\
"""@TITLE@

Say here in two or three sentences what the learner will see in this
lesson, and why it matters. Replace all of this text by your own.
"""

import jax
import numpy as np

x = np.arange(3, dtype=np.float32)

# %% One idea  id="one-idea", traces={"double": 1}, cache="miss hit", prints=["tracing double"]
"""
Tell one idea in a few sentences, and say what to look at when the code
has run. What is written as code, such as `double`, must be in the code, in
the output or in JAX.

The words after the title on the marker are claims: `jittutor verify` runs
the code and holds it to them. The id never changes once learners have the
lesson, because their progress is kept by it.
"""


@jax.jit
def double(x):
    print("tracing double")
    return 2 * x


double(x)
double(x + 1)

# %% predict: double is called twice. How many lines are printed?  answer="len(run.lines())"
"""
- `1`: JAX runs the Python code once for each kind of input, and both calls
  bring the same kind.
- `2`: that is what plain Python does. A jitted function runs its Python
  code only while JAX traces it.
"""

# %% Your turn  id="your-turn", traces={"double": 2}, cache="miss miss", reasons="dtype"
"""
Say what is wrong with the code below, and what shall be true at the end. A
small change is enough for a good exercise: the learner should think about
JAX, not type a lot.

Here the second call brings another dtype, so `double` is traced a second
time. Change that call so that `double` is traced once for both calls, with
the same numbers as before.
"""


@jax.jit
def double(x):
    return 2 * x


first = double(x)
second = double(np.arange(3, 6))

# %% hint
"""
The first hint says where to look: which dtype does `np.arange(3, 6)` have?
"""

# %% hint
"""
The last hint is enough to finish: `np.arange(3, 6, dtype=np.float32)`.
"""

# %% check
assert run.traces("double") == 1, (
    "expected: double is traced once for its two calls; "
    f"actual: traced {run.traces('double')} times"
)
assert np.array_equal(second, [6, 8, 10]), (
    "for the numbers 3, 4, 5: expected: 6, 8, 10; "
    f"actual: {np.asarray(second).tolist()}"
)


# %% solution
@jax.jit
def double(x):
    return 2 * x


first = double(x)
second = double(np.arange(3, 6, dtype=np.float32))

# %% wrong
"""
traced 0 times
"""


def double(x):
    return 2 * x


first = double(x)
second = double(np.arange(3, 6))

# %% wrong
"""
actual: [0.0, 2.0, 4.0]
"""


@jax.jit
def double(x):
    return 2 * x


first = double(x)
second = double(x)
'''
