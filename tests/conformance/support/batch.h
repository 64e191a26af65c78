// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of batch copies: the four forms behind one call, a batch of items with its
// memory, and a fixture that runs a test for each form.
#pragma once

#include "support/copies.h"

#include <algorithm>

namespace conformance::copies {

struct BatchForm {
  const char* name;
  bool is_async;
  bool has_fail_index;
};

inline void PrintTo(const BatchForm& form, std::ostream* out) {
  *out << form.name;
}

inline const BatchForm kBatchForms[] = {
    {"aclrtMemcpyBatch", false, true},
    {"aclrtMemcpyBatchV2", false, false},
    {"aclrtMemcpyBatchAsync", true, true},
    {"aclrtMemcpyBatchAsyncV2", true, false},
};
inline const BatchForm kSyncBatchForms[] = {kBatchForms[0], kBatchForms[1]};
inline const BatchForm kAsyncBatchForms[] = {kBatchForms[2], kBatchForms[3]};

// The arguments of all forms; those that a form lacks are left out of its call.
struct BatchArguments {
  void** dsts;
  size_t* dest_maxs;
  void** srcs;
  size_t* sizes;
  size_t count;
  aclrtMemcpyBatchAttr* attrs;
  size_t* attrs_indexes;
  size_t attr_count;
  size_t* fail_index;
  aclrtStream stream;
};

inline aclError call_batch(const BatchForm& form, const BatchArguments& a) {
  if (form.is_async && form.has_fail_index) {
    return aclrtMemcpyBatchAsync(a.dsts, a.dest_maxs, a.srcs, a.sizes, a.count, a.attrs,
                                 a.attrs_indexes, a.attr_count, a.fail_index, a.stream);
  }
  if (form.is_async) {
    return aclrtMemcpyBatchAsyncV2(a.dsts, a.dest_maxs, a.srcs, a.sizes, a.count, a.attrs,
                                   a.attrs_indexes, a.attr_count, a.stream);
  }
  if (form.has_fail_index) {
    return aclrtMemcpyBatch(a.dsts, a.dest_maxs, a.srcs, a.sizes, a.count, a.attrs, a.attrs_indexes,
                            a.attr_count, a.fail_index);
  }
  return aclrtMemcpyBatchV2(a.dsts, a.dest_maxs, a.srcs, a.sizes, a.count, a.attrs, a.attrs_indexes,
                            a.attr_count);
}

enum class Way { kToDevice, kToHost };
// Mixed: items 1, 3, 5 ... are pageable, the others pinned.
enum class HostMemory { kPinned, kPageable, kMixed };

// A batch with its memory: items of one size with gaps between them, in a buffer on device 0 and in
// host memory. A test may change the arrays before it takes the arguments.
class Batch {
 public:
  // Never a result of a call: shows whether failIndex was written.
  static constexpr size_t kNotWritten = 0x777777;

  Batch(Way way, HostMemory memory, size_t count, size_t size = 48)
      : way_(way),
        memory_(memory),
        size_(size),
        stride_(size + 5),
        device_(count * stride_),
        pinned_(count * stride_),
        pageable_(count * stride_) {
    for (size_t index = 0; index < count; ++index) {
      void* const device = device_.at(index * stride_);
      dsts.push_back(way == Way::kToDevice ? device : host_at(index));
      srcs.push_back(way == Way::kToDevice ? host_at(index) : device);
    }
    sizes.assign(count, size);
    dest_maxs.assign(count, size);
    attrs = {attr()};
    attrs_indexes = {0};
    reset();
  }

  // Rewrites source and destination.
  void reset() {
    const std::vector<uint8_t> sent = pattern(pageable_.size(), 1);
    const std::vector<uint8_t> before = pattern(pageable_.size(), 2);
    const bool is_to_device = way_ == Way::kToDevice;
    device_.write(is_to_device ? before : sent);
    pinned_.fill(is_to_device ? sent : before);
    std::copy_n((is_to_device ? sent : before).begin(), pageable_.size(), pageable_.begin());
    fail_index = kNotWritten;
  }

  // The attribute that is valid for every item.
  aclrtMemcpyBatchAttr attr() const {
    aclrtMemcpyBatchAttr attr = {};
    const aclrtMemLocation device = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
    const aclrtMemLocation host = {0, ACL_MEM_LOCATION_TYPE_HOST};
    attr.dstLoc = way_ == Way::kToDevice ? device : host;
    attr.srcLoc = way_ == Way::kToDevice ? host : device;
    return attr;
  }

