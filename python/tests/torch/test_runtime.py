# SPDX-License-Identifier: Apache-2.0
"""What torch.npu offers beside tensors: memory, graphs, events, several devices, processes, profilers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import torch
import torch_npu

import ferry
import ferry.torch


def run(script: str, *, folder: Path | None = None, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_memory_is_counted() -> None:
    torch.npu.empty_cache()
    before = torch.npu.memory_allocated()
    torch.npu.reset_peak_memory_stats()
    x = torch.zeros(1 << 20, device="npu")
    grown = torch.npu.memory_allocated() - before
    assert grown >= 4 << 20
    assert torch.npu.max_memory_allocated() >= before + grown
    assert torch.npu.memory_reserved() >= grown
    assert any(x.data_ptr() in range(s["address"], s["address"] + s["total_size"]) for s in snapshot())
    del x
    assert torch.npu.memory_allocated() == before


def snapshot() -> list[dict[str, int]]:
    found: list[dict[str, int]] = torch.npu.memory_snapshot()
    return found


def test_a_pool_of_its_own() -> None:
    pool = torch.npu.MemPool()
    with torch.npu.use_mem_pool(pool):
        x = torch.ones(1 << 20, device="npu")
    y = torch.ones(1 << 20, device="npu")
    segments = [(s["address"], s["address"] + s["total_size"]) for s in snapshot()]
    homes = [[start for start, end in segments if start <= t.data_ptr() < end] for t in (x, y)]
    assert homes[0] != homes[1]
    assert x.sum().item() == 1 << 20


def test_memory_that_runs_out_says_so() -> None:
    script = """
import ferry.torch, torch
try:
    torch.empty(1 << 30, device="npu")
except torch.OutOfMemoryError as error:
    print("out of memory:", "Tried to allocate" in str(error))
print(torch.ones(4, device="npu").sum().item())
"""
    assert run(script, FERRY_MEMORY="64M").splitlines()[-2:] == ["out of memory: True", "4.0"]


def test_expandable_segments_grow_in_place() -> None:
    script = """
import ferry.torch, torch
x = torch.ones(1 << 20, device="npu")
y = torch.ones(8 << 20, device="npu")
torch.npu.synchronize()
segments = torch.npu.memory_snapshot()
print(all(segment["is_expandable"] for segment in segments), (x.sum() + y.sum()).item())
del y
torch.npu.empty_cache()
print(x.sum().item(), torch.npu.memory_reserved() < 40 << 20)
"""
    printed = run(script, PYTORCH_NPU_ALLOC_CONF="expandable_segments:True")
    assert printed.splitlines()[-2:] == ["True 9437184.0", "1048576.0 True"]


def test_tensors_are_shared_between_processes() -> None:
    script = """
import ferry.torch, torch, torch.multiprocessing as mp

def work(given, taken):
    import ferry.torch
    x = given.get()
    x.add_(1)
    torch.npu.synchronize()
    taken.put(float(x[0]))
    given.get()

if __name__ == "__main__":
    context = mp.get_context("spawn")
    given, taken = context.Queue(), context.Queue()
    process = context.Process(target=work, args=(given, taken))
    process.start()
    x = torch.full((1 << 16,), 4.0, device="npu")
    torch.npu.synchronize()
    given.put(x)
    print(taken.get(timeout=200), x[1].item())
    given.put(None)
    process.join()
    print(process.exitcode)
