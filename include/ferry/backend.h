/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between the runtime and a backend, which implements one kind of device. A backend
 * is a table of C functions; the CPU and null backends are linked in, others are plugins
 * (docs/adding_a_backend.md). A front is a table that wraps another one.
 *
 * Versions: both sides compare abi_major, which must be equal. Members are only appended, so every
 * structure that grows carries its size: what lies past struct_size reads as absent or 0.
 *
 * Results: a function that returns int returns an aclError. A backend that refuses says why through
 * ferryx_runtime.fail, which records the text and returns the code it was given.
 *
 * Threads: any function may be called from any thread at any time, unless its text says otherwise.
 * The runtime never passes an object that it has destroyed, and never destroys one while another of
 * its calls uses it. */
#ifndef FERRY_BACKEND_H
#define FERRY_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FERRYX_ABI_MAJOR 2
#define FERRYX_ABI_MINOR 5

/* Owned by the backend, opaque to the runtime. */
typedef struct ferryx_instance ferryx_instance; /* an opened backend */
typedef struct ferryx_device ferryx_device;
typedef struct ferryx_queue ferryx_queue;   /* executes work in order; one per stream */
typedef struct ferryx_marker ferryx_marker; /* one point in a queue, reached once */
typedef struct ferryx_flag ferryx_flag;     /* set by one queue, awaited and cleared by another */

typedef struct ferryx_physical ferryx_physical; /* memory without an address */

typedef struct ferryx_backend ferryx_backend;

/* Timeouts are in nanoseconds; FERRYX_FOREVER does not end. */
#define FERRYX_FOREVER INT64_MAX

/* ---- memory ---------------------------------------------------------------------------------- */

typedef enum ferryx_memory_kind {
  FERRYX_MEMORY_PAGEABLE = 0,   /* host memory unknown to the runtime */
  FERRYX_MEMORY_DEVICE = 1,     /* allocated on a device */
  FERRYX_MEMORY_PINNED = 2,     /* allocated by host_alloc */
  FERRYX_MEMORY_REGISTERED = 3, /* host memory of the program, pinned by host_register */
  FERRYX_MEMORY_MAPPED = 4,     /* the device's address of registered host memory */
  FERRYX_MEMORY_MANAGED = 5,    /* allocated by managed_alloc: one address for host and devices */
  FERRYX_MEMORY_REMOTE = 6      /* mapped memory of another host; without storage. A front moves its
                                   bytes: backends never see work that may use it */
} ferryx_memory_kind;

/* One live range of memory. */
typedef struct ferryx_memory {
  void* address;   /* what the program holds */
  uint64_t size;   /* bytes that may be accessed */
  void* storage;   /* where the backend finds the bytes of `address`; equal to it for host memory;
                      NULL while nobody may access them */
  uint32_t kind;   /* ferryx_memory_kind */
  uint32_t device; /* the runtime's number of the device it belongs to */
} ferryx_memory;

/* Memory that is mapped where a program wants it. Its address comes from address_reserve. */
typedef struct ferryx_physical_settings {
  uint32_t struct_size;
  uint32_t is_host; /* 1: pinned host memory; 0: memory of the device */
  uint64_t size;    /* a multiple of 2 MiB */
  int32_t node;     /* of host memory: the NUMA node; -1: any */
} ferryx_physical_settings;

/* Memory that other processes can map. */
typedef struct ferryx_shared {
  uint32_t struct_size;
  int32_t file;     /* a descriptor of a file in memory */
  uint64_t offset;  /* of the first byte in the file */
  uint64_t size;    /* bytes from there on that may be mapped: whole pages */
  uint32_t is_host; /* 1: host memory; 0: memory of a device */
  void* remote;     /* memory of another host, for the front that moves its bytes; else NULL */
} ferryx_shared;

/* Where managed_prefetch moves memory: to the device, or to host memory; 0 and more are NUMA nodes.
 */
