// SPDX-License-Identifier: Apache-2.0
// Making launches, queueing them, and calling the stand-in.
#include "core/kernel/kernel_launch.h"

#include "base/config.h"
#include "base/error_state.h"
#include "base/program_call.h"
#include "base/thread_owned.h"
#include "base/work.h"
#include "core/copy.h"
#include "core/kernel/device_access.h"
#include "core/location.h"
#include "core/model/task_group.h"

#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace ferry {
namespace {

// The stand-in, or the function that declares its memory, that the calling thread is in.
struct KernelCall {
  const KernelLaunch& launch;
  const ferryKernelContext context;
  const bool is_declaring;
};
thread_local const KernelCall* current_call = nullptr;

// What a kernel of the calling thread has failed with, until it is told. Threads that call kernels
// live as long as the process, so nothing stays with them after that.
struct LastFailure : KernelFailure {};

void forget_failure() {
  ThreadOwned<LastFailure>::take().reset();
}

ferryKernelContext context_of(const KernelLaunch& launch, int32_t device, int32_t stream) {
  const LaunchShape& shape = launch.shape();
  return {.structSize = sizeof(ferryKernelContext),
          .deviceId = device,
          .streamId = stream,
          .numBlocks = shape.blocks,
          .kernel = launch.function().name().c_str(),
          .data = launch.stand_in()->data,
          .argsAddress = launch.address(),
          .gridDim = {shape.grid[0], shape.grid[1], shape.grid[2]},
          .blockDim = {shape.threads[0], shape.threads[1], shape.threads[2]},
          .dynUbufSize = shape.ubuf_size};
}

// Counts a launch of a binary during its lifetime.
class CountedLaunch {
 public:
  explicit CountedLaunch(const KernelLaunch& launch) : binary_(launch.function().binary()) {
    if (binary_ != nullptr) binary_->launch_begins();
  }
  ~CountedLaunch() {
    if (binary_ != nullptr) binary_->launch_ends();
  }
  CountedLaunch(const CountedLaunch&) = delete;
  CountedLaunch& operator=(const CountedLaunch&) = delete;

 private:
  Binary* const binary_;
};

// One execution of a launch, and the argument of its work. It counts as a launch of its binary from
// the beginning.
class Execution {
 public:
  Execution(int32_t stream_id, int32_t device, std::shared_ptr<const KernelLaunch> launch)
      : stream_id_(stream_id), device_(device), launch_(std::move(launch)), count_(*launch_) {}
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  static int run(void* argument, int run) {
    const std::unique_ptr<Execution> own(static_cast<Execution*>(argument));
    return run == 0 ? ACL_SUCCESS : own->execute();
  }

  int execute() {
    forget_failure();  // of a stream that has ended before it was told
    if (launch_->stand_in() != nullptr) return call();
    ++launch_->function().counts().skipped;
    return ACL_SUCCESS;
  }

 private:
  int call();
  int call_with(const void* args, size_t size);
  int read_arguments(AlignedBytes& bytes);
  int fail(aclError code, const FixedText& text);

  const int32_t stream_id_;
  const int32_t device_;
  const std::shared_ptr<const KernelLaunch> launch_;
  const CountedLaunch count_;
};

ferryx_work work_of(const KernelLaunch& launch, int (*run)(void*, int), void* argument) {
  return make_work(FERRYX_KERNEL, &ferryx_payload::kernel,
                   {.run = run,
                    .argument = argument,
                    .name = launch.function().name().c_str(),
                    .accesses = launch.accesses().data(),
                    .access_count = launch.accesses().size()});
}

int Execution::fail(aclError code, const FixedText& text) try {
  ++launch_->function().counts().failures;
  LastFailure& last = ThreadOwned<LastFailure>::get();
  last.launch = launch_;
  last.text = text;
  return code;
} catch (const std::bad_alloc&) {
  return code;  // told without a text
}

// The arguments in device memory, as they are now.
int Execution::read_arguments(AlignedBytes& bytes) try {
  const Location location = locate(launch_->address());
  const void* const storage = location.is_host() ? nullptr : location.storage_of(launch_->size());
  if (storage == nullptr) {
    return fail(ACL_ERROR_RT_TS_ERROR,
                FixedText("the arguments of kernel %s, %zu bytes at %p, are not in live device "
                          "memory",
                          launch_->function().name().c_str(), launch_->size(), launch_->address()));
  }
  bytes = AlignedBytes(launch_->size());
  std::memcpy(bytes.data(), storage, bytes.size());
  return ACL_SUCCESS;
} catch (const std::bad_alloc&) {
  return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
              FixedText("host memory is exhausted, so the arguments of kernel %s cannot be read",
                        launch_->function().name().c_str()));
}

