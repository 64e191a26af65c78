# SPDX-License-Identifier: Apache-2.0
"""The operator of sgl-kernel-npu that moves pages of KV caches between the device and the host, for an
sgl-kernel-npu without its compiled extension. Import this module instead of the extension; not beside it,
which defines the same operator. Other operators of the extension are kernels, which Ferry does not have.

>>> import ferry.torch.sgl_kernel_npu                                        # doctest: +SKIP
>>> torch.ops.npu.transfer_kv_dim_exchange(                                  # doctest: +SKIP
...     keys, saved_keys, values, saved_values, tokens, saved_tokens, 128, 2, 2)
"""

from __future__ import annotations

import acl
import torch
import torch_npu

from ..errors import check
from ._described import noted

_NAME = "transfer_kv_dim_exchange"
_HOST_TO_DEVICE, _DEVICE_TO_HOST = 1, 2  # directions; the runtime's kinds have the same numbers
_BY_2D_COPIES = 2  # the one flag that there is


def _require(condition: bool, text: str) -> None:
    if not condition:
        raise RuntimeError(f"{_NAME}: {text}")


def _check_caches(name: str, device: torch.Tensor, host: torch.Tensor, page_size: int) -> None:
    _require(
        device.dim() == 5 and host.dim() == 5 and device.numel() > 0 and host.numel() > 0,
        f"device_{name} is {tuple(device.shape)} and host_{name} {tuple(host.shape)}; allowed are "
        "[layers, pages, page size, heads, width] and [pages, layers, page size, heads, width]",
    )
    _require(
        device.dtype == host.dtype
        and device.shape[0] == host.shape[1]
        and device.shape[2:] == host.shape[2:]
        and device.shape[2] == page_size,
        f"device_{name} is {device.dtype} {tuple(device.shape)} and host_{name} {host.dtype} "
        f"{tuple(host.shape)}; they must have the same type, layers and pages of {page_size} tokens",
    )
    _require(
        device[0, 0].is_contiguous() and host[0].is_contiguous(),
        f"pages of device_{name} and host_{name} must be contiguous",
    )


def _pages(name: str, indices: torch.Tensor, page_size: int, count: int) -> list[int]:
    """The pages of a list of tokens, of which each page has its own in order."""
    _require(
        indices.dim() == 1 and len(indices) % page_size == 0,
        f"{name} is {tuple(indices.shape)}; the number of tokens must be a multiple of {page_size}",
    )
    pages = [token // page_size for token in indices[::page_size].tolist()]
    for page in pages:
        _require(0 <= page < count, f"{name} names page {page}, allowed is 0 to {count - 1}")
    return pages


def _move(device: torch.Tensor, host: torch.Tensor, pages: list[tuple[int, int]], direction: int) -> None:
    """A page of all layers is one copy of rows: layers are apart on the device, side by side on the host."""
    stream = torch.npu.current_stream().npu_stream
    item = device.element_size()
    layers, width = len(device), device[0, 0].numel() * item
    for page, saved in pages:
        there = (device.data_ptr() + page * device.stride(1) * item, device.stride(0) * item)
        here = (host.data_ptr() + saved * host.stride(0) * item, host.stride(1) * item)
        to, source = (there, here) if direction == _HOST_TO_DEVICE else (here, there)
        check(acl.rt.memcpy2d_async(*to, *source, width, layers, direction, stream))


def transfer_kv_dim_exchange(
    device_k: torch.Tensor,
    host_k: torch.Tensor,
    device_v: torch.Tensor,
    host_v: torch.Tensor,
    device_indices: torch.Tensor,
    host_indices: torch.Tensor,
    page_size: int,
    direct: int,
    flags: int,
) -> None:
    """Copies pages in the order of the current stream. Empty device_v and host_v: keys only. direct: 1 to the
    device, 2 to the host."""
    _require(direct in (_HOST_TO_DEVICE, _DEVICE_TO_HOST), f"direct is {direct}, allowed are 1 and 2")
    _require(flags & _BY_2D_COPIES != 0, f"flags is {flags}, allowed is {_BY_2D_COPIES}")
    _require(page_size > 0, f"page_size is {page_size}, allowed is 1 or more")
    caches = [("k", device_k, host_k)]
    if device_v.numel() > 0 and host_v.numel() > 0:
        caches.append(("v", device_v, host_v))
    for name, device, host in caches:
        _check_caches(name, device, host, page_size)
    there = _pages("device_indices", device_indices, page_size, min(one.shape[1] for _, one, _ in caches))
    here = _pages("host_indices", host_indices, page_size, min(len(one) for _, _, one in caches))
    _require(
        len(there) == len(here),
        f"device_indices names {len(there)} pages and host_indices {len(here)}",
    )
    with noted(f"{_NAME} of {len(there)} pages"):
        for _, device, host in caches:
            _move(device, host, list(zip(there, here)), direct)


def _define() -> torch.library.Library:
    library = torch.library.Library("npu", "FRAGMENT")
    library.define(
        f"{_NAME}(Tensor device_k, Tensor host_k, Tensor device_v, Tensor host_v, Tensor device_indices, "
        "Tensor host_indices, int page_size, int direct, int flags) -> ()"
    )
    library.impl(_NAME, transfer_kv_dim_exchange, "PrivateUse1")
    return library


_library = _define()
assert torch_npu is not None  # imported for its effect
