// SPDX-License-Identifier: Apache-2.0
// Memory and points that other processes use: what they do is not seen, and is no error.
#include "base/work.h"
#include "layers/check/front/checked_objects.h"
#include "layers/check/front/front.h"
#include "layers/check/report/report.h"
#include "tests/unit/layers/front/front_program.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace ferry::layers::check {
namespace {

// With and without the capability: without it, the checker is told ahead what a queue does.
class SharedWithOthers : public ::testing::TestWithParam<uint64_t> {
 protected:
  static constexpr uint64_t kSize = 4096;
  static constexpr uint64_t kPiece = uint64_t{2} << 20;

  void SetUp() override {
    std::vector<const RuleInfo*> rules;
    for (const Rule* rule : all_rules())
      rules.push_back(&rule->info());
    ASSERT_EQ(open_reports({}, rules), nullptr);
    program_.open();
    program_.create_queues();
    errors_ = error_count();
  }
  void TearDown() override {
    ASSERT_EQ(open_reports({}, {}), nullptr);  // no rule is on from here
    for (ferryx_queue* queue : {program_.queue(), program_.other_queue()})
      top_->queue_destroy(queue);
    uint64_t bytes = 0;
    top_->device_memory(device(), &bytes, &bytes);  // ends the quarantine
    FrontRuntime::instance().clear();
  }

  ferryx_device* device() const { return program_.device(); }
  static void ok(int code) { EXPECT_EQ(code, ACL_RT_SUCCESS); }
  ferryx_memory allocate() {
    ferryx_memory memory{};
    ok(top_->memory_alloc(device(), kSize, 0, &memory));
    FrontRuntime::instance().add(memory);
    return memory;
  }
  ferryx_memory share(const ferryx_memory& memory) {
    ferryx_shared shared{};
    ok(top_->memory_export(device(), &memory, &shared));
    void* const seen =
        mmap(nullptr, shared.size, PROT_READ | PROT_WRITE, MAP_SHARED, shared.file, 0);
    close(shared.file);
    return {.address = seen, .size = shared.size, .storage = seen, .kind = 0, .device = 0};
  }
  static ferryx_copy copy(void* dst_address, void* dst, const ferryx_memory& src) {
    return {.dst = dst_address,
            .src = src.address,
            .size = kSize,
            .dst_storage = dst,
            .src_storage = src.storage};
  }
  static ferryx_work work_of(const ferryx_copy& item, uint32_t direction) {
    ferryx_work work = make_work(
        FERRYX_COPIES, &ferryx_payload::copies,
        {.items = &item, .count = 1, .direction = direction, .flags = FERRYX_COPY_RESOLVED}, 1);
    work.origin = {.call = "test", .task = 0, .stream = 3, .context = nullptr, .correlation = 1};
    return work;
  }
  // Reads device memory during the call, and returns its first byte.
  int read(const ferryx_memory& memory) {
    std::vector<char> bytes(kSize);
    const ferryx_copy item = copy(bytes.data(), bytes.data(), memory);
    const ferryx_work work = work_of(item, FERRYX_DEVICE_TO_HOST);
    ok(top_->device_execute(device(), &work));
    return static_cast<unsigned char>(bytes[0]);
  }
  void submit(ferryx_queue* queue, const ferryx_work& work) {
    ok(top_->queue_submit(queue, &work));
  }
  void submit(ferryx_queue* queue, ferryx_work_kind kind, ferryx_marker* marker) {
    ferryx_work work =
        make_work(kind, &ferryx_payload::marker, {.marker = marker, .timeout = FERRYX_FOREVER}, 1);
    work.origin = {.call = "test", .task = 0, .stream = 3, .context = nullptr, .correlation = 1};
    submit(queue, work);
  }
  uint64_t new_errors() const { return error_count() - errors_; }

  static const ferryx_backend* build() {
    auto* const table = new ferryx_backend(cpu_backend_opened_once());
    keep_forever(table);
    table->capabilities &= ~GetParam();
    const ferryx_backend* made = put_check_in_front(table);
    keep_forever(made);
    return made;
  }

