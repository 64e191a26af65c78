// SPDX-License-Identifier: Apache-2.0
// Exporting, importing and closing.
#include "core/ipc_memory.h"

#include "core/allocation_registry.h"
#include "core/imported_range.h"
#include "core/memory.h"
#include "core/memory_pool.h"
#include "core/runtime.h"
#include "core/virtual_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <new>

namespace ferry {

// The range of a key. May be shared between threads.
class ExportedRange final : public SharedObject {
 public:
  ExportedRange(ShareAccess access, sharing::Descriptor file, const RangeFacts& facts,
                const IpcMemory::Loan& loan)
      : SharedObject({.kind = sharing::Kind::kMemory,
                      .access = access,
                      .code_when_gone = ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                      .function_to_list = "aclrtIpcMemSetImportPid"}),
        file_(std::move(file)),
        facts_(facts),
        loan_(loan) {}

 private:
  sharing::Answer show(const sharing::Visitor& /*visitor*/) override {
    sharing::Answer answer;
    write_facts(facts_, answer.facts);
    answer.file = file_.number();
    return answer;
  }
  void unused() override { IpcMemory::instance().end_loan_of_closed(loan_); }

  const sharing::Descriptor file_;
  const RangeFacts facts_;
  const IpcMemory::Loan loan_;
};

namespace {

constexpr size_t kMostListed = 65535;

uint64_t size_of_page() {
  static const auto size = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return size;
}

uint64_t whole_pages(uint64_t size) {
  return (size + size_of_page() - 1) / size_of_page() * size_of_page();
}

Status fail_range(const void* address, uint64_t size, const char* why) {
  return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "devPtr", address)
      .because(" and %" PRIu64 " bytes, %s", size, why);
}

Status check_page(const void* address, const void* start, uint64_t page, uint64_t size) {
  const bool is_on_page = reinterpret_cast<uintptr_t>(address) % page == 0;
  if (address == start || is_on_page) return {};
  return fail_range(address, size,
                    "which starts neither with its allocation nor with one of its pages");
}

// 507899 for text that is not a key, too: then nobody offers it.
Result<sharing::Handle> read_key(const char* key) {
  if (const auto handle = sharing::read_key(key)) return *handle;
  return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "key")
      .because(" is not one of aclrtIpcMemGetExportKey");
}

Status fail_unknown_key() {
  return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "key")
      .because(" was neither imported nor exported by this process, or was closed before");
}

}  // namespace

// Not on the heap: freeing memory asks for it and must not fail.
IpcMemory& IpcMemory::instance() {
  alignas(IpcMemory) static std::byte room[sizeof(IpcMemory)];
  static auto* memory = new (room) IpcMemory;
  return *memory;
}

// ---- exporting ----

Status IpcMemory::export_range(void* address, uint64_t size, ShareAccess access,
                               std::span<char, sharing::kKeySize> key) {
  FERRY_TRY(sharing::Address, own, sharing::Exchange::instance().address());
  FERRY_TRY(sharing::Name, name, sharing::make_name());
  Keys made;
  Key& entry = made[*name];
  const std::lock_guard lock(mutex_);
  FERRY_TRY(Device*, device, find_device(locate(address).memory.device));
  RangeFacts facts{.shared = {}, .size = size, .logical_device = (*device)->logical_id()};
  FERRY_TRY(Loan, loan, lend(address, size, facts.shared));
  entry.address = address;
  entry.loan = *loan;
  try {
    entry.offer = std::make_shared<ExportedRange>(access, sharing::Descriptor(facts.shared.file),
                                                  facts, *loan);
    sharing::Exchange::instance().publish(*name, entry.offer);
  } catch (...) {
    end_loan(*loan);
    throw;
  }
  keys_.merge(made);
  sharing::write_key({.address = *own, .name = *name}, key);
  return {};
}

