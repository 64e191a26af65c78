// SPDX-License-Identifier: Apache-2.0
// Kernels that declare the memory they use. World sees their ranges as it sees those of copies; the
// host and the queue learn nothing from them. What the kernel touches on its thread is not the
// program's own access.
#include "base/work.h"
#include "layers/check/calls/call.h"
#include "layers/check/front/checked_objects.h"

#include "acl/acl_base_rt.h"

namespace ferry::layers::check::slots {
namespace {

struct DeclaredKernel {
  static int run(void* argument, int run) {
    const std::unique_ptr<DeclaredKernel> own(static_cast<DeclaredKernel*>(argument));
    if (run == 0) return own->kernel.run(own->kernel.argument, 0);
    world().kernel_starts(own->uses);
    const Over over{*own};
    return own->kernel.run(own->kernel.argument, 1);
  }

  // Also when the kernel ends its thread.
  struct Over {
    ~Over() { world().kernel_over(*kernel.uses); }
    const DeclaredKernel& kernel;
  };

  const ferryx_kernel kernel;
  // What it asks for while it runs, beyond what it has declared.
  const std::shared_ptr<Task> uses = std::make_shared<Task>();
};

}  // namespace

int submit_declared(CheckedQueue& queue, const ferryx_work& kernel) {
  auto declared = std::make_unique<DeclaredKernel>(DeclaredKernel{kernel.as.kernel});
  declared->uses->function = kernel.origin.call;
  declared->uses->site = site_of_work(queue, kernel);
  declared->uses->moment.queue = queue.id;
  declared->uses->is_function = true;
  ferryx_work inner = make_work(FERRYX_KERNEL, &ferryx_payload::kernel, kernel.as.kernel);
  inner.origin = kernel.origin;
  inner.as.kernel.run = DeclaredKernel::run;
  inner.as.kernel.argument = declared.get();
  const int code = submit_task(queue, inner);
  if (code == ACL_SUCCESS) static_cast<void>(declared.release());  // run owns it now
  return code;
}

}  // namespace ferry::layers::check::slots
