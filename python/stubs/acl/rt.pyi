# SPDX-License-Identifier: Apache-2.0
# acl.rt: types for checkers and editors. test_acl_surface.py compares them with the module.
from collections.abc import Callable
from typing import Any

def allocator_create_desc(*args: object) -> int:
    """Creates an empty description of an allocator; 0 on failure (aclrtAllocatorCreateDesc)."""

def allocator_destroy_desc(desc: int, /) -> int:
    """Destroys a description (aclrtAllocatorDestroyDesc)."""

def allocator_get_by_stream(stream: int, /) -> tuple[int, int, int, int, int, int, int]:
    """A stream's allocator: description, object, and the functions alloc, free, alloc advise,
    address of a block (aclrtAllocatorGetByStream)."""

def allocator_register(stream: int, desc: int, /) -> int:
    """Assigns an allocator to a stream (aclrtAllocatorRegister)."""

def allocator_set_alloc_advise_func_to_desc(desc: int, func: int, /) -> int:
    """Sets the C function that allocates at an address (aclrtAllocatorSetAllocAdviseFuncToDesc)."""

def allocator_set_alloc_func_to_desc(desc: int, func: int, /) -> int:
    """Sets the address of the C function that allocates (aclrtAllocatorSetAllocFuncToDesc)."""

def allocator_set_free_func_to_desc(desc: int, func: int, /) -> int:
    """Sets the address of the C function that frees (aclrtAllocatorSetFreeFuncToDesc)."""

def allocator_set_get_addr_from_block_func_to_desc(desc: int, func: int, /) -> int:
    """Sets the C function that returns a block's address (aclrtAllocatorSetGetAddrFromBlockFuncToDesc)."""

def allocator_set_obj_to_desc(desc: int, allocator: int, /) -> int:
    """Sets the address passed to an allocator's functions (aclrtAllocatorSetObjToDesc)."""

def allocator_unregister(stream: int, /) -> int:
    """Removes a stream's allocator (aclrtAllocatorUnregister)."""

def check_mem_type(addresses: list[int], mem_type: int, reserve: int = 0, /) -> tuple[int, int]:
    """1 if all addresses are of these types: 2 allocated, 16 reserved (aclrtCheckMemType)."""

def cmo_async(src: int, size: int, cmo_type: int, stream: int, /) -> int:
    """A cache operation in the order of a stream; 0 prefetches (aclrtCmoAsync)."""

def cmo_async_with_desc(desc: int, cmo_type: int, stream: int, reserve: int = 0, /) -> int:
    """A cache operation as the descriptor says (aclrtCmoAsyncWithDesc)."""

def cmo_get_desc_size(*args: object) -> tuple[int, int]:
    """Size of a descriptor in bytes (aclrtCmoGetDescSize)."""

def cmo_set_desc(desc: int, src: int, size: int, /) -> int:
    """Fills in a descriptor in device memory (aclrtCmoSetDesc)."""

def create_context(device_id: int, /) -> tuple[int, int]:
    """Creates a context, which becomes the thread's current one (aclrtCreateContext)."""

def create_event(*args: object) -> tuple[int, int]:
    """Creates an event (aclrtCreateEvent)."""

def create_event_ex_with_flag(flag: int, /) -> tuple[int, int]:
    """Creates an event that can be recorded repeatedly (aclrtCreateEventExWithFlag)."""

def create_event_with_flag(flag: int, /) -> tuple[int, int]:
    """Creates an event; flags: 1 sync, 2 progress, 8 time, or-ed (aclrtCreateEventWithFlag)."""

def create_notify(flag: int, /) -> tuple[int, int]:
    """Creates a notify; flag is 0 (aclrtCreateNotify)."""

def create_stream(*args: object) -> tuple[int, int]:
    """Creates a stream (aclrtCreateStream)."""

def create_stream_with_config(priority: int, flag: int, /) -> tuple[int, int]:
    """Creates a stream with priority and flags (aclrtCreateStreamWithConfig)."""

def ctx_get_current_default_stream(*args: object) -> tuple[int, int]:
    """Returns the default stream of the current context (aclrtCtxGetCurrentDefaultStream)."""

def destroy_context(context: int, /) -> int:
    """Destroys a context created by create_context (aclrtDestroyContext)."""

def destroy_event(event: int, /) -> int:
    """Destroys an event (aclrtDestroyEvent)."""

