/* SPDX-License-Identifier: Apache-2.0 */
/* The seam between the runtime and what makes a kind of device work. A backend is a table of C
 * functions; the CPU and null backends are linked in, others are plugins
 * (docs/adding_a_backend.md).
 *
 * Versions: the two sides compare abi_major, which must be equal. Members are only ever appended,
 * so a table also carries its size: a slot past struct_size reads as absent. Nothing here is
 * removed, reordered or changed in meaning within one abi_major.
 *
 * Results: every function that returns int returns an aclError. A backend that refuses says why
 * through ferryx_host.fail, which records the text and returns the code it was given.
 *
 * Threads: any function may be called from any thread at any time, unless its comment says more.
 * The runtime never passes an object that it has destroyed, and never destroys one while another of
 * its calls uses it. */
#ifndef FERRY_BACKEND_H
#define FERRY_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FERRYX_ABI_MAJOR 1
#define FERRYX_ABI_MINOR 1

/* Owned by the backend, opaque to the runtime. */
typedef struct ferryx_device ferryx_device;
typedef struct ferryx_queue ferryx_queue;   /* in-order work; one a stream */
typedef struct ferryx_marker ferryx_marker; /* one point in a queue, reached once */
typedef struct ferryx_flag ferryx_flag;     /* set by one queue, awaited and cleared by another */

/* Waiting times are in nanoseconds; FERRYX_FOREVER does not end. */
#define FERRYX_FOREVER INT64_MAX

/* ---- memory ---------------------------------------------------------------------------------- */

typedef enum ferryx_memory_kind {
  FERRYX_MEMORY_PAGEABLE = 0,   /* host memory nobody told us about */
  FERRYX_MEMORY_DEVICE = 1,     /* allocated on a device */
  FERRYX_MEMORY_PINNED = 2,     /* allocated by host_alloc */
  FERRYX_MEMORY_REGISTERED = 3, /* host memory of the program, pinned by host_register */
  FERRYX_MEMORY_MAPPED = 4      /* the device's address of registered host memory */
} ferryx_memory_kind;

/* One live range of memory. */
typedef struct ferryx_memory {
  void* address;   /* what the program holds */
  uint64_t size;   /* bytes that may be touched */
  void* storage;   /* where the backend finds the bytes of `address`; equal to it for host memory */
  uint32_t kind;   /* ferryx_memory_kind */
  uint32_t device; /* the runtime's number of the device it belongs to */
} ferryx_memory;

/* ---- work ------------------------------------------------------------------------------------ */

typedef enum ferryx_direction {
  FERRYX_HOST_TO_HOST = 0,
  FERRYX_HOST_TO_DEVICE = 1,
  FERRYX_DEVICE_TO_HOST = 2,
  FERRYX_DEVICE_TO_DEVICE = 3
} ferryx_direction;

/* Where work came from: for fault texts and reports. */
typedef struct ferryx_task {
  const char* call; /* the exported function that queued it; lives for ever */
  uint32_t id;      /* number of the task on its queue, as programs see it */
  uint64_t epoch;   /* ferryx_host.memory_epoch() when the storage addresses were looked up */
} ferryx_task;

/* Storage addresses are NULL when the runtime could not resolve them: the backend then looks the
 * address up when the work runs, as it must also do when the memory epoch has moved on since. */
typedef struct ferryx_copy {
  void* dst;
  const void* src;
  uint64_t size;
  void* dst_storage;
  const void* src_storage;
} ferryx_copy;

typedef struct ferryx_copies {
  const ferryx_copy* items;
  size_t count;
  uint32_t direction; /* ferryx_direction; the same for all items */
  uint32_t flags;     /* FERRYX_COPY_* */
} ferryx_copies;

/* The source bytes are taken during the submitting call; the caller may change them afterwards. */
#define FERRYX_COPY_CAPTURE 0x1u
/* No storage address of the items is NULL. Without the flag some may be. */
#define FERRYX_COPY_RESOLVED 0x2u

