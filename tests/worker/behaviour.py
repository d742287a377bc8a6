"""Scripts that look at their surroundings, end in many ways and write in many ways; none needs JAX."""

_TEXT = r"""
## arguments
import sys
print(sys.argv, __name__, __file__, __doc__, __spec__, __package__)
## surroundings
import os, sys
print(os.getcwd(), sys.path)
## globals
print(sorted(globals()))
print(__builtins__.__name__, type(__loader__).__name__)
## stdin
import sys
print(input('name? '))
print(repr(sys.stdin.read()))
## exit_number
import sys
print('out')
sys.exit(7)
## exit_words
import sys
sys.exit('words')
## exit_none
raise SystemExit
## exit_hard
import os
print('out', flush=True)
os._exit(9)
## bytes
import sys, os
sys.stdout.buffer.write(bytes(range(256)))
sys.stdout.flush()
os.write(1, b'\xff\n')
## order
import os, subprocess, sys
print('1', flush=True)
os.write(1, b'2\n')
subprocess.run(['echo', '3'])
print('4', flush=True)
os.system('echo 5')
## error
def deep(n):
    return deep(n - 1) if n else 1 / 0


print('before')
deep(3)
## error_beside
import beside
print(beside.value)
beside.fail()
## error_chained
try:
    {}['a']
except KeyError as error:
    raise RuntimeError('two') from error
## error_group
raise ExceptionGroup('many', [ValueError(1), TypeError(2)])
## error_silent
class Mute(Exception):
    def __str__(self):
        raise ValueError
raise Mute
## excepthook
import sys
sys.excepthook = lambda kind, *_: print('mine', kind.__name__, sys.exc_info(), sys.last_type)
1 / 0
## broken_hook
import sys
def hook(*_):
    raise OSError('hook')
sys.excepthook = hook
1 / 0
## atexit
import atexit
atexit.register(print, 'last')
print('first')
## atexit_error
import atexit
atexit.register(print, 'last')
1 / 0
## thread
import threading
threading.Thread(target=lambda: print('thread')).start()
## thread_error
import threading
t = threading.Thread(target=lambda: 1 / 0, name='t')
t.start()
t.join()
print('on')
## fork
import os, sys
pid = os.fork()
if pid == 0:
    print('child')
    sys.exit(3)
print(os.waitpid(pid, 0)[1])
## processes_fork
import multiprocessing as m
def work(n):
    return n * n
if __name__ == '__main__':
    with m.get_context('fork').Pool(2) as p:
        print(p.map(work, range(3)))
## processes_spawn
import multiprocessing as m
def work(n):
    return n * n
if __name__ == '__main__':
    with m.get_context('spawn').Pool(1) as p:
        print(p.map(work, range(3)))
## stdout_closed
import sys
print('out')
sys.stdout.close()
## descriptor_closed
import os
print('out', flush=True)
os.close(1)
## stdout_replaced
import sys, io
old = sys.stdout
sys.stdout = io.StringIO()
print('lost')
sys.stdout = old
print('out')
## redirected
import contextlib, io
with contextlib.redirect_stdout(io.StringIO()) as f:
    print('in')
print([f.getvalue()])
## settrace
import sys
seen = []
def look(frame, event, arg):
    seen.append(frame.f_code.co_name)
def f():
    return 1
sys.settrace(look)
f()
sys.settrace(None)
print(seen)
## monitoring
import sys
m = sys.monitoring
m.use_tool_id(2, 'own')
seen = []
m.register_callback(2, m.events.PY_START, lambda code, at: seen.append(code.co_name))
def f():
    return 1
m.set_local_events(2, f.__code__, m.events.PY_START)
f()
f()
print(seen)
## chdir
import os
os.chdir('/')
import beside
print(beside.value, __file__)
## warning
import warnings
warnings.warn('careful')
## encoding
# -*- coding: latin-1 -*-
print(ascii('é'))
## future
from __future__ import annotations
def f(x: nothing): ...
print(f.__annotations__)
## exec_itself
import os, sys
if len(sys.argv) < 4:
    os.execv(sys.executable, [sys.executable, __file__, 'a', 'b', 'c'])
print(sys.argv[1:])
## traceback_limit
import sys
sys.tracebacklimit = 0
1 / 0
## surrogates
import sys
sys.stdout.reconfigure(errors='surrogateescape')
print('\udcff')
## large_exit
import sys
sys.exit(300)
## breakpoint_off
import os
os.environ['PYTHONBREAKPOINT'] = '0'
breakpoint()
print('on')
## frames
import sys, traceback
f = sys._getframe()
print(f.f_code.co_name, f.f_lineno)
try:
    1 / 0
except Exception:
    traceback.print_exc()
## pickled
import pickle
class Own:
    n = 3
print(pickle.loads(pickle.dumps(Own())).n, Own.__module__)
## stack
import inspect, os, subprocess, sys, traceback, warnings
traceback.print_stack()
warnings.warn('here', stacklevel=2)
print(len(inspect.stack()), sys._getframe().f_back, sys.orig_argv[1:])
def deeper(n):
    try:
        return deeper(n + 1)
    except RecursionError:
        return n
print(deeper(0))
print(os.environ.get('PYTHONPATH'), [name for name in os.environ if 'JITTUTOR' in name], sys.path)
asks = 'import os, sys; print(os.environ.get("PYTHONPATH"), sys.path[1:], "sitecustomize" in sys.modules)'
print(subprocess.run([sys.executable, '-c', asks], capture_output=True, text=True).stdout)
## interrupt
print('before')
raise KeyboardInterrupt
## hook_exits
import sys
sys.excepthook = lambda *_: sys.exit(6)
1 / 0
"""

SCRIPTS = {
    part.partition("\n")[0]: part.partition("\n")[2] for part in _TEXT.removeprefix("\n## ").split("\n## ")
}
"""The scripts by name."""