int Execution::call() {
  if (!launch_->has_device_arguments()) {
    return call_with(launch_->bytes().data(), launch_->size());
  }
  AlignedBytes bytes;
  if (const int code = read_arguments(bytes); code != ACL_SUCCESS) return code;
  return call_with(bytes.data(), bytes.size());
}

int Execution::call_with(const void* args, size_t size) {
  ++launch_->function().counts().launches;
  const KernelCall call{.launch = *launch_,
                        .context = context_of(*launch_, device_, stream_id_),
                        .is_declaring = false};
  const StandIn& stand_in = *launch_->stand_in();
  int code = 0;
  int result = ACL_SUCCESS;
  may_access_device_memory = true;
  current_call = &call;
  call_program(
      Called::kOtherwise, Thrown::kEndsHere,
      [&] { code = stand_in.function(call.context.numBlocks, args, size, &call.context); },
      [&](const char* instead) {
        may_access_device_memory = false;
        current_call = nullptr;
        const char* const name = stand_in.name.c_str();
        if (instead != nullptr) {
          result = fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                        FixedText("kernel %s did not return: it %s", name, instead));
        } else if (code != 0) {
          result =
              fail(ACL_ERROR_RT_AICORE_EXCEPTION, FixedText("kernel %s returned %d", name, code));
        }
      });
  return result;
}

// The text for arguments that are not in device memory, or not all of them.
Status fail_address(const void* address, size_t size, const char* what) {
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "devPtr", address)
      .because(" and %zu bytes, which is not %s", size, what);
}

}  // namespace

// ---- making a launch ----

KernelLaunch::KernelLaunch(LaunchRequest request, std::shared_ptr<const StandIn> stand_in)
    : request_(std::move(request)), stand_in_(std::move(stand_in)), call_(current_function()) {}

const void* KernelLaunch::address() const {
  return memory_ != nullptr ? memory_->address() : request_.arguments.device_address;
}

size_t KernelLaunch::size() const {
  return memory_ != nullptr ? request_.arguments.bytes.size() : request_.arguments.device_size;
}

std::span<const char> KernelLaunch::bytes() const {
  return {request_.arguments.bytes.data(), request_.arguments.bytes.size()};
}

Result<std::shared_ptr<const KernelLaunch>> KernelLaunch::make(Device& device,
                                                               LaunchRequest request) {
  std::shared_ptr<const StandIn> stand_in = request.function->stand_in();
  if (stand_in == nullptr && !config().kernels.skips_unknown) {
    const std::string name = request.function->name();
    return fail_unknown_kernel(ACL_ERROR_RT_KERNEL_LOOKUP, "funcHandle",
                               Value::quoted(name.c_str()).after(" is that of "));
  }
  std::shared_ptr<KernelLaunch> made(new KernelLaunch(std::move(request), std::move(stand_in)));
  FERRY_RETURN_IF_ERROR(made->place_arguments(device));
  FERRY_RETURN_IF_ERROR(made->declare(device));
  return std::shared_ptr<const KernelLaunch>(std::move(made));
}

// Gives the block its place on the device and sets the placeholder words.
Status KernelLaunch::place_arguments(Device& device) {
  LaunchArguments& arguments = request_.arguments;
  if (arguments.device_address != nullptr) return {};
  FERRY_TRY(std::unique_ptr<ArgumentMemory>, memory,
            ArgumentMemory::make(device, arguments.bytes.size()));
  for (const aclrtPlaceHolderInfo& placeholder : arguments.placeholders) {
    const void* const data =
        static_cast<const char*>((*memory)->address()) + placeholder.dataOffset;
    std::memcpy(arguments.bytes.data() + placeholder.addrOffset, &data, sizeof data);
  }
  if ((*memory)->storage() != nullptr) {
    std::memcpy((*memory)->storage(), arguments.bytes.data(), arguments.bytes.size());
  } else {
    FERRY_RETURN_IF_ERROR(
        copy_now(device, (*memory)->address(), arguments.bytes.data(), arguments.bytes.size()));
  }
  memory_ = std::move(*memory);
  return {};
}

