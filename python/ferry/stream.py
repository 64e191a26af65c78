# SPDX-License-Identifier: Apache-2.0
"""Stream, Event and Transfer: the order of work, and its completion."""

from __future__ import annotations

import sys
import warnings
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType

import acl

from . import _native
from ._work import Work
from .constants import ErrorCode, EventFlag, EventRecordedStatus, StreamFlag, StreamStatus
from .context import context_object, current_context, device_of_default, has_default, wait_for
from .errors import ClosedError, StreamAbortedError, check, from_code

# Querying work can make the schedule `lazy` start it, so finished work is looked for rarely.
_MOST_UNSWEPT = 1024


class Transfer:
    """Queued copies. Both sides stay alive, and cannot be resized, until the copies are complete, even if
    this object is dropped.

    >>> import ferry
    >>> with ferry.Device(0), ferry.Stream() as stream, ferry.Buffer(4) as buffer:
    ...     transfer = ferry.copy_async(buffer, b"abcd", stream=stream)
    ...     transfer.wait()
    ...     transfer.done()
    True
    """

    __slots__ = ("__weakref__", "_stream", "_work")

    def __init__(self, stream: Stream, work: Work) -> None:
        self._stream = stream
        self._work = work

    @property
    def stream(self) -> Stream:
        return self._stream

    def done(self) -> bool:
        """Whether the copies are complete. Only wait() tells whether they succeeded."""
        return self._work.poll()

    def wait(self, timeout: float | None = None) -> None:
        """Waits for the copies, at most `timeout` seconds (then AclTimeoutError). Raises the latest failure
        on the stream, unless later work is still queued there: then the stream's synchronize() raises it."""
        work = self._work
        if timeout == 0 and not work.poll():
            raise from_code(
                ErrorCode.RT_EVENT_SYNC_TIMEOUT, "aclrtQueryEventStatus", "the copies are not done yet"
            )
        if not work.finished:
            code = work.ask(
                lambda event: wait_for(lambda ms: acl.rt.synchronize_event_with_timeout(event, ms), timeout)
            )
            if code is not None and not work.finished:
                check(code, "aclrtSynchronizeEventWithTimeout")
                work.finish()
        if work.dropped:
            raise StreamAbortedError(
                ErrorCode.RT_STREAM_ABORT, "", "the copies were thrown away, or some of them"
            )
        self._stream._raise_failure_if_idle()

    def __repr__(self) -> str:
        state = "dropped" if self._work.dropped else "done" if self._work.finished else "queued"
        return f"<ferry.Transfer {state}>"


class Event:
    """A point in the order of a stream's work.

    >>> import ferry
    >>> with ferry.Device(0), ferry.Stream() as stream, ferry.Event() as start, ferry.Event() as end:
    ...     start.record(stream)
    ...     end.record(stream)
    ...     end.synchronize()
    ...     end.seconds_since(start) >= 0
    True
    """

    _handle = 0

    def __init__(self) -> None:
        handle, code = acl.rt.create_event_ex_with_flag(int(EventFlag.SYNC | EventFlag.TIME_LINE))
        check(code, "aclrtCreateEventExWithFlag")
        self._handle = int(handle)
        self._recorded = False

    @property
    def handle(self) -> int:
        """The handle that functions of ``acl`` take."""
        if self._handle == 0:
            raise ClosedError("the Event is closed")
        return self._handle

    @property
    def closed(self) -> bool:
        return self._handle == 0

    def record(self, stream: Stream | None = None) -> None:
        """Records it behind all work queued on the stream so far. Recording again moves it."""
        check(acl.rt.record_event(self.handle, 0 if stream is None else stream.handle), "aclrtRecordEvent")
        self._recorded = True

    def _require_recorded(self) -> int:
        handle = self.handle
        if not self._recorded:
            raise ValueError("the Event was never recorded: there is nothing to wait for")
        return handle

    def done(self) -> bool:
        """Whether all work before the recorded point is complete."""
        status, code = acl.rt.query_event_status(self._require_recorded())
        check(code, "aclrtQueryEventStatus")
        return bool(status == EventRecordedStatus.COMPLETE)

    def synchronize(self, timeout: float | None = None) -> None:
        """Waits for all work before the recorded point, at most `timeout` seconds (then AclTimeoutError)."""
        if timeout == 0 and not self.done():
            raise from_code(
                ErrorCode.RT_EVENT_SYNC_TIMEOUT, "aclrtQueryEventStatus", "the event is not complete yet"
            )
        handle = self._require_recorded()
        code = wait_for(lambda ms: acl.rt.synchronize_event_with_timeout(handle, ms), timeout)
        check(code, "aclrtSynchronizeEventWithTimeout")

    def seconds_since(self, start: Event) -> float:
        """Seconds from another event's recorded point to this one's. Both must be complete."""
        elapsed, code = acl.rt.event_elapsed_time(start._require_recorded(), self._require_recorded())
        check(code, "aclrtEventElapsedTime")
        return float(elapsed) / 1000

    def close(self) -> None:
        """Destroys it; queued waits for it still take effect. Closing twice is allowed."""
        handle, self._handle = self._handle, 0
        if handle != 0:
            check(acl.rt.destroy_event(handle), "aclrtDestroyEvent")

    def __enter__(self) -> Event:
        _ = self.handle
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        handle, self._handle = self._handle, 0
        if handle != 0 and not sys.is_finalizing():
            acl.rt.destroy_event(handle)