Result<IpcMemory::Loan> IpcMemory::lend(void* address, uint64_t size, ferryx_shared& shared) {
  const Location location = locate(address);
  if (location.memory.kind != FERRYX_MEMORY_DEVICE) {
    return fail_range(address, size, "which is not device memory");
  }
  if (imported_by_address_.contains(location.memory.address)) {
    return fail_range(address, size, "which another process has exported");
  }
  if (is_pool_memory(address)) return fail_range(address, size, "which is memory of a pool");
  const auto mapping = VirtualMemory::instance().find_mapping(address);
  if (!mapping.has_value()) {
    FERRY_RETURN_IF_ERROR(check_page(address, location.memory.address, size_of_page(), size));
    return lend_block(location, size, shared);
  }
  FERRY_RETURN_IF_ERROR(check_page(address, mapping->address, kVirtualPage, size));
  FERRY_TRY(aclrtDrvMemHandle, physical,
            VirtualMemory::instance().lend({.address = address, .size = size}, shared));
  shared.size = whole_pages(size);
  return Loan{.block = nullptr, .physical = *physical};
}

Result<IpcMemory::Loan> IpcMemory::lend_block(const Location& location, uint64_t size,
                                              ferryx_shared& shared) {
  if (!location.holds(size)) {
    return fail_range(location.address, size, "which leaves its allocation");
  }
  FERRY_TRY(Device*, device, find_device(location.memory.device));
  if ((*device)->backend().memory_export == nullptr) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1006,
                "memory of device %d (%s) cannot be shared between processes", (*device)->id(),
                (*device)->backend().name);
  }
  const ferryx_memory& memory = location.memory;
  const auto block = blocks_.try_emplace(memory.address, Block{memory, *device, 0, false}).first;
  shared.struct_size = sizeof shared;
  const Status exported((*device)->tapped().memory_export((*device)->handle(), &memory, &shared));
  if (!exported.ok()) {
    if (block->second.loans == 0) blocks_.erase(block);
    return exported;
  }
  ++block->second.loans;
  shared.offset += location.offset();
  shared.size = whole_pages(size);
  return Loan{.block = memory.address, .physical = nullptr};
}

Status IpcMemory::allow(const char* key, const int32_t* pids, size_t count) {
  FERRY_TRY(sharing::Handle, handle, read_key(key));
  const std::lock_guard lock(mutex_);
  const auto found = keys_.find(handle->name);
  if (found == keys_.end()) {
    return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "key")
        .because(" was not exported by this process, or was closed");
  }
  return found->second.offer->allow(pids, count, kMostListed);
}

// ---- importing ----

Result<void*> IpcMemory::import_again(const sharing::Name& name, Device& device, PeerAccess peer) {
  const auto imports = imports_.find(name);
  if (imports == imports_.end()) return nullptr;
  const auto found = imports->second.by_device.find(&device);
  if (found == imports->second.by_device.end()) return nullptr;
  Device* const owner = found->second->owner();
  if (peer == PeerAccess::kEnable && owner != nullptr) {
    // The first import may not have asked for it.
    FERRY_RETURN_IF_ERROR(enable_peer_of(device, owner->logical_id()));
  }
  imports->second.calls.push_back(&device);
  return found->second->memory().address;
}

