// SPDX-License-Identifier: Apache-2.0
// Loading the plugin, visiting objects of other hosts, and opening objects of this process for
// them.
#include "layers/fabric/fabric.h"

#include "base/config.h"
#include "base/log.h"
#include "layers/fabric/report.h"
#include "sharing/exchange.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <span>
#include <utility>

namespace ferry::layers::fabric {
namespace {

constexpr const char* kPlugin = "libferry_ucx.so";

const ferryx_runtime* the_runtime = nullptr;  // set before the plugin is opened
std::atomic<Fabric*> the_fabric{nullptr};

// An object that a peer has open.
struct OpenOffer {
  std::shared_ptr<sharing::Offer> offer;
  uint64_t visitor = 0;  // unique in this process
};
std::atomic<uint64_t> last_visitor{0};

// ---- what the plugin may call ----

void refuse(ferryx_fabric_answer& answer, aclError code, const std::string& text) {
  answer.code = code;
  const size_t length = std::min(text.size(), sizeof answer.text - 1);
  std::memcpy(answer.text, text.data(), length);
  answer.text[length] = 0;
}

// Other kinds are found by their address, but only processes of the same host can use them.
bool is_for_other_hosts(sharing::Kind kind) {
  return kind == sharing::Kind::kPhysicalMemory || kind == sharing::Kind::kNotify ||
         kind == sharing::Kind::kEvent;
}

// A file in memory is one that the plugin can map. The driver of a GPU passes on what is none.
bool is_file_in_memory(int file) {
  struct stat facts {};
  return fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
}

void open_for_peer(const ferryx_fabric_request* request, ferryx_fabric_answer* answer) {
  const auto kind = static_cast<sharing::Kind>(request->kind);
  if (!is_for_other_hosts(kind)) {
    return refuse(*answer, ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  "objects of this kind cannot be used from other hosts: only memory with FABRIC "
                  "handles, notifies and events can");
  }
  try {
    sharing::Exchange::Opened opened = sharing::Exchange::instance().open(
        {.high = request->name_high, .low = request->name_low}, kind,
        {.process = request->process, .is_self = false, .device = request->device});
    answer->is_unknown = opened.offer == nullptr ? 1 : 0;
    if (opened.offer == nullptr) return;
    if (opened.answer.code != ACL_SUCCESS) {
      return refuse(*answer, opened.answer.code, opened.answer.text);
    }
    if (opened.answer.size > 0 && !is_file_in_memory(opened.answer.file)) {
      opened.offer->closed();
      return refuse(*answer, ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                    "memory of a GPU cannot be used from other hosts: export memory of the host");
    }
    answer->object = new OpenOffer{std::move(opened.offer), ++last_visitor};
    static_assert(sizeof opened.answer.facts == sizeof answer->facts);
    std::memcpy(answer->facts, opened.answer.facts.data(), sizeof answer->facts);
    answer->file = opened.answer.file;
    answer->offset = opened.answer.offset;
    answer->size = opened.answer.size;
  } catch (const std::exception&) {
    refuse(*answer, ACL_ERROR_RT_MEMORY_ALLOCATION,
           "the process that offers it has no memory left");
  }
}

void closed_by_peer(void* object) {
  const std::unique_ptr<OpenOffer> own(static_cast<OpenOffer*>(object));
  try {
    own->offer->left(own->visitor);
    own->offer->closed();
  } catch (const std::exception& error) {
    FERRY_LOG(kError, "an offer to other hosts could not be updated: %s", error.what());
  }
}

void signalled_by_peer(void* object) {
  try {
    static_cast<OpenOffer*>(object)->offer->signalled();
  } catch (const std::exception& error) {
    FERRY_LOG(kError, "a signal of another host was lost: %s", error.what());
  }
}

void called_by_peer(void* object, const void* question, size_t size, ferryx_fabric_call* call) {
  const std::span bytes(static_cast<const std::byte*>(question), size);
  const OpenOffer& open = *static_cast<OpenOffer*>(object);
  const auto reply = [call](std::span<const std::byte> answer) {
    const Fabric& fabric = *Fabric::instance();
    fabric.table().reply(fabric.handle(), call, answer.data(), answer.size());
  };
  try {
    open.offer->asked(open.visitor, bytes, reply);
  } catch (const std::exception& error) {
    FERRY_LOG(kError, "a question of another host could not be answered: %s", error.what());
    reply({});  // the peer waits for it
  }
}

void log(int level, const char* text) {
  the_runtime->log(level, text);
}

const void* move_bytes(void* dst, const void* src, uint64_t size) {
  const ferryx_copy item{
      .dst = dst, .src = src, .size = size, .dst_storage = dst, .src_storage = src};
  return the_runtime->move_bytes(&item, 1);
}

constexpr ferryx_fabric_services kServices{.struct_size = sizeof(ferryx_fabric_services),
                                           .open = open_for_peer,
                                           .closed = closed_by_peer,
                                           .signalled = signalled_by_peer,
                                           .called = called_by_peer,
                                           .log = log,
                                           .move_bytes = move_bytes};

// ---- loading ----

// UCX reads these when it is loaded and started. Its handlers of SIGSEGV would come before those of
// this library and of the program, and its hooks would patch malloc and mmap. It writes its log to
// standard output; what it says of peers that end, the log of this library says, too. It connects
// while it holds up all peers, so it must give up soon. (Connecting in the background, UCX 1.13
// ends the process if a peer is lost meanwhile.)
class UcxSettings {
 public:
  UcxSettings() {
    for (Setting& setting : settings_) {
      setting.is_ours = std::getenv(setting.name) == nullptr;
      if (setting.is_ours) setenv(setting.name, setting.value, 0);
    }
  }
  ~UcxSettings() {
    for (const Setting& setting : settings_)
      if (setting.is_ours) unsetenv(setting.name);
  }
  UcxSettings(const UcxSettings&) = delete;
  UcxSettings& operator=(const UcxSettings&) = delete;