  const ferryx_backend* const top_ = build();
  FrontProgram program_{top_, true};
  uint64_t errors_ = 0;
};

TEST_P(SharedWithOthers, ExportedMemoryCountsAsWritten) {
  const ferryx_memory shared = allocate();
  const ferryx_memory seen = share(shared);
  read(shared);
  EXPECT_EQ(new_errors(), 0u);
  const ferryx_memory own = allocate();
  ::testing::internal::CaptureStderr();
  read(own);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("uninitialised-read"), std::string::npos);
  EXPECT_EQ(new_errors(), 1u);
  top_->memory_free(device(), &shared);
  top_->memory_free(device(), &own);
  munmap(seen.address, seen.size);
}

TEST_P(SharedWithOthers, NoPatternIsWrittenIntoExportedMemory) {
  const ferryx_memory memory = allocate();
  const ferryx_memory seen = share(memory);
  auto* const bytes = static_cast<char*>(seen.storage);
  std::fill_n(bytes, kSize, 7);
  top_->memory_rest(device(), &memory);  // as a pool does
  top_->memory_reuse(device(), &memory);
  EXPECT_EQ(read(memory), 7);
  EXPECT_EQ(new_errors(), 0u);
  top_->memory_free(device(), &memory);
  uint64_t free_bytes = 0;
  ok(top_->device_memory(device(), &free_bytes, &free_bytes));  // ends the quarantine
  EXPECT_EQ(std::count(bytes, bytes + kSize, 7), static_cast<ptrdiff_t>(kSize));
  const ferryx_memory next = allocate();
  EXPECT_EQ(*static_cast<unsigned char*>(next.storage), 0xFE);  // it is nobody else's
  top_->memory_free(device(), &next);
  munmap(seen.address, seen.size);
}

TEST_P(SharedWithOthers, ImportedMemoryKeepsItsBytes) {
  const ferryx_memory memory = allocate();
  const ferryx_memory seen = share(memory);
  *static_cast<char*>(seen.storage) = 9;
  ferryx_shared shared{};
  ok(top_->memory_export(device(), &memory, &shared));
  ferryx_physical* imported = nullptr;
  ok(top_->physical_import(device(), &shared, &imported));
  close(shared.file);
  ferryx_memory range{};
  ok(top_->address_reserve(program_.instance(), kPiece, kPiece, nullptr, &range));
  ferryx_memory mapped{};
  ok(top_->physical_map(device(), imported, &range, 0, kSize, &mapped));
  FrontRuntime::instance().add(mapped);
  EXPECT_EQ(read(mapped), 9);
  EXPECT_EQ(new_errors(), 0u);
  ok(top_->physical_unmap(device(), &mapped));
  top_->physical_release(device(), imported);
  top_->address_release(program_.instance(), &range);
  top_->memory_free(device(), &memory);
  munmap(seen.address, seen.size);
}

// Another process waits for the first queue, and the second queue waits for that process.
TEST_P(SharedWithOthers, AWaitForAnotherProcessOrdersWhatIsDone) {
  const ferryx_memory from = allocate();
  const ferryx_memory to = allocate();
  const ferryx_memory seen = share(from);
  ferryx_marker* own = nullptr;
  ferryx_marker* foreign = nullptr;
  ok(top_->marker_create(device(), &own));
  ok(top_->marker_create(device(), &foreign));
  const ferryx_copy item = copy(to.address, to.storage, from);
  const ferryx_work work = work_of(item, FERRYX_DEVICE_TO_DEVICE);
  submit(program_.queue(), work);
  submit(program_.queue(), FERRYX_MARK, own);
  submit(program_.other_queue(), FERRYX_AWAIT, foreign);
  submit(program_.other_queue(), work);
  int reached = 0;
  while (reached == 0) {  // as the other process sees it: the host of this one learns nothing
    ok(wrapped(own).inner->marker_query(wrapped(own).handle, &reached));
    std::this_thread::yield();
  }
  ok(top_->marker_finish(foreign, 0));
  ok(top_->queue_synchronize(program_.other_queue(), FERRYX_FOREVER));
  EXPECT_EQ(new_errors(), 0u);
  top_->marker_release(own);
  top_->marker_release(foreign);
  ok(top_->queue_synchronize(program_.queue(), FERRYX_FOREVER));
  top_->memory_free(device(), &from);
  top_->memory_free(device(), &to);
  munmap(seen.address, seen.size);
}

INSTANTIATE_TEST_SUITE_P(Ways, SharedWithOthers,
                         ::testing::Values(uint64_t{0}, uint64_t{FERRYX_CHEAP_CALLOUTS}),
                         [](const auto& hidden) { return hidden.param == 0 ? "told" : "ahead"; });

}  // namespace
}  // namespace ferry::layers::check