Status IpcMemory::import(const char* key, Device& device, PeerAccess peer, void** address) {
  FERRY_TRY(sharing::Handle, handle, read_key(key));
  {
    const std::lock_guard lock(mutex_);
    FERRY_TRY(void*, known, import_again(handle->name, device, peer));
    if (*known != nullptr) {
      *address = *known;
      return {};
    }
  }
  sharing::Visit visit = sharing::visit(*handle, sharing::Kind::kMemory, device.id());
  if (visit.outcome != sharing::Visit::Outcome::kOpened) {
    return fail_visit("key", visit, ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  }
  const auto facts = read_facts<RangeFacts>(visit.facts);
  if (peer == PeerAccess::kEnable) {
    FERRY_RETURN_IF_ERROR(enable_peer_of(device, facts.logical_device));
  }
  auto made = std::make_unique<ImportedRange>(device);
  FERRY_RETURN_IF_ERROR(made->map(facts, std::move(visit)));
  const std::lock_guard lock(mutex_);
  FERRY_TRY(void*, known, import_again(handle->name, device, peer));
  if (*known != nullptr) {  // another thread was faster
    *address = *known;
    return {};
  }
  Imports& imports = imports_[handle->name];
  imports.handle = *handle;
  imports.calls.reserve(imports.calls.size() + 1);
  const auto listed = imported_by_address_.emplace(made->memory().address, made.get()).first;
  *address = made->memory().address;
  if (made->owner() != nullptr) has_foreign_memory.store(true, std::memory_order_relaxed);
  try {
    imports.by_device.emplace(&device, std::move(made));
  } catch (...) {
    imported_by_address_.erase(listed);
    throw;
  }
  imports.calls.push_back(&device);
  return {};
}

// ---- closing ----

Status IpcMemory::close(const char* key) {
  FERRY_TRY(sharing::Handle, handle, read_key(key));
  std::unique_ptr<ImportedRange> import;  // unmapped without the lock
  const std::lock_guard lock(mutex_);
  if (const auto found = imports_.find(handle->name); found != imports_.end()) {
    Imports& imports = found->second;
    Device* const device = imports.calls.front();
    imports.calls.erase(imports.calls.begin());
    if (std::find(imports.calls.begin(), imports.calls.end(), device) == imports.calls.end()) {
      const auto last = imports.by_device.find(device);
      import = std::move(last->second);
      imports.by_device.erase(last);
      imported_by_address_.erase(import->memory().address);
    }
    if (imports.calls.empty()) imports_.erase(found);
    return {};
  }
  const auto own = keys_.find(handle->name);
  if (own == keys_.end()) return fail_unknown_key();
  close_key(own);
  return {};
}

void IpcMemory::close_key(Keys::iterator key) {
  const Key& closed = key->second;
  sharing::Exchange::instance().withdraw(key->first);
  if (closed.loan.physical != nullptr) VirtualMemory::instance().close_key(closed.address);
  if (closed.offer->retire()) end_loan(closed.loan);
  keys_.erase(key);
}

void IpcMemory::end_loan(const Loan& loan) {
  if (loan.physical != nullptr) return VirtualMemory::instance().end_loan(loan.physical);
  const auto found = blocks_.find(loan.block);
  Block& block = found->second;
  if (--block.loans > 0) return;
  if (block.is_freed) give_back_device_memory(*block.device, block.memory);
  blocks_.erase(found);
}

void IpcMemory::end_loan_of_closed(const Loan& loan) {
  const std::lock_guard lock(mutex_);
  end_loan(loan);
}

bool IpcMemory::keep_freed(const ferryx_memory& block) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(block.address);
  if (found == blocks_.end()) return false;
  ++found->second.loans;  // that of this call
  for (auto key = keys_.begin(); key != keys_.end();) {
    const auto closed = key++;
    if (closed->second.loan.block == block.address) close_key(closed);
  }
  found->second.is_freed = true;
  end_loan({.block = block.address, .physical = nullptr});
  return true;
}

Status IpcMemory::choose_import(const void* address, std::span<char, sharing::kKeySize> key) {
  const std::lock_guard lock(mutex_);
  for (auto& [name, imports] : imports_) {
    for (const auto& [device, import] : imports.by_device) {
      if (import->memory().address != address) continue;
      const auto call = std::find(imports.calls.begin(), imports.calls.end(), device);
      std::rotate(imports.calls.begin(), call, call + 1);
      sharing::write_key(imports.handle, key);
      return {};
    }
  }
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "ptr", address)
      .because(", which is not memory that was imported by a key");
}

// ---- what other code of memory asks ----

bool IpcMemory::is_imported(const void* address) const {
  const std::lock_guard lock(mutex_);
  return imported_by_address_.contains(address);
}

Status IpcMemory::check_peer(const Device& device, const Location& location) const {
  const std::lock_guard lock(mutex_);
  const auto found = imported_by_address_.find(location.memory.address);
  if (found == imported_by_address_.end()) return {};
  const Device* const owner = found->second->owner();
  if (owner == nullptr || owner == &device || device.is_peer_enabled(owner->id())) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1018, "", Value::alone(location.address))
      .because(
          " was imported from device %d, which device %d may not reach: import it with "
          "ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS, or call aclrtDeviceEnablePeerAccess(%d, "
          "0) with device %d current first",
          owner->id(), device.id(), owner->id(), device.id());
}

}  // namespace ferry