#define FERRYX_PLACE_DEVICE (-2)
#define FERRYX_PLACE_HOST (-1)

/* ---- work ------------------------------------------------------------------------------------ */

/* Everything a queue can execute is one value of type ferryx_work. */

typedef enum ferryx_work_kind {
  FERRYX_COPIES = 0,       /* as.copies */
  FERRYX_COLUMNS = 1,      /* as.columns; only for backends with FERRYX_TAKES_COLUMNS */
  FERRYX_ROWS = 2,         /* as.rows */
  FERRYX_DESCRIBED = 3,    /* as.described */
  FERRYX_INDIRECT = 4,     /* as.indirect */
  FERRYX_FILL = 5,         /* as.fill */
  FERRYX_CALLOUT = 6,      /* as.callout */
  FERRYX_FUNCTION = 7,     /* as.function */
  FERRYX_MARK = 8,         /* as.marker */
  FERRYX_AWAIT = 9,        /* as.marker */
  FERRYX_SET_FLAG = 10,    /* as.flag */
  FERRYX_TAKE_FLAG = 11,   /* as.flag */
  FERRYX_WRITE_VALUE = 12, /* as.value */
  FERRYX_AWAIT_VALUE = 13, /* as.value */
  FERRYX_REDUCE = 14,      /* as.reduce */
  FERRYX_KERNEL = 15       /* as.kernel */
} ferryx_work_kind;

typedef enum ferryx_direction {
  FERRYX_HOST_TO_HOST = 0,
  FERRYX_HOST_TO_DEVICE = 1,
  FERRYX_DEVICE_TO_HOST = 2,
  FERRYX_DEVICE_TO_DEVICE = 3
} ferryx_direction;

/* Which call asked for the work. */
typedef struct ferryx_origin {
  const char* call;     /* the exported function; lives forever */
  uint32_t task;        /* number of the task on its stream, as programs see it */
  int32_t stream;       /* id of the stream, as programs see it; -1: work during the call */
  void* context;        /* handle of the stream's or the calling thread's context */
  uint64_t correlation; /* unique in the process; 0: work that a front adds, or a snapshot */
} ferryx_origin;

/* Storage addresses are NULL when the runtime could not resolve them: the backend then resolves the
 * address when the work executes, as it must also do when the memory epoch has changed since. */
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

/* A batch whose items all lie inside one live range per side, still in the arrays of the program:
 * item i copies sizes[i] bytes, at least 1, from srcs[i] to dsts[i]. The arrays are read during the
 * submitting call only. */
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

/* A 2D copy: `height` rows, each `pitch` bytes behind the one before. */
typedef struct ferryx_rows {
  ferryx_copy corner; /* addresses of the first row; size is the width */
  uint64_t dst_pitch;
  uint64_t src_pitch;
  uint64_t height;
  uint32_t direction;
} ferryx_rows;

/* A copy whose addresses and size lie in device memory, as a ferryx_descriptor, and are read when
 * it executes. */
typedef struct ferryx_described {
  const void* descriptor;
} ferryx_described;

typedef struct ferryx_descriptor {
  uint32_t reserved[3];
  uint32_t size; /* 0 means 4 GiB */
  uint64_t src;
  uint64_t dst;
} ferryx_descriptor;

/* A copy whose base addresses lie in device memory and are read when it executes. */
typedef struct ferryx_indirect {
  const void* dst_pointer; /* device address at which the destination base is stored */
  const void* src_pointer;
  uint64_t dst_offset;
  uint64_t src_offset;
  uint64_t size;
} ferryx_indirect;

typedef struct ferryx_fill {
  void* dst;
  void* dst_storage;
  uint64_t size;  /* bytes; a multiple of width */
  uint32_t value; /* repeated; only the low 8 bits when width is 1 */
  uint32_t width; /* 1 or 4 */
} ferryx_fill;

