# SPDX-License-Identifier: Apache-2.0
"""Operators on the device npu: the results of the CPU, in every form in which tensors come."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch

import ferry.torch  # noqa: F401

NUMBERS = torch.arange(24, dtype=torch.float32).view(4, 6) - 7


@pytest.mark.parametrize(
    "dtype",
    [torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.int32, torch.int64, torch.complex64],
    ids=str,
)
def test_arithmetic_equals_that_of_the_cpu(dtype: torch.dtype) -> None:
    here = NUMBERS.to(dtype)
    there = here.to("npu")
    computations: list[Callable[[torch.Tensor], torch.Tensor]] = [
        lambda x: x + x,
        lambda x: x * 3,
        lambda x: 2 - x,
        lambda x: x.sum(),
        lambda x: x @ x.t(),
    ]
    for compute in computations:
        torch.testing.assert_close(compute(there).cpu(), compute(here))


def test_numbers_and_tensors_promote_as_on_the_cpu() -> None:
    there = NUMBERS.to("npu")
    assert (there + 1.5).dtype == torch.float32
    assert (there.int() + 1.5).dtype == torch.float32
    assert (there.int() + torch.tensor(1.5, dtype=torch.float64)).dtype == torch.float64


def test_a_number_of_the_program_is_read_during_the_call() -> None:
    number = torch.tensor(2.0)
    result = NUMBERS.to("npu") * number
    number.fill_(100)
    assert torch.equal(result.cpu(), NUMBERS * 2)


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.t(),
        lambda x: x[1:3, ::2],
        lambda x: x[:, 2],
        lambda x: x.unsqueeze(1).expand(4, 3, 6),
        lambda x: x.reshape(2, 12).unfold(1, 3, 2),
        lambda x: torch.view_as_complex(x.view(4, 3, 2)),
        lambda x: x.view(torch.int32),
        lambda x: x[0:0],
    ],
)
def test_views(view: Any) -> None:
    there = NUMBERS.to("npu")
    assert view(there).stride() == view(NUMBERS).stride()
    assert torch.equal(view(there).cpu(), view(NUMBERS))
    assert torch.equal((view(there) + view(there)).cpu(), view(NUMBERS) + view(NUMBERS))


def test_writing_through_a_view_changes_its_base() -> None:
    here = NUMBERS.clone()
    there = here.to("npu")
    for tensor in (here, there):
        tensor[:, 1].mul_(2)
        tensor.t()[3] = 5
        tensor[tensor > 8] = -1
        tensor[[0, 2], [1, 1]] = 77
    assert torch.equal(there.cpu(), here)


def test_out_arguments_are_resized() -> None:
    there = NUMBERS.to("npu")
    out = torch.empty(0, device="npu")
    assert torch.add(there, there, out=out) is out
    assert torch.equal(out.cpu(), NUMBERS * 2)
    places = torch.empty(0, dtype=torch.int64, device="npu")
    torch.nonzero(there, out=places)
    assert torch.equal(places.cpu(), NUMBERS.nonzero())


def test_results_that_decide_a_shape_or_a_value_wait_for_their_stream() -> None:
    there = NUMBERS.to("npu") + 1
    assert there.nonzero().shape == (23, 2)
    assert there[0, 0].item() == -6
    assert there.max() == 17
    assert torch.equal(there, there.clone())
    assert there[there > 0].shape == (17,)
    assert there.unique().numel() == 24
    assert torch.repeat_interleave(torch.tensor([1, 2], device="npu")).tolist() == [0, 1, 1]


def test_empty_tensors() -> None:
    nothing = torch.empty(0, 3, device="npu")
    assert (nothing + 1).shape == (0, 3)
    assert nothing.sum().item() == 0
    assert torch.cat([nothing, torch.ones(1, 3, device="npu")]).cpu().tolist() == [[1, 1, 1]]


def test_conjugated_and_negated_tensors() -> None:
    here = torch.view_as_complex(NUMBERS.view(4, 3, 2))
    there = here.to("npu")
    assert torch.equal(there.conj().cpu(), here.conj().resolve_conj())
    assert torch.equal((there.conj() * there).cpu(), here.conj() * here)
    assert torch.equal((there.conj().imag + 1).cpu(), here.conj().imag + 1)


def test_a_network_learns_as_on_the_cpu() -> None:
    torch.manual_seed(0)
    here = torch.nn.Sequential(
        torch.nn.Conv2d(1, 4, 3),
        torch.nn.ReLU(),
        torch.nn.Flatten(),
        torch.nn.LayerNorm(64),
        torch.nn.Linear(64, 3),
    )
    there = copy.deepcopy(here).to("npu")
    images, labels = torch.randn(5, 1, 6, 6), torch.tensor([0, 1, 2, 1, 0])
    for model, device in ((here, "cpu"), (there, "npu")):
        optimizer = torch.optim.AdamW(model.parameters(), 0.01)
        for _ in range(3):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(images.to(device)), labels.to(device)).backward()
            optimizer.step()
    for one, other in zip(here.parameters(), there.parameters()):
        torch.testing.assert_close(other.cpu(), one, atol=1e-4, rtol=1e-4)


def test_attention() -> None:
    query = torch.randn(2, 3, 4, 8)
    attention = torch.nn.functional.scaled_dot_product_attention
    for options in ({}, {"is_causal": True}, {"scale": 0.5}):
        expected = attention(query, query, query, **options)
        torch.testing.assert_close(attention(*[query.to("npu")] * 3, **options).cpu(), expected)


def test_compiled_functions_run_eagerly() -> None:
    compiled = torch.compile(lambda x: (x * 2).sin() + 1, backend="eager")
    torch.testing.assert_close(compiled(NUMBERS.to("npu")).cpu(), (NUMBERS * 2).sin() + 1)


def test_random_numbers_repeat_after_the_seed_and_the_state() -> None:
    torch.npu.manual_seed(7)
    first, second = torch.randn(5, device="npu").cpu(), torch.randn(5, device="npu").cpu()
    state = torch.npu.get_rng_state()
    third = torch.rand(5, device="npu").cpu()
    torch.npu.set_rng_state(state)
    assert torch.equal(torch.rand(5, device="npu").cpu(), third)
    torch.npu.manual_seed(7)
    assert torch.equal(torch.randn(5, device="npu").cpu(), first)
    assert torch.equal(torch.randn(5, device="npu").cpu(), second)
    assert not torch.equal(first, second)


def test_random_operators_leave_the_generator_of_the_host_alone() -> None:
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    torch.nn.functional.dropout(torch.ones(100, device="npu"), 0.5).cpu()
    assert torch.equal(torch.rand(2), expected)


def test_wrong_arguments_are_refused_during_the_call() -> None:
    there = NUMBERS.to("npu")
    with pytest.raises(RuntimeError, match="must match the size"):
        there + torch.ones(5, device="npu")
    with pytest.raises(RuntimeError, match="same device"):
        there + NUMBERS
    with pytest.raises(RuntimeError, match="same device"):
        there + NUMBERS.to("npu:1")
    with pytest.raises(NotImplementedError, match="npu_fusion_attention"):
        torch.ops.npu.npu_fusion_attention(there, there, there, 1, "BSH")


def test_each_device_has_its_own_tensors() -> None:
    other = NUMBERS.to("npu:1")
    result = other.t() * 2
    assert result.device == torch.device("npu:1")
    assert torch.npu.current_device() == 0
    assert torch.equal(result.to("npu:0").cpu(), NUMBERS.t() * 2)


def test_memory_formats() -> None:
    images = torch.randn(2, 3, 4, 5)
    there = images.to("npu").to(memory_format=torch.channels_last)
    assert there.stride() == images.to(memory_format=torch.channels_last).stride()
    assert torch.equal(there.contiguous().cpu(), images)


def test_operators_of_kv_caches() -> None:
    ops = torch.ops.npu
    cache = torch.zeros(4, 3, device="npu")
    ops.npu_scatter_nd_update_(cache, torch.tensor([[1], [3]], device="npu"), torch.ones(2, 3, device="npu"))
    assert cache[:, 0].tolist() == [0, 1, 0, 1]
    cache = torch.zeros(2, 5, 2, device="npu")
    ops.scatter_update_(cache, torch.tensor([3, 1], device="npu"), torch.ones(2, 1, 2, device="npu"), 1)
    assert cache[:, :, 0].tolist() == [[0, 0, 0, 1, 0], [0, 1, 0, 0, 0]]
    weight = torch.rand(6)
    expected = torch.nn.functional.rms_norm(NUMBERS, (6,), weight, 1e-6)
    torch.testing.assert_close(ops.npu_rms_norm(NUMBERS.to("npu"), weight.to("npu"), 1e-6)[0].cpu(), expected)
    gate, value = NUMBERS.chunk(2, -1)
    swiglu = ops.npu_swiglu(NUMBERS.to("npu"), -1)
    torch.testing.assert_close(swiglu.cpu(), torch.nn.functional.silu(gate) * value)
