// SPDX-License-Identifier: Apache-2.0
// aclrtCacheLastTaskOpInfo: bytes of the program that belong to a captured task.
#include "support/built_models.h"
#include "support/kernel_models.h"

namespace conformance::aclrtCacheLastTaskOpInfo_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

class AclrtCacheLastTaskOpInfo : public WithKernelModels {
 protected:
  static void set_switch(aclrtStream stream, uint32_t is_on) {
    aclrtStreamAttrValue value{};
    value.cacheOpInfoSwitch = is_on;
    EXPECT_OK(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &value));
  }
  static std::string info_of(aclmdlRITask task) {
    aclmdlRITaskParams params{};
    EXPECT_OK(aclmdlRITaskGetParams(task, &params));
    return params.opInfoSize == 0
               ? std::string()
               : std::string(static_cast<const char*>(params.opInfoPtr), params.opInfoSize);
  }
};

TEST_F(AclrtCacheLastTaskOpInfo, ChecksInOrder) {
  const std::vector<char> large(65537);
  on_new_thread([&] {
    EXPECT_FAILS(kBadArgument, "EH0008", aclrtCacheLastTaskOpInfo(nullptr, 0));
    EXPECT_FAILS(kBadArgument, "EH0007", aclrtCacheLastTaskOpInfo("x", 0));
    EXPECT_FAILS(kBadValue, "EE1003", aclrtCacheLastTaskOpInfo(large.data(), large.size()));
    EXPECT_FAILS_WITH(kNoContext, aclrtCacheLastTaskOpInfo("x", 1));
  });
  EXPECT_FAILS(kBadValue, "EE1011", aclrtCacheLastTaskOpInfo(reinterpret_cast<void*>(16), 1));
}

TEST_F(AclrtCacheLastTaskOpInfo, NeedsATaskOfThisThreadInACapture) {
  const aclrtContext context = streams::current_context();
  set_switch(stream_, 1);
  streams::start_in(context, [] {
    EXPECT_FAILS_WITH(kInternal, aclrtCacheLastTaskOpInfo("x", 1));  // it has queued nothing
  }).join();
  Mark mark;
  Mark on_default;
  {
    const Stream gone;
    EXPECT_OK(mark.queue(gone));
    EXPECT_OK(aclrtSynchronizeStream(gone));
  }
  EXPECT_FAILS_WITH(kInternal, aclrtCacheLastTaskOpInfo("x", 1));
  EXPECT_OK(mark.queue(stream_));
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kOtherContext, aclrtCacheLastTaskOpInfo("x", 1));
  }
  EXPECT_FAILS_WITH(kInternal, aclrtCacheLastTaskOpInfo("x", 1));  // it is not captured
  const Model model = capture(stream_, [&] {
    EXPECT_FAILS_WITH(kInternal, aclrtCacheLastTaskOpInfo("x", 1));  // it came before the capture
    EXPECT_OK(launch_number(stream_, 1));
    {
      const OtherContext other;
      const streams::Inside inside(other);
      EXPECT_FAILS_WITH(kOtherContext, aclrtCacheLastTaskOpInfo("x", 1));
    }
    EXPECT_OK(on_default.queue(nullptr));  // it runs
    EXPECT_FAILS_WITH(kInternal, aclrtCacheLastTaskOpInfo("x", 1));
    EXPECT_OK(launch_number(stream_, 2));
    streams::start_in(context, [] {
      EXPECT_FAILS_WITH(kInternal, aclrtCacheLastTaskOpInfo("x", 1));
    }).join();
  });
  EXPECT_FAILS_WITH(kInternal, aclrtCacheLastTaskOpInfo("x", 1));  // the capture is over
  EXPECT_EQ("", info_of(task_of(model, 0)));
  EXPECT_EQ("", info_of(task_of(model, 1)));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtCacheLastTaskOpInfo, NotForModelsOfBoundStreams) {
  const BoundStream bound;
  set_switch(bound, 1);
  Building building;
  building.bind(bound);
  EXPECT_OK(launch_number(bound, 1));
  EXPECT_FAILS_WITH(kInternal, aclrtCacheLastTaskOpInfo("x", 1));
  building.finish(bound);
}

TEST_F(AclrtCacheLastTaskOpInfo, NeedsTheSwitchOfTheStream) {
  const Model model = capture(stream_, [&] {
    EXPECT_OK(launch_number(stream_, 1));
    EXPECT_FAILS(kInternal, "EE1018", aclrtCacheLastTaskOpInfo("x", 1));
    set_switch(stream_, 1);
    EXPECT_OK(aclrtCacheLastTaskOpInfo("y", 1));
    set_switch(stream_, 0);
    EXPECT_FAILS(kInternal, "EE1018", aclrtCacheLastTaskOpInfo("z", 1));
  });
  EXPECT_EQ("y", info_of(task_of(model, 0)));
}

TEST_F(AclrtCacheLastTaskOpInfo, BelongsToTheLastTaskAndIsReplaced) {
  const Event event = Event::ex();
  const std::string large(65536, 'l');
  const Model model = capture(stream_, [&] {
    set_switch(stream_, 1);
    std::string bytes("first\0", 6);
    EXPECT_OK(launch_number(stream_, 1));
    EXPECT_OK(aclrtCacheLastTaskOpInfo("before", 6));
    EXPECT_OK(aclrtCacheLastTaskOpInfo(bytes.data(), bytes.size()));
    bytes.assign("other");  // they were copied
    EXPECT_OK(launch_number(stream_, 2));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtCacheLastTaskOpInfo(large.data(), large.size()));
  });
  EXPECT_EQ(std::string("first\0", 6), info_of(task_of(model, 0)));
  EXPECT_EQ("", info_of(task_of(model, 1)));
  EXPECT_EQ(large, info_of(task_of(model, 2)));
  EXPECT_EQ(Numbers({1, 2}), numbers_of_run(model));
}

TEST_F(AclrtCacheLastTaskOpInfo, AnInvalidCaptureForgetsIt) {
  set_switch(stream_, 1);
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream_));
  Mark mark;
  EXPECT_EQ(kWrongTaskType, mark.queue(stream_));
  EXPECT_OK(mark.queue(stream_));  // dropped
  EXPECT_OK(aclrtCacheLastTaskOpInfo("x", 1));
  discard(stream_);
}

FERRY_PROCESS_TEST(AclrtCacheLastTaskOpInfoProcess, NotOnProductsWithoutCaptures,
                   "FERRY_SOC=Ascend310B1") {
  EXPECT_FAILS(kBadArgument, "EH0007", aclrtCacheLastTaskOpInfo("x", 0));
  EXPECT_FAILS(kNotSupported, "WE0001", aclrtCacheLastTaskOpInfo("x", 65537));
  EXPECT_FAILS(kNotSupported, "WE0001", aclrtCacheLastTaskExtendInfo(nullptr, 0));
}

}  // namespace
}  // namespace conformance::aclrtCacheLastTaskOpInfo_test
