// SPDX-License-Identifier: Apache-2.0
// aclmdlRITaskSetParams: changes of single tasks of a finished model.
#include "support/built_models.h"
#include "support/kernel_models.h"
#include "support/values.h"

namespace conformance::aclmdlRITaskSetParams_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

class AclmdlRITaskSetParams : public WithKernelModels {
 protected:
  Model capture_number(uint64_t number) {
    return capture(stream_, [&] { EXPECT_OK(launch_number(stream_, number)); });
  }

  // The parameters of a kernel with these arguments.
  template <class Arguments>
  aclmdlRITaskParams kernel_params(Arguments& arguments, uint32_t blocks = 1,
                                   const char* name = "ct_record") const {
    aclmdlRITaskParams params{};
    params.type = ACL_MODEL_RI_TASK_KERNEL;
    params.kernelTaskParams.funcHandle = function(name);
    params.kernelTaskParams.args = &arguments;
    params.kernelTaskParams.isHostArgs = 1;
    params.kernelTaskParams.argsSize = sizeof arguments;
    params.kernelTaskParams.numBlocks = blocks;
    return params;
  }

  // The change is refused, and the model is unusable for good.
  void expect_fault(aclError code, const Model& model, aclmdlRITaskParams params) {
    EXPECT_FAILS_WITH(code, aclmdlRITaskSetParams(task_of(model, 0), &params));
    EXPECT_FAILS_WITH(kCannotExecute, aclmdlRIExecuteAsync(model, stream_));
    EXPECT_FAILS_WITH(kUpdateFailed, aclmdlRIUpdate(model));
    EXPECT_FAILS_WITH(kUpdateFailed, aclmdlRITaskSetParams(task_of(model, 0), &params));
  }
};

TEST_F(AclmdlRITaskSetParams, ChecksInOrder) {
  uint64_t number = 2;
  aclmdlRITaskParams params = kernel_params(number);
  const Model model = capture_number(1);
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRITaskSetParams(nullptr, &params));
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRITaskSetParams(task_of(model, 0), nullptr));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRITaskSetParams(stream_, &params));
  {
    const BoundStream bound;
    Building building;
    building.bind(bound);
    EXPECT_OK(launch_number(bound, 1));
    building.finish(bound);
    EXPECT_FAILS_WITH(kNotSupported, aclmdlRITaskSetParams(task_of(building, 0), &params));
    building.run();
  }
  Gate gate(stream_);
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  params.type = ACL_MODEL_RI_TASK_DEFAULT;
  EXPECT_FAILS_WITH(kUpdateFailed, aclmdlRITaskSetParams(task_of(model, 0), &params));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  take_numbers();
  EXPECT_EQ(Numbers({1}), numbers_of_run(model));
}

TEST_F(AclmdlRITaskSetParams, AWrongChangeMakesTheModelUnusable) {
  uint64_t number = 2;
  const aclmdlRITaskParams good = kernel_params(number);
  aclrtLaunchKernelCfg bad_config{.attrs = nullptr, .numAttrs = 1};
  struct Case {
    const char* what;
    aclError code;
    std::function<void(aclmdlRITaskParams&)> spoil;
  };
  const Case cases[] = {
      {"type 0", kBadValue, [](auto& bad) { bad.type = ACL_MODEL_RI_TASK_DEFAULT; }},
      {"another type", kBadValue, [](auto& bad) { bad.type = ACL_MODEL_RI_TASK_VALUE_WRITE; }},
      {"no type", kBadValue, [](auto& bad) { bad.type = static_cast<aclmdlRITaskType>(7); }},
      {"group", kBadValue, [](auto& bad) { bad.taskGrp = &bad; }},
      {"no function", kBadValue, [](auto& bad) { bad.kernelTaskParams.funcHandle = nullptr; }},
      {"dead function", kBadHandle,
       [](auto& bad) { bad.kernelTaskParams.funcHandle = dead_function(); }},
      {"no args", kBadValue, [](auto& bad) { bad.kernelTaskParams.args = nullptr; }},
      {"size 0", kBadValue, [](auto& bad) { bad.kernelTaskParams.argsSize = 0; }},
      {"wild args", kBadValue,
       [](auto& bad) { bad.kernelTaskParams.args = reinterpret_cast<void*>(16); }},
      {"blocks 0", kBadValue, [](auto& bad) { bad.kernelTaskParams.numBlocks = 0; }},
      {"blocks 65536", kBadValue, [](auto& bad) { bad.kernelTaskParams.numBlocks = 65536; }},
      {"config", kBadValue, [&](auto& bad) { bad.kernelTaskParams.cfg = &bad_config; }},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.what);
    const Model model = capture_number(1);
    aclmdlRITaskParams params = good;
    each.spoil(params);
    expect_fault(each.code, model, params);
  }
  EXPECT_EQ(Numbers(), take_numbers());
}

