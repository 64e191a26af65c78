# SPDX-License-Identifier: Apache-2.0
"""Batches: the same bytes as single copies, the index of the faulty item, products without batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ferry

if TYPE_CHECKING:
    from .conftest import Gate, RunPython


def test_scattered_slices_there_and_back(device: ferry.Device) -> None:
    random = np.random.default_rng(7)
    count, block = 4096, 96
    host = random.integers(0, 256, (count, block), "uint8")
    back = np.zeros_like(host)
    order = random.permutation(count)
    with ferry.Buffer(count * block) as buffer:
        parts = [buffer[i * block : (i + 1) * block] for i in range(count)]
        ferry.copy_batch([(parts[i], host[order[i]]) for i in range(count)])
        np.testing.assert_array_equal(buffer.numpy("uint8", (count, block)), host[order])
        ferry.copy_batch((back[order[i]], parts[i]) for i in range(count))
    np.testing.assert_array_equal(back, host)


@pytest.mark.parametrize("count", [1, 4095, 4097, 10000])
def test_any_number_of_items(device: ferry.Device, count: int) -> None:
    host = np.arange(count, dtype="uint32")
    with ferry.Buffer(4 * count) as buffer:
        ferry.copy_batch([(buffer[4 * i : 4 * i + 4], host[i : i + 1]) for i in range(count)])
        np.testing.assert_array_equal(buffer.numpy("uint32"), host)
        pinned = ferry.pinned_empty(count, "uint32")
        pinned[:] = 0
        ferry.copy_batch_async([(pinned[i : i + 1], buffer[4 * i : 4 * i + 4]) for i in range(count)]).wait()
        np.testing.assert_array_equal(pinned, host)


def test_several_places_in_one_batch(run_python: RunPython) -> None:
    script = """
import ferry
with ferry.Device(1):
    second = ferry.Buffer(8192)
