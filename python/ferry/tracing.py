# SPDX-License-Identifier: Apache-2.0
"""Traces: a timeline of every call, copy and wait, for viewers, ``ferry report`` and ``ferry replay``.

>>> import os, tempfile
>>> import ferry
>>> with tempfile.TemporaryDirectory() as folder, ferry.Device(0), ferry.Buffer(64) as buffer:
...     with ferry.trace(os.path.join(folder, "out.json")) as trace, ferry.range("load"):
...         ferry.copy(buffer, bytes(64))
...     os.path.basename(trace.path), os.path.getsize(trace.path) > 0
('out.json', True)
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import warnings
from operator import index
from types import TracebackType
from typing import Any, Callable, TypeVar, cast

from . import _native
from .errors import AclError
from .stream import Stream

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Trace:
    """A trace of the whole process, from ``start()``, or the begin of a ``with`` block, to ``stop()``. Made
    by ``ferry.trace``. There is at most one at a time."""

    def __init__(self, path: str, options: str) -> None:
        self._path = path
        self._options = options
        self._running = False

    @property
    def path(self) -> str:
        """The file, or the folder if it ends in ``/``."""
        return self._path

    @property
    def running(self) -> bool:
        """Whether this object has started a trace and not stopped it."""
        return self._running

    def start(self) -> Trace:
        """Starts the trace. The file is created, or overwritten. InvalidArgumentError if it cannot be
        written, or a trace is running, for instance one of ``ferry run --trace``."""
        _native.trace_start(os.fsencode(self._path), self._options)
        self._running = True
        return self

    def flush(self) -> None:
        """Returns when everything recorded so far is in the file, where a crash cannot take it away."""
        _native.trace_flush()

    def stop(self) -> None:
        """Ends the trace; returns when its file is complete. Does nothing if it is not running."""
        if not self._running:
            return
        self._running = False
        _native.trace_stop()

    def __enter__(self) -> Trace:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.stop()
        except AclError as problem:
            if error is None:
                raise
            warnings.warn(str(problem), RuntimeWarning, stacklevel=2)  # the error of the block matters more

    def __repr__(self) -> str:
        return f"<ferry.Trace {self._path!r}{' running' if self._running else ''}>"


def trace(
    path: str | os.PathLike[str],
    *,
    items: bool = False,
    contents: bool = False,
    stacks: bool = False,
    ring: int | None = None,
) -> Trace:
    """A trace of the whole process, to be used in a ``with`` block, or with ``start()`` and ``stop()``.

    path: ``.json``, ``.json.gz`` or ``.pftrace``; a str that ends in ``/`` names a folder, which gets
    ``trace_view.json``. items: record the addresses and sizes of all items of batches. contents: record a
    hash of what is copied from the host. stacks: record the stack of every call, as addresses of compiled
    code. ring: keep only that many works, the latest, for long runs.
    """
    wanted = {"items": items, "contents": contents, "stacks": stacks}
    options = [name for name, is_wanted in wanted.items() if is_wanted]
    if ring is not None:
        options.append(f"ring={index(ring)}")
    return Trace(os.fspath(path), ",".join(options))


class Range(contextlib.ContextDecorator):
    """A part of the program that traces show under its name. Made by ``ferry.range``."""

    def __init__(self, name: str, domain: str, stream: Stream | None) -> None:
        self._name = name
        self._domain = domain
        self._stream = stream
        self._open: list[int] = []

    def _recreate_cm(self) -> Range:
        # Calls of a decorated function may overlap: each gets its own.
        return Range(self._name, self._domain, self._stream)

    def __call__(self, function: _Function) -> _Function:
        if not inspect.iscoroutinefunction(function):
            return super().__call__(function)

        @functools.wraps(function)
        async def inside(*given: Any, **named: Any) -> Any:
            with self._recreate_cm():
                return await function(*given, **named)

        return cast(_Function, inside)

    def __enter__(self) -> Range:
        self._open.append(_native.range_start(self._domain, self._name, _handle_of(self._stream)))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _native.range_end(self._domain, self._open.pop())

    def __repr__(self) -> str:
        return f"<ferry.Range {self._name!r}>"


def range(name: str, domain: str = "", stream: Stream | None = None) -> Range:
    """A part of the program under a name of its own: a ``with`` block, or the calls of a function that this
    decorates, coroutines included. Costs little when nothing is traced.

    domain: groups ranges. stream: its begin and end are also noted there, when the stream gets to them.

    >>> import ferry
    >>> @ferry.range("prefill")
    ... def prefill(prompt):
    ...     with ferry.range("tokenise", domain="text"):
    ...         return prompt.split()
    >>> prefill("two words")
    ['two', 'words']
    """
    return Range(name, domain, stream)


def mark(name: str, domain: str = "", stream: Stream | None = None) -> None:
    """Notes a point in time, under a name. With a stream it is also noted there, when the stream gets to it.

    >>> import ferry
    >>> ferry.mark("first token", domain="text")
    """
    _native.mark(domain, name, _handle_of(stream))


def _handle_of(stream: Stream | None) -> int:
    return 0 if stream is None else stream.handle
