// SPDX-License-Identifier: Apache-2.0
// aclmdlRIAddCondTask: in each run the value chooses a branch.
#include "support/conditions.h"

namespace conformance::aclmdlRIAddCondTask_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIAddCondTask = WithStream;

TEST_F(AclmdlRIAddCondTask, ChecksInOrder) {
  const Stream other_stream;
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_OK(aclmdlRICaptureBegin(other_stream, kRelaxed));
  const aclmdlRICondHandle handle = create_condition(stream_);
  const aclmdlRICondHandle foreign = create_condition(other_stream);
  const Stream plain;
  aclmdlRI branches[2] = {&branches, &branches};
  const auto call = [&](aclmdlRICondHandle condition, int type, uint32_t size, aclmdlRI* array,
                        aclrtStream stream, uint32_t flags) {
    const aclmdlRICondTaskParams params{condition, static_cast<aclmdlRICondTaskType>(type), size,
                                        array};
    return aclmdlRIAddCondTask(params, stream, flags);
  };
  EXPECT_EQ(kBadArgument, call(nullptr, 3, 0, nullptr, nullptr, 1));
  EXPECT_EQ(kBadValue, call(nullptr, 3, 0, nullptr, stream_, 1));
  EXPECT_EQ(kBadValue, call(nullptr, kIf, 0, nullptr, stream_, 1));
  EXPECT_EQ(kBadValue, call(nullptr, kIf, 0, nullptr, stream_, 0));
  EXPECT_EQ(kBadValue, call(handle, kIf, 1, nullptr, stream_, 0));
  on_new_thread([&] { EXPECT_EQ(kNoContext, call(handle, kIf, 1, branches, stream_, 0)); });
  EXPECT_EQ(kNotCaptured, call(handle, kIf, 1, branches, plain, 0));
  EXPECT_EQ(nullptr, branches[0]);
  EXPECT_EQ(kBadValue, call(foreign, kIf, 1, branches, stream_, 0));
  EXPECT_EQ(kBadValue, call(handle, kIf, 0, branches, stream_, 0));
  EXPECT_EQ(kBadValue, call(handle, kIf, 3, branches, stream_, 0));
  EXPECT_EQ(kBadValue, call(handle, kWhile, 2, branches, stream_, 0));
  EXPECT_EQ(kBadValue, call(handle, kSwitch, 0, branches, stream_, 0));
  EXPECT_OK(call(handle, kIf, 2, branches, stream_, 0));
  EXPECT_NE(nullptr, branches[0]);
  EXPECT_NE(branches[0], branches[1]);
  EXPECT_EQ(kBadValue, call(handle, kIf, 1, branches, stream_, 0));
  aclmdlRI model = nullptr;
  EXPECT_FAILS_WITH(107045, aclmdlRICaptureEnd(stream_, &model));
  discard(other_stream);
}

TEST_F(AclmdlRIAddCondTask, IfTakesOneOfTwo) {
  const Stream side;
  Mark yes;
  Mark no;
  uint64_t* address = nullptr;
  const Model model = capture(stream_, [&] {
    const aclmdlRICondHandle handle = create_condition(stream_);
    address = address_of(handle);
    const auto branches = add_task(stream_, handle, kIf, 2);
    capture_branch(side, branches[0], [&] { EXPECT_OK(yes.queue(side)); });
    capture_branch(side, branches[1], [&] { EXPECT_OK(no.queue(side)); });
  });
  for (const uint64_t value : {1, 0, 5, 0}) {
    yes.clear();
    no.clear();
    write_value(address, value);
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(value != 0, yes.is_reached());
    EXPECT_EQ(value == 0, no.is_reached());
  }
}

TEST_F(AclmdlRIAddCondTask, SwitchTakesTheNumberedOne) {
  const Stream side;
  Mark marks[3];
  Mark behind;
  uint64_t* address = nullptr;
  const Model model = capture(stream_, [&] {
    const aclmdlRICondHandle handle = create_condition(stream_);
    address = address_of(handle);
    const auto branches = add_task(stream_, handle, kSwitch, 3);
    for (size_t i = 0; i < 3; ++i)
      capture_branch(side, branches[i], [&] { EXPECT_OK(marks[i].queue(side)); });
    EXPECT_OK(behind.queue(stream_));
  });
  for (const uint64_t value : {0, 1, 2, 3, 77}) {
    behind.clear();
    for (Mark& mark : marks)
      mark.clear();
    write_value(address, value);
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    for (uint64_t i = 0; i < 3; ++i)
      EXPECT_EQ(i == value, marks[i].is_reached());
    EXPECT_TRUE(behind.is_reached());
  }
}

