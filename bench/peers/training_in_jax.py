"""The four training algorithms of the book on forced host devices of JAX, as a worker of training.py.

The programs are those of the *.shard.in beside it, statement by statement: blocks of one device inside of shard_map,
with the same collectives. Arrays are put on their devices before anything is timed.

Lines of standard input are commands; each is answered with one line of JSON:
  first       the first call: tracing, compiling, running, until all results are there
  steady N    N calls, each until all results are there
  check DIR   runs on DIR/In.npy, Win.npy, Wout.npy, dOut.npy and compares with DIR/Out.npy, dWout.npy, dWin.npy, dIn.npy
"""

import json
import os
import sys
import time

STARTED = time.perf_counter()
SETTING = json.loads(sys.argv[1])
DEVICES = SETTING["x"] * SETTING["y"]
# Without the latter two, devices that wait for others longer than 40 s end the process: 256 of them share two cores.
os.environ["XLA_FLAGS"] = (
    f"--xla_force_host_platform_device_count={DEVICES}"
    " --xla_cpu_collective_call_warn_stuck_timeout_seconds=600"
    " --xla_cpu_collective_call_terminate_timeout_seconds=1200"
)
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import numpy as np
from jax.lax import all_gather, psum, psum_scatter
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def gather(block, axis, dimension):
    return all_gather(block, axis, axis=dimension, tiled=True)


def scatter(block, axis, dimension):
    return psum_scatter(block, axis, scatter_dimension=dimension, tiled=True)


def data_parallel(In, Win, Wout, dOut):
    Tmp = In @ Win
    Out = Tmp @ Wout
    dWout = psum(Tmp.T @ dOut, "X")
    dTmp = dOut @ Wout.T
    dWin = psum(In.T @ dTmp, "X")
    dIn = dTmp @ Win.T
    return Out, dWout, dWin, dIn


def fsdp(In, Win, Wout, dOut):
    Tmp = In @ gather(Win, "X", 0)
    Out = Tmp @ gather(Wout, "X", 1)
    dWout = scatter(Tmp.T @ dOut, "X", 1)
    dTmp = dOut @ gather(Wout, "X", 1).T
    dWin = scatter(In.T @ dTmp, "X", 0)
    dIn = dTmp @ gather(Win, "X", 0).T
    return Out, dWout, dWin, dIn


def tensor_parallel(In, Win, Wout, dOut):
    Tmp = gather(In, "Y", 1) @ Win
    Out = scatter(Tmp @ Wout, "Y", 1)
    dOut = gather(dOut, "Y", 1)
    dWout = Tmp.T @ dOut
    dTmp = dOut @ Wout.T
    dWin = gather(In, "Y", 1).T @ dTmp
    dIn = scatter(dTmp @ Win.T, "Y", 1)
    return Out, dWout, dWin, dIn


def fsdp_and_tensor_parallel(In, Win, Wout, dOut):
    Tmp = gather(In, "Y", 1) @ gather(Win, "X", 0)
    Out = scatter(Tmp @ gather(Wout, "X", 1), "Y", 1)
    dOut = gather(dOut, "Y", 1)
    dWout = scatter(Tmp.T @ dOut, "X", 1)
    dTmp = dOut @ gather(Wout, "X", 1).T
    dWin = scatter(gather(In, "Y", 1).T @ dTmp, "X", 0)
    dIn = scatter(dTmp @ gather(Win, "X", 0).T, "Y", 1)
    return Out, dWout, dWin, dIn


# Program, and how In, Win, Wout, dOut lie. Out and the gradients lie as In, Wout, Win and In.
ALGORITHMS = {
    "data-parallel": (data_parallel, P("X", None), P(None, None), P(None, None)),
    "fsdp": (fsdp, P("X", None), P("X", None), P(None, "X")),
    "tensor-parallel": (tensor_parallel, P(None, "Y"), P(None, "Y"), P("Y", None)),
    "fsdp-and-tensor-parallel": (fsdp_and_tensor_parallel, P("X", "Y"), P("X", "Y"), P("Y", "X")),
}
RESULTS = ("Out", "dWout", "dWin", "dIn")


def finished(arrays):
    jax.block_until_ready(arrays)
    return arrays


def difference(found, expected):
    """The largest error, relative to the largest element."""
    found = np.asarray(found).astype(np.float64)
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def main():
    program, activations, w_in, w_out = ALGORITHMS[SETTING["algorithm"]]
    mesh = jax.make_mesh((SETTING["x"], SETTING["y"]), ("X", "Y"))
    layouts = (activations, w_in, w_out, activations)
    step = jax.jit(
        jax.shard_map(program, mesh=mesh, in_specs=layouts, out_specs=(activations, w_out, w_in, activations))
    )
    dtype = {"fp32": "float32", "bf16": "bfloat16"}[SETTING["dtype"]]

    def on_devices(arrays):
        return finished(
            [
                jax.device_put(array.astype(dtype), NamedSharding(mesh, layout))
                for array, layout in zip(arrays, layouts, strict=True)
            ]
        )

    b, d, f = SETTING["b"], SETTING["d"], SETTING["f"]
    random = np.random.default_rng(0)
    inputs = on_devices(
        [random.standard_normal(shape).astype(np.float32) for shape in ((b, d), (d, f), (f, d), (b, d))]
    )

    def call(arguments):
        start = time.perf_counter()
        results = finished(step(*arguments))
        return time.perf_counter() - start, results

    print(json.dumps({"ready": time.perf_counter() - STARTED}), flush=True)
    for line in sys.stdin:
        command, *arguments = line.split()
        if command == "check":
            folder = arguments[0]
            given = [np.load(f"{folder}/{name}.npy") for name in ("In", "Win", "Wout", "dOut")]
            _, results = call(on_devices(given))
            answer = {
                name: difference(found, np.load(f"{folder}/{name}.npy"))
                for name, found in zip(RESULTS, results, strict=True)
            }
        else:
            count = int(arguments[0]) if arguments else 1
            answer = [call(inputs)[0] for _ in range(count)]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
