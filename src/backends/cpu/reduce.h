// SPDX-License-Identifier: Apache-2.0
// Reductions: the elements of one array are combined with those of another.
#pragma once

#include "ferry/backend.h"

#include <cstdint>

namespace ferry::cpu {

// Bytes of an element.
uint64_t size_of(ferryx_element element);

// dst[i] = operation(dst[i], src[i]) for `size` bytes, whole elements. Every element is one
// operation; halves are computed as float. The arrays are the same or do not overlap, or the
// elements are combined from the first to the last.
void reduce(const ferryx_reduce& how, char* dst, const char* src, uint64_t size);

}  // namespace ferry::cpu
