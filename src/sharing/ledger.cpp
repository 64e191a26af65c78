// SPDX-License-Identifier: Apache-2.0
// The table, and which of its processes live.
//
// Invariants, for any number of processes:
//   - Each process has a number, whose byte of the file it has locked. The entries of a number are
//     written only under that lock: by the process itself; or, when it has ended, by one that sets
//     them to 0.
//   - A process adds to its own entry first and then looks at all entries. If the sum is above the
//     capacity, it takes the bytes back. So no two processes together get more than the capacity,
//     with or without the lock of the table. That lock only keeps one process from seeing bytes
//     that another is about to take back, so a stopped process that holds it delays others for a
//     moment and blocks nobody.
// Other processes of the user can write anything: a sum does not overflow, nothing that is read is
// used as an index, and what this process has taken is not read from the table.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // memfd_create
#endif

#include "sharing/ledger.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace ferry::sharing {
namespace {

using Entry = std::atomic<uint64_t>;
static_assert(Entry::is_always_lock_free);

constexpr uint64_t kTableMagic = 0x7265'6764'654C'7946;  // "FyLedger"
constexpr uint32_t kTableVersion = 1;
constexpr int kTableSeals = F_SEAL_SHRINK | F_SEAL_GROW;

// The bytes of the file that are locked: one per process, then that of the table.
constexpr uint32_t kTableLock = Ledger::kMostProcesses;

// 20 ms in all for a process that has the table locked and does not go on.
constexpr int kMostTries = 200;
constexpr long kPauseNanoseconds = 100'000;

void pause_for_a_moment() {
  const timespec pause{0, kPauseNanoseconds};
  nanosleep(&pause, nullptr);
}

Status fail_ledger(const char* what) {
  return fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, kEE9999,
              "memory that is common to several processes (FERRY_MEMORY=shared:) needs %s: %s; "
              "raise the limit of open files (ulimit -n), or close some",
              what, std::strerror(errno));
}

Status fail_foreign_ledger(const char* why) {
  return fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017,
              "what another process passed on for FERRY_MEMORY=shared: cannot be used: %s", why);
}

}  // namespace

struct Ledger::Table {
  uint64_t magic = kTableMagic;
  uint32_t version = kTableVersion;
  uint32_t processes = kMostProcesses;
  uint64_t capacity = 0;  // of one device
  // By device and process, so that a sum reads neighbours.
  alignas(64) std::array<std::array<Entry, kMostProcesses>, kMostDevices> bytes{};
};

// The mapping, until a Ledger has it.
struct Ledger::Joined {
  explicit Joined(int file)
      : address(mmap(nullptr, sizeof(Table), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)) {}
  ~Joined() {
    if (address != MAP_FAILED) munmap(address, sizeof(Table));
  }
  Joined(const Joined&) = delete;
  Joined& operator=(const Joined&) = delete;

  void* address;
};

Result<std::shared_ptr<Ledger>> Ledger::create(uint64_t capacity) {
  Descriptor file = Descriptor::made_by(
      [] { return memfd_create("ferry-ledger", MFD_CLOEXEC | MFD_ALLOW_SEALING); });
  if (!file) return fail_ledger("a file in memory");
  // All of it now: a page that cannot be had later would end the process with SIGBUS.
  if (fallocate(file.number(), 0, 0, sizeof(Table)) != 0) return fail_ledger("memory");
  {
    const Joined mapped(file.number());
    if (mapped.address == MAP_FAILED) return fail_ledger("memory");
    new (mapped.address) Table{.capacity = capacity};
  }
  if (fcntl(file.number(), F_ADD_SEALS, kTableSeals | F_SEAL_SEAL) != 0) {
    return fail_ledger("a file of fixed size");
  }
  return join(std::move(file), capacity);
}

