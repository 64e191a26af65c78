// SPDX-License-Identifier: Apache-2.0
// aclrtSwitchLabelByIndex: a number in device memory chooses the label to jump to.
#include "support/built_models.h"

namespace conformance::aclrtSwitchLabelByIndex_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclrtSwitchLabelByIndex = WithStream;

TEST_F(AclrtSwitchLabelByIndex, ChecksInOrder) {
  BoundStream stream;
  BoundStream unbound;
  Building model;
  model.bind(stream);
  const DeviceNumber index;
  aclrtLabel label = nullptr;
  aclrtLabelList list = nullptr;
  EXPECT_OK(aclrtCreateLabel(&label));
  EXPECT_OK(aclrtCreateLabelList(&label, 1, &list));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtSwitchLabelByIndex(nullptr, 1, list, stream));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtSwitchLabelByIndex(index.get(), 1, nullptr, stream));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtSwitchLabelByIndex(index.get(), 1, list, nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclrtSwitchLabelByIndex(index.get(), 1, label, stream));
  on_new_thread([&] {
    EXPECT_FAILS_WITH(kNoContext, aclrtSwitchLabelByIndex(index.get(), 1, list, unbound));
  });
  EXPECT_FAILS_WITH(kBound, aclrtSwitchLabelByIndex(index.get(), 1, list, unbound));
  EXPECT_OK(aclrtDestroyLabelList(list));
  EXPECT_OK(aclrtDestroyLabel(label));
}

// One stream decides; each of the others has a label, a mark and the end of the run.
TEST_F(AclrtSwitchLabelByIndex, ContinuesBehindTheLabel) {
  BoundStream head;
  BoundStream branches[3];
  Mark marks[3];
  Mark skipped;
  DeviceNumber index;
  aclrtLabel labels[3] = {};
  aclrtLabelList list = nullptr;
  for (aclrtLabel& label : labels)
    EXPECT_OK(aclrtCreateLabel(&label));
  EXPECT_OK(aclrtCreateLabelList(labels, 3, &list));
  {
    Building model;
    model.bind(head, kHead);
    for (const BoundStream& branch : branches)
      model.bind(branch, kActivated);
    EXPECT_OK(aclrtSwitchLabelByIndex(index.get(), 3, list, head));
    EXPECT_OK(skipped.queue(head));
    for (int i = 0; i < 3; ++i) {
      EXPECT_OK(skipped.queue(branches[i]));
      EXPECT_OK(aclrtSetLabel(labels[i], branches[i]));
      EXPECT_OK(marks[i].queue(branches[i]));
      EXPECT_OK(aclmdlRIEndTask(model, branches[i]));
    }
    EXPECT_OK(aclmdlRIBuildEnd(model, nullptr));
    for (const uint64_t value : {0, 1, 2, 3, 1000, 1}) {
      for (Mark& mark : marks)
        mark.clear();
      index.set(value);
      model.run();
      for (uint64_t i = 0; i < 3; ++i)
        EXPECT_EQ(std::min<uint64_t>(value, 2) == i, marks[i].is_reached()) << value;
      EXPECT_FALSE(skipped.is_reached());
    }
  }
  EXPECT_OK(aclrtDestroyLabelList(list));
  for (aclrtLabel label : labels)
    EXPECT_OK(aclrtDestroyLabel(label));
}

// A loop inside one stream: each pass writes the next index.
TEST_F(AclrtSwitchLabelByIndex, MayJumpBackInItsOwnStream) {
  BoundStream stream;
  Counter counter;
  aclrtLabel labels[2] = {};
  aclrtLabelList list = nullptr;
  struct Loop {
    Counter* counter;
    uint32_t* next;
  };
  PinnedBuffer next(4);
  const DeviceNumber index;
  Loop loop{&counter, static_cast<uint32_t*>(next.get())};
  for (aclrtLabel& label : labels)
    EXPECT_OK(aclrtCreateLabel(&label));
  EXPECT_OK(aclrtCreateLabelList(labels, 2, &list));
  {
    Building model;
    model.bind(stream, kHead);
    EXPECT_OK(aclrtSetLabel(labels[0], stream));
    EXPECT_OK(aclrtLaunchHostFunc(
        stream,
        [](void* argument) {
          auto& own = *static_cast<Loop*>(argument);
          Counter::count(own.counter);
          *own.next = own.counter->calls() % 5 == 0 ? 1 : 0;
        },
        &loop));
    EXPECT_OK(aclrtMemcpyAsync(index.get(), 4, next.get(), 4, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    EXPECT_OK(aclrtSwitchLabelByIndex(index.get(), 2, list, stream));
    EXPECT_OK(aclrtSetLabel(labels[1], stream));
    model.finish(stream);
    model.run();
    EXPECT_EQ(5, counter.calls());
    model.run();
    EXPECT_EQ(10, counter.calls());
  }
  EXPECT_OK(aclrtDestroyLabelList(list));
  for (aclrtLabel label : labels)
    EXPECT_OK(aclrtDestroyLabel(label));
}

}  // namespace
}  // namespace conformance::aclrtSwitchLabelByIndex_test
