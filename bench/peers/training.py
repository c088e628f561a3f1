"""The training algorithms of the book, forward and backward, here and in JAX on as many forced host devices.

  python3 -m venv /tmp/jax && /tmp/jax/bin/pip install jax
  ./dev bench --benchmark_list_tests >/dev/null      # builds
  /tmp/jax/bin/python bench/peers/training.py [--devices 8 256] [--algorithms fsdp …] [--json FILE]

Both sides run the same program: *.shard.in here, training_in_jax.py there. They take turns, in processes of their own.

first   both: from the program's text or function to its results on the devices, inputs being there.
        JAX: the first call of the jitted function (tracing, compiling, executing).
        Shard: reading, checking, planning, preparing the run, executing.
steady  executing again on the same inputs.
whole   from starting the process to its end, with imports, inputs and the first execution. Shard: `shard run`.

A process whose memory passes --memory is ended; the row then says so. Before anything is measured, results of both sides
are compared on the same random inputs: `save` of a small run, and of the sizes that are measured with --check-all.
"""

import argparse
import json
import os
import pathlib
import signal
import statistics
import string
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ALGORITHMS = ("data-parallel", "fsdp", "tensor-parallel", "fsdp-and-tensor-parallel")
MESHES = {8: (4, 2), 16: (4, 4), 64: (8, 8), 256: (16, 16)}
INPUTS = ("In", "Win", "Wout", "dOut")
RESULTS = ("Out", "dWout", "dWin", "dIn")
# Relative to the largest element. Partial sums are fp32 here and bf16 in JAX, where 256 of them are rounded on the way.
TOLERANCES = {"fp32": 1e-5, "bf16": 0.03}


class TooLarge(Exception):
    """A process took more memory than allowed, or ended without an answer."""


def mesh_of(algorithm, devices):
    if algorithm == "tensor-parallel":
        return 1, devices
    if algorithm == "fsdp-and-tensor-parallel":
        return MESHES[devices]
    return devices, 1


def setting_of(algorithm, devices, dtype, sizes):
    x, y = mesh_of(algorithm, devices)
    b, d, f = sizes
    return {"algorithm": algorithm, "x": x, "y": y, "dtype": dtype, "b": b, "d": d, "f": f}


def program_of(setting, contents=""):
    template = (HERE / f"{setting['algorithm']}.shard.in").read_text()
    return string.Template(template).substitute(setting, contents=contents)


def resident(pid):
    """Bytes of memory that a process has; 0 once it is gone."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/statm").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") if len(fields) > 1 else 0


class Worker:
    """A process that answers commands with lines of JSON."""

    def __init__(self, command, memory):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        # If memory runs out nevertheless, this process is the one to go.
        pathlib.Path(f"/proc/{self.process.pid}/oom_score_adj").write_text("1000")
        self.peak = 0
        threading.Thread(target=self._watch, args=(memory,), daemon=True).start()
        self._answer()

    def _watch(self, memory):
        while self.process.poll() is None:
            self.peak = max(self.peak, resident(self.process.pid))
            if self.peak > memory:
                self.process.send_signal(signal.SIGKILL)
            time.sleep(0.05)

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise TooLarge(f"ended after {self.peak / 2**30:.1f} GiB")
        return json.loads(line)

    def ask(self, command):
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise TooLarge(f"ended after {self.peak / 2**30:.1f} GiB") from error
        return self._answer()

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def jax_command(setting):
    return [sys.executable, str(HERE / "training_in_jax.py"), json.dumps(setting)]


def check(setting, folder, options):
    """The largest difference of the two sides' results, relative to the largest element of each."""
    contents = "".join(f"{name} = random({seed})\n" for seed, name in enumerate(INPUTS, 1))
    saved = "".join(f'save {name} "{folder}/{name}.npy"\n' for name in INPUTS)
    ends = "".join(f'save {name} "{folder}/{name}.npy"\n' for name in RESULTS)
    script = folder / "check.shard"
    script.write_text(program_of(setting, contents + saved) + ends)
    subprocess.run([options.build / "shard", "run", script], check=True, stdout=subprocess.DEVNULL)
    worker = Worker(jax_command(setting), options.memory * 2**30)
    differences = worker.ask(f"check {folder}")
    worker.end()
    largest = max(differences.values())
    if largest > TOLERANCES[setting["dtype"]]:
        raise SystemExit(f"results differ: {setting} {differences}")
    return largest