 private:
  struct Setting {
    const char* name;
    const char* value;
    bool is_ours = false;
  };
  Setting settings_[6] = {{"UCX_HANDLE_ERRORS", "none"},  {"UCX_MEM_MMAP_HOOK_MODE", "none"},
                          {"UCX_MEM_MALLOC_HOOKS", "no"}, {"UCX_LOG_FILE", "stderr"},
                          {"UCX_LOG_LEVEL", "fatal"},     {"UCX_TCP_MAX_CONN_RETRIES", "1"}};
};

// The plugin lies beside this library, as all that are no backends.
std::string load(const ferryx_fabric_table*& table) {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&load), &self) == 0) {
    return "the folder of the library is unknown";
  }
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::absolute(self.dli_fname, ignored);
  const std::filesystem::path path = here.parent_path() / kPlugin;
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    return std::string("its plugin cannot be loaded: ") + dlerror() +
           "; it is built where UCX 1.13 or later and libsodium are installed (libucx-dev, "
           "libsodium-dev)";
  }
  const auto entry = reinterpret_cast<ferryx_fabric_entry>(dlsym(library, FERRYX_FABRIC_ENTRY));
  table = entry == nullptr ? nullptr : entry();
  if (table == nullptr || table->abi != FERRYX_FABRIC_ABI) {
    return path.string() + " is of another version of Ferry";
  }
  return {};
}

// ---- what this process has open ----

class FarHolder final : public sharing::Holder {
 public:
  FarHolder(const ferryx_fabric_table& table, ferryx_fabric_opening* opening)
      : table_(table), opening_(opening) {}

  bool signal(uint64_t /*opening*/, std::chrono::steady_clock::time_point /*limit*/) override {
    return table_.signal(opening_) != 0;
  }
  bool signals_at_once() const override { return true; }

