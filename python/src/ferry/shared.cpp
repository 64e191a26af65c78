// SPDX-License-Identifier: Apache-2.0
// Importing by a key, and closing the import from any thread.
#include "shared.h"

#include "../acl/lock.h"
#include "errors.h"

#include "acl/acl.h"

#include <deque>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace ferry::python {
namespace {

struct Import {
  int32_t device = -1;
  bool is_released = false;
};

// The live imports of each key, oldest first. aclrtIpcMemClose closes the oldest import of a key,
// whose address differs from that of an import on another device. So an import that is released
// stays open until all older ones are released too.
class Imports {
 public:
  // Imports, and adds the import with the thread's device. All calls are made without the
  // interpreter lock.
  Outcome open(const std::string& key, void** address, std::shared_ptr<Import>& import);
  void release(const std::string& key, Import& import);

 private:
  // Protects the queues, and keeps them in the order of the calls. Not locked by a thread that
  // holds the interpreter lock, which the calls may need.
  std::mutex mutex_;
  std::map<std::string, std::deque<std::shared_ptr<Import>>> queues_;
};

Imports& imports() {
  static auto& instance = *new Imports;  // outlives every finaliser
  return instance;
}

// Runs `close` with a context, which the thread that drops the last reference may not have. Nothing
// of the thread changes: neither its context nor its last error.
template <typename Close>
void in_some_context(int32_t device, const Close& close) {
  const aclError last_error = aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL);
  aclrtContext context = nullptr;
  if (aclrtGetCurrentContext(&context) == ACL_SUCCESS) {
    close();
    return;
  }
  static_cast<void>(aclGetRecentErrMsg());
  if (last_error == ACL_SUCCESS) static_cast<void>(aclrtGetLastError(ACL_RT_THREAD_LEVEL));
  // A thread with a context cannot go back to having none: use a temporary thread.
  std::thread([&] {
    if (aclrtSetDevice(device) != ACL_SUCCESS) return;
    close();
    static_cast<void>(aclrtResetDevice(device));
  }).join();
}

Outcome Imports::open(const std::string& key, void** address, std::shared_ptr<Import>& import) {
  import = std::make_shared<Import>();
  const std::lock_guard lock(mutex_);
  Outcome outcome = outcome_of("aclrtGetDevice", aclrtGetDevice(&import->device));
  if (!outcome.is_success()) return outcome;
  auto& queue = queues_[key];
  queue.push_back(import);
  outcome = outcome_of(
      "aclrtIpcMemImportByKey",
      aclrtIpcMemImportByKey(address, key.c_str(), ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS));
  if (outcome.is_success()) return outcome;
  queue.pop_back();
  if (queue.empty()) queues_.erase(key);
  return outcome;
}

void Imports::release(const std::string& key, Import& import) {
  const std::lock_guard lock(mutex_);
  import.is_released = true;
  const auto found = queues_.find(key);
  auto& queue = found->second;
  if (!queue.front()->is_released) return;
  const auto close_oldest = [&] {
    while (!queue.empty() && queue.front()->is_released) {
      static_cast<void>(aclrtIpcMemClose(key.c_str()));
      queue.pop_front();
    }
  };
  try {
    in_some_context(import.device, close_oldest);
  } catch (const std::system_error&) {  // no thread: a later release closes it
  }
  if (queue.empty()) queues_.erase(found);
}

class SharedStorage : public Storage {
 public:
  SharedStorage(std::string key, std::shared_ptr<Import> import)
      : key_(std::move(key)), import_(std::move(import)) {}

  ~SharedStorage() override {
    const Unlocked unlocked;
    imports().release(key_, *import_);
  }

 private:
  std::string key_;
  std::shared_ptr<Import> import_;
};

}  // namespace

std::shared_ptr<Memory> import_shared(const std::string& key, size_t nbytes) {
  void* address = nullptr;
  std::shared_ptr<Import> import;
  Outcome outcome;
  {
    const Unlocked unlocked;
    outcome = imports().open(key, &address, import);
  }
  if (!outcome.is_success()) raise(outcome);
  auto storage = std::make_unique<SharedStorage>(key, import);
  return Memory::stored(address, nbytes, import->device, std::move(storage));
}

}  // namespace ferry::python
