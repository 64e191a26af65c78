// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of dumps: aclInit and a dump that end themselves. Header only.
#pragma once

#include "support/config_file.h"
#include "support/conformance.h"

#include "acl/acl_dump.h"

namespace conformance::dump {

class Initialised {
 public:
  Initialised() { EXPECT_OK(aclInit(nullptr)); }
  ~Initialised() { EXPECT_OK(aclFinalize()); }
  Initialised(const Initialised&) = delete;
  Initialised& operator=(const Initialised&) = delete;
};

// With aclInit and aclmdlInitDump.
class WithDump : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(aclmdlInitDump()); }
  void TearDown() override { EXPECT_OK(aclmdlFinalizeDump()); }

 private:
  const Initialised initialised_;
};

}  // namespace conformance::dump