/* Copies that all lie wholly inside one live range on each side, in the arrays of the program: item
 * i copies sizes[i] bytes, at least 1, from srcs[i] to dsts[i]. The arrays are the caller's and are
 * read during the call alone. Where a byte lies follows from its place in the range. */
typedef struct ferryx_columns {
  void* const* dsts;
  void* const* srcs;
  const size_t* sizes;
  size_t count;
  size_t common_size; /* of all items; 0 when they differ */
  ferryx_memory dst;
  ferryx_memory src;
  uint32_t direction; /* ferryx_direction */
} ferryx_columns;

typedef struct ferryx_copy_2d {
  ferryx_copy corner; /* addresses of the first row; size is the width */
  uint64_t dst_pitch;
  uint64_t src_pitch;
  uint64_t height;
  uint32_t direction;
} ferryx_copy_2d;

typedef struct ferryx_fill {
  void* dst;
  void* dst_storage;
  uint64_t size;  /* bytes; a multiple of width */
  uint32_t value; /* repeated; only the low 8 bits when width is 1 */
  uint32_t width; /* 1 or 4 */
} ferryx_fill;

/* A copy whose base addresses stand in device memory and are read when it runs. */
typedef struct ferryx_indirect_copy {
  const void* dst_pointer; /* device address at which the destination base is stored */
  const void* src_pointer;
  uint64_t dst_offset;
  uint64_t src_offset;
  uint64_t size;
} ferryx_indirect_copy;

/* The descriptor of a described copy, as it lies in device memory. */
typedef struct ferryx_descriptor {
  uint32_t reserved[3];
  uint32_t size; /* 0 means 4 GiB */
  uint64_t src;
  uint64_t dst;
} ferryx_descriptor;

/* Something the host does in queue order. `start` is called when the queue gets there, must return
 * soon, and must see to it that ferryx_backend.callout_done is called once with `callout`; the
 * queue does not go on before. When the work is dropped instead, `start` is called with `callout`
 * NULL, only so that the argument can be released. */
typedef struct ferryx_callout ferryx_callout;
typedef void (*ferryx_callout_start)(void* argument, ferryx_callout* callout);

/* A function that plays a kernel: it may block, and may touch device memory through its storage.
 * `run` is 0 when the work was dropped instead: then the argument is to be released and nothing
 * else done. */
typedef void (*ferryx_device_function)(void* argument, int run);

/* ---- what the runtime offers ----------------------------------------------------------------- */

typedef struct ferryx_fault {
  const ferryx_task* task;
  int code;         /* aclError */
  const char* text; /* one line; valid during the call */
} ferryx_fault;

typedef enum ferryx_after_fault {
  FERRYX_CONTINUE = 0, /* run the next task */
  FERRYX_STOP = 1      /* drop everything queued */
} ferryx_after_fault;

typedef struct ferryx_host {
  uint32_t struct_size;
  /* Records the text for the calling thread and returns `code`. */
  int (*fail)(int code, const char* text);
  /* The live range that holds `address`; 0 when there is none (pageable or freed). */
  int (*find_memory)(const void* address, ferryx_memory* found);
  /* Changes whenever a range is added or removed. */
  uint64_t (*memory_epoch)(void);
  /* A task of the queue made with this cookie has failed. Called without locks of the backend. */
  ferryx_after_fault (*task_failed)(void* cookie, const ferryx_fault* fault);
  /* Asked before a task, or several small ones taken together, start: FERRYX_STOP when the queue
   * made with this cookie is to drop its work because of a failure elsewhere. May be called with
   * locks of the backend held. */
  ferryx_after_fault (*before_task)(void* cookie);
  /* level: 1 error, 2 warn, 3 info, 4 debug */
  void (*log)(int level, const char* text);
} ferryx_host;

/* ---- what a backend offers ------------------------------------------------------------------- */

typedef enum ferryx_schedule {
  FERRYX_EAGER = 0,
  FERRYX_LAZY = 1,
  FERRYX_SHUFFLE = 2
} ferryx_schedule;

