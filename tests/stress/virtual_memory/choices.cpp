// SPDX-License-Identifier: Apache-2.0
// What a random sequence chooses from, and how it is written down.
#include "sequence.h"

#include <sstream>

namespace stress::virtual_memory {
namespace {

constexpr int kAttributes[] = {4, 4, 4, 4, 4, 5, 12, 13, 15, 16, 10, 17, 2, 3, 6, 7, 0, 8, 18};

}  // namespace

void Sequence::run(size_t calls) {
  // The frequent ones more than once.
  using Call = void (Sequence::*)();
  static constexpr Call kCalls[] = {
      &Sequence::reserve,       &Sequence::release,    &Sequence::allocate,
      &Sequence::allocate,      &Sequence::allocate,   &Sequence::free,
      &Sequence::map,           &Sequence::map,        &Sequence::map,
      &Sequence::map,           &Sequence::map,        &Sequence::unmap,
      &Sequence::retain,        &Sequence::set_access, &Sequence::get_access,
      &Sequence::properties,    &Sequence::attributes, &Sequence::address_range,
      &Sequence::write,         &Sequence::write,      &Sequence::write,
      &Sequence::read,          &Sequence::read,       &Sequence::read,
      &Sequence::copy,          &Sequence::copy,       &Sequence::memory_info,
      &Sequence::export_memory, &Sequence::list_pid,   &Sequence::import,
      &Sequence::import};
  for (int i = 0; i < 2; ++i)
    reserve();
  for (size_t i = 0; i < calls; ++i)
    (this->*kCalls[pick(std::size(kCalls))])();
  give_everything_back();
}

size_t Sequence::any_size() {
  if (one_in(10)) return one_of<size_t>({0, 1, 512, 4096, kGranule - 1, kGranule + 4096});
  return (1 + pick(4)) * kGranule;
}

Address Sequence::any_address() {
  if (addresses_.empty() || one_in(25)) return {0, "nullptr"};
  if (one_in(25)) return {reinterpret_cast<uintptr_t>(this), "&variable"};
  const size_t index = pick(addresses_.size());
  size_t offset = pick(5) * kGranule;
  if (one_in(10)) offset += one_of<size_t>({1, 4096, kGranule / 2});
  return {addresses_[index] + offset, "v" + std::to_string(index) + " + " + std::to_string(offset)};
}

Handle Sequence::any_handle() {
  if (handles_.empty() || one_in(25)) return {nullptr, "nullptr"};
  if (one_in(25)) return {this, "&variable"};
  const size_t index = pick(handles_.size());
  return {handles_[index], "h" + std::to_string(index)};
}

Named<uint64_t> Sequence::any_number() {
  if (numbers_.empty() || one_in(25)) return {0, "0"};
  const size_t index = pick(numbers_.size());
  return {numbers_[index], "n" + std::to_string(index)};
}

aclrtMemLocation Sequence::any_location() {
  const int type = one_of({1, 1, 1, 1, 1, 0, 0, 2, 3, 4});
  const auto id =
      one_in(10) ? one_of<uint32_t>({2, 1023, UINT32_MAX}) : static_cast<uint32_t>(pick(2));
  return {type == kHost && !one_in(10) ? 0 : id, static_cast<aclrtMemLocationType>(type)};
}

aclrtPhysicalMemProp Sequence::any_prop() {
  aclrtPhysicalMemProp prop = {};
  prop.memAttr = static_cast<aclrtMemAttr>(kAttributes[pick(std::size(kAttributes))]);
  prop.location = any_location();
  // A node that every machine has, or that none has.
  if (prop.location.type == kNode) prop.location.id = one_of<uint32_t>({0, UINT32_MAX, 1023});
  if (one_in(30)) prop.handleType = ACL_MEM_HANDLE_TYPE_POSIX;
  if (one_in(30)) prop.reserve = 1;
  return prop;
}

// Begins in a live reservation and may leave it.
Range Sequence::any_range() {
  const auto& live = model_.reservations();
  if (live.empty()) return {{0, "nullptr"}, 0};
  const auto chosen = std::next(live.begin(), static_cast<ptrdiff_t>(pick(live.size())));
  size_t offset = pick(chosen->second.size / kGranule) * kGranule;
  if (one_in(2)) offset += kGranule - kCell;
  const size_t count = one_in(12) ? kGranule + 2 * kCell : (1 + pick(2)) * kCell;
  return {{chosen->first + offset, place_text(chosen->first + offset)}, count};
}

std::string Sequence::place_text(uintptr_t address) const {
  for (size_t i = addresses_.size(); i-- > 0;) {
    const auto live = model_.reservations().find(addresses_[i]);
    if (live == model_.reservations().end()) continue;
    if (address >= addresses_[i] && address - addresses_[i] <= live->second.size)
      return "v" + std::to_string(i) + " + " + std::to_string(address - addresses_[i]);
  }
  return "nowhere";
}

void Sequence::fail(const std::string& what) const {
  throw Difference(what);
}

void Sequence::expect(aclError expected, aclError actual, const std::string& call) {
  statements_.push_back("EXPECT_EQ(" + std::to_string(expected) + ", " + call + ");");
  if (expected == actual) return;
  const char* text = aclGetRecentErrMsg();
  fail(call + " returned " + std::to_string(actual) + ", the model says " +
       std::to_string(expected) + "; text: " + (text == nullptr ? "" : text));
}

std::string Sequence::reproducer() const {
  std::ostringstream out;
  out << R"(  int variable = 0;
  aclrtContext contexts[2] = {};
  for (const int32_t device : {1, 0}) {
    ASSERT_EQ(0, aclrtSetDevice(device));
    ASSERT_EQ(0, aclrtGetCurrentContext(&contexts[device]));
  }
  aclrtStream stream = nullptr;
  ASSERT_EQ(0, aclrtCreateStream(&stream));
  void *none = nullptr, *base = nullptr;
  size_t size = 0, free = 0, total = 0;
  uint64_t flag = 0;
  int32_t pid = 0;
  aclrtPhysicalMemProp prop = {};
  aclrtMemAccessDesc access = {};
  aclrtMemLocation location = {};
  aclrtPtrAttributes attributes = {};
  PinnedBuffer host()"
      << surroundings_.pinned_size << ");\n";
  for (size_t i = 0; i < addresses_.size(); ++i)
    out << "  char* v" << i << " = nullptr;\n";
  for (size_t i = 0; i < handles_.size(); ++i)
    out << "  aclrtDrvMemHandle h" << i << " = nullptr;\n";
  for (size_t i = 0; i < numbers_.size(); ++i)
    out << "  uint64_t n" << i << " = 0;\n";
  for (const std::string& statement : statements_)
    out << "  " << statement << "\n";
  return out.str();
}

}  // namespace stress::virtual_memory