class Stream:
    """A queue of work, created in the current context. At the end of its ``with`` block it is synchronised
    and destroyed. If the block ends with an exception, work that has not begun is dropped instead.

    >>> import ferry
    >>> with ferry.Device(0), ferry.Buffer(4) as buffer:
    ...     data = bytearray(4)
    ...     with ferry.Stream() as stream:
    ...         _ = ferry.copy_async(buffer, b"abcd", stream=stream)
    ...         _ = ferry.copy_async(data, buffer, stream=stream)
    ...     data
    bytearray(b'abcd')
    """

    _handle = 0
    _owned = False

    def __init__(self, priority: int = 0, flags: StreamFlag = StreamFlag.NONE) -> None:
        sweep_abandoned()
        context = current_context()
        handle, code = acl.rt.create_stream_with_config(priority, int(flags))
        check(code, "aclrtCreateStreamWithConfig")
        self._adopt(int(handle), context or 0, owned=True)

    def _adopt(self, handle: int, context: int, owned: bool) -> None:
        self._handle = handle
        self._context = context
        self._context_object = context_object(context)
        self._default_of: int | None = None  # the device, if this is its default context's default stream
        self._owned = owned
        self._pending: deque[Work] = deque()
        self._sweep_at = _MOST_UNSWEPT
        _streams.add(self)

    @classmethod
    def default(cls) -> Stream:
        """The default stream of the current context. It is never destroyed: closing it waits for its work.

        >>> import ferry
        >>> with ferry.Device(0):
        ...     ferry.Stream.default() is ferry.Stream.default()
        True
        """
        context = current_context()
        stream = _defaults.get(context or 0)
        if stream is not None:
            return stream
        handle, code = acl.rt.ctx_get_current_default_stream()
        check(code, "aclrtCtxGetCurrentDefaultStream")
        stream = cls.__new__(cls)
        stream._adopt(int(handle), context or 0, owned=False)
        stream._default_of = device_of_default(context or 0)
        _forget_dead_defaults()
        return _defaults.setdefault(context or 0, stream)

    @property
    def handle(self) -> int:
        """The handle that functions of ``acl`` take."""
        if self._handle == 0:
            raise ClosedError("the Stream is closed")
        return self._handle

    @property
    def closed(self) -> bool:
        return self._handle == 0

    def idle(self) -> bool:
        """Whether all its work is complete."""
        status, code = acl.rt.stream_query(self.handle)
        check(code, "aclrtStreamQuery")
        return bool(status == StreamStatus.COMPLETE)

    def synchronize(self, timeout: float | None = None) -> None:
        """Waits for all its work, at most `timeout` seconds (then AclTimeoutError), and raises the failure
        of a task."""
        handle = self.handle
        if timeout == 0 and not self.idle():
            raise from_code(
                ErrorCode.RT_STREAM_SYNC_TIMEOUT, "aclrtStreamQuery", "the stream is not idle yet"
            )
        queued = _queued(self._pending)
        code = wait_for(lambda ms: acl.rt.synchronize_stream_with_timeout(handle, ms), timeout)
        if code == 0:
            for work in queued:
                work.finish()
            self._sweep()
            return
        error = from_code(*_native.take_error(code, "aclrtSynchronizeStreamWithTimeout"))
        self._sweep()
        raise error

    def wait(self, event: Event) -> None:
        """Makes work queued from now on run after an event's recorded point, which may be on any stream."""
        check(acl.rt.stream_wait_event(self.handle, event._require_recorded()), "aclrtStreamWaitEvent")

    def record(self) -> Event:
        """A new event, recorded behind all work queued so far."""
        event = Event()
        event.record(self)
        return event

    def abort(self) -> None:
        """Drops work that has not begun. Waiting for its transfers raises StreamAbortedError."""
        queued = _not_done(self._pending)
        check(acl.rt.stream_abort(self.handle), "aclrtStreamAbort")
        _drop(queued)

    def close(self, force: bool = False) -> None:
        """Destroys it after its work is complete or, by force, after the running task. Works in any thread. A
        failure not fetched with synchronize() is lost. Closing twice is allowed."""
        if not self._owned:
            if self._handle != 0:
                self.synchronize()
            return
        handle, self._handle = self._handle, 0
        if handle == 0:
            return
        queued = _not_done(self._pending) if force else []
        outcome = _native.destroy_stream(self._context, handle, force)
        # Its device may have been reset, or its context destroyed, earlier: that waited for its work.
        gone = outcome[0] in (ErrorCode.RT_INVALID_HANDLE, ErrorCode.RT_PARAM_INVALID)
        if outcome[0] != 0 and not gone:
            raise from_code(*outcome)
        if force:
            _drop(queued)
        for work in _queued(self._pending):
            work.finish()
        self._sweep()

    def _submit(self, queue: Callable[[_native.Pins, int, int], None]) -> Transfer:
        handle = self.handle
        event, code = acl.rt.create_event_ex_with_flag(int(EventFlag.SYNC))
        check(code, "aclrtCreateEventExWithFlag")
        # Recorded before it is queued: a signal may end this function anywhere, but the copy goes on.
        work = Work(event)
        self._pending.append(work)
        try:
            queue(work.pins, handle, event)
        except BaseException:
            if work.pins.queued:
                raise
            work.finish()
            with suppress(ValueError, IndexError):  # another thread may be sweeping
                self._pending.remove(work)
            raise
        if len(self._pending) >= self._sweep_at or self.closed:
            self._sweep()
        return Transfer(self, work)

    def _sweep(self) -> None:
        """Releases what completed copies have used."""
        for _ in range(len(self._pending)):
            try:
                work = self._pending.popleft()
            except IndexError:  # another thread is sweeping too
                break
            if not work.poll():
                self._pending.append(work)
        self._sweep_at = max(_MOST_UNSWEPT, 2 * len(self._pending))

    def _raise_failure_if_idle(self) -> None:
        """Fetches the failure kept on the stream, if that needs no wait."""
        # A thread that uses another context cannot ask: the failure stays for one that can.
        if self._handle == 0 or current_context() != self._context:
            return
        status, code = acl.rt.stream_query(self._handle)
        if code == 0 and status == StreamStatus.COMPLETE:
            check(acl.rt.synchronize_stream(self._handle), "aclrtSynchronizeStream")
        elif code != 0:
            acl.get_recent_err_msg()

    def _is_dead_default(self) -> bool:
        """Whether its context is gone. Queries the stream only where nothing else can tell: the checker
        reports the use of a destroyed handle."""
        if self._context_object is not None:
            return self._context_object.closed
        if self._default_of is not None:
            return not has_default(self._default_of, self._context)
        _, code = acl.rt.stream_query(self._handle)
        if code != ErrorCode.RT_INVALID_HANDLE:
            return False
        acl.get_recent_err_msg()
        return True

    def __enter__(self) -> Stream:
        _ = self.handle
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._handle == 0:
            return
        try:
            if error is None:
                self.synchronize()
        finally:
            self.close(force=error is not None)

    def __del__(self) -> None:
        handle, self._handle = self._handle, 0
        if handle == 0 or not self._owned or sys.is_finalizing():
            return
        try:
            warnings.warn("a Stream was never closed", ResourceWarning, source=self, stacklevel=2)
        finally:
            _abandoned.append((self._context, handle, list(self._pending)))
            sweep_abandoned()

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"{self._handle:#x}"
        return f"<ferry.Stream {state}>"


