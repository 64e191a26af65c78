// SPDX-License-Identifier: Apache-2.0
// Physical memory between processes. The lock of VirtualMemory is not held during a visit: the
// answering thread of this process takes it, too, and a visit may lead there.
#include "core/context.h"
#include "core/runtime.h"
#include "core/shared_physical.h"
#include "core/virtual_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cinttypes>

namespace ferry {
namespace {

constexpr size_t kMostListed = 65535;

Status require_sharing(const Device& device) {
  if (device.backend().physical_export != nullptr) return {};
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1006,
              "memory of device %d (%s) cannot be shared between processes", device.id(),
              device.backend().name);
}

Status fail_exporting(const void* handle, const char* why) {
  return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "handle", handle).because("%s", why);
}

// What another host says is not trusted.
Status check_far(const PhysicalFacts& facts, uint64_t size) {
  const bool is_page = facts.page == kVirtualPage || facts.page == kLargeVirtualPage;
  if (is_page && facts.size == size && size > 0 && size % facts.page == 0) return {};
  return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "shareableHandle")
      .because(" cannot be opened: its owner describes %" PRIu64 " bytes in pages of %" PRIu64
               ", which no memory has",
               facts.size, facts.page);
}

// Imported memory of the backend that is returned unless it is kept.
struct NewImport {
  explicit NewImport(const Device& of_device) : device(of_device) {}
  ~NewImport() {
    if (memory != nullptr) device.backend().physical_release(device.handle(), memory);
  }
  NewImport(const NewImport&) = delete;
  NewImport& operator=(const NewImport&) = delete;

  const Device& device;
  ferryx_physical* memory = nullptr;
};

}  // namespace

// ---- offers ----

ExportedPhysical::ExportedPhysical(aclrtDrvMemHandle handle, const sharing::Name& name,
                                   ShareAccess access, sharing::Descriptor file,
                                   const PhysicalFacts& facts, int32_t device)
    : SharedObject({.kind = sharing::Kind::kPhysicalMemory,
                    .access = access,
                    .code_when_gone = ACL_ERROR_RT_INVALID_HANDLE,
                    .function_to_list = "aclrtMemSetPidToShareableHandle"}),
      handle_(handle),
      name_(name),
      file_(std::move(file)),
      facts_(facts),
      device_(device) {}

sharing::Answer ExportedPhysical::show(const sharing::Visitor& visitor) {
  const bool is_own = facts_.shared.is_host != 0 || visitor.device == device_;
  if (visitor.is_self && is_own) {
    return {.code = ACL_ERROR_RT_DRV_INTERNAL_ERROR,
            .text =
                "it is memory of this process and device: other processes, or other devices of "
                "this process, can import it"};
  }
  sharing::Answer answer;
  write_facts(facts_, answer.facts);
  answer.file = file_.number();
  answer.offset = facts_.shared.offset;
  answer.size = facts_.size;
  return answer;
}

void ExportedPhysical::unused() {
  VirtualMemory::instance().end_import(handle_);
}

bool withdraw(ExportedPhysical& exported) {
  sharing::Exchange::instance().withdraw(exported.name());
  return exported.retire();
}

// ---- exporting ----

Status VirtualMemory::export_memory(aclrtDrvMemHandle handle, const sharing::Name& name,
                                    ShareAccess access) {
  std::shared_ptr<ExportedPhysical> exported;
  const std::lock_guard lock(mutex_);
  FERRY_TRY(Physicals::iterator, found, find_handle(handle));
  Physical& physical = (*found)->second;
  if (physical.exported != nullptr) return fail_exporting(handle, ", which was exported before");
  if (physical.imported != sharing::Name()) {
    return fail_exporting(handle, ", memory of another process, which alone can export it");
  }
  const Device& device = *physical.request.place.device;
  FERRY_RETURN_IF_ERROR(require_sharing(device));
  PhysicalFacts facts{.size = physical.request.size,
                      .page = physical.request.page,
                      .logical_device = device.logical_id(),
                      .properties = physical.request.properties};
  facts.shared.struct_size = sizeof facts.shared;
  FERRY_RETURN_IF_ERROR(
      Status(device.tapped().physical_export(device.handle(), physical.memory, &facts.shared)));
  exported = std::make_shared<ExportedPhysical>(
      handle, name, access, sharing::Descriptor(facts.shared.file), facts, device.id());
  sharing::Exchange::instance().publish(name, exported);
  physical.exported = std::move(exported);
  return {};
}

Status VirtualMemory::allow_import(const sharing::Handle& shared, const int32_t* pids,
                                   size_t count) {
  const auto offer = sharing::Exchange::instance().find(shared.name);
  if (offer != nullptr && offer->kind() == sharing::Kind::kPhysicalMemory) {
    if (std::all_of(pids, pids + count, [](int32_t pid) { return pid == 0; })) {
      return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "pid", pids[0])
          .because(" and all others are 0: at least one must be a process");
    }
    return std::static_pointer_cast<ExportedPhysical>(offer)->allow(pids, count, kMostListed);
  }
  // Whether any other process knows it: a refusal will do.
  const sharing::Visit visit = sharing::visit(shared, sharing::Kind::kPhysicalMemory, -1);
  if (visit.outcome == sharing::Visit::Outcome::kUnknown) {
    return fail_visit("shareableHandle", visit, ACL_ERROR_RT_INVALID_HANDLE);
  }
  return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "shareableHandle")
      .because(" was exported by another process, which alone can name processes");
}

