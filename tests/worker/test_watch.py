"""What the watch tells of calls, phases and compiles, held against JAX's own events."""

from textwrap import dedent

import pytest

from jittutor.event import Ask
from tests.worker.tools import HEAD, Tutor, watched

HEARD = HEAD + dedent(
    """
    if not hasattr(jax, "spans_heard"):
        jax.spans_heard = []
        jax.monitoring.register_event_time_span_listener(
            lambda event, start, end, **more: jax.spans_heard.append((event, (end - start) * 1e3))
        )
    """
)


def test_phases_are_those_of_jaxs_own_events(tutor: Tutor) -> None:
    source = """
        jax.spans_heard.clear()

        @jax.jit
        def f(x):
            for _ in range(30):
                x = jnp.sin(x)
            return x

        f(1.0)
        """
    record = watched(tutor, source, HEARD, Ask("spans", "jax.spans_heard"))
    spans: dict[str, float] = {}
    for event, ms in eval(record.answers["spans"].text):  # noqa: S307 - our own list
        spans[event.rsplit("/", 1)[1]] = ms
    (row,) = record.rows
    assert row.call.trace_ms == pytest.approx(spans["jaxpr_trace_duration"])
    assert row.call.lower_ms == pytest.approx(spans["jaxpr_to_mlir_module_duration"])
    assert row.call.compile_ms == pytest.approx(spans["backend_compile_duration"])


def test_operations_outside_jit_are_told_apart(tutor: Tutor) -> None:
    record = watched(tutor, "x = jnp.ones(3)\nf = jax.jit(lambda v: v + 1)\nf(x)\njnp.sin(x)")
    assert {event.function for event in record.eager} >= {"broadcast_in_dim", "sin"}
    assert record.compiles() == 1
    assert [row.call.function for row in record.rows] == ["<lambda>"]


def test_a_program_found_on_disk_is_told_as_such(tutor: Tutor) -> None:
    source = """
        import tempfile
        jax.config.update("jax_enable_compilation_cache", True)
        jax.config.update("jax_compilation_cache_dir", tempfile.mkdtemp())
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        from jax.experimental.compilation_cache import compilation_cache
        compilation_cache.reset_cache()
        f = jax.jit(lambda x: x * 5)
        f(1.0)
        jax.clear_caches()
        f(1.0)
        """
    record = watched(tutor, source)
    assert [event.from_disk for event in record.compiled] == [False, True]
    assert record.cache() == ["miss", "miss"]


@pytest.mark.parametrize(
    ("call", "signature"),
    [
        ("f(1.0)", "a: ~f32[]"),
        ("f(np.ones((2, 3), np.int8))", "a: i8[2,3]"),
        ("f(jnp.ones(2), b=3)", "a: f32[2], b: ~i32[]"),
        ("f(b=True, a=1)", "a: ~i32[], b: bool[]"),
        ("f({'w': jnp.ones(2), 'b': 0.0})", "a: {'b': ~f32[], 'w': f32[2]}"),
        ("f((1, [2.0, None]))", "a: (~i32[], [~f32[], None])"),
        ("f(None)", "a: None"),
        ("f(1, n=4)", "a: ~i32[], n=4"),
        ("f(1j)", "a: ~c64[]"),
        ("f(jax.random.key(0))", "a: key<fry>[]"),
    ],
)
def test_a_hit_has_the_signature_of_its_miss(tutor: Tutor, call: str, signature: str) -> None:
    source = f"""
        @functools.partial(jax.jit, static_argnames="n")
        def f(a, b=None, n=1):
            return jax.tree.leaves((a, b))

        {call}
        {call}
        """
    record = watched(tutor, source)
    rows = [row for row in record.rows if row.call.function == "f"]
    assert [row.cache for row in rows] == ["miss", "hit"]
    assert [row.call.signature for row in rows] == [signature, signature]
    assert rows[0].program == rows[1].program is not None


def test_lowering_and_compiling_ahead_counts_once(tutor: Tutor) -> None:
    source = """
        @jax.jit
        def f(x):
            return x + 1

        low = f.lower(1.0)
        program = low.compile()
        program(1.0), program(2.0)
        f(3.0)
        """
    record = watched(tutor, source)
    assert record.traces("f") == 1
    assert record.compiles("f") == len(record.compiled)
    assert list(record.functions) == ["f"]


def test_transformations_of_a_jitted_function_are_told(tutor: Tutor) -> None:
    source = """
        @jax.jit
        def f(x):
            return x * x

        jax.grad(f)(jnp.float32(2))
        jax.vmap(f)(jnp.ones(3))
        jax.vmap(f)(jnp.ones(3))
        """
    record = watched(tutor, source)
    assert record.traces("f") == 1
    assert record.rows == ()
    assert record.functions["f"].calls == 3