/* Something the host does in queue order. The queue calls `start` when it gets there; `start` must
 * return soon and see to it that callout->done(callout) is called once, from any thread. The queue
 * does not continue before. When the work is dropped instead, `start` is called with `callout` NULL
 * so that the argument can be released. */
typedef struct ferryx_callout {
  void (*done)(struct ferryx_callout* callout); /* set by the backend */
} ferryx_callout;
typedef void (*ferryx_callout_start)(void* argument, ferryx_callout* callout);

typedef struct ferryx_callout_work {
  ferryx_callout_start start;
  void* argument;
} ferryx_callout_work;

/* A host function that acts as a kernel: it may block, may end its thread (not that of the submit),
 * and may access device memory through its storage. `run` is 0 when the work was dropped instead:
 * then it only releases the argument. Memory that is freed while it runs should not be given out
 * again before it has returned, even if its queue was destroyed. */
typedef void (*ferryx_device_function)(void* argument, int run);

typedef struct ferryx_function {
  ferryx_device_function run;
  void* argument;
} ferryx_function;

/* FERRYX_MARK: the queue reaches the marker, at most once per marker. FERRYX_AWAIT: the queue waits
 * until the marker was reached, even when its mark is not queued yet. */
typedef struct ferryx_marker_work {
  ferryx_marker* marker;
  int64_t timeout; /* of FERRYX_AWAIT; past it the work fails with 107019 */
} ferryx_marker_work;

/* FERRYX_SET_FLAG; FERRYX_TAKE_FLAG: waits until the flag is set and clears it. */
typedef struct ferryx_flag_work {
  ferryx_flag* flag;
  int64_t timeout; /* of FERRYX_TAKE_FLAG; past it the work fails with 107019 */
} ferryx_flag_work;

/* FERRYX_WRITE_VALUE: one store of 64 bits. FERRYX_AWAIT_VALUE: the queue waits until the 64 bits
 * at the address satisfy the comparison; whoever stores them, and however often they change. */
typedef struct ferryx_value {
  void* address; /* of device memory, a multiple of 8 */
  void* storage; /* as in ferryx_copy */
  uint64_t value;
  uint32_t comparison; /* ferryx_comparison, of FERRYX_AWAIT_VALUE */
  uint32_t reserved;   /* 0 */
} ferryx_value;

typedef enum ferryx_comparison {
  FERRYX_AT_LEAST = 0, /* (int64_t)(*address - value) >= 0 */
  FERRYX_EQUAL = 1,    /* *address == value */
  FERRYX_ANY_BIT = 2,  /* (*address & value) != 0 */
  FERRYX_ANY_CLEAR = 3 /* ~(*address | value) != 0 */
} ferryx_comparison;

/* dst[i] = operation(dst[i], src[i]) for every whole element; both in device memory. */
typedef struct ferryx_reduce {
  ferryx_copy operands; /* dst is read and written; size in bytes */
  uint32_t operation;   /* ferryx_operation */
  uint32_t element;     /* ferryx_element */
} ferryx_reduce;

typedef enum ferryx_operation { FERRYX_SUM = 0, FERRYX_MAX = 1, FERRYX_MIN = 2 } ferryx_operation;

typedef enum ferryx_element {
  FERRYX_FLOAT32 = 0,
  FERRYX_FLOAT16 = 1,
  FERRYX_BFLOAT16 = 2,
  FERRYX_INT8 = 3,
  FERRYX_INT16 = 4,
  FERRYX_INT32 = 5,
  FERRYX_UINT32 = 6
} ferryx_element;

/* A range of device memory that a kernel reads, or reads and writes. */
typedef struct ferryx_access {
  void* address;
  uint64_t size;
  uint32_t writes;   /* 1: it may write there */
  uint32_t reserved; /* 0 */
} ferryx_access;

/* A kernel: as FERRYX_FUNCTION, but it has a name, may declare the memory it uses, and can fail:
 * then the work fails with the code that `run` returns, or with 507015 when `run` ends its thread.
 * The fault is reported on the thread that has called `run`. */