/* How batches are copied by a backend that has the choice. */
typedef enum ferryx_batch_way {
  FERRYX_BATCH_AUTO = 0,   /* the cheapest way */
  FERRYX_BATCH_ENGINE = 1, /* copy engines alone */
  FERRYX_BATCH_KERNEL = 2  /* a kernel wherever it can */
} ferryx_batch_way;

typedef struct ferryx_settings {
  uint32_t struct_size;
  uint32_t number;   /* count or index after the colon of FERRY_DEVICES; UINT32_MAX: none given */
  uint64_t memory;   /* capacity of one device; 0: the backend's choice */
  uint32_t threads;  /* 0: the backend's choice */
  uint32_t schedule; /* ferryx_schedule */
  uint64_t seed;
  uint32_t batch_way;       /* ferryx_batch_way */
  uint32_t multiprocessors; /* most that a copy kernel may use; 0: the backend's choice */
} ferryx_settings;

typedef struct ferryx_queue_settings {
  uint32_t struct_size;
  uint32_t priority; /* 0 is the most urgent */
  void* cookie;      /* handed to ferryx_host.task_failed */
} ferryx_queue_settings;

/* One way in which a backend moves bytes, and how often it was taken. Texts live for ever. */
typedef struct ferryx_copy_way {
  const char* name;
  const char* reason; /* why the latest task went this way; "" before the first */
  uint64_t tasks;
  uint64_t bytes;
  uint32_t multiprocessors; /* of the latest kernel; 0 where there is none */
} ferryx_copy_way;