def test_a_jitted_function_of_a_library_is_counted(tutor: Tutor) -> None:
    source = """
        import types
        library = types.ModuleType("library")
        text = "import jax\\n@jax.jit\\ndef deep(x):\\n    return x + 1\\ndef go(x):\\n    return deep(x)\\n"
        exec(compile(text, "/usr/lib/library.py", "exec"), library.__dict__)
        for _ in range(3):
            library.go(1.0)
        """
    record = watched(tutor, source)
    assert record.rows == ()
    assert (record.functions["deep"].traces, record.functions["deep"].calls) == (1, 3)


METHOD = """
class M:
    @functools.partial(jax.jit, static_argnums=0)
    def f(self, x):
        return x

f = M().f
for _ in range(3):
    f(1.0)
"""
PARTIAL = """
f = functools.partial(jax.jit(lambda x, n: x, static_argnums=1), n=2)
for _ in range(3):
    f(1.0)
"""


@pytest.mark.parametrize(
    ("source", "calls"),
    [
        (METHOD, 3),
        (METHOD.replace("f = M().f", "m = M()").replace("    f(1.0)", "    m.f(1.0)"), 3),
        (PARTIAL, 3),
        (PARTIAL.replace("functools.partial", "jax.tree_util.Partial"), 3),
        ("f = jax.jit(jnp.sin)\nf(1.0)\nf(2.0)", 2),
        ("f = jax.jit(jax.grad(jnp.sin))\nf(1.0)\nf(2.0)", 2),
        ("f = jax.jit(jax.jit(lambda x: x))\nf(1.0)\nf(2.0)", 2),
    ],
)
def test_every_form_of_a_jitted_function_is_a_call(tutor: Tutor, source: str, calls: int) -> None:
    record = watched(tutor, source)
    assert record.cache() == ["miss"] + ["hit"] * (calls - 1)
    assert [reason.kind for reason in record.reasons.values()] == ["first call"]


def test_what_is_made_of_a_function_is_no_remake_of_it(tutor: Tutor) -> None:
    source = """
        def f(x):
            return x * x

        jax.jit(f)(1.0)
        jax.jit(jax.grad(f))(1.0)
        jax.jit(jax.vmap(f))(jnp.ones(2))
        jax.jit(functools.partial(f))(1.0)
        """
    record = watched(tutor, source)
    assert [row.reason and row.reason.kind for row in record.rows] == ["first call"] * 4


def test_calls_that_raise_are_told(tutor: Tutor) -> None:
    source = """
        def fail(x):
            if x > 1:
                raise ValueError
            return x

        f = jax.jit(lambda x: jax.pure_callback(fail, x, x))
        for x in (1.0, 2.0):
            try:
                float(f(x))
            except Exception:
                pass
        """
    record = watched(tutor, source)
    assert record.cache() == ["miss", "hit"]


@pytest.mark.parametrize(
    "switch", ["jax.config.update('jax_debug_nans', True)", "jax.debug_nans(True).__enter__()"]
)
def test_jaxs_own_nan_check_stays_in_place(tutor: Tutor, switch: str) -> None:
    record = tutor.run(f"f = jax.jit(jnp.log)\nf(-1.0)\nf(-1.0)\n{switch}\nf(-1.0)\n", HEAD)
    assert record.error
    assert (record.error.type, record.error.line) == ("FloatingPointError", 5)
    assert record.traces("log") == 1


def test_threads_have_their_own_calls(tutor: Tutor) -> None:
    source = """
        from concurrent.futures import ThreadPoolExecutor

        @jax.jit
        def f(x):
            return x + 1

        def work(n):
            return float(f(float(n)))

        with ThreadPoolExecutor(4) as pool:
            assert sum(pool.map(work, range(40))) == 820
        """
    record = watched(tutor, source)
    assert record.traces("f") == 1
    assert record.functions["f"].calls == 40
    assert sorted(row.call.n for row in record.rows) == list(range(1, len(record.rows) + 1))


def test_the_wait_for_a_result_is_its_execution(tutor: Tutor) -> None:
    source = """
        x = jnp.ones((1500, 1500))
        f = jax.jit(lambda v: v @ v)
        f(x).block_until_ready()
        f(x).block_until_ready()
        """
    record = watched(tutor, source)
    assert all(row.execute_ms and row.execute_ms > 0 for row in record.rows)


def test_a_compile_knows_its_line(tutor: Tutor) -> None:
    record = watched(tutor, "f = jax.jit(lambda v: v)\n\nf(1.0)\njnp.cos(2.0)")
    compiled = [(event.function, event.line) for event in record.compiled]
    assert compiled == [("<lambda>", 3), ("cos", 4)]
