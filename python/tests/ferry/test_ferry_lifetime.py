# SPDX-License-Identifier: Apache-2.0
"""Process exit with everything still alive, and fork: quiet, and never a crash."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .conftest import RunPython

EVERYTHING_ALIVE = """
import acl, ferry
device = ferry.Device(0)
device.activate()
context = ferry.Context(0)
context.activate()
stream = ferry.Stream()
event = stream.record()
buffer = ferry.Buffer(1 << 20)
part = buffer[8:16]
array = ferry.pinned_empty(1 << 20, "uint8")
memory = ferry.pinned_bytes(64)
capsule = buffer.__dlpack__()
cycle = [buffer]; cycle.append(cycle)
"""

IN_FLIGHT = (
    EVERYTHING_ALIVE
    + """
gate, code = acl.rt.create_event_with_flag(1)
assert acl.rt.stream_wait_event(stream.handle, gate) == 0
transfers = [ferry.copy_async(buffer, array, stream=stream) for _ in range(16)]
transfers.append(ferry.copy_batch_async([(buffer[:8], array[:8])], stream=stream))
"""
)

RUNNING = (
    EVERYTHING_ALIVE
    + """
transfers = [ferry.copy_async(buffer, array, stream=stream) for _ in range(1000)]
del array, buffer, part, capsule
"""
)


@pytest.mark.parametrize("schedule", ["eager", "lazy", "shuffle:5"])
@pytest.mark.parametrize("end", ["", "raise SystemExit(0)", "import os; os.kill(os.getpid(), 0)"], ids=str)
@pytest.mark.parametrize("script", [EVERYTHING_ALIVE, IN_FLIGHT, RUNNING], ids=["alive", "queued", "running"])
def test_the_process_ends_quietly(run_python: RunPython, script: str, end: str, schedule: str) -> None:
    run = run_python(f"{script}\n{end}", FERRY_SCHEDULE=schedule)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_an_exception_with_everything_alive(run_python: RunPython) -> None:
    run = run_python(IN_FLIGHT + "raise KeyError('mine')")
    assert run.returncode == 1
    assert run.stderr.rstrip().endswith("KeyError: 'mine'")


def test_threads_that_still_run(run_python: RunPython) -> None:
    script = """
import threading, ferry
started = threading.Event()
def work():
    with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(1 << 16) as buffer:
        array = ferry.pinned_empty(1 << 16, "uint8")
        while True:
            ferry.copy_async(buffer, array, stream=stream).wait()
            started.set()
threading.Thread(target=work, daemon=True).start()
started.wait()
"""
    run = run_python(script)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("schedule", ["eager", "lazy", "shuffle:9"])
def test_threads_share_everything(run_python: RunPython, schedule: str) -> None:
    script = """
import random, threading, ferry
device = ferry.Device(0)
device.activate()
stream, errors = ferry.Stream(), []
def work(seed):
    draw = random.Random(seed)
    try:
        with device, ferry.Stream() as own:
            for _ in range(150):
                size = draw.choice((1, 64, 4096))
                source, target = ferry.pinned_bytes(size), ferry.pinned_bytes(size)
                buffer = ferry.Buffer(size)
                source[:] = bytes([draw.randrange(256)]) * size
                which = draw.choice((stream, own))
                there = ferry.copy_async(buffer, source, stream=which)
                back = ferry.copy_batch_async([(target, buffer)], stream=which)
                buffer.close()
                draw.choice((there.wait, which.synchronize, back.done, lambda: None))()
                back.wait()
                assert target == source
    except BaseException as error:
        errors.append(repr(error))
threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
stream.close()
assert errors == [], errors
assert (ferry.stats().buffers, ferry.stats().in_flight) == (0, 0), ferry.stats()
"""
    run = run_python(script, FERRY_SCHEDULE=schedule)
    assert (run.returncode, run.stderr) == (0, "")


def test_fork(run_python: RunPython) -> None:
    script = (
        EVERYTHING_ALIVE
        + """
import gc, os, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # Python itself warns of fork beside threads
transfer = ferry.copy_async(buffer, array, stream=stream)
transfer.wait()
child = os.fork()
if child == 0:
    uses = (lambda: ferry.Buffer(64), lambda: ferry.Device(0).activate(), lambda: ferry.copy(buffer, array),
            lambda: stream.synchronize(), lambda: ferry.Stream(), lambda: ferry.pinned_bytes(64),
            lambda: ferry.copy_async(buffer, array, stream=stream),
            lambda: ferry.copy_batch([(buffer, array)]))
    for use in uses:
        try:
            use()
        except ferry.AclError as error:
            assert error.code == 507000, error
        else:
            raise SystemExit("a call succeeded in the child")
    del buffer, part, array, memory, capsule, cycle, transfer, event, stream, context
    gc.collect()
    raise SystemExit(0)
_, status = os.waitpid(child, 0)
assert status == 0, status
assert buffer.tobytes() == array.tobytes()
"""
    )
    run = run_python(script)
    assert (run.returncode, run.stderr) == (0, "")


def test_spawned_processes(run_python: RunPython) -> None:
    script = """
import subprocess, sys, ferry
code = "import ferry; ferry.Device(0).activate(); print(ferry.Buffer.from_host(b'abc').tobytes())"
with ferry.Device(0), ferry.Buffer(64):
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
assert out == "b'abc'\\n", out
"""
    run = run_python(script)
    assert (run.returncode, run.stderr) == (0, "")
