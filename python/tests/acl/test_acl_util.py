# SPDX-License-Identifier: Apache-2.0
"""acl.util: addresses of Python objects, and objects made from addresses."""

from __future__ import annotations

import ctypes
import gc
import mmap
import sys
import warnings
import weakref
from typing import TYPE_CHECKING, Any

import acl
import pytest

if TYPE_CHECKING:
    from tests.acl.conftest import Allocate, RunPython

np = pytest.importorskip("numpy")
DEPRECATED = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def test_bytes_alias() -> None:
    data = bytes(range(100, 200))
    pointer = acl.util.bytes_to_ptr(data)
    assert ctypes.string_at(pointer, 100) == data
    assert acl.util.bytes_to_ptr(data) == pointer
    target = bytes(10_000)  # not shared with other code
    ctypes.memset(acl.util.bytes_to_ptr(target), 1, 10_000)
    assert target == b"\1" * 10_000


def test_bytes_are_kept_for_a_while() -> None:
    pointers = [acl.util.bytes_to_ptr(bytes([i]) * 50_000) for i in range(64)]
    gc.collect()
    for i, pointer in enumerate(pointers):
        assert ctypes.string_at(pointer, 50_000) == bytes([i]) * 50_000


@DEPRECATED
def test_arrays_are_let_go_in_the_end() -> None:
    class Array(np.ndarray):  # type: ignore[name-defined, misc]
        pass

    first = np.zeros(16).view(Array)
    acl.util.numpy_to_ptr(first)
    reference = weakref.ref(first)
    del first
    gc.collect()
    assert reference() is not None
    for i in range(64):
        acl.util.bytes_to_ptr(bytes([i]) * 100)
    gc.collect()
    assert reference() is None