TEST_F(AclmdlRIAddCondTask, WhileReadsTheValueBeforeEachPass) {
  const Stream side;
  struct Loop {
    static void step(void* self) {
      auto& own = *static_cast<Loop*>(self);
      ++own.passes;
      *own.next = own.passes % 4 == 0 ? 0 : 1;
    }
    int passes = 0;
    uint64_t* next = nullptr;
  } loop;
  PinnedBuffer next(8);
  loop.next = static_cast<uint64_t*>(next.get());
  const Model model = capture(stream_, [&] {
    const aclmdlRICondHandle handle = create_condition(stream_, 1, kAssigned);
    uint64_t* const address = address_of(handle);
    const auto branches = add_task(stream_, handle, kWhile, 1);
    capture_branch(side, branches[0], [&] {
      EXPECT_OK(aclrtLaunchHostFunc(side, Loop::step, &loop));
      EXPECT_OK(aclrtMemcpyAsync(address, 8, next.get(), 8, ACL_MEMCPY_HOST_TO_DEVICE, side));
    });
  });
  for (int i = 1; i < 4; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(4 * i, loop.passes);
  }
}

TEST_F(AclmdlRIAddCondTask, AnEndlessLoopEndsWithAnAbort) {
  const Stream side;
  const Model model = capture(stream_, [&] {
    const auto branches = add_task(stream_, create_condition(stream_, 1, kAssigned), kWhile, 1);
    capture_branch(side, branches[0], [] {});
  });
  const Stream launcher;
  EXPECT_OK(aclmdlRIExecuteAsync(model, launcher));
  EXPECT_EQ(507046, aclrtSynchronizeStreamWithTimeout(launcher, 1));
  EXPECT_OK(aclrtStreamAbort(launcher));
}

TEST_F(AclmdlRIAddCondTask, ABranchMayHaveConditionsAndSeveralStreams) {
  const Stream side;
  const Stream third;
  const Stream fourth;
  const Event fork = Event::ex();
  const Event back = Event::ex();
  Mark inner;
  Mark forked;
  uint64_t* outer_value = nullptr;
  uint64_t* inner_value = nullptr;
  const Model model = capture(stream_, [&] {
    const aclmdlRICondHandle outer = create_condition(stream_);
    outer_value = address_of(outer);
    const auto branches = add_task(stream_, outer, kIf, 1);
    capture_branch(side, branches[0], [&] {
      const aclmdlRICondHandle handle = create_condition(side);
      inner_value = address_of(handle);
      const auto nested = add_task(side, handle, kIf, 1);
      capture_branch(third, nested[0], [&] { EXPECT_OK(inner.queue(third)); });
      EXPECT_OK(aclrtRecordEvent(fork, side));
      EXPECT_OK(aclrtStreamWaitEvent(fourth, fork));
      EXPECT_OK(forked.queue(fourth));
      EXPECT_OK(aclrtRecordEvent(back, fourth));
      EXPECT_OK(aclrtStreamWaitEvent(side, back));
    });
  });
  for (const bool outer : {true, false}) {
    for (const bool nested : {true, false}) {
      inner.clear();
      forked.clear();
      write_value(outer_value, outer ? 1 : 0);
      write_value(inner_value, nested ? 1 : 0);
      EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
      EXPECT_OK(aclrtSynchronizeStream(stream_));
      EXPECT_EQ(outer, forked.is_reached());
      EXPECT_EQ(outer && nested, inner.is_reached());
    }
  }
}

TEST_F(AclmdlRIAddCondTask, AFailureInABranchFailsTheRun) {
  const Stream side;
  streams::BadCopy bad;
  Mark behind;
  const Model model = capture(stream_, [&] {
    const auto branches = add_task(stream_, create_condition(stream_, 1, kAssigned), kIf, 1);
    capture_branch(side, branches[0], [&] { EXPECT_OK(bad.queue(side)); });
    EXPECT_OK(behind.queue(stream_));
  });
  for (int i = 0; i < 2; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    EXPECT_EQ(kTaskFailed, aclrtSynchronizeStream(stream_));
    EXPECT_FALSE(behind.is_reached());
  }
}

// What torch_npu does: the predicate is computed on the device and copied into the value.
TEST_F(AclmdlRIAddCondTask, ThePredicateComesFromTheDevice) {
  const Stream side;
  const DeviceNumber predicate(1);
  Mark taken;
  const Model model = capture(stream_, [&] {
    const aclmdlRICondHandle handle = create_condition(stream_, 0, kAssigned);
    uint64_t* const value = address_of(handle);
    EXPECT_OK(aclrtMemsetAsync(value, 8, 0, 8, stream_));
    EXPECT_OK(aclrtMemcpyAsync(value, 1, predicate.get(), 1, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
    const auto branches = add_task(stream_, handle, kIf, 1);
    capture_branch(side, branches[0], [&] { EXPECT_OK(taken.queue(side)); });
  });
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(taken.is_reached());
}

}  // namespace
}  // namespace conformance::aclmdlRIAddCondTask_test
