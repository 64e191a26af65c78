// SPDX-License-Identifier: Apache-2.0
// aclrtCacheLastTaskExtendInfo: a text that aclmdlRIDebugJsonPrint prints with a task.
#include "support/built_models.h"
#include "support/config_file.h"
#include "support/kernel_models.h"

#include <fstream>
#include <iterator>

namespace conformance::aclrtCacheLastTaskExtendInfo_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

class AclrtCacheLastTaskExtendInfo : public WithKernelModels {
 protected:
  static aclError attach(const std::string& text) {
    return aclrtCacheLastTaskExtendInfo(text.data(), text.size());
  }
  static std::string json_of(aclmdlRI model) {
    const ConfigFile file("");
    EXPECT_OK(aclmdlRIDebugJsonPrint(model, file.path(), 0));
    std::ifstream stream(file.path());
    return {std::istreambuf_iterator<char>(stream), {}};
  }
};

TEST_F(AclrtCacheLastTaskExtendInfo, ChecksInOrder) {
  on_new_thread([&] {
    EXPECT_FAILS(kBadValue, "EE1004", aclrtCacheLastTaskExtendInfo(nullptr, 0));
    EXPECT_FAILS(kBadValue, "EE1003", aclrtCacheLastTaskExtendInfo("x", 0));
    EXPECT_FAILS_WITH(kNoContext, aclrtCacheLastTaskExtendInfo("x", 1));
  });
  streams::start_in(streams::current_context(), [] {
    EXPECT_FAILS_WITH(kInternal, aclrtCacheLastTaskExtendInfo("x", 1));
  }).join();
  EXPECT_FAILS(kBadValue, "EE1011",
               aclrtCacheLastTaskExtendInfo(reinterpret_cast<const char*>(16), 1));
  Mark mark;
  EXPECT_OK(mark.queue(stream_));
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kOtherContext, aclrtCacheLastTaskExtendInfo("x", 1));
  }
  EXPECT_FAILS_WITH(kInternal, aclrtCacheLastTaskExtendInfo("x", 1));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtCacheLastTaskExtendInfo, IsPrintedWithTheTask) {
  const Model model = capture(stream_, [&] {
    EXPECT_OK(launch_number(stream_, 1));
    EXPECT_EQ(ACL_SUCCESS, attach("replaced"));
    EXPECT_EQ(ACL_SUCCESS, attach("{\"name\": \"conv\"}"));
    EXPECT_OK(launch_number(stream_, 2));
  });
  const std::string json = json_of(model);
  const size_t text = json.find("\"ExtendInfo\": \"{\\\"name\\\": \\\"conv\\\"}\"");
  EXPECT_NE(std::string::npos, text) << json;
  EXPECT_LT(text, json.find("\"Task Id\": 1")) << json;
  EXPECT_EQ(json.find("ExtendInfo"), json.rfind("ExtendInfo")) << json;
}

TEST_F(AclrtCacheLastTaskExtendInfo, Only4096BytesCount) {
  const std::string longer = std::string(4096, 'a') + "b";
  const Model model = capture(stream_, [&] {
    EXPECT_OK(launch_number(stream_, 1));
    EXPECT_EQ(ACL_SUCCESS, attach(longer));
  });
  const std::string json = json_of(model);
  EXPECT_NE(std::string::npos, json.find('"' + std::string(4096, 'a') + '"')) << json;
}

TEST_F(AclrtCacheLastTaskExtendInfo, TheEndOfTheTextMayBeCounted) {
  const Model model = capture(stream_, [&] {
    EXPECT_OK(launch_number(stream_, 1));
    EXPECT_OK(aclrtCacheLastTaskExtendInfo("text", 5));
  });
  EXPECT_NE(std::string::npos, json_of(model).find("\"ExtendInfo\": \"text\""));
}

TEST_F(AclrtCacheLastTaskExtendInfo, AlsoForModelsOfBoundStreams) {
  const BoundStream bound;
  Building building;
  building.bind(bound);
  EXPECT_OK(launch_number(bound, 1));
  EXPECT_EQ(ACL_SUCCESS, attach("bound"));
  building.finish(bound);
  EXPECT_NE(std::string::npos, json_of(building).find("\"ExtendInfo\": \"bound\""));
}

}  // namespace
}  // namespace conformance::aclrtCacheLastTaskExtendInfo_test
