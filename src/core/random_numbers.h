// SPDX-License-Identifier: Apache-2.0
// Distributions over the words of a generator. docs/random_numbers.md states them.
#pragma once

#include "core/philox.h"

#include "acl/acl_rt.h"

#include <cstdint>

namespace ferry {

// What to generate. The parameters are those of the distribution, as stored by the program: a
// float, or an integer of the type. A mask of dropped elements has one.
struct Distribution {
  aclrtRandomNumFuncType function = ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS;
  aclDataType type = ACL_FLOAT;
  uint64_t first = 0;
  uint64_t second = 0;
};

// Bytes of one parameter.
uint64_t parameter_size(const Distribution& distribution);
// Whether there are numbers between these parameters.
bool has_values(const Distribution& distribution);
// Bytes of `count` results; UINT64_MAX when they are too many.
uint64_t result_size(const Distribution& distribution, uint64_t count);
// Writes `count` results to `out`, which needs no alignment.
void generate(const Distribution& distribution, Philox& words, uint64_t count, char* out);

}  // namespace ferry
