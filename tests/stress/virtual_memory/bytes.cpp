// SPDX-License-Identifier: Apache-2.0
// The calls of a random sequence that touch memory, and the comparison of bytes.
#include "sequence.h"

#include <algorithm>
#include <cstring>

namespace stress::virtual_memory {
namespace {

std::string arguments(const Range& range, int value) {
  const std::string count = std::to_string(range.count);
  return "(" + range.start.text + ", " + count + ", " + std::to_string(value) + ", " + count;
}

// The four ways to write: the last two queue the work.
constexpr int kForms = 4;
bool is_queued(int form) {
  return form >= 2;
}

std::string text_of(int form, const Range& range, int value) {
  const std::string count = std::to_string(range.count);
  if (form == 0) return "aclrtMemset" + arguments(range, value) + ")";
  if (form == 2) return "aclrtMemsetAsync" + arguments(range, value) + ", stream)";
  const std::string copied = range.start.text + ", " + count + ", host.get(), " + count;
  if (form == 1) return "aclrtMemcpy(" + copied + ", ACL_MEMCPY_DEFAULT)";
  return "aclrtMemcpyAsync(" + copied + ", ACL_MEMCPY_DEFAULT, stream)";
}

bool share_a_cell(std::vector<CellName> first, const std::vector<CellName>& second) {
  first.insert(first.end(), second.begin(), second.end());
  for (auto one = first.begin(); one != first.end(); ++one) {
    const auto is_same = [&](const CellName& other) {
      return one->handle == other.handle && one->index == other.index;
    };
    if (std::find_if(one + 1, first.end(), is_same) != first.end()) return true;
  }
  return false;
}

}  // namespace

bool Sequence::starts_mapped(const Range& range) const {
  return model_.mapping_at(range.start.value).has_value();
}

bool Sequence::is_on_device(const Range& range) const {
  const auto found = model_.mapping_at(range.start.value);
  return found && model_.memory(found->mapped->handle)->place.first == kDevice;
}

aclError Sequence::write_with(int form, const Range& range, int value) {
  void* const dst = pointer(range.start.value);
  const size_t count = range.count;
  std::memset(surroundings_.pinned, value, count);
  if (form == 0) return aclrtMemset(dst, count, value, count);
  if (form == 1) return aclrtMemcpy(dst, count, surroundings_.pinned, count, ACL_MEMCPY_DEFAULT);
  if (form == 2) return aclrtMemsetAsync(dst, count, value, count, surroundings_.stream);
  return aclrtMemcpyAsync(dst, count, surroundings_.pinned, count, ACL_MEMCPY_DEFAULT,
                          surroundings_.stream);
}

void Sequence::expect_queued_failure(bool starts_mapped, aclError code) {
  const aclError late = aclrtSynchronizeStream(surroundings_.stream);
  statements_.push_back("aclrtSynchronizeStream(stream);  // one of the two fails");
  if (code == kOk && late == kTaskFailed) return;
  if (!starts_mapped && code != kOk && late == kOk) return;
  fail("a queued call that must fail returned " + std::to_string(code) +
       ", the synchronisation behind it " + std::to_string(late));
}

void Sequence::expect_written(int form, const Range& range, int value, aclError code) {
  const auto cells = model_.cells(range.start.value, range.count);
  const std::string call = text_of(form, range, value);
  if (!cells && is_queued(form)) {
    statements_.push_back(call + ";");
    expect_queued_failure(starts_mapped(range), code);
    return;
  }
  expect(cells ? kOk : kBadValue, code, call);
  if (is_queued(form)) {
    expect(kOk, aclrtSynchronizeStream(surroundings_.stream), "aclrtSynchronizeStream(stream)");
  }
  if (!cells) return;
  for (const CellName& cell : *cells)
    model_.at(cell) = value;
}

void Sequence::write() {
  const Range range = any_range();
  if (range.count == 0) return;
  // On the host, sets are not queued, and copies from the host are not asynchronous.
  const int forms = is_on_device(range) || !starts_mapped(range) ? kForms : 2;
  const int form = static_cast<int>(pick(static_cast<size_t>(forms)));
  const int value = static_cast<int>(pick(256));
  expect_written(form, range, value, write_with(form, range, value));
}

void Sequence::read() {
  const Range range = any_range();
  if (range.count == 0) return;
  const auto cells = model_.cells(range.start.value, range.count);
  const std::string count = std::to_string(range.count);
  uint8_t* const host = surroundings_.pinned;
  expect(
      cells ? kOk : kBadValue,
      aclrtMemcpy(host, range.count, pointer(range.start.value), range.count, ACL_MEMCPY_DEFAULT),
      "aclrtMemcpy(host.get(), " + count + ", " + range.start.text + ", " + count +
          ", ACL_MEMCPY_DEFAULT)");
  if (!cells) return;
  for (const CellName& cell : *cells) {
    const Cell value = model_.at(cell);
    const auto is_other = [&](uint8_t byte) { return byte != value; };
    if (value >= 0 && std::any_of(host + cell.offset, host + cell.offset + kCell, is_other))
      fail("other bytes than " + std::to_string(value) + " at offset " +
           std::to_string(cell.offset) + " of the range");
  }
}

void Sequence::copy() {
  const Range from = any_range();
  Range to = any_range();
  if (from.count == 0 || from.count > 2 * kCell || from.start.value == to.start.value) return;
  to.count = from.count;
  const auto sources = model_.cells(from.start.value, from.count);
  const auto targets = model_.cells(to.start.value, to.count);
  const bool is_valid = sources && targets;
  if (is_valid && share_a_cell(*sources, *targets)) return;  // what is left is undefined
  const bool queues = is_on_device(from) && is_on_device(to) && one_in(2);
  const std::string count = std::to_string(from.count);
  const std::string call = to.start.text + ", " + count + ", " + from.start.text + ", " + count;
  void* const dst = pointer(to.start.value);
  const void* const src = pointer(from.start.value);
  if (!queues) {
    expect(is_valid ? kOk : kBadValue,
           aclrtMemcpy(dst, to.count, src, from.count, ACL_MEMCPY_DEFAULT),
           "aclrtMemcpy(" + call + ", ACL_MEMCPY_DEFAULT)");
  } else {
    const aclError code =
        aclrtMemcpyAsync(dst, to.count, src, from.count, ACL_MEMCPY_DEFAULT, surroundings_.stream);
    expect(kOk, code, "aclrtMemcpyAsync(" + call + ", ACL_MEMCPY_DEFAULT, stream)");
    expect(is_valid ? kOk : kTaskFailed, aclrtSynchronizeStream(surroundings_.stream),
           "aclrtSynchronizeStream(stream)");
  }
  if (!is_valid) return;
  // A copy moves the same cells on both sides only if both ranges lie alike in their granules.
  for (const CellName& target : *targets) {
    const auto source = std::ranges::find(*sources, target.offset, &CellName::offset);
    model_.at(target) = source == sources->end() ? -1 : model_.at(*source);
  }
}

}  // namespace stress::virtual_memory
