// SPDX-License-Identifier: Apache-2.0
// The library that makes calls of libascendcl.so into the system fail: an allocation, a mapping, a
// new thread, a call of the CUDA driver. It takes the place of these functions in the process,
// because it is linked before the C library or preloaded, and looks at which code calls. Calls of
// the program itself never fail.
#ifndef FAILING_CALLS_H
#define FAILING_CALLS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The functions that can fail: malloc stands for all that allocate on the heap.
enum FailingCall {
  FAILING_MALLOC,
  FAILING_MMAP,
  FAILING_MPROTECT,
  FAILING_MEMFD,
  FAILING_THREAD,
  FAILING_CUDA,  ///< any function of the CUDA driver
  FAILING_CALLS
};

/// Lets calls number `first` to `first + count - 1` from now on fail; count 0 only counts them.
void failing_arm(int call, uint64_t first, uint64_t count);
/// No call fails any more.
void failing_disarm(void);
/// How many calls the library has made since failing_arm.
uint64_t failing_calls(void);
/// How many of them have failed.
uint64_t failing_fired(void);

enum { FAILING_FRAMES = 48 };
/// The stack of the first call that failed, innermost first. Returns the number of frames.
int failing_stack(void** frames);

enum { FAILING_SITE_FRAMES = 5 };
/// A place of the library that holds allocations, and how many. The first frame tells places apart.
struct FailingSite {
  void* frames[FAILING_SITE_FRAMES];  ///< code of the library on the stack, innermost first
  uint64_t live;
};
/// Lists the places whose allocations have not been freed. Returns how many there are.
int failing_sites(struct FailingSite* sites, int room);

/// A function of the CUDA driver, and how often the library has called it since failing_arm.
struct FailingFunction {
  char name[56];
  uint64_t calls;
};
/// Lists the functions that were called. Returns how many there are.
int failing_functions(struct FailingFunction* functions, int room);
/// From now on only calls of this function of the driver count; NULL: of all.
void failing_only(const char* function);

/// Objects of the CUDA driver.
enum FailingObject {
  FAILING_DEVICE_MEMORY,
  FAILING_PINNED_MEMORY,
  FAILING_REGISTERED_MEMORY,
  FAILING_STREAMS,
  FAILING_EVENTS,
  FAILING_PHYSICAL_MEMORY,
  FAILING_MAPPINGS,
  FAILING_RESERVATIONS,
  FAILING_OBJECTS
};
/// How many the library has made and not destroyed, by kind.
void failing_objects(int64_t* live);

#ifdef __cplusplus
}
#endif

#endif