def whole_process(command, answers):
    start = time.perf_counter()
    subprocess.run(command, input=answers, text=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def measure(setting, options, folder):
    script = folder / "program.shard"
    script.write_text(program_of(setting))
    engine_command = [options.build / "bench" / "training_engine", script]
    sides = {"jax": jax_command(setting), "shard": engine_command}
    times = {side: {"first": [], "steady": [], "whole": []} for side in sides}
    failed = {}
    for _ in range(options.processes):
        workers = {}
        for side, command in sides.items():
            if side in failed:
                continue
            try:
                workers[side] = Worker(command, options.memory * 2**30)
                times[side]["first"] += workers[side].ask("first")
            except TooLarge as error:
                failed[side] = str(error)
                workers.pop(side, None)
        for _ in range(options.rounds):
            for side in list(workers):
                try:
                    times[side]["steady"] += workers[side].ask("steady 3")
                except TooLarge as error:
                    failed[side] = str(error)
                    del workers[side]
        for worker in workers.values():
            worker.end()
    if "jax" not in failed and options.whole:
        times["jax"]["whole"].append(whole_process(sides["jax"], "first\n"))
        times["shard"]["whole"].append(whole_process([options.build / "shard", "run", script], ""))
    return times, failed


def best(values):
    return min(values) if values else None


def median(values):
    return statistics.median(values) if values else None


def ratio(times, kind, summary=best):
    jax, shard = summary(times["jax"][kind]), summary(times["shard"][kind])
    return jax / shard if jax and shard else None


def cell(value, digits=2):
    return "" if value is None else f"{value:.{digits}f}"


def row(setting, times, failed):
    devices = setting["x"] * setting["y"]
    cells = [setting["algorithm"], str(devices), setting["dtype"]]
    for kind in ("first", "steady", "whole"):
        cells += [cell(best(times["jax"][kind])), cell(best(times["shard"][kind]), 3)]
        cells += [cell(ratio(times, kind), 1)]
    cells.append("; ".join(f"{side} {why}" for side, why in failed.items()))
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--algorithms", nargs="+", choices=ALGORITHMS, default=ALGORITHMS)
    parser.add_argument("--devices", nargs="+", type=int, choices=MESHES, default=[8, 256])
    parser.add_argument("--dtypes", nargs="+", choices=TOLERANCES, default=list(TOLERANCES))
    parser.add_argument("--sizes", nargs=3, type=int, default=[1024, 1024, 4096], metavar=("B", "D", "F"))
    parser.add_argument("--processes", type=int, default=3, help="first calls")
    parser.add_argument("--rounds", type=int, default=3, help="turns of three steady calls, for each process")
    parser.add_argument("--memory", type=float, default=16, help="GiB that a process may take")
    parser.add_argument("--whole", action="store_true", help="whole processes as well")
    parser.add_argument("--check-all", action="store_true", help="compare results at the sizes that are measured as well")
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent.parent / "build" / "release")
    parser.add_argument("--json", type=pathlib.Path, help="all times")
    options = parser.parse_args()
    print("| algorithm | devices | type | first: JAX s | Shard s | ratio | steady: JAX s | Shard s | ratio |"
          " whole: JAX s | Shard s | ratio | |")
    print("|" + "---|" * 13, flush=True)
    everything = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for devices in options.devices:
            for algorithm in options.algorithms:
                for dtype in options.dtypes:
                    small = setting_of(algorithm, devices, dtype, (256, 256, 512))
                    setting = setting_of(algorithm, devices, dtype, options.sizes)
                    record = {"setting": setting}
                    record["difference"] = check(setting if options.check_all else small, folder, options)
                    times, failed = measure(setting, options, folder)
                    record |= {"times": times, "failed": failed}
                    record["medians"] = {kind: ratio(times, kind, median) for kind in ("first", "steady")}
                    everything.append(record)
                    print(row(setting, times, failed), flush=True)
                    if options.json:
                        options.json.write_text(json.dumps(everything, indent=1))


if __name__ == "__main__":
    main()
