# SPDX-License-Identifier: Apache-2.0
"""Registers the operators for the dispatch key of the device, in place of those of torch_npu."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import torch
import torch_npu

from . import _atb_operators, _blocks, _distributed, _marks, _updates
from ._copies import Copy, empty, to_copy
from ._libraries import IS_CHECKED
from ._npu_operators import KEPT, ON_HOST, OPERATORS, missing
from ._operators import Operator, View

# What torch_npu does with memory alone works as it is.
_KEPT = {
    "_copy_from",
    "_copy_from_and_resize",
    "_lazy_clone",
    "_local_scalar_dense",
    "_pin_memory",
    "_reshape_alias",
    "as_strided",
    "as_strided_",
    "copy_",
    "empty",
    "empty_like",
    "empty_strided",
    "is_pinned",
    "is_set_to",
    "new_empty_strided",
    "record_stream",
    "resize_",
    "set_",
    "unfold",
    "view",
}

_KEY = "PrivateUse1"
_AUTOGRAD = "AutogradPrivateUse1"
_EXPLICIT = ("CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")

_libraries: list[torch.library.Library] = []


def _has(name: str, key: str) -> bool:
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(name, key))


def _overload(name: str) -> torch._ops.OpOverload | None:
    packet, _, overload = name.partition("::")[2].partition(".")
    try:
        library = getattr(torch.ops, name.partition("::")[0])
        found: torch._ops.OpOverload = getattr(getattr(library, packet), overload or "default")
        return found
    except AttributeError:
        return None  # registered without a schema


def _is_view(overload: torch._ops.OpOverload) -> bool:
    return any(a.alias_info is not None and not a.alias_info.is_write for a in overload._schema.arguments)


def _decomposed(overload: torch._ops.OpOverload) -> Callable[..., Any]:
    return lambda *args, **kwargs: overload.decompose(*args, **kwargs)


def _composite(overload: torch._ops.OpOverload) -> Callable[..., Any]:
    key = torch._C.DispatchKey.CompositeExplicitAutograd
    return lambda *args, **kwargs: overload._op_dk(key, *args, **kwargs)


def _differentiated(name: str) -> Callable[..., Any]:
    """torch's own derivative, which it has for every device."""
    kernel = torch.library.get_kernel(name, "AutogradMAIA")
    return lambda keys, *args, **kwargs: kernel.call_boxed(keys, *args, **kwargs)


def _implementation(name: str, overload: torch._ops.OpOverload) -> Callable[..., Any] | None:
    computes = _has(name, "CPU")
    if name == "aten::_fused_sdp_choice":
        return lambda *args, **kwargs: 0  # the way that consists of other operators
    if name == "aten::_to_copy":
        return to_copy
    if torch.Tag.inplace_view in overload.tags:  # changes the geometry of its argument alone
        return _composite(overload) if _has(name, _EXPLICIT[0]) else None
    if _is_view(overload):
        if _has(name, "CompositeImplicitAutograd"):
            return _decomposed(overload)
        return _composite(overload) if _has(name, _EXPLICIT[0]) else View(overload)
    if computes or any(_has(name, key) for key in _EXPLICIT):
        return Operator(overload)
    return _decomposed(overload) if _has(name, "CompositeImplicitAutograd") else None


def _npu_operator(name: str, short: str) -> Callable[..., Any] | None:
    on_host, overload = ON_HOST.get(short), _overload(name)
    if on_host is None or overload is None:
        return OPERATORS.get(short)
    return Operator(
        overload,
        function=on_host.function,
        shapes=on_host.shapes,
        writes=on_host.writes,
        may_mix=True,
    )


def _install_npu_operators() -> None:
    library = torch.library.Library("npu", "IMPL")
    _libraries.append(library)
    for name in sorted(torch._C._dispatch_get_all_op_names()):
        short = name.partition("::")[2]
        ours = _npu_operator(name, short)
        if not name.startswith("npu::") or not _has(name, _KEY) or short in KEPT:
            continue
        if ours is None and not short.lstrip("_").startswith("npu_"):
            continue
        for key in (_KEY, _AUTOGRAD):
            if _has(name, key):
                library.impl(short, ours or missing(short), key, allow_override=True)


def install() -> None:
    """Once per process."""
    if _libraries:
        return
    import_module("torch._meta_registrations")  # more operators know the shapes of their results

    library = torch.library.Library("aten", "IMPL")
    _libraries.append(library)
    for name in sorted(torch._C._dispatch_get_all_op_names()):
        if not name.startswith("aten::") or not (_has(name, "CPU") or _has(name, _KEY)):
            continue
        overload = _overload(name)
        if overload is None or overload._schema.name.partition("::")[2] in _KEPT:
            continue
        if (function := _implementation(name, overload)) is None:
            continue
        short = name.partition("::")[2]
        library.impl(short, function, _KEY, allow_override=True)
        if _has(name, _AUTOGRAD):
            if _has(name, "CompositeImplicitAutograd"):
                library.impl(short, _decomposed(overload), _AUTOGRAD, allow_override=True)
            else:
                library.impl(short, _differentiated(name), _AUTOGRAD, with_keyset=True, allow_override=True)
    _install_npu_operators()
    _libraries.extend(_atb_operators.install())
    library.impl("empty.memory_format", empty, _KEY, allow_override=True)
    library.impl("copy_", Copy(), _KEY, with_keyset=True, allow_override=True)
    _distributed.install()
    _marks.install()
    _updates.install()
    if IS_CHECKED:
        _blocks.watch()


assert torch_npu is not None  # imported for its effect