typedef struct ferryx_backend {
  uint32_t struct_size;
  uint16_t abi_major;
  uint16_t abi_minor;
  const char* name;

  /* Called once, before anything else. Writes how many devices there are. */
  int (*open)(const ferryx_host* host, const ferryx_settings* settings, uint32_t* device_count);

  /* -- devices: opened once each and never closed; programs may leave memory behind for ever -- */
  int (*device_open)(uint32_t index, ferryx_device** device);
  int (*device_memory)(ferryx_device* device, uint64_t* free_bytes, uint64_t* total_bytes);
  /* Prepares, or ends, copies from `device` to `peer`. */
  int (*peer_enable)(ferryx_device* device, ferryx_device* peer);
  int (*peer_disable)(ferryx_device* device, ferryx_device* peer);

  /* -- memory: the backend fills all of `out` but the device number. Freeing is immediate: work
   *    that still uses the range must not bring the process down. -- */
  int (*memory_alloc)(ferryx_device* device, uint64_t size, uint32_t policy, ferryx_memory* out);
  void (*memory_free)(ferryx_device* device, const ferryx_memory* memory);
  int (*host_alloc)(ferryx_device* device, uint64_t size, ferryx_memory* out);
  void (*host_free)(ferryx_device* device, const ferryx_memory* memory);
  /* Pins host memory of the program. `mapped`, when asked for, receives the device's view of it. */
  int (*host_register)(ferryx_device* device, void* address, uint64_t size, ferryx_memory* mapped);
  void (*host_unregister)(ferryx_device* device, void* address, uint64_t size,
                          const ferryx_memory* mapped);

  /* -- work done during the call; all addresses are resolved -- */
  int (*copy)(ferryx_device* device, const ferryx_copies* copies);
  int (*copy_2d)(ferryx_device* device, const ferryx_copy_2d* copy);
  int (*fill)(ferryx_device* device, const ferryx_fill* fill);

  /* -- queues: work runs in the order of submission; submitting does not wait -- */
  int (*queue_create)(ferryx_device* device, const ferryx_queue_settings* settings,
                      ferryx_queue** queue);
  /* Drops what has not started. Work of the host or of a device function that runs still may
   * outlive the queue. */
  void (*queue_destroy)(ferryx_queue* queue);
  int (*queue_copy)(ferryx_queue* queue, const ferryx_task* task, const ferryx_copies* copies);
  int (*queue_copy_2d)(ferryx_queue* queue, const ferryx_task* task, const ferryx_copy_2d* copy);
  int (*queue_copy_described)(ferryx_queue* queue, const ferryx_task* task, const void* descriptor);
  int (*queue_copy_indirect)(ferryx_queue* queue, const ferryx_task* task,
                             const ferryx_indirect_copy* copy);
  int (*queue_fill)(ferryx_queue* queue, const ferryx_task* task, const ferryx_fill* fill);
  int (*queue_callout)(ferryx_queue* queue, const ferryx_task* task, ferryx_callout_start start,
                       void* argument);
  void (*callout_done)(ferryx_callout* callout);
  int (*queue_function)(ferryx_queue* queue, const ferryx_task* task, ferryx_device_function fn,
                        void* argument);

  /* done: 1 when everything submitted so far has run. */
  int (*queue_query)(ferryx_queue* queue, int* done);
  /* Waits for everything submitted so far. 507046 when the time is up, 107023 when the queue was
   * aborted meanwhile. Faults of tasks are not its business. */
  int (*queue_synchronize)(ferryx_queue* queue, int64_t timeout);
  /* Drops what has not started, ends waits, wakes those who synchronise. */
  int (*queue_abort)(ferryx_queue* queue);
  /* As abort, but nobody is told: those who synchronise see an idle queue. */
  int (*queue_drop)(ferryx_queue* queue);

  /* -- markers -- */
  int (*marker_create)(ferryx_device* device, ferryx_marker** marker);
  /* A marker is counted: create counts one, and it lives until as many releases and until queued
   * work needs it no more. */
  void (*marker_retain)(ferryx_marker* marker);
  void (*marker_release)(ferryx_marker* marker);
  /* The queue reaches the marker; at most once a marker. */
  int (*queue_mark)(ferryx_queue* queue, const ferryx_task* task, ferryx_marker* marker);
  /* The queue waits until the marker has been reached, also when it was not queued yet. Past the
   * time limit the task fails with 107019. */
  int (*queue_await)(ferryx_queue* queue, const ferryx_task* task, ferryx_marker* marker,
                     int64_t timeout);
  int (*marker_query)(ferryx_marker* marker, int* reached);
  /* 507047 when the time is up, 107023 when the marker was dropped by an abort. */
  int (*marker_synchronize)(ferryx_marker* marker, int64_t timeout);
  /* Nanoseconds on the device's clock at which a reached marker was reached. */
  int (*marker_time)(ferryx_marker* marker, uint64_t* nanoseconds);

  /* -- flags -- */
  int (*flag_create)(ferryx_device* device, ferryx_flag** flag);
  /* The runtime needs it no more; queued work may. */
  void (*flag_release)(ferryx_flag* flag);
  int (*flag_clear)(ferryx_flag* flag);
  int (*queue_set_flag)(ferryx_queue* queue, const ferryx_task* task, ferryx_flag* flag);
  /* Waits until the flag is set and clears it. Past the time limit the task fails with 107019. */
  int (*queue_take_flag)(ferryx_queue* queue, const ferryx_task* task, ferryx_flag* flag,
                         int64_t timeout);

  /* -- since 1.1; may be NULL: then devices have no name, only one way to copy, and take columns as
   *    queue_copy -- */
  const char* (*device_name)(ferryx_device* device); /* as its vendor calls it; lives for ever */
  /* 107000 past the last way. */
  int (*copy_way)(ferryx_device* device, size_t index, ferryx_copy_way* way);
  int (*queue_copy_columns)(ferryx_queue* queue, const ferryx_task* task,
                            const ferryx_columns* columns);
} ferryx_backend;

/* A plugin exports one function of this type under this name. */
typedef const ferryx_backend* (*ferryx_backend_entry)(void);
#define FERRYX_BACKEND_ENTRY "ferryx_backend_table"

#ifdef __cplusplus
}
#endif

#endif