// ---- importing ----

aclrtDrvMemHandle VirtualMemory::import_again(const sharing::Name& name, const Device& device) {
  // The name of memory that is not imported: no export has it, but a program may ask for it.
  if (name == sharing::Name()) return nullptr;
  for (auto& [handle, physical] : physicals_) {
    if (physical.imported != name || physical.request.place.device != &device) continue;
    if (physical.hold.is_lost()) continue;  // a new import may reach its host again
    ++physical.references;
    return handle;
  }
  return nullptr;
}

Status VirtualMemory::import_memory(const sharing::Handle& shared, sharing::FabricOrigin origin,
                                    Device& device, aclrtDrvMemHandle* handle) {
  FERRY_RETURN_IF_ERROR(require_sharing(device));
  FERRY_TRY(ferryx_device*, open, device.open());
  {
    const std::lock_guard lock(mutex_);
    if (const aclrtDrvMemHandle known = import_again(shared.name, device)) {
      *handle = known;
      return {};
    }
  }
  sharing::Visit visit =
      sharing::visit(shared, sharing::Kind::kPhysicalMemory, device.id(), origin);
  if (visit.outcome != sharing::Visit::Outcome::kOpened) {
    return fail_visit("shareableHandle", visit, ACL_ERROR_RT_INVALID_HANDLE);
  }
  auto facts = read_facts<PhysicalFacts>(visit.facts);
  facts.shared.file = visit.file.number();
  facts.shared.remote = visit.remote;
  if (visit.is_far) FERRY_RETURN_IF_ERROR(check_far(facts, visit.remote_size));
  NewImport made(device);
  FERRY_RETURN_IF_ERROR(
      Status(device.tapped().physical_import(*open, &facts.shared, &made.memory)));
  if (!visit.is_far) FERRY_RETURN_IF_ERROR(enable_peer_of(device, facts.logical_device));
  Physicals entry;
  Physical& physical = entry[nullptr];
  // Memory of another host is on the side of the device, whatever it is there.
  const bool is_host = facts.shared.is_host != 0 && !visit.is_far;
  physical.request = {.place = {.is_host = is_host, .device = &device},
                      .size = facts.size,
                      .page = facts.page,
                      .properties = facts.properties};
  physical.imported = shared.name;
  physical.memory = made.memory;
  const std::lock_guard lock(mutex_);
  if (const aclrtDrvMemHandle known = import_again(shared.name, device)) {
    *handle = known;  // another thread was faster
    return {};
  }
  physical.hold = std::move(visit.hold);
  made.memory = nullptr;
  *handle = insert(std::move(entry));
  return {};
}

void VirtualMemory::end_import(aclrtDrvMemHandle handle) {
  const std::lock_guard lock(mutex_);
  const auto found = physicals_.find(handle);
  if (found != physicals_.end()) drop_if_unused(found);
}

// ---- keys for parts of mappings ----

Result<aclrtDrvMemHandle> VirtualMemory::lend(const VirtualRange& range, ferryx_shared& shared) {
  const std::lock_guard lock(mutex_);
  const auto fail_range = [&](const char* why) {
    return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "devPtr", range.address)
        .because(" and %" PRIu64 " bytes, %s", range.size, why);
  };
  const auto around = find_around(range.address);
  if (around == mappings_.end()) return fail_range("which is mapped no more");
  const uint64_t offset = reinterpret_cast<uintptr_t>(range.address) - around->first;
  Mapping& mapping = mappings_.find(around->first)->second;
  if (range.size > mapping.size - offset) return fail_range("which leaves its mapping");
  Physical& physical = mapping.physical->second;
  if (physical.exported != nullptr || physical.imported != sharing::Name()) {
    return fail_range("memory whose handle was exported or imported");
  }
  if (physical.request.place.is_host) return fail_range("which is memory of the host");
  const Device& device = *physical.request.place.device;
  FERRY_RETURN_IF_ERROR(require_sharing(device));
  shared.struct_size = sizeof shared;
  FERRY_RETURN_IF_ERROR(
      Status(device.tapped().physical_export(device.handle(), physical.memory, &shared)));
  shared.offset += offset;
  ++physical.loans;
  ++mapping.keys;
  return mapping.physical->first;
}

void VirtualMemory::close_key(const void* address) {
  const std::lock_guard lock(mutex_);
  const auto around = find_around(address);
  if (around != mappings_.end()) --mappings_.find(around->first)->second.keys;
}

void VirtualMemory::end_loan(aclrtDrvMemHandle handle) {
  const std::lock_guard lock(mutex_);
  const auto found = physicals_.find(handle);
  if (found == physicals_.end()) return;
  --found->second.loans;
  drop_if_unused(found);
}

}  // namespace ferry
