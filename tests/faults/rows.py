"""The table: what a learner's code does, and what is told of it. Each row ends in a good next run."""

from dataclasses import dataclass

STOPPED = "it was stopped and replaced"


@dataclass(frozen=True)
class Row:
    """One fault; `outcome` may name several that are right."""

    name: str
    source: str
    outcome: str = "ok"
    words: str = ""
    """Part of what is said of the end."""
    output: str = ""
    """Part of what was printed."""
    stop: bool = False
    """Stop is pressed when it prints `going`, and pressed again 2 s later."""
    seconds: float | None = 30.0
    slow: bool = False


ROWS = (
    # ---------------------------------------------------------------- never ends
    Row("infinite Python loop", "print('going')\nwhile True: pass", "interrupted", stop=True),
    Row("loop that catches every exception",
        "print('going')\nwhile True:\n  try:\n    while True: pass\n  except BaseException: pass",
        "lost", STOPPED, stop=True),
    Row("infinite XLA loop",
        "import jax\nprint('going')\nf = jax.jit(lambda x: jax.lax.while_loop(lambda c: True, lambda c: c + 1, x))\n"
        "f(1).block_until_ready()", "lost", STOPPED, stop=True),
    Row("compile that takes minutes",
        "import jax, jax.numpy as jnp\n"
        "def f(x):\n  for i in range(9):\n    x = jax.lax.reduce_window(jnp.ones((900,900)), 0., jax.lax.add, "
        "(300+i,300), (1,1), 'SAME') * x\n  return x\n"
        "low = jax.jit(f).lower(jnp.ones((900,900)))\nprint('going')\nlow.compile()", "lost", STOPPED, stop=True),
    Row("output flood that is stopped", "print('going')\ni = 0\nwhile True: print(i)", "interrupted", stop=True),
    Row("deadlock on a lock",
        "import threading\nlock = threading.Lock()\nlock.acquire()\nprint('going')\nlock.acquire()",
        "interrupted", stop=True),
    Row("deadlock between threads",
        "import threading\nlock = threading.Lock()\nlock.acquire()\nt = threading.Thread(target=lock.acquire)\n"
        "t.start()\nprint('going')\nt.join()", "interrupted", stop=True),
    Row("C code that holds Python up", "print('going')\nsum(range(10**13))",
        "lost", STOPPED, stop=True),
    Row("ignores SIGINT", "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('going')\n"
        "while True: pass", "lost", STOPPED, stop=True),
    Row("Python loop past its time", "while True: pass", "timeout", seconds=1),
    Row("XLA loop past its time",
        "import jax\njax.jit(lambda x: jax.lax.while_loop(lambda c: True, lambda c: c + 1, x))(1).block_until_ready()",
        "lost", "took longer than 1 s", seconds=1),
    Row("C code past its time", "sum(range(10**13))", "lost", "took longer than 1 s",
        seconds=1),
    # ---------------------------------------------------------------- leaves
    Row("os._exit", "print('so far')\nimport os; os._exit(3)", "lost", "exit code 3", "so far"),
    Row("os._exit with the worker's own code", "import os; os._exit(81)", "lost", "exit code 81"),
    Row("sys.exit", "import sys; sys.exit(3)", "exit"),
    Row("sys.exit with words", "import sys; sys.exit('no more')", "exit", output="no more"),
    Row("quit()", "quit()", "exit"),
    Row("os.abort", "import os; os.abort()", "lost", "aborted"),
    Row("SIGSEGV", "import ctypes; ctypes.string_at(0)", "lost", "segmentation fault"),
    Row("SIGKILL", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "lost", "killed"),
    Row("SIGTERM", "import os, signal; os.kill(os.getpid(), signal.SIGTERM)", "lost", "told to end"),
    Row("SIGSTOP", "print('going')\nimport os, signal; os.kill(os.getpid(), signal.SIGSTOP)", "lost", STOPPED,
        stop=True),
    Row("kills its own process group", "import os, signal; os.killpg(0, signal.SIGKILL)", "lost", "killed"),
    Row("kills its parent", "import os, signal; os.kill(os.getppid(), signal.SIGKILL)\nwhile True: pass", "lost"),
    # ---------------------------------------------------------------- takes too much
    Row("host memory eaten", "x = []\nwhile True: x.append(bytearray(50_000_000))", "lost",
        "GiB of memory, the most"),
    Row("host memory eaten by JAX", "import jax.numpy as jnp\nx = []\nwhile True: x.append(jnp.ones(10_000_000))",
        "lost", "GiB of memory, the most"),
    Row("host memory eaten by a child",
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'x=[]\\nwhile 1: x.append(bytearray(10**7))'])",
        "lost", "GiB of memory, the most"),
    Row("RESOURCE_EXHAUSTED", "import jax.numpy as jnp\njnp.ones((10**6, 10**7)).block_until_ready()", "error",
        "RESOURCE_EXHAUSTED"),
    Row("more NumPy than there is", "import numpy as np\nnp.ones(10**15)", "error", "MemoryError"),
    Row("fork bomb", "import os, warnings\nwarnings.simplefilter('ignore')\nwhile True: os.fork()", "lost",
        "more than 200 processes", slow=True),
    Row("fork bomb of sessions",
        "import os, warnings\nwarnings.simplefilter('ignore')\nfor i in range(400):\n  if os.fork() == 0:\n"
        "    os.setsid()\n    while True: os.pause() if hasattr(os, 'pause') else __import__('time').sleep(9)",
        "lost", "more than 200 processes", slow=True),
    Row("10,000 threads",
        "import threading, time\nfor i in range(10_000): threading.Thread(target=time.sleep, args=(99,)).start()",
        "lost", "more than 4000 threads"),
    Row("recursion in Python", "def f(): f()\nf()", "error", "RecursionError"),
    Row("recursion without a limit",
        "import sys\nsys.setrecursionlimit(10**9)\nclass A:\n  def __repr__(self): return repr(self)\nrepr(A())",
        "lost error"),
    Row("recursion in tracing", "import jax\n@jax.jit\ndef f(x): return f(x)\nf(1)", "error", "RecursionError"),
    Row("all file descriptors", "import os\nfs = []\nwhile True: fs.append(os.open('/dev/null', 0))", "error",
        "Too many open files"),
    Row("disk full", "import os\nwith open('/dev/full', 'w') as f: f.write('x' * 100)", "error", "No space left"),
    # ---------------------------------------------------------------- breaks the furniture
    Row("fd 0 to 30 closed", "import os\nos.closerange(0, 31)\nprint('still here')", output="still here"),
    Row("sys.stdout replaced", "import sys, io\nsys.stdout = sys.stderr = io.StringIO()\nprint('unseen')"),
    Row("sys.stdout deleted", "import sys\ndel sys.stdout"),
    Row("sys.stdout closed", "import sys\nsys.stdout.close()"),
    Row("os.environ emptied", "import os\nos.environ.clear()"),
    Row("signal handlers replaced",
        "import signal\nfor n in (2, 10, 12, 14, 15, 17): signal.signal(n, lambda *_: None)"),
    Row("signals blocked", "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())"),
    Row("cwd deleted",
        "import os, tempfile\nd = tempfile.mkdtemp()\nos.chdir(d)\nos.rmdir(d)\nprint('gone')", output="gone"),
    Row("modules forgotten", "import sys\nsys.modules.clear()"),
    Row("print, open and time monkeypatched",
        "import builtins, time\nbuiltins.print = builtins.open = None\n"
        "time.time = time.monotonic = time.perf_counter = time.sleep = None"),
    Row("jnp and np monkeypatched", "import jax.numpy as jnp, numpy as np\njnp.ones = np.ones = jnp.sum = None"),
    Row("jax.config changed",
        "import jax\njax.config.update('jax_enable_x64', True)\njax.config.update('jax_disable_jit', True)"),
    Row("jax.clear_caches", "import jax\nf = jax.jit(lambda x: x)\nf(1)\njax.clear_caches()\nf(1)"),
    Row("garbage collector off, trace function on", "import gc, sys\ngc.disable()\nsys.settrace(lambda *a: None)"),
    Row("logging set up", "import logging\nlogging.basicConfig(level=0)\nlogging.info('said')", output="said"),
    Row("writes into the protocol's pipe",
        "import os, stat\nfor n in os.listdir('/proc/self/fd'):\n  n = int(n)\n  try:\n"
        "    if stat.S_ISSOCK(os.fstat(n).st_mode): os.write(n, b'{\"word\": \"Done\" garbage \\xff\\0 half a li')\n"
        "  except OSError: pass\nprint('said')", output="said"),
    Row("closes the protocol's pipe",
        "import os\nfor n in os.listdir('/proc/self/fd'):\n  try: os.close(int(n))\n  except OSError: pass",
        "lost ok"),
    # ---------------------------------------------------------------- output and input
    Row("output flood", "for i in range(100_000): print('line', i)", output="line 99999", slow=True),
    Row("output never flushed", "for i in range(200_000): print('x', end='')\nprint('end')", output="xend"),
    Row("one huge line", "print('y' * 3_000_000)", output="yyyy"),
    Row("binary output", "import sys, os\nsys.stdout.buffer.write(bytes(range(256)) * 40)\nos.write(1, bytes(range(256)))"
        "\nprint('end')", output="end"),
    Row("lone surrogates", "print('\\ud800', 'end')", "error ok"),
    Row("flood to fd 1", "import os\nfor i in range(2000): os.write(1, b'z' * 1000 + b'\\n')\nprint('end')",
        output="end"),
    Row("input()", "input('name? ')", "error", "EOFError"),
    Row("sys.stdin.read", "import sys\nprint(repr(sys.stdin.read()))", output="''"),
    Row("getpass", "import getpass, warnings\nwarnings.simplefilter('ignore')\ngetpass.getpass()", "error", "EOFError"),
    Row("pdb", "import pdb; pdb.set_trace()\nx = 1", "error ok"),
    Row("breakpoint()", "breakpoint()\nx = 1", "error ok"),
    # ---------------------------------------------------------------- leaves things behind
    Row("a thread left", "import threading, time\nthreading.Thread(target=time.sleep, args=(99,)).start()"),
    Row("a daemon thread that prints",
        "import threading, time\ndef f():\n  while True: print('still'); time.sleep(.01)\n"
        "threading.Thread(target=f, daemon=True).start()"),
    Row("a timer left", "import threading\nthreading.Timer(99, print).start()"),
    Row("an alarm left", "import signal\nsignal.alarm(1)"),
    Row("a child left", "import subprocess\nsubprocess.Popen(['sleep', '999'])"),
    Row("a daemon left", "import subprocess\nsubprocess.Popen(['sleep', '999'], start_new_session=True)\n"
        "import os; os._exit(0)", "lost", "exit code 0"),
    Row("a forked child that goes on", "import os, warnings\nwarnings.simplefilter('ignore')\npid = os.fork()\n"
        "print('child' if pid == 0 else 'parent')\nif pid: os.waitpid(pid, 0)", output="child"),
    Row("multiprocessing", "import multiprocessing as m, warnings\nwarnings.simplefilter('ignore')\n"
        "p = m.get_context('fork').Process(target=print, args=('hello',))\np.start(); p.join()", output="hello"),
    Row("atexit and weak references", "import atexit, weakref\natexit.register(print, 'late')"),
    Row("heavy packages", "import scipy.stats, scipy.optimize, unittest, asyncio, http.client", slow=True),
    Row("asyncio", "import asyncio\nasyncio.run(asyncio.sleep(0.01))"),
    # ---------------------------------------------------------------- JAX's own
    Row("a callback that raises",
        "import jax\ndef cb(x): raise ValueError('inside')\n"
        "jax.jit(lambda x: jax.pure_callback(cb, x, x))(1.0).block_until_ready()", "error", "inside"),
    Row("a callback that never returns",
        "import jax, time\ndef cb(x):\n  print('going')\n  while True: time.sleep(1)\n"
        "jax.jit(lambda x: jax.pure_callback(cb, x, x))(1.0).block_until_ready()", "lost interrupted error",
        stop=True),
    Row("not Python", "def (:", "error", "SyntaxError"),
    Row("a null byte", "x = '\0'", "error ok"),
)  # fmt: skip
