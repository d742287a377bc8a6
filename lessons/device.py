"""The device that does the work

Before we look at `jax.jit`, let us see where your code runs. All lessons
work on a CPU and on a GPU. The top line of the screen always says which
one you have.
"""

import jax
import jax.numpy as jnp
import numpy as np

# %% Which device is it?  id="which-device", prints=["JAX version:", "Default backend:", "Device 0:", "here"], holds=["jax.default_backend() == jax.devices()[0].platform", "len(run.lines('trace')) == 0"]
"""
The code stands below this text. On a small screen, `e` shows it, and
`Escape` with `t` brings the text back. Press `ctrl+j` to run it. What it
prints is in the pane Output: press `o`.

JAX sends work to a *device*. The *default backend* is the kind of device
that JAX uses when you do not choose: `gpu` if JAX found one, else `cpu`.
`jax.default_backend()` tells its name, and `jax.devices()` lists the
devices. These lessons need only one.

If you expected a GPU and see `cpu`, nothing is broken here: JAX was
installed without GPU support, or the machine has no free GPU. You can
still learn everything. Counts, reasons and programs are the same; only the
times differ.
"""

print("JAX version:", jax.__version__)
print("Default backend:", jax.default_backend())

gpus = 0
for number, device in enumerate(jax.devices()):
    kind = device.device_kind
    print(f"Device {number}:", device.platform, kind)
    if device.platform == "gpu":
        gpus += 1

if gpus:
    print("GPUs here:", gpus)
else:
    print("No GPU here: the lessons run on the CPU.")

# %% Arrays live on a device  id="arrays-live-on-a-device", shows="Array([ 0., 11., 22., 33.], dtype=float32)", compiles=0, holds=["isinstance(on_host, np.ndarray)", "on_device.devices() == {jax.devices()[0]}", "both.devices() == on_device.devices()"]
"""
A NumPy array lies in the memory of the *host*: the ordinary memory of this
computer. A JAX array lies in the memory of a *device*. When the device is
a GPU, these are two different memories, and moving data between them takes
time. When the device is the CPU, the rule is the same, but the way is
short.

The code adds a NumPy array to a JAX array. JAX first copies the NumPy
array to the device and then adds there.

The last line of the code is a bare name. Its value is shown, as in a
notebook.
"""

on_device = jnp.arange(4, dtype=jnp.float32)
on_host = np.array([0, 10, 20, 30], dtype=np.float32)

both = on_device + on_host
print("lives on:", both.devices())
both

# %% predict: What is `type(on_device + on_host)`?  answer="'a JAX array' if isinstance(both, jax.Array) else 'a NumPy array'"
"""
- `a JAX array`: one JAX array is enough: the other input is copied to the
  device, and the result stays there.
- `a NumPy array`: that would mean moving the device's data back to the
  host. JAX does this only when you ask, for example with np.asarray.
- `an error`: JAX accepts NumPy arrays as inputs everywhere.
"""

# %% Your turn: sum on the device  id="sum-on-the-device", holds=["not isinstance(total, jax.Array)", "total == 10.0"]
"""
This code computes a sum, but JAX has no part in it: `values.sum()` is
NumPy's own method, and it runs on the host.

Change the code so that the sum is computed by JAX:

- `total` is a JAX array, so it lives on the device;
- its dtype is `float32`, JAX's usual float type;
- its value is still 10.

Do not turn `total` into a Python number. That would bring it back to the
host. Later lessons show why you want to keep results on the device for as
long as you can.
"""

values = np.arange(5)
total = float(values.sum())

# %% hint
"""
`jnp` has nearly the same functions as `np`. `jnp.sum(values)` gives a JAX
array. Which dtype does it have? Look at `values` for the answer.
"""

# %% hint
"""
Create the values as JAX floats: `jnp.arange(5, dtype=jnp.float32)`. Then
write `total = jnp.sum(values)`, without `float`.
"""

# %% check
assert isinstance(total, jax.Array), (
    "expected: total is a JAX array; "
    f"actual: total = {total!r}, a {type(total).__name__} on the host"
)
assert total.dtype == jnp.float32, (
    f"expected: dtype float32; actual: dtype {total.dtype}, "
    "because the values were integers"
)
assert total == 10.0, f"expected: total is 10.0; actual: {total}"

# %% solution
values = jnp.arange(5, dtype=jnp.float32)
total = jnp.sum(values)

# %% wrong
"""
a float on the host
"""

values = jnp.arange(5, dtype=jnp.float32)
total = float(jnp.sum(values))

# %% wrong
"""
because the values were integers
"""

values = np.arange(5)
total = jnp.sum(values)