  void give_each_item_an_attribute() {
    attrs.assign(sizes.size(), attr());
    attrs_indexes.clear();
    for (size_t index = 0; index < sizes.size(); ++index)
      attrs_indexes.push_back(index);
  }

  BatchArguments arguments(aclrtStream stream = nullptr) {
    return {dsts.data(),  dest_maxs.data(),     srcs.data(),  sizes.data(), sizes.size(),
            attrs.data(), attrs_indexes.data(), attrs.size(), &fail_index,  stream};
  }

  // Whether exactly the bytes of the chosen items have arrived.
  template <class Choice>
  ::testing::AssertionResult has_copied(Choice is_chosen) const {
    std::vector<uint8_t> expected = pattern(pageable_.size(), 2);
    const std::vector<uint8_t> sent = pattern(pageable_.size(), 1);
    const std::vector<uint8_t> arrived = destination();
    for (size_t index = 0; index * stride_ < expected.size(); ++index) {
      const auto begin = static_cast<ptrdiff_t>(index * stride_);
      if (is_chosen(index)) {
        std::copy_n(sent.begin() + begin, size_, expected.begin() + begin);
      }
      if (!std::equal(expected.begin() + begin,
                      expected.begin() + begin + static_cast<ptrdiff_t>(stride_),
                      arrived.begin() + begin)) {
        return ::testing::AssertionFailure() << "item " << index << " has wrong bytes";
      }
    }
    return ::testing::AssertionSuccess();
  }
  ::testing::AssertionResult has_copied_all() const {
    return has_copied([](size_t) { return true; });
  }
  ::testing::AssertionResult has_copied_nothing() const {
    return has_copied([](size_t) { return false; });
  }

  bool is_pageable(size_t index) const {
    return memory_ == HostMemory::kPageable || (memory_ == HostMemory::kMixed && index % 2 == 1);
  }

  std::vector<void*> dsts;
  std::vector<void*> srcs;
  std::vector<size_t> sizes;
  std::vector<size_t> dest_maxs;
  std::vector<aclrtMemcpyBatchAttr> attrs;
  std::vector<size_t> attrs_indexes;
  size_t fail_index = kNotWritten;

 private:
  void* host_at(size_t index) {
    uint8_t* const base = is_pageable(index) ? pageable_.data() : pinned_.bytes();
    return base + index * stride_;
  }

  std::vector<uint8_t> destination() const {
    if (way_ == Way::kToDevice) return device_.read();
    std::vector<uint8_t> bytes = pinned_.copy();
    for (size_t index = 0; index * stride_ < bytes.size(); ++index) {
      const auto begin = static_cast<ptrdiff_t>(index * stride_);
      if (is_pageable(index)) {
        std::copy_n(pageable_.begin() + begin, stride_, bytes.begin() + begin);
      }
    }
    return bytes;
  }

  Way way_;
  HostMemory memory_;
  size_t size_;
  size_t stride_;
  DeviceBuffer device_;
  PinnedBuffer pinned_;
  std::vector<uint8_t> pageable_;
};

// Runs a test for each form it is instantiated with.
class WithBatchForm : public WithStream, public ::testing::WithParamInterface<BatchForm> {
 protected:
  static const BatchForm& form() { return GetParam(); }
  static const char* name() { return GetParam().name; }

  static aclError call(const BatchArguments& arguments) { return call_batch(form(), arguments); }

  // Makes the call and checks code, text and failIndex.
  static void expect_fails(aclError code, const char* message_code, size_t fail_index,
                           const BatchArguments& arguments) {
    size_t written = Batch::kNotWritten;
    BatchArguments passed = arguments;
    passed.fail_index = &written;
    EXPECT_TRUE(failed_as(name(), code, message_code, call(passed)));
    if (form().has_fail_index) {
      EXPECT_EQ(fail_index, written) << "failIndex";
    }
  }

  // Makes the call and checks that it succeeds and sets failIndex accordingly.
  static void expect_succeeds(const BatchArguments& arguments) {
    size_t written = Batch::kNotWritten;
    BatchArguments passed = arguments;
    passed.fail_index = &written;
    EXPECT_OK(call(passed));
    if (form().has_fail_index) {
      EXPECT_EQ(SIZE_MAX, written) << "failIndex";
    }
  }
};

}  // namespace conformance::copies
