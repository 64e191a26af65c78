// SPDX-License-Identifier: Apache-2.0
// Fresh memory is filled with a pattern. A backend that lacks the memory to write it does not take
// the fresh memory away from the program.
#include "backends/null/backend.h"
#include "layers/check/front/checked_objects.h"
#include "layers/check/front/front.h"
#include "tests/unit/layers/front/front_program.h"

#include <gtest/gtest.h>

#include <new>

namespace ferry::layers::check {
namespace {

int fills_asked = 0;

const ferryx_backend* table_that_cannot_fill() {
  auto* table = new ferryx_backend(*null::backend());
  keep_forever(table);
  table->device_execute = [](ferryx_device* /*device*/, const ferryx_work* /*work*/) -> int {
    ++fills_asked;
    throw std::bad_alloc();
  };
  const ferryx_backend* top = put_check_in_front(table);
  keep_forever(top);
  return top;
}

TEST(FreshMemory, IsThereAlsoWhenItsPatternCannotBeWritten) {
  const ferryx_backend* const top = table_that_cannot_fill();
  FrontProgram program(top, false);
  program.open();
  ferryx_memory memory{};
  ASSERT_EQ(top->memory_alloc(program.device(), 4096, 0, &memory), ACL_SUCCESS);
  EXPECT_NE(memory.address, nullptr);
  // A pool gives the same memory out again.
  top->memory_rest(program.device(), &memory);
  EXPECT_NO_THROW(top->memory_reuse(program.device(), &memory));
  EXPECT_EQ(fills_asked, 2);
  top->memory_free(program.device(), &memory);
}

}  // namespace
}  // namespace ferry::layers::check