def destroy_notify(notify: int, /) -> int:
    """Destroys a notify (aclrtDestroyNotify)."""

def destroy_stream(stream: int, /) -> int:
    """Destroys a stream after its work is done (aclrtDestroyStream)."""

def destroy_stream_force(stream: int, /) -> int:
    """Destroys a stream with its work (aclrtDestroyStreamForce)."""

def device_can_access_peer(device_id: int, peer_device_id: int, /) -> tuple[int, int]:
    """1 if a device can access another one's memory (aclrtDeviceCanAccessPeer)."""

def device_disable_peer_access(peer_device_id: int, /) -> int:
    """Undoes device_enable_peer_access (aclrtDeviceDisablePeerAccess)."""

def device_enable_peer_access(peer_device_id: int, flags: int, /) -> int:
    """Lets the current device access another one's memory; flags is 0 (aclrtDeviceEnablePeerAccess)."""

def device_get_bare_tgid(*args: object) -> tuple[int, int]:
    """Id of this process outside its container (aclrtDeviceGetBareTgid)."""

def device_get_stream_priority_range(*args: object) -> tuple[int, int, int]:
    """Least and greatest priority of streams (aclrtDeviceGetStreamPriorityRange)."""

def device_get_uuid(device_id: int, /) -> tuple[dict[str, str], int]:
    """UUID of a device: {"bytes": 16 characters} (aclrtDeviceGetUuid)."""

def device_l2_cache_flush(reserve: int = 0, /) -> int:
    """Flushes the cache of the thread's device (aclrtDeviceL2CacheFlush)."""

def device_peer_access_status(device_id: int, peer_device_id: int, /) -> tuple[int, int]:
    """1 if access is enabled in this direction (aclrtDevicePeerAccessStatus)."""

def event_elapsed_time(start_event: int, end_event: int, /) -> tuple[float, int]:
    """Milliseconds between two events (aclrtEventElapsedTime)."""

def event_get_timestamp(event: int, /) -> tuple[int, int]:
    """When an event was recorded, in microseconds (aclrtEventGetTimestamp)."""

def free(ptr: int, /) -> int:
    """Frees device memory (aclrtFree)."""

def free_host(ptr: int, /) -> int:
    """Frees memory from malloc_host (aclrtFreeHost)."""

def free_physical(handle: int, /) -> int:
    """Gives one reference to physical memory back (aclrtFreePhysical)."""

def get_context(*args: object) -> tuple[int, int]:
    """Returns the thread's current context (aclrtGetCurrentContext)."""

def get_device(*args: object) -> tuple[int, int]:
    """Returns the thread's device (aclrtGetDevice)."""

def get_device_capability(device_id: int, feature: int, /) -> tuple[int, int]:
    """Whether a device has a feature (aclrtGetDeviceCapability)."""

def get_device_count(*args: object) -> tuple[int, int]:
    """Number of devices (aclrtGetDeviceCount)."""

def get_device_id_from_exception_info(info: int, /) -> int:
    """Its device (aclrtGetDeviceIdFromExceptionInfo)."""

def get_device_info(device_id: int, attr: int, /) -> tuple[int, int]:
    """An attribute of a device (aclrtGetDeviceInfo)."""

def get_device_sat_mode(*args: object) -> tuple[int, int]:
    """See set_device_sat_mode (aclrtGetDeviceSatMode)."""

def get_device_utilization_rate(device_id: int, /) -> tuple[dict[str, int], int]:
    """Utilisation of a device in percent; -1 if unknown (aclrtGetDeviceUtilizationRate)."""

def get_devices_topo(device_id: int, other_device_id: int, /) -> tuple[int, int]:
    """How two devices are connected, as bits (aclrtGetDevicesTopo)."""

def get_error_code_from_exception_info(info: int, /) -> int:
    """The code it failed with (aclrtGetErrorCodeFromExceptionInfo)."""

def get_event_avail_num(*args: object) -> tuple[int, int]:
    """How many more events can be created (aclrtGetEventAvailNum)."""

def get_event_id(event: int, /) -> tuple[int, int]:
    """Number of an event (aclrtGetEventId)."""

def get_last_error(level: int, /) -> int:
    """Returns and clears the thread's last error (aclrtGetLastError)."""

def get_logic_dev_id_by_user_dev_id(user_device_id: int, /) -> tuple[int, int]:
    """Number of a device before visible ones were selected (aclrtGetLogicDevIdByUserDevId)."""