"""
    folder = Path(os.environ.get("TMPDIR", "/tmp"))
    program = folder / f"shares_{os.getpid()}.py"
    program.write_text(script)
    try:
        printed = run(f"import runpy; runpy.run_path({str(program)!r}, run_name='__main__')")
    finally:
        program.unlink()
    assert printed.splitlines()[-2:] == ["5.0 5.0", "0"]


def test_events_measure_time() -> None:
    before, after = (torch.npu.Event(enable_timing=True) for _ in range(2))
    before.record()
    torch.randn(200, 200, device="npu") @ torch.randn(200, 200, device="npu")
    after.record()
    after.synchronize()
    assert after.query()
    assert before.elapsed_time(after) > 0


def test_each_device_has_its_streams() -> None:
    with torch.npu.device(1):
        x = torch.ones(4, device="npu")
        side = torch.npu.Stream()
        side.wait_stream(torch.npu.current_stream())
        with torch.npu.stream(side):
            y = x + 1
        torch.npu.current_stream().wait_stream(side)
        z = y + x
    assert z.device == torch.device("npu:1")
    assert z.to("npu:0").tolist() == [3, 3, 3, 3]
    assert torch.npu.current_device() == 0


def test_a_graph_of_a_network_with_two_streams() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.Linear(8, 2)).to("npu")
    x, side, graph = torch.ones(3, 4, device="npu"), torch.npu.Stream(), torch.npu.NPUGraph()
    torch.npu.synchronize()
    with torch.no_grad(), torch.npu.graph(graph):
        y = model(x)
        side.wait_stream(torch.npu.current_stream())
        with torch.npu.stream(side):
            total = y.sum()
        torch.npu.current_stream().wait_stream(side)
    for value in (1.0, -2.0):
        x.fill_(value)
        graph.replay()
        torch.npu.synchronize()
        with torch.no_grad():
            torch.testing.assert_close(total.cpu(), model(x).sum().cpu())
    graph.reset()


def test_an_operator_of_a_graph_is_replaced_by_updates() -> None:
    x, y = torch.ones(4, device="npu"), torch.zeros(4, device="npu")
    graph, side, event = torch.npu.NPUGraph(), torch.npu.Stream(), torch.npu.ExternalEvent()
    torch.npu.synchronize()
    with torch.npu.graph(graph):
        stream = torch.npu.current_stream()
        event.wait(stream)
        event.reset(stream)
        torch.npu.graph_task_group_begin(stream)
        torch.add(x, x, out=y)
        handle = torch.npu.graph_task_group_end(stream)
    for number in (2.0, 5.0, 9.0):
        other = torch.full((4,), number, device="npu")
        with torch.npu.stream(side):
            torch.npu.graph_task_update_begin(side, handle)
            torch.add(x, other, out=y)
            torch.npu.graph_task_update_end(side)
        for _ in range(2):  # it stays for the second replay
            y.zero_()
            event.record(side)
            graph.replay()
            torch.npu.synchronize()
            assert y.tolist() == [1 + number] * 4
    graph.reset()


def test_a_graphed_module_learns() -> None:
    model = torch.nn.Linear(4, 2).to("npu")
    sample = torch.ones(3, 4, device="npu")
    plain = torch.nn.functional.linear(sample, model.weight, model.bias).detach().cpu()
    graphed = torch.npu.make_graphed_callables(model, (sample,))
    result = graphed(sample)
    torch.testing.assert_close(result.detach().cpu(), plain)
    result.sum().backward()
    assert model.weight.grad.cpu().tolist() == [[3, 3, 3, 3]] * 2


def test_marks_and_operators_are_in_the_trace(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    with ferry.trace(str(path)):
        with ferry.range("prefill of torch"):
            torch.ones(4, device="npu").add_(1)
            torch.npu.synchronize()
        torch_npu.npu.mstx.mark("first token of torch")
    names = {str(event.get("name")) for event in json.loads(path.read_text())}
    assert {"prefill of torch", "first token of torch"} <= names
    assert any("aten::add_" in name for name in names)


def test_ranges_of_mstx_are_in_the_trace_without_a_profiler(tmp_path: Path) -> None:
    mstx, side = torch_npu.npu.mstx, torch.npu.Stream()
    path = tmp_path / "trace.json"
    with ferry.trace(str(path)):
        number = mstx.range_start("on the host", domain="serving")
        assert [mstx.range_push("outer"), mstx.range_push("inner", stream=side)] == [0, 1]
        assert [mstx.range_pop(), mstx.range_pop(), mstx.range_pop()] == [1, 0, -1]
        mstx.range_end(number, "serving")
        mstx.range_end(number, "serving")  # is not open any more: ignored
        with torch.profiler.record_function("a step"):
            torch.npu.synchronize()
    events = [event for event in json.loads(path.read_text()) if event.get("cat") == "range"]
    found = {str(event.get("name")) for event in events}
    assert {"on the host", "outer", "inner", "a step"} <= found
    # That of a stream is there, too.
    assert len([event for event in events if event["name"] == "inner"]) > 1


def test_a_function_that_is_a_step_may_call_itself() -> None:
    @torch.profiler.record_function("countdown")  # type: ignore[untyped-decorator]
    def count(number: int) -> int:
        return 0 if number == 0 else 1 + int(count(number - 1))

    assert count(3) == 3


def test_scripted_functions_may_name_their_steps() -> None:
    def step(x: torch.Tensor) -> torch.Tensor:
        with torch.profiler.record_function("scripted"):
            return x + 1

    assert torch.jit.script(step)(torch.ones(2, device="npu")).tolist() == [2, 2]


def test_visible_devices_may_be_chosen_after_the_import() -> None:
    script = """
import os, ferry.torch, torch
os.environ["ASCEND_RT_VISIBLE_DEVICES"] = "1"
print(torch.npu.device_count(), torch.ones(2, device="npu").sum().item())
"""
    assert run(script, FERRY_DEVICES="cpu:3").splitlines()[-1] == "1 2.0"


def test_memory_swapped_to_the_host_computes() -> None:
    x = torch_npu.empty_with_swapped_memory([4], device="npu")
    x.fill_(2)
    assert (x * 3).tolist() == [6, 6, 6, 6]
