# SPDX-License-Identifier: Apache-2.0
"""PyTorch's device ``npu`` without an NPU. Importing this module loads the unmodified torch_npu and gives it
operators: the CPU's, executed as work on the current stream of the device.

>>> import ferry.torch                                                       # doctest: +SKIP
>>> import torch                                                             # doctest: +SKIP
>>> x = torch.arange(3).to("npu")                                            # doctest: +SKIP
>>> (x + x).cpu()                                                            # doctest: +SKIP
tensor([0, 2, 4])
"""

from . import _libraries, _versions

_versions.check()
_libraries.load()

from . import _install  # noqa: E402  # imports torch, which imports torch_npu, which needs the libraries

_install.install()

__all__: list[str] = []