def get_mem_info(attr: int, /) -> tuple[int, int, int]:
    """Free and total bytes; attr is a kind of memory, not a device (aclrtGetMemInfo)."""

def get_memcpy_desc_size(kind: int, /) -> tuple[int, int]:
    """Size of a descriptor in bytes; kind is 6 (aclrtGetMemcpyDescSize)."""

def get_notify_id(notify: int, /) -> tuple[int, int]:
    """Number of a notify (aclrtGetNotifyId)."""

def get_primary_ctx_state(device_id: int, /) -> tuple[int, int, int]:
    """Whether a device's default context is in use, and its flags (aclrtGetPrimaryCtxState)."""

def get_run_mode(*args: object) -> tuple[int, int]:
    """0 runs on the device, 1 on the host (aclrtGetRunMode)."""

def get_stream_attribute(stream: int, attr: int, /) -> tuple[dict[str, int], int]:
    """Reads an attribute, with the keys of set_stream_attribute (aclrtGetStreamAttribute)."""

def get_stream_available_num(*args: object) -> tuple[int, int]:
    """How many more streams can be created (aclrtGetStreamAvailableNum)."""

def get_stream_id_from_exception_info(info: int, /) -> int:
    """Number of its stream (aclrtGetStreamIdFromExceptionInfo)."""

def get_stream_overflow_switch(stream: int, /) -> tuple[int, int]:
    """See set_stream_overflow_switch (aclrtGetStreamOverflowSwitch)."""

def get_task_id_from_exception_info(info: int, /) -> int:
    """Number of the failed task, inside the callback (aclrtGetTaskIdFromExceptionInfo)."""

def get_thread_id_from_exception_info(info: int, /) -> int:
    """The thread it failed on (aclrtGetThreadIdFromExceptionInfo)."""

def get_user_dev_id_by_logic_dev_id(logic_device_id: int, /) -> tuple[int, int]:
    """Number the program uses for a device (aclrtGetUserDevIdByLogicDevId)."""

def host_get_device_pointer(ptr: int, flag: int = 0, /) -> tuple[int, int]:
    """The device's address of registered memory (aclrtHostGetDevicePointer)."""

def host_register(ptr: int, size: int, type: int, /) -> tuple[int, int]:
    """Pins host memory; returns its address for the device (aclrtHostRegister)."""

def host_register_v2(ptr: int, size: int, flag: int, /) -> int:
    """Pins host memory, with flags (aclrtHostRegisterV2)."""

def host_unregister(ptr: int, /) -> int:
    """Undoes a registration (aclrtHostUnregister)."""

def ipc_get_event_handle(event: int, /) -> tuple[bytes, int]:
    """64 bytes with which other processes open an event with flag 0x40 (aclrtIpcGetEventHandle)."""

def ipc_mem_close(key: str, /) -> int:
    """Undoes an import, or else the export of a key (aclrtIpcMemClose)."""

def ipc_mem_get_export_key(ptr: int, size: int, len: int, flags: int, /) -> tuple[str, int]:
    """A key with which other processes import device memory; len is 65, flags: 1 for every process
    (aclrtIpcMemGetExportKey)."""

def ipc_mem_import_by_key(key: str, flags: int, /) -> tuple[int, int]:
    """Imports device memory; flags: 1 enables peer access (aclrtIpcMemImportByKey)."""

def ipc_mem_import_pid_inter_server(key: str, server_pids: list[dict[str, Any]], /) -> int:
    """Adds processes of several servers, {"sdid": 0, "pid": [1, 2]}, on A3 products
    (aclrtIpcMemImportPidInterServer)."""

def ipc_mem_set_attr(key: str, type: int, attr: int, /) -> int:
    """Chooses the link to the memory of a key, on A3 products (aclrtIpcMemSetAttr)."""

def ipc_mem_set_import_pid(key: str, pids: list[int], /) -> int:
    """Adds processes that may import a key (aclrtIpcMemSetImportPid)."""

def ipc_open_event_handle(handle: bytes, /) -> tuple[int, int]:
    """Opens an event of another process (aclrtIpcOpenEventHandle)."""

def launch_callback(fn: Callable[[Any], object], user_data: Any, block_type: int, stream: int, /) -> int:
    """Queues fn(user_data) on a stream; block_type 1: later work waits (aclrtLaunchCallback)."""

def malloc(size: int, policy: int, /) -> tuple[int, int]:
    """Allocates device memory (aclrtMalloc)."""