# Streams without references that still have queued work. The memory it uses must stay until it is complete,
# and a finaliser must not wait for that.
_abandoned: deque[tuple[int, int, list[Work]]] = deque()

_streams: weakref.WeakSet[Stream] = weakref.WeakSet()

# The default streams in use, by context: they hold what is in flight on them.
_defaults: dict[int, Stream] = {}


def sweep_abandoned() -> None:
    """Destroys the abandoned streams whose work is complete."""
    for _ in range(len(_abandoned)):
        try:
            context, handle, queued = _abandoned.popleft()
        except IndexError:
            return
        if _native.stream_is_busy(context, handle):
            _abandoned.append((context, handle, queued))
            continue
        _native.destroy_stream(context, handle, False)
        for work in queued:
            work.finish()


def _queued(works: Iterable[Work]) -> list[Work]:
    return [work for work in list(works) if work.pins.queued]


def _not_done(queued: Iterable[Work]) -> list[Work]:
    return [work for work in _queued(queued) if not work.poll()]


def _drop(queued: list[Work]) -> None:
    # Their events are complete now, whether or not the copies before them ran: there is no telling.
    for work in queued:
        work.dropped = True
        work.finish()


def _forget_dead_defaults() -> None:
    for context, stream in list(_defaults.items()):
        if stream._is_dead_default():
            _defaults.pop(context, None)


def in_flight() -> int:
    """The number of transfers not known to be complete."""
    queued = [work for stream in list(_streams) for work in list(stream._pending)]
    queued += [work for _, _, works in list(_abandoned) for work in works]
    return sum(not work.finished for work in queued)