TEST_F(AclmdlRITaskSetParams, EventsAndOtherTasksCannotBeChanged) {
  const Forked forked(stream_);
  aclmdlRITaskParams params{};
  EXPECT_OK(aclmdlRITaskGetParams(forked.task(0, 0), &params));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRITaskSetParams(forked.task(0, 0), &params));
  EXPECT_FAILS_WITH(kCannotExecute, aclmdlRIExecuteAsync(forked.model, stream_));
}

TEST_F(AclmdlRITaskSetParams, TakesEffectWithTheUpdate) {
  const Model model = capture(stream_, [&] {
    EXPECT_OK(launch_number(stream_, 1));
    EXPECT_OK(launch_number(stream_, 2));
  });
  uint64_t numbers[2] = {3, 4};
  aclmdlRITaskParams params = kernel_params(numbers, 9);
  EXPECT_OK(aclmdlRITaskSetParams(task_of(model, 1), &params));
  numbers[0] = 0;  // the bytes were copied
  EXPECT_FAILS_WITH(kCannotExecute, aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(aclmdlRIUpdate(model));
  for (int i = 0; i < 2; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    const std::vector<kernels::Seen> seen = kernels::take_seen();
    ASSERT_EQ(2u, seen.size());
    EXPECT_EQ(1u, seen[0].at<uint64_t>(0));
    EXPECT_EQ(3u, seen[1].at<uint64_t>(0));
    EXPECT_EQ(4u, seen[1].at<uint64_t>(8));
    EXPECT_EQ(9u, seen[1].blocks);
  }
}

TEST_F(AclmdlRITaskSetParams, ReplacesTheKernelAndItsMemory) {
  DeviceBuffer before(64);
  DeviceBuffer after(64);
  before.write(pattern(64));
  after.write(pattern(64));
  kernels::IncrementArguments arguments{before.get(), 64};
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtLaunchKernelWithHostArgs(function("ct_increment"), 1, stream_, nullptr,
                                            &arguments, sizeof arguments, nullptr, 0));
  });
  arguments.device = after.get();
  aclmdlRITaskParams params = kernel_params(arguments, 1, "ct_increment");
  EXPECT_OK(aclmdlRITaskSetParams(task_of(model, 0), &params));
  EXPECT_OK(aclmdlRIUpdate(model));
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(64), before.read());
  std::vector<uint8_t> expected = pattern(64);
  for (uint8_t& byte : expected)
    ++byte;
  EXPECT_EQ(expected, after.read());
}

// What aclmdlRITaskGetParams gives can be passed back, with one member changed: the arguments stay.
TEST_F(AclmdlRITaskSetParams, TakesWhatGetParamsGives) {
  const Model model = capture_number(5);
  for (uint32_t blocks = 2; blocks < 5; ++blocks) {
    aclmdlRITaskParams params{};
    EXPECT_OK(aclmdlRITaskGetParams(task_of(model, 0), &params));
    params.kernelTaskParams.numBlocks = blocks;
    EXPECT_OK(aclmdlRITaskSetParams(task_of(model, 0), &params));
    EXPECT_OK(aclmdlRIUpdate(model));
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    const kernels::Seen seen = only_seen();
    EXPECT_EQ(blocks, seen.blocks);
    EXPECT_EQ(5u, seen.at<uint64_t>(0));
  }
}

