# SPDX-License-Identifier: Apache-2.0
"""Copies queued on a stream. Internal to streams and transfers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

import acl

from . import _native
from .constants import EventRecordedStatus

_Answer = TypeVar("_Answer")


class Work:
    """Queued copies: the event recorded behind them, and the objects they use."""

    __slots__ = ("_event", "_lock", "_users", "dropped", "finished", "pins")

    def __init__(self, event: int) -> None:
        # Guards the event and its user count: one thread may finish while another one queries the event.
        # Reentrant, because a finaliser may need the lock while this thread holds it.
        self._lock = threading.RLock()
        self._event = event
        self._users = 0
        self.pins = _native.Pins()
        self.finished = False
        self.dropped = False

    def finish(self) -> None:
        self.finished = True
        self.pins.release()  # does nothing the second time
        self._leave_event(0)

    def ask(self, question: Callable[[int], _Answer]) -> _Answer | None:
        """Calls `question` with the event, which stays valid meanwhile; None if the work is finished."""
        with self._lock:
            if self.finished:
                return None
            self._users += 1
        try:
            return question(self._event)
        finally:
            self._leave_event(1)

    def _leave_event(self, users: int) -> None:
        with self._lock:
            self._users -= users
            if not self.finished or self._users > 0 or self._event == 0:
                return
            event, self._event = self._event, 0
        acl.rt.destroy_event(event)

    def poll(self) -> bool:
        if self.finished:
            return True
        if not self.pins.queued:  # another thread is queueing it: its event is not recorded yet
            return False
        answer = self.ask(acl.rt.query_event_status)
        if answer is not None and answer != (EventRecordedStatus.COMPLETE, 0):
            return self.finished
        self.finish()
        return True
