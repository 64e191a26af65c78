# SPDX-License-Identifier: Apache-2.0
"""Tests of ferry.torch. They need torch and torch_npu; ./test --torch installs both and runs them."""

import importlib.util
import os

# Read when the runtime starts.
os.environ.setdefault("FERRY_DEVICES", "cpu:2")
os.environ.setdefault("FERRY_MEMORY", "1G")

if importlib.util.find_spec("torch_npu"):
    # First of all: `import torch` imports torch_npu, which needs the libraries that this loads.
    import ferry.torch  # noqa: F401
else:
    collect_ignore_glob = ["test_*.py"]
