// SPDX-License-Identifier: Apache-2.0
// The runtime. This header includes one header per chapter, and states what holds for all of them.
// Includes are relative: the headers find each other whichever folder is on the search path, and
// never mix with those of another installation.
#ifndef INC_EXTERNAL_ACL_ACL_RT_H_
#define INC_EXTERNAL_ACL_ACL_RT_H_

// How to read the comments
//   - Parameters are inputs unless marked [out]. The caller keeps owning what it passes.
//   - Codes under "Returns" are in the order of the checks. The first that applies is returned;
//     by then nothing was changed, copied or queued and no [out] parameter was written, unless
//     the text says otherwise.
//   - No line "Blocking": the call waits for no queued work.
//   - No line "Threads": any number of threads may make the call at once, also on the same
//     object.
//
// Words
//   current context  Every thread has one or none. aclrtSetDevice, aclrtCreateContext and
//                    aclrtSetCurrentContext set it. A new thread has none; a destroyed context
//                    counts as none.
//   default stream   Every context owns one. NULL as `stream` names the one of the current
//                    context, unless the text says otherwise. It is a stream like any other:
//                    streams do not wait for each other by themselves.
//   queued           The work runs later, in stream order. A failure then is kept on the stream
//                    and returned by its next synchronisation.
//   device memory    Memory of aclrtMalloc and its variants. The host cannot read or write it.
//   pinned memory    Host memory of aclrtMallocHost, or registered with aclrtHostRegister or
//                    aclrtHostRegisterV2. Copies from and to it are queued.
//   pageable memory  All other host memory: malloc, stack, mapped files. Copies from and to it
//                    block.
//   range            The bytes an operation touches. In device and pinned memory they must be
//                    inside one live allocation, its padding included; in pageable memory they
//                    must be mapped. A call that copies at once returns
//                    ACL_ERROR_RT_PARAM_INVALID for a bad range. A queued task is checked when it
//                    runs: ACL_ERROR_RT_TS_ERROR at the next synchronisation of its stream, with
//                    a text that names the call that queued it.
//
// Common results
//   - Every failure records a line of text; see aclGetRecentErrMsg.
//   - No function needs aclInit.
//   - Where a context is needed and the thread has none, the code is ACL_ERROR_RT_CONTEXT_NULL.
//     If aclInit was given a default device, most functions set this device instead;
//     aclrtMemcpyAsync, aclrtMemcpy2d, aclrtMemcpy2dAsync, aclrtMemcpyBatchAsync and their
//     variants do not.
//   - After a task failed in a context that stops on failure (aclrtSetStreamFailureMode), every
//     call that queues, waits for or queries work in it returns the code of this first failure.
//   - Besides the codes listed with it, a function can return
//     ACL_ERROR_BAD_ALLOC           the library could not get host memory for itself
//     ACL_ERROR_RT_DEV_SETUP_ERROR  it needs a device, and the environment holds an
//                                   unknown FERRY_ variable or an invalid value
//     ACL_ERROR_RT_INTERNAL_ERROR   the process was forked from one that had used the library; a
//                                   child that is the first to use it, or that calls exec, is
//                                   fine
//
// Not supported
//   - Functions marked "Not supported." exist so that programs link and load. They do nothing,
//     return ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000) and record a text.
//   - Those that do not return aclError give NULL or 0, or 0xFFFFFFFF for an id, and set the
//     thread's last error to that code.

// Other copies of these headers declare the capture of streams in acl_mdl.h, which offers nothing
// else here: this keeps such a copy from declaring it again.
#ifndef INC_EXTERNAL_ACL_ACL_MODEL_H_
#define INC_EXTERNAL_ACL_ACL_MODEL_H_
#endif

#include "acl_base.h"
#include "acl_rt_allocator.h"
#include "error_codes/ge_error_codes.h"
#include "error_codes/rt_error_codes.h"
#include "rt/buffer_chain.h"
#include "rt/cache.h"
#include "rt/callback.h"
#include "rt/captured_model.h"
#include "rt/context.h"
#include "rt/copy.h"
#include "rt/copy_2d.h"
#include "rt/copy_batch.h"
#include "rt/copy_descriptor.h"
#include "rt/counting_notify.h"
#include "rt/device.h"
#include "rt/device_id.h"
#include "rt/device_info.h"
#include "rt/device_memory.h"
#include "rt/device_variable.h"
#include "rt/dump.h"
#include "rt/errors.h"
#include "rt/event.h"
#include "rt/event_query.h"
#include "rt/float_overflow.h"
#include "rt/group.h"
#include "rt/host_memory.h"
#include "rt/init.h"
#include "rt/ipc_memory.h"
#include "rt/kernel.h"
#include "rt/kernel_launch.h"
#include "rt/label.h"
#include "rt/managed_memory.h"
#include "rt/memory_query.h"
#include "rt/memory_types.h"
#include "rt/memory_value.h"
#include "rt/memset.h"
#include "rt/notify.h"
#include "rt/peer_access.h"
#include "rt/runtime_config.h"
#include "rt/snapshot.h"
#include "rt/stream.h"
#include "rt/stream_config.h"
#include "rt/task.h"
#include "rt/version.h"
#include "rt/virtual_memory.h"

// Needs the chapters above.
#include "acl_rt_memory_soma.h"

#endif