typedef struct ferryx_kernel {
  int (*run)(void* argument, int run); /* as ferryx_device_function; returns an aclError */
  void* argument;
  const char* name;              /* lives until `run` was called */
  const ferryx_access* accesses; /* likewise; all there are when access_count is not 0 */
  uint64_t access_count;
} ferryx_kernel;

typedef union ferryx_payload {
  ferryx_copies copies;
  ferryx_columns columns;
  ferryx_rows rows;
  ferryx_described described;
  ferryx_indirect indirect;
  ferryx_fill fill;
  ferryx_callout_work callout;
  ferryx_function function;
  ferryx_marker_work marker;
  ferryx_flag_work flag;
  ferryx_value value;
  ferryx_reduce reduce;
  ferryx_kernel kernel;
  uint64_t room[24]; /* for kinds to come: the size of ferryx_work is fixed */
} ferryx_payload;

typedef struct ferryx_work {
  uint32_t
      struct_size; /* up to the end of the payload of this kind; what lies behind is undefined */
  uint32_t kind;   /* ferryx_work_kind; a backend answers 207000 to one it does not know */
  ferryx_origin origin;
  uint64_t epoch; /* ferryx_runtime.memory_epoch() when the storage addresses were resolved */
  ferryx_payload as;
} ferryx_work;

/* Begin and end of work that has executed, on the device's clock, as marker_time. */
typedef struct ferryx_span {
  uint64_t correlation; /* of the work's origin */
  uint64_t begin;       /* nanoseconds */
  uint64_t end;
} ferryx_span;

/* Called once per work, in no promised order, without locks of the backend; must return soon. */
typedef void (*ferryx_observer)(void* argument, const ferryx_span* span);

/* A run of a model: recorded work that executes again. A callout of the launching queue submits it
 * to queues of the model, its lanes, when the queue comes to it. */
typedef struct ferryx_run {
  uint32_t struct_size;
  uint32_t model;                  /* its number, as programs see it */
  uint64_t number;                 /* of the run; unique in the process, not 0 */
  const ferryx_work* const* works; /* that it executes in any case; read during the call only */
  size_t work_count;
  uint64_t flags; /* FERRYX_RUN_* */
} ferryx_run;

/* There is more to the run than lanes, all of whose works are submitted when it starts, and flags
 * between them: callouts, such as host functions and conditions, or external events. */
#define FERRYX_RUN_HAS_MORE 0x1u

/* ---- what the runtime offers ----------------------------------------------------------------- */

typedef struct ferryx_fault {
  const ferryx_work* work; /* valid during the call; handles in it are the backend's own */
  int code;                /* aclError */
  const char* text;        /* one line; valid during the call */
} ferryx_fault;

typedef enum ferryx_after_fault {
  FERRYX_CONTINUE = 0, /* execute the next work */
  FERRYX_STOP = 1      /* drop everything queued */
} ferryx_after_fault;

typedef struct ferryx_runtime {
  uint32_t struct_size;
  /* Records the text for the calling thread and returns `code`. */
  int (*fail)(int code, const char* text);
  /* The live range that holds `address`; 0 when there is none (pageable or freed). */
  int (*find_memory)(const void* address, ferryx_memory* found);
  /* Changes whenever a range is added or removed. */
  uint64_t (*memory_epoch)(void);
  /* Work of the queue created with this cookie has failed. Called without locks of the backend. */
  ferryx_after_fault (*work_failed)(void* cookie, const ferryx_fault* fault);
  /* Asked before work, or several small works taken together, start: FERRYX_STOP when the queue
   * created with this cookie is to drop its work because of a failure elsewhere. May be called with
   * locks of the backend held. */
  ferryx_after_fault (*before_work)(void* cookie);
  /* level: 1 error, 2 warn, 3 info, 4 debug */
  void (*log)(int level, const char* text);
  /* The size of the live range that holds `address` as the program has asked for it, without
   * padding; 0 when there is none. For texts; takes locks of the runtime. */
  uint64_t (*requested_size)(const void* address);
  /* Copies host memory of the program with the CPU: the storage addresses of each item, which may
   * overlap. Returns NULL, or an address that could not be accessed, at which the copying ended:
   * memory of the program may be unmapped, protected or behind the end of its file. A plain memcpy
   * would end the process. */
  const void* (*move_bytes)(const ferryx_copy* items, size_t count);
} ferryx_runtime;