TEST_F(AclmdlRITaskSetParams, ChangesAKernelOfAGroup) {
  const Model model = capture_group({1, 2});
  uint64_t number = 3;
  aclmdlRITaskParams params = kernel_params(number);
  EXPECT_OK(aclmdlRITaskSetParams(task_of(model, 1), &params));
  EXPECT_OK(aclmdlRIUpdate(model));
  EXPECT_EQ(Numbers({1, 3}), numbers_of_run(model));
  update_group(stream_, {4, 5});
  EXPECT_EQ(Numbers({4, 5}), numbers_of_run(model));
}

TEST_F(AclmdlRITaskSetParams, ChangesValues) {
  const values::DeviceValue awaited;
  const values::DeviceValue first;
  const values::DeviceValue second;
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtValueWait(awaited.get(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream_));
    EXPECT_OK(aclrtValueWrite(first.get(), 7, 0, stream_));
  });
  aclmdlRITaskParams params{};
  params.type = ACL_MODEL_RI_TASK_VALUE_WAIT;
  params.valueWaitTaskParams = {awaited.get(), 0, ACL_STREAM_WAIT_VALUE_GEQ};
  EXPECT_OK(aclmdlRITaskSetParams(task_of(model, 0), &params));
  params.type = ACL_MODEL_RI_TASK_VALUE_WRITE;
  params.valueWriteTaskParams = {second.get(), 8};
  EXPECT_OK(aclmdlRITaskSetParams(task_of(model, 1), &params));
  EXPECT_OK(aclmdlRIUpdate(model));
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(0u, first.value());
  EXPECT_EQ(8u, second.value());
  EXPECT_OK(aclmdlRITaskGetParams(task_of(model, 0), &params));
  EXPECT_EQ(awaited.get(), params.valueWaitTaskParams.devAddr);
  EXPECT_EQ(0u, params.valueWaitTaskParams.value);
  EXPECT_EQ(ACL_STREAM_WAIT_VALUE_GEQ, params.valueWaitTaskParams.flag);
}

TEST_F(AclmdlRITaskSetParams, AValueMustBeInDeviceMemory) {
  const values::DeviceValue value;
  uint64_t host = 0;
  for (void* address : {static_cast<void*>(nullptr), static_cast<void*>(&host),
                        static_cast<void*>(static_cast<char*>(value.get()) + 4)}) {
    const Model model =
        capture(stream_, [&] { EXPECT_OK(aclrtValueWrite(value.get(), 1, 0, stream_)); });
    aclmdlRITaskParams params{};
    params.type = ACL_MODEL_RI_TASK_VALUE_WRITE;
    params.valueWriteTaskParams = {address, 1};
    expect_fault(kBadValue, model, params);
  }
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtValueWait(value.get(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream_));
  });
  aclmdlRITaskParams params{};
  params.type = ACL_MODEL_RI_TASK_VALUE_WAIT;
  params.valueWaitTaskParams = {value.get(), 1, 4};
  expect_fault(kBadValue, model, params);
}

TEST_F(AclmdlRITaskSetParams, ADisabledTaskStaysDisabled) {
  const Model model = capture_number(1);
  uint64_t number = 2;
  aclmdlRITaskParams params = kernel_params(number);
  EXPECT_OK(aclmdlRITaskDisable(task_of(model, 0)));
  EXPECT_OK(aclmdlRITaskSetParams(task_of(model, 0), &params));
  EXPECT_OK(aclmdlRIUpdate(model));
  EXPECT_EQ(Numbers(), numbers_of_run(model));
}

}  // namespace
}  // namespace conformance::aclmdlRITaskSetParams_test