def malloc_align32(size: int, policy: int, /) -> tuple[int, int]:
    """Allocates device memory, padded to 32 bytes only (aclrtMallocAlign32)."""

def malloc_cached(size: int, policy: int, /) -> tuple[int, int]:
    """Allocates device memory with a cache (aclrtMallocCached)."""

def malloc_for_task_scheduler(size: int, policy: int, cfg: dict[str, Any], /) -> tuple[int, int]:
    """Allocates memory for the task scheduler (aclrtMallocForTaskScheduler)."""

def malloc_host(size: int, /) -> tuple[int, int]:
    """Allocates pinned host memory (aclrtMallocHost)."""

def malloc_host_with_cfg(size: int, cfg: dict[str, Any], /) -> tuple[int, int]:
    """Allocates pinned host memory with attributes (aclrtMallocHostWithCfg)."""

def malloc_physical(size: int, prop: dict[str, Any], flags: int = 0, /) -> tuple[int, int]:
    """Takes memory without an address. prop is {"handleType": 0, "allocationType": 0, "memAttr": 4,
    "location": {"id": 0, "type": 1}, "reserve": 0} (aclrtMallocPhysical)."""

def malloc_with_cfg(size: int, policy: int, cfg: dict[str, Any], /) -> tuple[int, int]:
    """Allocates device memory with attributes, {} for none (aclrtMallocWithCfg)."""

def map_mem(address: int, size: int, offset: int, handle: int, flags: int = 0, /) -> int:
    """Maps physical memory to reserved addresses; offset is 0 (aclrtMapMem)."""

def mem_alloc_managed(size: int, flag: int, /) -> tuple[int, int]:
    """Allocates memory of the host and all devices; flag is 1 (aclrtMemAllocManaged)."""

def mem_export_to_shareable_handle(handle: int, handle_type: int, flags: int, /) -> tuple[int, int]:
    """A number with which other processes import physical memory; flags: 1 for every process
    (aclrtMemExportToShareableHandle)."""

def mem_export_to_shareable_handle_v2(handle: int, flags: int, share_type: int, /) -> tuple[int | bytes, int]:
    """mem_export_to_shareable_handle; share_type: 1 an int, 2 128 bytes
    (aclrtMemExportToShareableHandleV2)."""

def mem_flush(ptr: int, size: int, /) -> int:
    """Writes a cache back to memory (aclrtMemFlush)."""

def mem_get_access(address: int, location: dict[str, int], /) -> tuple[int, int]:
    """3 if {"id": 1, "type": 1} may access the mapping at an address, else 0 (aclrtMemGetAccess)."""

def mem_get_address_range(ptr: int, /) -> tuple[int, int, int]:
    """Start and size of the memory that holds an address (aclrtMemGetAddressRange)."""

def mem_get_allocation_granularity(prop: dict[str, Any], option: int, /) -> tuple[int, int]:
    """What sizes of physical memory are multiples of; option: 0 minimum, 1 recommended
    (aclrtMemGetAllocationGranularity)."""

def mem_get_allocation_properties_from_handle(handle: int, /) -> tuple[dict[str, Any], int]:
    """How physical memory was allocated, with the keys of malloc_physical
    (aclrtMemGetAllocationPropertiesFromHandle)."""

def mem_import_from_shareable_handle(shareable_handle: int, device_id: int, /) -> tuple[int, int]:
    """Imports physical memory of another process (aclrtMemImportFromShareableHandle)."""

def mem_import_from_shareable_handle_v2(
    shareable_handle: int | bytes, share_type: int, flags: int, /
) -> tuple[int, int]:
    """Imports on the thread's device; flags is 0 (aclrtMemImportFromShareableHandleV2)."""

def mem_invalidate(ptr: int, size: int, /) -> int:
    """Discards the contents of a cache (aclrtMemInvalidate)."""

def mem_managed_advise(ptr: int, size: int, advise: int, location: dict[str, int], /) -> int:
    """Gives advice about managed memory; location is {"type": 1, "id": 0} (aclrtMemManagedAdvise)."""

def mem_managed_get_attr(
    attribute: int, ptr: int, size: int, data_size: int = 4, /
) -> tuple[int | list[int], int]:
    """An attribute of managed memory: for 3 a list of data_size / 4 numbers, else an int
    (aclrtMemManagedGetAttr)."""