/* ---- what a backend offers ------------------------------------------------------------------- */

typedef enum ferryx_schedule {
  FERRYX_EAGER = 0,
  FERRYX_LAZY = 1,
  FERRYX_SHUFFLE = 2
} ferryx_schedule;

/* How many devices an entry stands for when only open knows. */
#define FERRYX_ALL UINT32_MAX

typedef struct ferryx_settings {
  uint32_t struct_size;
  uint32_t entry_count;
  /* The entries of FERRY_DEVICES that name this backend: the text after the colon, NULL where there
   * is none. */
  const char* const* entries;
  /* Lines "key=value", one per variable FERRY_<NAME>_<KEY>, with the key in lower case. */
  const char* options;
  uint64_t memory;   /* capacity of one device; 0: the backend's choice */
  uint32_t threads;  /* 0: the backend's choice */
  uint32_t schedule; /* ferryx_schedule */
  uint64_t seed;
  uint32_t memory_is_shared; /* 1: `memory` is common to the processes of the user with the same
                              * value, by the index of the device; a backend that cannot do that
                              * takes it as the capacity of its own process */
} ferryx_settings;

typedef struct ferryx_queue_settings {
  uint32_t struct_size;
  uint32_t priority; /* 0 is the most urgent */
  void* cookie;      /* for ferryx_runtime.work_failed and before_work */
  int32_t stream;    /* id of the stream, as in ferryx_origin */
  uint64_t flags;    /* FERRYX_QUEUE_* */
} ferryx_queue_settings;

/* Schedule lazy does not delay the work: what it follows was waited for already. */
#define FERRYX_QUEUE_PROMPT 0x1u

/* One way in which a backend moves bytes, and how often it was taken. Texts live forever. */
typedef struct ferryx_copy_way {
  const char* name;
  const char* reason; /* why the latest work went this way; "" before the first */
  uint64_t tasks;
  uint64_t bytes;
  uint32_t multiprocessors; /* of the latest kernel; 0 where there is none */
} ferryx_copy_way;

/* What a backend is capable of. */
/* Batches inside one range per side may be submitted as FERRYX_COLUMNS. */
#define FERRYX_TAKES_COLUMNS 0x1u
/* The storage of device memory can be read and written by code of the host. */
#define FERRYX_STORAGE_IS_HOST_MEMORY 0x2u
/* Addresses of freed device memory are never given to anybody but this backend's own devices. */
#define FERRYX_OWNS_ADDRESSES 0x4u
/* A callout costs about as much as a small copy. Otherwise it stalls the queue: work before it has
 * to drain first. */
#define FERRYX_CHEAP_CALLOUTS 0x8u

struct ferryx_backend {
  uint32_t struct_size;
  uint16_t abi_major;
  uint16_t abi_minor;
  const char* name;
  uint64_t capabilities; /* FERRYX_TAKES_COLUMNS and so on */
#define FERRYX_SLOT(result, name, parameters, need, what) result(*name) parameters;
#include "ferry/backend_slots.def"
};

/* A plugin exports one function of this type under this name. */
typedef const ferryx_backend* (*ferryx_backend_entry)(void);
#define FERRYX_BACKEND_ENTRY "ferryx_backend_table"

#ifdef __cplusplus
}
#endif

#endif