def test_large_inputs_do_not_pile_up() -> None:
    size = 100 << 20
    first = np.zeros(size, np.uint8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        count = sys.getrefcount(first)
        acl.util.numpy_to_ptr(first)
        assert sys.getrefcount(first) == count + 1
        for _ in range(3):
            acl.util.numpy_to_ptr(np.zeros(size, np.uint8))
        assert sys.getrefcount(first) == count


@pytest.mark.parametrize("wrong", ["abc", bytearray(4), memoryview(b"abc"), None, 5, [1]])
def test_bytes_to_ptr_wants_bytes(wrong: Any) -> None:
    with pytest.raises(TypeError):
        acl.util.bytes_to_ptr(wrong)


def test_ptr_to_bytes() -> None:
    buffer = ctypes.create_string_buffer(b"hello", 5)
    copy = acl.util.ptr_to_bytes(ctypes.addressof(buffer), 5)
    buffer.raw = b"other"
    assert copy == b"hello"
    assert acl.util.ptr_to_bytes(ctypes.addressof(buffer), 0) == b""
    large = np.arange(1 << 20, dtype=np.uint32)
    assert acl.util.ptr_to_bytes(large.ctypes.data, large.nbytes) == large.tobytes()


def test_ptr_to_bytes_of_what_the_host_cannot_read(device_memory: Allocate, pinned_memory: Allocate) -> None:
    pointer = device_memory(64)
    with pytest.raises(ValueError, match="device memory"):
        acl.util.ptr_to_bytes(pointer, 64)
    with pytest.raises(ValueError, match="NULL"):
        acl.util.ptr_to_bytes(0, 1)
    with pytest.raises(ValueError, match="cannot read"):
        acl.util.ptr_to_bytes(1, 1)
    with pytest.raises(ValueError, match="cannot read"):
        acl.util.ptr_to_bytes(2**64 - 4096, 4096)
    freed, ret = acl.rt.malloc(1 << 20, 0)
    assert ret == 0
    assert acl.rt.free(freed) == 0
    with pytest.raises(ValueError, match=r"cannot read|device memory"):
        acl.util.ptr_to_bytes(freed, 64)
    for huge in (1 << 47, (1 << 63) - 1, 1 << 63, (1 << 64) - 1):
        with pytest.raises(ValueError, match="cannot read"):
            acl.util.ptr_to_bytes(pinned_memory(64), huge)
    assert len(acl.util.ptr_to_bytes(pinned_memory(64), 64)) == 64


@DEPRECATED
def test_over_the_end_of_memory() -> None:
    memory = mmap.mmap(-1, 3 * mmap.PAGESIZE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    libc = ctypes.CDLL(None)
    assert libc.mprotect(ctypes.c_void_p(address + 2 * mmap.PAGESIZE), mmap.PAGESIZE, 0) == 0
    assert len(acl.util.ptr_to_bytes(address, 2 * mmap.PAGESIZE)) == 2 * mmap.PAGESIZE
    with pytest.raises(ValueError, match="cannot read"):
        acl.util.ptr_to_bytes(address, 2 * mmap.PAGESIZE + 1)
    with pytest.raises(ValueError, match="cannot read"):
        acl.util.ptr_to_numpy(address, (3 * mmap.PAGESIZE,), 2)
    assert libc.mprotect(ctypes.c_void_p(address + 2 * mmap.PAGESIZE), mmap.PAGESIZE, 3) == 0


def test_ptr_to_bytes_of_wrong_sizes() -> None:
    for wrong in (-1, 1 << 64, 1.0, "1", None):
        with pytest.raises(TypeError):
            acl.util.ptr_to_bytes(4096, wrong)  # type: ignore[arg-type]


@DEPRECATED
def test_numpy_to_ptr_aliases() -> None:
    array = np.arange(10, dtype=np.int32)
    assert acl.util.numpy_to_ptr(array) == array.ctypes.data
    ctypes.memset(acl.util.numpy_to_ptr(array), 0, array.nbytes)
    assert not array.any()


def test_numpy_to_ptr_warns() -> None:
    array = np.zeros((4, 4))
    with pytest.warns(DeprecationWarning, match="numpy_to_ptr"):
        acl.util.numpy_to_ptr(array)
    with (
        pytest.warns(RuntimeWarning, match="contiguous"),
        pytest.warns(DeprecationWarning, match="numpy_to_ptr"),
    ):
        assert acl.util.numpy_to_ptr(array[:, 1]) == array.ctypes.data + 8
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DeprecationWarning):
            acl.util.numpy_to_ptr(array)


def test_the_warning_does_not_flood(run_python: RunPython) -> None:
    done = run_python(
        """
import acl, numpy
array = numpy.zeros(4)
for _ in range(100):
    acl.util.numpy_to_ptr(array)
"""
    )
    assert done.stderr.count("DeprecationWarning") <= 1


@DEPRECATED
def test_numpy_contiguous_to_ptr() -> None:
    array = np.arange(12, dtype=np.int64).reshape(3, 4)
    pointer, same = acl.util.numpy_contiguous_to_ptr(array)
    assert same is array
    assert pointer == array.ctypes.data
    pointer, copy = acl.util.numpy_contiguous_to_ptr(array.T)
    assert pointer == copy.ctypes.data
    assert copy.flags.c_contiguous
    assert (copy == array.T).all()


@DEPRECATED
@pytest.mark.parametrize("wrong", [[1, 2], b"abc", None, 5, np])
def test_numpy_functions_want_arrays(wrong: Any) -> None:
    with pytest.raises(TypeError):
        acl.util.numpy_to_ptr(wrong)
    with pytest.raises(TypeError):
        acl.util.numpy_contiguous_to_ptr(wrong)


@DEPRECATED
@pytest.mark.parametrize(
    ("number", "name"),
    [
        (0, "bool"),
        (1, "int8"),
        (2, "uint8"),
        (3, "int16"),
        (4, "uint16"),
        (5, "int32"),
        (6, "uint32"),
        (7, "int64"),
        (8, "uint64"),
        (9, "longlong"),
        (10, "ulonglong"),
        (11, "float32"),
        (12, "float64"),
        (23, "float16"),
    ],
)
def test_ptr_to_numpy(pinned_memory: Allocate, number: int, name: str) -> None:
    pointer = pinned_memory(4096)
    ctypes.memset(pointer, 0, 4096)
    array = acl.util.ptr_to_numpy(pointer, (2, 3), number)
    assert array.dtype == np.dtype(name)
    assert array.shape == (2, 3)
    assert array.ctypes.data == pointer
    array[1, 2] = 1
    assert acl.util.ptr_to_numpy(pointer, (2, 3), number)[1, 2] == 1


@DEPRECATED
def test_ptr_to_numpy_refuses(device_memory: Allocate) -> None:
    with pytest.raises(ValueError, match="device memory"):
        acl.util.ptr_to_numpy(device_memory(64), (64,), 2)
    with pytest.raises(ValueError, match="NULL"):
        acl.util.ptr_to_numpy(0, (64,), 2)
    with pytest.raises(ValueError, match="npy_type"):
        acl.util.ptr_to_numpy(4096, (64,), 17)
    with pytest.raises(ValueError, match="larger"):
        acl.util.ptr_to_numpy(4096, (1 << 40, 1 << 40), 12)
    with pytest.raises(TypeError):
        acl.util.ptr_to_numpy(4096, (-1,), 12)
    with pytest.raises(TypeError):
        acl.util.ptr_to_numpy(4096, 64, 12)  # type: ignore[arg-type]
    assert acl.util.ptr_to_numpy(0, (0, 4), 12).shape == (0, 4)


def test_without_numpy(run_python: RunPython) -> None:
    run_python(
        """
import sys
sys.modules["numpy"] = None
import acl
assert acl.util.ptr_to_bytes(acl.util.bytes_to_ptr(b"hello"), 5) == b"hello"
try:
    acl.util.ptr_to_numpy(4096, (1,), 2)
except ImportError:
    pass
else:
    raise AssertionError("ImportError is missing")
"""
    )