with ferry.Device(0):
    first = ferry.Buffer(8192)
    count = 6000
    data = [bytes([i % 251]) for i in range(count)]
    where = [(first, second)[i // 1000 % 2] for i in range(count)]
    ferry.copy_batch([(where[i][i : i + 1], data[i]) for i in range(count)])
    out = [bytearray(1) for _ in range(count)]
    ferry.copy_batch([(out[i], where[i][i : i + 1]) for i in range(count)])
    assert out == data
    ferry.copy_batch_async([(where[i][i : i + 1], data[i]) for i in range(count)]).wait()
"""
    run = run_python(script, FERRY_DEVICES="cpu:2")
    assert (run.returncode, run.stderr) == (0, "")


def test_nothing(device: ferry.Device) -> None:
    ferry.copy_batch([])
    ferry.copy_batch_async([]).wait()
    with ferry.Buffer(4) as buffer:
        ferry.copy_batch([(buffer[:0], b""), (buffer[4:], b"")])
        ferry.copy_batch([(buffer[:0], b""), (buffer[:2], b"ab"), (buffer[2:2], b""), (buffer[2:], b"cd")])
        assert buffer.tobytes() == b"abcd"


def test_lists_are_pairs_too(device: ferry.Device) -> None:
    with ferry.Buffer(2) as buffer:
        ferry.copy_batch(([buffer[:1], b"a"], (buffer[1:], b"b")))
        assert buffer.tobytes() == b"ab"


@pytest.mark.parametrize("pairs", [5, None, [5], [(1, 2, 3)], [(b"",)], ["ab"], [b"ab"]], ids=str)
def test_what_is_no_list_of_pairs(device: ferry.Device, pairs: Any) -> None:
    for function in (ferry.copy_batch, ferry.copy_batch_async):
        with pytest.raises(TypeError, match="pair"):
            function(pairs)


def test_two_directions_are_refused_and_nothing_is_copied(device: ferry.Device) -> None:
    target = bytearray(2)
    with ferry.Buffer(4) as buffer:
        buffer.fill(0)
        pairs: list[Any] = [(buffer[:0], b""), (buffer[:2], b"ab"), (target, buffer[2:])]
        for function in (ferry.copy_batch, ferry.copy_batch_async):
            with pytest.raises(ferry.InvalidArgumentError) as caught:
                function(pairs)
            assert caught.value.code == 107000
            assert caught.value.index == 2  # in the caller's list, counting the empty item
            assert "item 2" in str(caught.value)
        assert buffer.tobytes() == bytes(4)
        assert target == bytearray(2)


def test_an_item_that_is_wrong_is_named(device: ferry.Device) -> None:
    with ferry.Buffer(4) as buffer:
        with pytest.raises(TypeError, match="dst of item 1 is a read-only bytes"):
            ferry.copy_batch([(bytearray(2), buffer[:2]), (bytes(2), buffer[2:])])
        with pytest.raises(TypeError, match="src of item 0 is a NoneType"):
            ferry.copy_batch([(buffer, None)])  # type: ignore[list-item]


def test_a_list_that_changes_while_it_is_read(device: ferry.Device) -> None:
    pairs: list[Any] = []

    class Changing:
        def __dlpack__(self, **options: Any) -> Any:
            pairs.clear()
            return np.zeros(2, "uint8").__dlpack__()

    with ferry.Buffer(4) as buffer:
        pairs += [(buffer[:2], Changing()), (buffer[2:], b"ab")]
        with pytest.raises(RuntimeError, match="changed"):
            ferry.copy_batch(pairs)


def test_a_batch_in_flight_holds_its_sides(stream: ferry.Stream, gate: Gate) -> None:
    with ferry.Buffer(64) as buffer:
        gate.close(stream)
        sources = [ferry.pinned_empty(16, "uint8") for _ in range(4)]
        for i, source in enumerate(sources):
            source[:] = i
        before = ferry.stats().pinned_bytes
        transfer = ferry.copy_batch_async(
            [(buffer[16 * i : 16 * i + 16], source) for i, source in enumerate(sources)], stream=stream
        )
        del sources, source
        assert ferry.stats().pinned_bytes == before
        assert not transfer.done()
        gate.open()
        transfer.wait()
        assert ferry.stats().pinned_bytes == before - 64
        assert buffer.tobytes() == b"".join(bytes([i]) * 16 for i in range(4))


WITHOUT_BATCHES = """
import ferry
with ferry.Device(0), ferry.Buffer(8192) as buffer:
    pieces = [bytes([i % 256]) for i in range(8192)]
    ferry.copy_batch([(buffer[i : i + 1], piece) for i, piece in enumerate(pieces)])
    assert buffer.tobytes() == b"".join(pieces)
    memory = ferry.pinned_bytes(8192)
    ferry.copy_batch_async([(memory[i : i + 1], buffer[i : i + 1]) for i in range(8192)]).wait()
    assert memory == b"".join(pieces)
    now = ferry.stats()
    assert (now.batches, now.batch_fallbacks, now.batch_items) == (2, 2, 16384), now
    try:
        with ferry.failing("aclrtMemcpy", 507899, nth=4):
            ferry.copy_batch([(buffer[:0], b"")] + [(buffer[i : i + 1], b"x") for i in range(8)])
    except ferry.AclError as error:
        assert (error.code, error.index, error.function) == (507899, 4, "aclrtMemcpy"), error
    else:
        raise SystemExit("no error")
"""


def test_products_without_batches(run_python: RunPython) -> None:
    run = run_python(WITHOUT_BATCHES, FERRY_SOC="Ascend310P3")
    assert (run.returncode, run.stderr) == (0, "")


def test_schedules(run_python: RunPython) -> None:
    script = """
import ferry, random
with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(4096) as buffer:
    for turn in range(20):
        source, target = ferry.pinned_bytes(4096), ferry.pinned_bytes(4096)
        source[:] = random.Random(turn).randbytes(4096)
        cuts = list(range(0, 4097, 64))
        parts = list(zip(cuts, cuts[1:]))
        ferry.copy_batch_async([(buffer[a:b], source[a:b]) for a, b in parts], stream=stream)
        ferry.copy_batch_async([(target[a:b], buffer[a:b]) for a, b in parts], stream=stream).wait()
        assert target == source
"""
    for schedule in ("eager", "lazy", "shuffle:1", "shuffle:2"):
        run = run_python(script, FERRY_SCHEDULE=schedule)
        assert (run.returncode, run.stderr) == (0, ""), schedule


def test_lazy_shows_a_missing_wait(run_python: RunPython) -> None:
    script = """
import ferry
with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer.from_host(bytes(range(1, 65))) as buffer:
    targets = [ferry.pinned_bytes(64) for _ in range(8)]
    for target in targets:
        target[:] = bytes(64)
        ferry.copy_async(target, buffer, stream=stream)
    print(sum(target == bytes(64) for target in targets))
"""
    run = run_python(script, FERRY_SCHEDULE="lazy")
    assert (run.returncode, run.stdout, run.stderr) == (0, "8\n", "")