def mem_managed_get_attrs(
    attributes: list[int], ptr: int, size: int, data_sizes: list[int], /
) -> tuple[list[int | list[int]], int]:
    """Several attributes, each as from mem_managed_get_attr (aclrtMemManagedGetAttrs)."""

def mem_managed_prefetch_async(
    ptr: int, size: int, location: dict[str, int], flags: int, stream: int, /
) -> int:
    """Moves managed memory in the order of a stream (aclrtMemManagedPrefetchAsync)."""

def mem_managed_prefetch_batch_async(
    ptrs: list[int],
    sizes: list[int],
    locations: list[dict[str, int]],
    location_indexes: list[int],
    flags: int,
    stream: int,
    /,
) -> int:
    """Moves many ranges; location_indexes has the first range of each location
    (aclrtMemManagedPrefetchBatchAsync)."""

def mem_map_no_access(address: int, size: int, offset: int, handle: int, flags: int = 0, /) -> int:
    """map_mem; nothing can access the memory before mem_set_access (aclrtMemMapNoAccess)."""

def mem_map_selected_link(dst: int, size: int, src: int, link_idx: int, /) -> int:
    """Maps what is mapped at src to dst as well, on A3 products (aclrtMemMapSelectedLink)."""

def mem_map_set_link(handle: int, link: int, /) -> int:
    """Chooses the link to physical memory, on A3 products (aclrtMemMapSetLink)."""

def mem_p2p_map(ptr: int, size: int, dst_device_id: int, flags: int, /) -> int:
    """Prepares access from another device (aclrtMemP2PMap)."""

def mem_pool_create(props: dict[str, Any], /) -> tuple[int, int]:
    """Creates a memory pool. props is {"allocType": 0, "handleType": 0, "location": {"id": 0, "type": 1},
    "maxSize": 0} (aclrtMemPoolCreate)."""

def mem_pool_destroy(pool: int, /) -> int:
    """Destroys a memory pool (aclrtMemPoolDestroy)."""

def mem_pool_free_async(ptr: int, stream: int, /) -> int:
    """Frees memory in the order of a stream (aclrtMemPoolFreeAsync)."""

def mem_pool_get_attr(pool: int, attr: int, /) -> tuple[int, int]:
    """A setting or figure of a pool (aclrtMemPoolGetAttr)."""

def mem_pool_malloc_async(size: int, pool: int, stream: int, /) -> tuple[int, int]:
    """Allocates from a pool, for later work of a stream (aclrtMemPoolMallocAsync)."""

def mem_pool_set_attr(pool: int, attr: int, value: int, /) -> int:
    """Changes a setting of a pool (aclrtMemPoolSetAttr)."""

def mem_pool_trim_to(pool: int, min_bytes_to_keep: int, /) -> int:
    """Returns idle memory of a pool to the device (aclrtMemPoolTrimTo)."""

def mem_retain_allocation_handle(address: int, /) -> tuple[int, int]:
    """The handle of the memory mapped at an address, with one reference more
    (aclrtMemRetainAllocationHandle)."""

def mem_set_access(address: int, size: int, descs: list[dict[str, Any]], /) -> int:
    """Lets devices or the host access a mapping. A desc is {"flags": 3, "location": {"id": 1, "type": 1}}
    (aclrtMemSetAccess)."""

def mem_set_pid_to_shareable_handle(shareable_handle: int, pids: list[int], /) -> int:
    """Adds processes that may import it (aclrtMemSetPidToShareableHandle)."""

def mem_set_pid_to_shareable_handle_v2(
    shareable_handle: int | bytes, share_type: int, pids: list[int], /
) -> int:
    """mem_set_pid_to_shareable_handle for both types (aclrtMemSetPidToShareableHandleV2)."""

def memcpy(dst: int, dest_max: int, src: int, count: int, kind: int, /) -> int:
    """Copies count bytes and returns when they have arrived (aclrtMemcpy)."""

def memcpy2d(dst: int, dpitch: int, src: int, spitch: int, width: int, height: int, kind: int, /) -> int:
    """Copies rows (aclrtMemcpy2d)."""

def memcpy2d_async(
    dst: int,
    dpitch: int,
    src: int,
    spitch: int,
    width: int,
    height: int,
    kind: int,
    stream: int,
    /,
) -> int:
    """Copies rows in the order of a stream (aclrtMemcpy2dAsync)."""