// Asks the stand-in what it reads and writes.
Status KernelLaunch::declare(const Device& device) {
  if (stand_in_ == nullptr || stand_in_->declare == nullptr || memory_ == nullptr) return {};
  const KernelCall call{
      .launch = *this, .context = context_of(*this, device.id(), -1), .is_declaring = true};
  ferryKernelRanges ranges{.accesses = &accesses_};
  std::string wrong;
  const KernelCall* const outer = std::exchange(current_call, &call);
  call_program(
      Called::kOtherwise, Thrown::kEndsHere,
      [&] {
        stand_in_->declare(call.context.numBlocks, bytes().data(), bytes().size(), &call.context,
                           &ranges);
      },
      [&](const char* instead) {
        current_call = outer;
        if (instead != nullptr) wrong = instead;
      });
  if (wrong.empty()) return {};
  return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE9999,
              "the function that declares the memory of kernel %s did not return: it %s",
              stand_in_->name.c_str(), wrong.c_str());
}

// ---- queueing ----

Status submit_launch(Stream& stream, const std::shared_ptr<const KernelLaunch>& launch) {
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  if (stream.recorder() != nullptr) {
    const auto recorded = std::make_shared<RecordedLaunch>(stream, launch);
    ferryx_work work = recorded->work();
    return stream.record(work,
                         {.type = ACL_MODEL_RI_TASK_KERNEL, .keeps = recorded, .launch = recorded});
  }
  if (stream.update() != nullptr) return replace_next_task(stream, launch);
  auto execution = std::make_unique<Execution>(stream.id(), stream.context().device().id(), launch);
  ferryx_work work = work_of(*launch, Execution::run, execution.get());
  const Status queued = stream.submit(work);
  if (queued.ok()) static_cast<void>(execution.release());  // `run` owns it now
  return queued;
}

RecordedLaunch::RecordedLaunch(const Stream& stream, std::shared_ptr<const KernelLaunch> launch)
    : stream_id_(stream.id()),
      device_(stream.context().device().id()),
      launch_(std::move(launch)) {}

std::shared_ptr<const KernelLaunch> RecordedLaunch::launch() const {
  const std::lock_guard lock(mutex_);
  return launch_;
}

void RecordedLaunch::replace(std::shared_ptr<const KernelLaunch> launch) {
  const std::lock_guard lock(mutex_);
  if (!launch->has_device_arguments() || launch->address() != launch_->address()) {
    block_owner_ = nullptr;
  } else if (!launch_->has_device_arguments()) {
    block_owner_ = launch_;
  }
  launch_ = std::move(launch);
}

ferryx_work RecordedLaunch::work() {
  return work_of(*launch(), run, this);
}

int RecordedLaunch::run(void* argument, int run) {
  const auto& self = *static_cast<const RecordedLaunch*>(argument);
  if (run == 0) return ACL_SUCCESS;
  std::shared_ptr<const KernelLaunch> owner;
  std::shared_ptr<const KernelLaunch> launch;
  {
    const std::lock_guard lock(self.mutex_);
    owner = self.block_owner_;
    launch = self.launch_;
  }
  return Execution(self.stream_id_, self.device_, std::move(launch)).execute();
}

Status check_device_of(const KernelFunction& function, const Device& device) {
  const Binary* const binary = function.binary();
  if (binary == nullptr || &binary->device() == &device) return {};
  return reject(ACL_ERROR_RT_INVALID_HANDLE, kEE1017, "funcHandle", function.handle())
      .because(", kernel %s of a binary on device %d, but the stream is on device %d",
               function.name().c_str(), binary->device().id(), device.id());
}

// ---- inside a stand-in ----

bool is_running_kernel_of(const Binary& binary) {
  return current_call != nullptr && current_call->launch.function().binary() == &binary;
}

Result<void*> kernel_address(const ferryKernelContext* context, const void* address, size_t size) {
  if (current_call == nullptr || &current_call->context != context) {
    return fail(ACL_ERROR_INVALID_PARAM, kEH0009,
                "context is not that of the stand-in that the calling thread is in");
  }
  if (current_call->is_declaring) {
    const KernelLaunch& launch = current_call->launch;
    const auto offset = static_cast<size_t>(static_cast<const char*>(address) -
                                            static_cast<const char*>(launch.address()));
    if (offset > launch.size() || size > launch.size() - offset) {
      return fail_address(address, size, "in the argument block: nothing else can be read yet");
    }
    return static_cast<void*>(const_cast<char*>(launch.bytes().data()) + offset);
  }
  const Location location = locate(address);
  void* const storage = location.is_host() ? nullptr : location.storage_of(size);
  if (storage == nullptr) return fail_address(address, size, "wholly in live device memory");
  return storage;
}

KernelFailure take_kernel_failure() {
  const std::unique_ptr<LastFailure> last = ThreadOwned<LastFailure>::take();
  return last != nullptr ? std::move(*last) : KernelFailure{};
}

}  // namespace ferry
