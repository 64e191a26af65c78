# SPDX-License-Identifier: Apache-2.0
"""Marks and ranges of the program go into Ferry's trace: those of torch_npu.npu.mstx, which torch_npu itself
passes on only while its own profiler runs, and those of torch's record_function."""

from __future__ import annotations

import contextlib
import functools
import threading
from typing import Any

import torch
import torch_npu

from .. import _native
from ..errors import AclError

_NO_STREAM = 0
_DEFAULT = "default"  # how torch_npu calls the domain without a name


def _domain(name: str) -> str:
    return "" if name == _DEFAULT else name


def _handle(stream_id: int, device_index: int, device_type: int) -> int:
    """Also hands over what torch_npu has still to submit to the stream."""
    stream = torch.npu.Stream(stream_id=stream_id, device_index=device_index, device_type=device_type)
    handle: int = stream.npu_stream
    return handle


class _Pushed(threading.local):
    """Ranges that the thread has pushed and not popped, by domain."""

    def __init__(self) -> None:
        self.of: dict[str, list[int]] = {}


class Marks:
    """What torch_npu.npu.mstx calls, in place of torch_npu's own functions."""

    def __init__(self) -> None:
        self._pushed = _Pushed()

    def _mark_on_host(self, message: str, domain: str) -> None:
        _native.mark(_domain(domain), message, _NO_STREAM)

    def _mark(self, message: str, stream: int, index: int, kind: int, domain: str) -> None:
        _native.mark(_domain(domain), message, _handle(stream, index, kind))

    def _range_start_on_host(self, message: str, domain: str) -> int:
        return _native.range_start(_domain(domain), message, _NO_STREAM)

    def _range_start(self, message: str, stream: int, index: int, kind: int, domain: str) -> int:
        return _native.range_start(_domain(domain), message, _handle(stream, index, kind))

    def _range_end(self, number: int, domain: str) -> None:
        with contextlib.suppress(AclError):  # a number that is not that of an open range is ignored
            _native.range_end(_domain(domain), number)

    def _push(self, domain: str, number: int) -> int:
        pushed = self._pushed.of.setdefault(domain, [])
        pushed.append(number)
        return len(pushed) - 1

    def _range_push_on_host(self, message: str, domain: str) -> int:
        """The depth before."""
        return self._push(domain, self._range_start_on_host(message, domain))

    def _range_push(self, message: str, stream: int, index: int, kind: int, domain: str) -> int:
        return self._push(domain, self._range_start(message, stream, index, kind, domain))

    def _range_pop(self, domain: str) -> int:
        """The depth after, -1 when nothing was pushed."""
        pushed = self._pushed.of.get(domain)
        if not pushed:
            return -1
        self._range_end(pushed.pop(), domain)
        return len(pushed)


def _follow_record_function() -> None:
    """A block of torch.profiler.record_function is a range, whether or not a profiler runs. TorchScript
    compiles the class from its sources, which it finds through __wrapped__."""
    function = torch.autograd.profiler.record_function
    enter, leave = function.__enter__, function.__exit__

    @functools.wraps(enter)
    def begin(self: Any) -> Any:
        # A decorated function may call itself: one block is then open several times.
        self.__dict__.setdefault("ferry_ranges", []).append(_native.range_start("", self.name, _NO_STREAM))
        return enter(self)

    @functools.wraps(leave)
    def end(self: Any, *error: Any) -> Any:
        _native.range_end("", self.ferry_ranges.pop())
        return leave(self, *error)

    function.__enter__, function.__exit__ = begin, end


def install() -> None:
    """Once per process."""
    marks, module = Marks(), torch_npu._C._mstx
    for name in vars(Marks):
        if not name.startswith("__") and hasattr(module, name):
            setattr(module, name, getattr(marks, name))
    _follow_record_function()