def memcpy_async(dst: int, dest_max: int, src: int, count: int, kind: int, stream: int, /) -> int:
    """Copies count bytes in the order of a stream (aclrtMemcpyAsync)."""

def memcpy_async_with_condition(
    dst: int,
    dest_max: int,
    src: int,
    count: int,
    kind: int,
    stream: int,
    /,
) -> int:
    """Like memcpy_async; deprecated (aclrtMemcpyAsyncWithCondition)."""

def memcpy_async_with_desc(desc: int, kind: int, stream: int, /) -> int:
    """Copies as the descriptor says when the copy runs (aclrtMemcpyAsyncWithDesc)."""

def memcpy_batch(
    dsts: list[int],
    dest_maxs: list[int],
    srcs: list[int],
    sizes: list[int],
    attrs: list[dict[str, Any]],
    attrs_indexes: list[int],
    /,
) -> tuple[int, int]:
    """Copies many items; returns the index of the faulty one, or 2**64 - 1, and the code.
    An attribute is {"dstLoc": {"id": 0, "type": 1}, "srcLoc": {"id": 0, "type": 0}} (aclrtMemcpyBatch)."""

def memcpy_batch_async(
    dsts: list[int],
    dest_maxs: list[int],
    srcs: list[int],
    sizes: list[int],
    attrs: list[dict[str, Any]],
    attrs_indexes: list[int],
    stream: int,
    /,
) -> tuple[int, int]:
    """memcpy_batch in the order of a stream (aclrtMemcpyBatchAsync)."""

def memset(ptr: int, max_count: int, value: int, count: int, /) -> int:
    """Sets count bytes to a value (aclrtMemset)."""

def memset_async(ptr: int, max_count: int, value: int, count: int, stream: int, /) -> int:
    """Sets count bytes to a value in the order of a stream (aclrtMemsetAsync)."""

def notify_batch_reset(notifies: list[int], /) -> int:
    """Resets several notifies at once (aclrtNotifyBatchReset)."""

def notify_get_export_key(notify: int, len: int, flags: int, /) -> tuple[str, int]:
    """A key with which other processes import a notify; len is 65, flags: 2 for every process
    (aclrtNotifyGetExportKey)."""

def notify_import_by_key(key: str, flags: int, /) -> tuple[int, int]:
    """Imports a notify, to record it; flags: 2 enables peer access (aclrtNotifyImportByKey)."""

def notify_set_import_pid(notify: int, pids: list[int], /) -> int:
    """Adds processes that may import a notify (aclrtNotifySetImportPid)."""

def notify_set_import_pid_inter_server(notify: int, server_pids: list[dict[str, Any]], /) -> int:
    """Adds processes of several servers, {"sdid": 0, "pid": [1]}, on A3 products
    (aclrtNotifySetImportPidInterServer)."""

def peek_at_last_error(level: int, /) -> int:
    """The thread's last error; level is 0 (aclrtPeekAtLastError)."""

def pointer_get_attributes(ptr: int, /) -> tuple[dict[str, Any], int]:
    """Location of an address (aclrtPointerGetAttributes)."""

def process_report(timeout_ms: int, /) -> int:
    """Waits for a callback and runs it; -1: no limit (aclrtProcessReport)."""

def query_device_status(device_id: int, /) -> tuple[int, int]:
    """State of a device (aclrtQueryDeviceStatus)."""

def query_event(event: int, /) -> tuple[int, int]:
    """0 complete, 1 not ready; deprecated (aclrtQueryEvent)."""

def query_event_status(event: int, /) -> tuple[int, int]:
    """0 not ready, 1 complete (aclrtQueryEventStatus)."""

def query_event_wait_status(event: int, /) -> tuple[int, int]:
    """State of waits for an event: 0 complete, 1 not ready (aclrtQueryEventWaitStatus)."""

def record_event(event: int, stream: int, /) -> int:
    """Records an event on a stream; the event comes first (aclrtRecordEvent)."""

def record_notify(notify: int, stream: int, /) -> int:
    """Sets a notify in the order of a stream (aclrtRecordNotify)."""

def release_mem_address(address: int, /) -> int:
    """Releases reserved addresses (aclrtReleaseMemAddress)."""

def reserve_mem_address(size: int, alignment: int, expect: int, flags: int, /) -> tuple[int, int]:
    """Reserves addresses without memory; alignment is 0, expect 0 for anywhere (aclrtReserveMemAddress)."""