  void ask(std::span<const std::byte> question, sharing::Answered answered) override {
    table_.call(
        opening_, question.data(), question.size(),
        [](void* argument, int code, const char* text, const void* answer, size_t size) {
          const std::unique_ptr<sharing::Answered> own(static_cast<sharing::Answered*>(argument));
          const auto* const bytes = static_cast<const std::byte*>(answer);
          sharing::Told told{.is_lost = code != 0, .text = text, .answer = {}};
          if (size > 0) told.answer.assign(bytes, bytes + size);
          (*own)(told);
        },
        new sharing::Answered(std::move(answered)));
  }
  bool wait_for(const uint32_t& number, std::chrono::steady_clock::time_point deadline) override {
    using std::chrono::nanoseconds;
    constexpr nanoseconds kStep = std::chrono::seconds(1);
    const Fabric& fabric = *Fabric::instance();
    for (;;) {
      if (__atomic_load_n(&number, __ATOMIC_ACQUIRE) != 0) return true;
      const nanoseconds left = deadline - std::chrono::steady_clock::now();
      if (left <= nanoseconds::zero()) return false;
      table_.drive(fabric.handle(), &number, static_cast<uint64_t>(std::min(left, kStep).count()));
    }
  }
  void let_go(uint64_t /*opening*/) override { table_.let_go(opening_); }
  bool is_lost() const override { return table_.is_lost(opening_) != 0; }

 private:
  const ferryx_fabric_table& table_;
  ferryx_fabric_opening* const opening_;
};

ferryx_fabric_place to_plugin(const sharing::Place& place) {
  ferryx_fabric_place out{};
  std::copy(place.address.begin(), place.address.end(), out.address);
  out.port = place.port;
  return out;
}

}  // namespace

Fabric* Fabric::instance() {
  return the_fabric.load(std::memory_order_acquire);
}

std::string Fabric::open(const ferryx_runtime& runtime) {
  if (instance() != nullptr) return {};
  the_runtime = &runtime;
  static auto* const made = new Fabric;
  {
    const UcxSettings for_loading;
    if (made->table_ == nullptr) {
      if (std::string wrong = load(made->table_); !wrong.empty()) return wrong;
    }
    const FabricOptions& options = config().fabric;
    const ferryx_fabric_settings settings{.struct_size = sizeof settings,
                                          .address = options.address.c_str(),
                                          .port = options.port,
                                          .secret_file = options.secret.c_str(),
                                          .timeout = options.timeout};
    char text[FERRYX_FABRIC_TEXT] = "";
    if (made->table_->open(&settings, &kServices, &made->fabric_, text, sizeof text) != 0) {
      return text;
    }
  }
  the_fabric.store(made, std::memory_order_release);
  sharing::install_far_hosts(made);
  // Without the report, `ferry info --fabric` does not see this process: no reason to refuse work.
  if (!offer_report().ok()) FERRY_LOG(kWarn, "the fabric cannot be seen by ferry info --fabric");
  return {};
}

sharing::Place Fabric::own_place() const {
  ferryx_fabric_place place{};
  table_->place(fabric_, &place);
  sharing::Place own;
  std::copy(std::begin(place.address), std::end(place.address), own.address.begin());
  own.port = place.port;
  return own;
}

bool Fabric::is_for_this_host() const {
  return config().fabric.is_for_this_host;
}

sharing::Visit Fabric::visit(const sharing::Handle& handle, sharing::Kind kind, int32_t device) {
  const ferryx_fabric_place place = to_plugin(handle.place);
  const ferryx_fabric_request request{.name_high = handle.name.high,
                                      .name_low = handle.name.low,
                                      .kind = static_cast<uint32_t>(kind),
                                      .process = getpid(),
                                      .device = device};
  ferryx_fabric_answer answer{};
  ferryx_fabric_opening* opening = nullptr;
  sharing::Visit result;
  result.is_far = true;
  if (table_->visit(fabric_, &place, &request, &answer, &opening) != 0) {
    result.outcome = sharing::Visit::Outcome::kUnreachable;
  } else if (answer.is_unknown != 0) {
    return result;
  } else if (answer.code != ACL_SUCCESS) {
    result.outcome = sharing::Visit::Outcome::kRefused;
    result.code = answer.code;
  } else {
    result.outcome = sharing::Visit::Outcome::kOpened;
    std::memcpy(result.facts.data(), answer.facts, sizeof answer.facts);
    result.hold = sharing::Hold(std::make_shared<FarHolder>(*table_, opening), 0);
    result.remote = answer.size > 0 ? opening : nullptr;
    result.remote_size = answer.size;
  }
  result.text = answer.text;
  return result;
}

}  // namespace ferry::layers::fabric
