# SPDX-License-Identifier: Apache-2.0
"""examples/torch_kv_offload.py is correct, and the checker finds the bug that an option plants."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[3] / "examples" / "torch_kv_offload.py"


def run(*options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLE), "--tokens", "24", *options]
    environment = {**os.environ, **variables}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("schedule", ["lazy", "shuffle:1"])
def test_it_decodes_as_without_offload_and_the_checker_agrees(schedule: str) -> None:
    done = run(FERRY_CHECK="1", FERRY_SCHEDULE=schedule)
    assert done.returncode == 0, done.stderr
    assert "24 tokens, 3 blocks offloaded: as without offload" in done.stdout


def test_the_missing_record_stream_is_found() -> None:
    done = run("--forget-record-stream", FERRY_CHECK="1", FERRY_SCHEDULE="lazy")
    assert done.returncode != 0
    assert "stream-race" in done.stderr
    assert "the block was released" in done.stderr
    assert "record_stream" in done.stderr
    assert "save" in done.stderr