def reserve_mem_address_no_uc_memory(
    size: int, alignment: int, expect: int, flags: int, /
) -> tuple[int, int]:
    """Reserves addresses at a multiple of 1 GiB, on A3 products (aclrtReserveMemAddressNoUCMemory)."""

def reset_device(device_id: int, /) -> int:
    """Undoes one set_device (aclrtResetDevice)."""

def reset_device_force(device_id: int, /) -> int:
    """Undoes every set_device (aclrtResetDeviceForce)."""

def reset_event(event: int, stream: int, /) -> int:
    """Resets an event in the order of a stream (aclrtResetEvent)."""

def set_context(context: int, /) -> int:
    """Sets the thread's current context (aclrtSetCurrentContext)."""

def set_device(device_id: int, /) -> int:
    """Sets the thread's device and its default context (aclrtSetDevice)."""

def set_device_sat_mode(mode: int, /) -> int:
    """Sets what happens on float overflow (aclrtSetDeviceSatMode)."""

def set_exception_info_callback(fn: Callable[[int], object] | None = None, /) -> int:
    """Sets the function called for failed tasks (aclrtSetExceptionInfoCallback)."""

def set_memcpy_desc(
    desc: int,
    kind: int,
    src: int,
    dst: int,
    count: int,
    config: int = 0,
    /,
) -> tuple[int, int]:
    """Fills in a descriptor in device memory; src comes before dst (aclrtSetMemcpyDesc)."""

def set_op_execute_time_out(seconds: int, /) -> int:
    """Limits how long an operator may run (aclrtSetOpExecuteTimeOut)."""

def set_op_wait_timeout(seconds: int, /) -> int:
    """Limits later stream_wait_event calls (aclrtSetOpWaitTimeout)."""

def set_stream_attribute(stream: int, attr: int, value: dict[str, int], /) -> int:
    """Sets an attribute, such as {"failureMode": 1} (aclrtSetStreamAttribute)."""

def set_stream_failure_mode(stream: int, mode: int, /) -> int:
    """After a failure: 0 continues, 1 stops (aclrtSetStreamFailureMode)."""

def set_stream_overflow_switch(stream: int, flag: int, /) -> int:
    """Checks floats for overflow (aclrtSetStreamOverflowSwitch)."""

def set_ts_device(ts_id: int, /) -> int:
    """Chooses the task scheduler (aclrtSetTsDevice)."""

def stream_abort(stream: int, /) -> int:
    """Drops the work of a stream (aclrtStreamAbort)."""

def stream_get_id(stream: int, /) -> tuple[int, int]:
    """Number of a stream (aclrtStreamGetId)."""

def stream_query(stream: int, /) -> tuple[int, int]:
    """0 complete, 1 not ready (aclrtStreamQuery)."""

def stream_wait_event(stream: int, event: int, /) -> int:
    """Lets a stream wait for an event; the stream comes first (aclrtStreamWaitEvent)."""

def subscribe_report(thread_id: int, stream: int, /) -> int:
    """Sets the thread that runs a stream's callbacks (aclrtSubscribeReport)."""

def synchronize_device(*args: object) -> int:
    """Waits for all work of the device (aclrtSynchronizeDevice)."""

def synchronize_device_with_timeout(timeout_ms: int, /) -> int:
    """Waits for all work of the device; -1: no limit (aclrtSynchronizeDeviceWithTimeout)."""

def synchronize_event(event: int, /) -> int:
    """Waits for an event (aclrtSynchronizeEvent)."""

def synchronize_event_with_timeout(event: int, timeout_ms: int, /) -> int:
    """Waits for an event; -1: no limit (aclrtSynchronizeEventWithTimeout)."""

def synchronize_stream(stream: int, /) -> int:
    """Waits for the work of a stream (aclrtSynchronizeStream)."""

def synchronize_stream_with_timeout(stream: int, timeout_ms: int, /) -> int:
    """Waits for the work of a stream; -1: no limit (aclrtSynchronizeStreamWithTimeout)."""

def unmap_mem(address: int, /) -> int:
    """Undoes the mapping that starts at an address (aclrtUnmapMem)."""

def unsubscribe_report(thread_id: int, stream: int, /) -> int:
    """Undoes subscribe_report (aclrtUnSubscribeReport)."""

def wait_and_reset_notify(notify: int, stream: int, timeout_s: int, /) -> int:
    """Lets a stream wait for a notify; 0: no limit (aclrtWaitAndResetNotify)."""
