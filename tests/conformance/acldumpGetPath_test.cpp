// SPDX-License-Identifier: Apache-2.0
// acldumpGetPath: the path of a configured type.
#include "support/dump.h"

namespace conformance::dump::acldumpGetPath_test {
namespace {

TEST(AcldumpGetPath, IsNullWithoutAConfiguration) {
  for (int type = -1; type < 8; ++type)
    EXPECT_EQ(acldumpGetPath(static_cast<acldumpType>(type)), nullptr);
}

using AcldumpGetPathOfDump = WithDump;

TEST_F(AcldumpGetPathOfDump, IsThatOfTheConfiguredTypeOnly) {
  const struct {
    const char* entries;
    acldumpType type;
  } rows[] = {
      {R"("dump_mode": "all")", DATA_DUMP},
      {R"("dump_debug": "on")", OVERFLOW_DUMP},
      {R"("dump_scene": "lite_exception")", AIC_ERR_BRIEF_DUMP},
      {R"("dump_scene": "aic_err_brief_dump")", AIC_ERR_BRIEF_DUMP},
      {R"("dump_scene": "aic_err_norm_dump")", AIC_ERR_NORM_DUMP},
      {R"("dump_scene": "aic_err_detail_dump")", AIC_ERR_DETAIL_DUMP},
      {R"("dump_scene": "watcher")", DATA_DUMP},
  };
  for (const auto& row : rows) {
    const ConfigFile file(std::string(R"({"dump": {"dump_path": "/tmp/dumps", )") + row.entries +
                          "}}");
    EXPECT_OK(aclmdlSetDump(file.path()));
    for (int type = 0; type < 8; ++type) {
      const char* path = acldumpGetPath(static_cast<acldumpType>(type));
      EXPECT_STREQ(path, type == row.type ? "/tmp/dumps" : nullptr) << row.entries;
    }
  }
}

TEST_F(AcldumpGetPathOfDump, StaysReadableAfterTheDump) {
  const ConfigFile file(R"({"dump": {"dump_path": "/tmp/kept"}})");
  EXPECT_OK(aclmdlSetDump(file.path()));
  const char* path = acldumpGetPath(DATA_DUMP);
  EXPECT_OK(aclmdlFinalizeDump());
  EXPECT_EQ(acldumpGetPath(DATA_DUMP), nullptr);
  EXPECT_STREQ(path, "/tmp/kept");
  EXPECT_OK(aclmdlInitDump());
}

}  // namespace
}  // namespace conformance::dump::acldumpGetPath_test