Result<std::shared_ptr<Ledger>> Ledger::open(int file, uint64_t capacity) {
  const int seals = fcntl(file, F_GET_SEALS);
  if (seals < 0 || (seals & kTableSeals) != kTableSeals) {
    return fail_foreign_ledger("its size is not fixed");
  }
  struct stat facts {};
  if (fstat(file, &facts) != 0 || facts.st_size != sizeof(Table)) {
    return fail_foreign_ledger("its size is wrong");
  }
  Descriptor own = Descriptor::made_by([&] { return fcntl(file, F_DUPFD_CLOEXEC, 0); });
  if (!own) return fail_ledger("a file descriptor");
  return join(std::move(own), capacity);
}

Result<std::shared_ptr<Ledger>> Ledger::join(Descriptor file, uint64_t capacity) {
  FileLocks locks = FileLocks::open(file.number());
  if (!locks) return fail_ledger("a file descriptor, and /proc");
  Joined mapped(locks.number());
  if (mapped.address == MAP_FAILED) return fail_ledger("memory");
  Table& table = *static_cast<Table*>(mapped.address);
  if (table.magic != kTableMagic || table.version != kTableVersion ||
      table.processes != kMostProcesses || table.capacity != capacity) {
    return fail_foreign_ledger("its contents are those of another version, or of something else");
  }
  const auto process = locks.lock_first(kMostProcesses);
  if (!process.has_value()) return fail_ledger("a place among the 512 processes");
  for (auto& device : table.bytes)
    device[*process].store(0);  // of an earlier process with this number
  std::shared_ptr<Ledger> joined(
      new Ledger(std::move(file), std::move(locks), table, *process, capacity));
  mapped.address = MAP_FAILED;
  return joined;
}

Ledger::Ledger(Descriptor passed_on, FileLocks locks, Table& table, uint32_t process,
               uint64_t capacity)
    : passed_on_(std::move(passed_on)),
      locks_(std::move(locks)),
      table_(table),
      process_(process),
      capacity_(capacity) {}

Ledger::~Ledger() {
  for (auto& device : table_.bytes)
    device[process_].store(0);
  munmap(&table_, sizeof(Table));
}

uint64_t Ledger::sum(uint32_t device) const {
  uint64_t all = 0;
  for (const Entry& entry : table_.bytes[device])
    if (__builtin_add_overflow(all, entry.load(), &all)) return UINT64_MAX;
  return all;
}

// Whether no other process is between adding bytes and taking them back.
bool Ledger::lock_table() const {
  for (int i = 0; i < kMostTries; ++i) {
    if (locks_.lock(kTableLock)) return true;
    pause_for_a_moment();
  }
  return false;
}

void Ledger::drop_ended(uint32_t device) {
  for (uint32_t process = 0; process < kMostProcesses; ++process) {
    Entry& entry = table_.bytes[device][process];
    if (process == process_ || entry.load() == 0 || !locks_.lock(process)) continue;
    entry.store(0);
    locks_.unlock(process);
  }
}

bool Ledger::take_now(uint32_t device, uint64_t size) {
  if (size > capacity_ - taken_[device]) return false;
  Entry& own = table_.bytes[device][process_];
  own.store(taken_[device] + size);
  if (sum(device) > capacity_) drop_ended(device);
  if (sum(device) > capacity_) {
    own.store(taken_[device]);
    return false;
  }
  taken_[device] += size;
  return true;
}

bool Ledger::take(uint32_t device, uint64_t size) {
  if (device >= kMostDevices) return false;
  const std::lock_guard lock(mutex_);
  const bool is_locked = lock_table();
  const bool is_taken = take_now(device, size);
  if (is_locked) locks_.unlock(kTableLock);
  return is_taken;
}

void Ledger::give_back(uint32_t device, uint64_t size) {
  if (device >= kMostDevices) return;
  const std::lock_guard lock(mutex_);
  taken_[device] -= size;
  table_.bytes[device][process_].store(taken_[device]);
}

uint64_t Ledger::used(uint32_t device) {
  if (device >= kMostDevices) return 0;
  const std::lock_guard lock(mutex_);
  const bool is_locked = lock_table();
  drop_ended(device);
  const uint64_t all = sum(device);
  if (is_locked) locks_.unlock(kTableLock);
  return all;
}

}  // namespace ferry::sharing
