// SPDX-License-Identifier: Apache-2.0
// Buffers, attributes and routes of queues between processes and graphs. Buffers are those of
// aclrtAllocBuf, attributes and routes plain containers; there are no queues. The functions are in
// libacl_tdt_queue.so. A container that was destroyed, or an address that is none, is refused like
// NULL.
#ifndef INC_EXTERNAL_ACL_ACL_TDT_QUEUE_H_
#define INC_EXTERNAL_ACL_ACL_TDT_QUEUE_H_

#include "acl_base.h"

#define ACL_TDT_QUEUE_PERMISSION_MANAGE 1
#define ACL_TDT_QUEUE_PERMISSION_DEQUEUE 2
#define ACL_TDT_QUEUE_PERMISSION_ENQUEUE 4

#define ACL_TDT_QUEUE_ROUTE_UNBIND 0
#define ACL_TDT_QUEUE_ROUTE_BIND 1
#define ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL 2

#ifdef __cplusplus
extern "C" {
#endif

/// A buffer, as aclrtAllocBuf makes it.
typedef void* acltdtBuf;
typedef struct tagMemQueueAttr acltdtQueueAttr;
typedef struct acltdtQueueRouteList acltdtQueueRouteList;
typedef struct acltdtQueueRouteQueryInfo acltdtQueueRouteQueryInfo;
typedef struct acltdtQueueRoute acltdtQueueRoute;

typedef enum acltdtQueueAttrType {
  ACL_TDT_QUEUE_NAME_PTR = 0,
  ACL_TDT_QUEUE_DEPTH_UINT32 = 1
} acltdtQueueAttrType;

typedef enum acltdtQueueRouteParamType {
  ACL_TDT_QUEUE_ROUTE_SRC_UINT32 = 0,
  ACL_TDT_QUEUE_ROUTE_DST_UINT32 = 1,
  ACL_TDT_QUEUE_ROUTE_STATUS_INT32 = 2
} acltdtQueueRouteParamType;

typedef enum acltdtQueueRouteQueryMode {
  ACL_TDT_QUEUE_ROUTE_QUERY_SRC = 0,
  ACL_TDT_QUEUE_ROUTE_QUERY_DST = 1,
  ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST = 2,
  ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL = 100
} acltdtQueueRouteQueryMode;

typedef enum acltdtQueueRouteQueryInfoParamType {
  ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM = 0,
  ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32 = 1,
  ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32 = 2
} acltdtQueueRouteQueryInfoParamType;

typedef enum acltdtAllocBufType { ACL_TDT_NORMAL_MEM = 0, ACL_TDT_DVPP_MEM = 1 } acltdtAllocBufType;

/// Creates a queue. Not supported.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError acltdtCreateQueue(const acltdtQueueAttr* attr, uint32_t* qid);

/// Destroys a queue. Not supported.
/// Returns 500004.
ACL_FUNC_VISIBILITY aclError acltdtDestroyQueue(uint32_t qid);

/// Puts a buffer into a queue. Not supported.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError acltdtEnqueue(uint32_t qid, acltdtBuf buf, int32_t timeout);

/// Takes a buffer out of a queue. Not supported.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError acltdtDequeue(uint32_t qid, acltdtBuf* buf, int32_t timeout);

/// Puts a copy of bytes into a queue. Not supported.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError acltdtEnqueueData(uint32_t qid, const void* data, size_t dataSize,
                                               const void* userData, size_t userDataSize,
                                               int32_t timeout, uint32_t rsv);

/// Copies bytes out of a queue. Not supported.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError acltdtDequeueData(uint32_t qid, void* data, size_t dataSize,
                                               size_t* retDataSize, void* userData,
                                               size_t userDataSize, int32_t timeout);

/// Lets another process use a queue. Not supported.
/// Returns 500004.
ACL_FUNC_VISIBILITY aclError acltdtGrantQueue(uint32_t qid, int32_t pid, uint32_t permission,
                                              int32_t timeout);

/// Waits until this process may use a queue. Not supported.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError acltdtAttachQueue(uint32_t qid, int32_t timeout, uint32_t* permission);

/// Connects queues. Not supported.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError acltdtBindQueueRoutes(acltdtQueueRouteList* qRouteList);

/// Disconnects queues. Not supported.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError acltdtUnbindQueueRoutes(acltdtQueueRouteList* qRouteList);

/// Lists connections of queues. Not supported.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError acltdtQueryQueueRoutes(const acltdtQueueRouteQueryInfo* queryInfo,
                                                    acltdtQueueRouteList* qRouteList);

/// Allocates a buffer, as aclrtAllocBuf. Both types of memory are the same here.
/// Returns ACL_ERROR_INVALID_PARAM for another type than those, else as aclrtAllocBuf.
ACL_FUNC_VISIBILITY aclError acltdtAllocBuf(size_t size, uint32_t type, acltdtBuf* buf);

/// aclrtFreeBuf by another name.
/// Returns as aclrtFreeBuf.
ACL_FUNC_VISIBILITY aclError acltdtFreeBuf(acltdtBuf buf);

/// aclrtGetBufData by another name.
/// Returns as aclrtGetBufData.
ACL_FUNC_VISIBILITY aclError acltdtGetBufData(const acltdtBuf buf, void** dataPtr, size_t* size);

/// aclrtSetBufDataLen by another name.
/// Returns as aclrtSetBufDataLen.
ACL_FUNC_VISIBILITY aclError acltdtSetBufDataLen(acltdtBuf buf, size_t len);

/// aclrtGetBufDataLen by another name.
/// Returns as aclrtGetBufDataLen.
ACL_FUNC_VISIBILITY aclError acltdtGetBufDataLen(acltdtBuf buf, size_t* len);

/// aclrtAppendBufChain by another name.
/// Returns as aclrtAppendBufChain.
ACL_FUNC_VISIBILITY aclError acltdtAppendBufChain(acltdtBuf headBuf, acltdtBuf buf);

/// aclrtGetBufChainNum by another name.
/// Returns as aclrtGetBufChainNum.
ACL_FUNC_VISIBILITY aclError acltdtGetBufChainNum(acltdtBuf headBuf, uint32_t* num);

/// aclrtGetBufFromChain by another name.
/// Returns as aclrtGetBufFromChain.
ACL_FUNC_VISIBILITY aclError acltdtGetBufFromChain(acltdtBuf headBuf, uint32_t index,
                                                   acltdtBuf* buf);

/// aclrtGetBufUserData by another name.
/// Returns as aclrtGetBufUserData.
ACL_FUNC_VISIBILITY aclError acltdtGetBufUserData(const acltdtBuf buf, void* dataPtr, size_t size,
                                                  size_t offset);

/// aclrtSetBufUserData by another name.
/// Returns as aclrtSetBufUserData.
ACL_FUNC_VISIBILITY aclError acltdtSetBufUserData(acltdtBuf buf, const void* dataPtr, size_t size,
                                                  size_t offset);

/// aclrtCopyBufRef by another name.
/// Returns as aclrtCopyBufRef.
ACL_FUNC_VISIBILITY aclError acltdtCopyBufRef(const acltdtBuf buf, acltdtBuf* newBuf);

/// Creates attributes: no name, depth 8.
ACL_FUNC_VISIBILITY acltdtQueueAttr* acltdtCreateQueueAttr(void);

/// Destroys attributes.
/// Returns ACL_ERROR_INVALID_PARAM for NULL.
ACL_FUNC_VISIBILITY aclError acltdtDestroyQueueAttr(const acltdtQueueAttr* attr);

/// Sets an attribute.
/// [in] len, param  NAME: up to 8, and the address of a char* to at most 127 characters. DEPTH: up
/// to
///      4, and the address of a uint32_t.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, another type, or a wrong length.
ACL_FUNC_VISIBILITY aclError acltdtSetQueueAttr(acltdtQueueAttr* attr, acltdtQueueAttrType type,
                                                size_t len, const void* param);

/// Gets an attribute.
/// [out] param  NAME: a pointer to the name, valid until it is set again. DEPTH: a uint32_t.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, another type, or too little room.
ACL_FUNC_VISIBILITY aclError acltdtGetQueueAttr(const acltdtQueueAttr* attr,
                                                acltdtQueueAttrType type, size_t len,
                                                size_t* paramRetSize, void* param);

/// Creates a route between two queues. Its status is ACL_TDT_QUEUE_ROUTE_UNBIND.
ACL_FUNC_VISIBILITY acltdtQueueRoute* acltdtCreateQueueRoute(uint32_t srcId, uint32_t dstId);

/// Destroys a route.
/// Returns ACL_ERROR_INVALID_PARAM for NULL.
ACL_FUNC_VISIBILITY aclError acltdtDestroyQueueRoute(const acltdtQueueRoute* route);

/// Gets a parameter of a route: 4 bytes.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, another type, or less room than 4 bytes.
ACL_FUNC_VISIBILITY aclError acltdtGetQueueRouteParam(const acltdtQueueRoute* route,
                                                      acltdtQueueRouteParamType type, size_t len,
                                                      size_t* paramRetSize, void* param);

/// Creates an empty list of routes.
ACL_FUNC_VISIBILITY acltdtQueueRouteList* acltdtCreateQueueRouteList(void);

/// Destroys a list of routes.
/// Returns ACL_ERROR_INVALID_PARAM for NULL.
ACL_FUNC_VISIBILITY aclError acltdtDestroyQueueRouteList(const acltdtQueueRouteList* routeList);

/// Appends a copy of a route.
/// Returns ACL_ERROR_INVALID_PARAM for NULL.
ACL_FUNC_VISIBILITY aclError acltdtAddQueueRoute(acltdtQueueRouteList* routeList,
                                                 const acltdtQueueRoute* route);

/// Copies one route of a list to another one.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, or if the list has no such route.
ACL_FUNC_VISIBILITY aclError acltdtGetQueueRoute(const acltdtQueueRouteList* routeList,
                                                 size_t index, acltdtQueueRoute* route);

/// The number of routes; 0 for NULL.
ACL_FUNC_VISIBILITY size_t acltdtGetQueueRouteNum(const acltdtQueueRouteList* routeList);

/// Creates a query in which nothing is set.
ACL_FUNC_VISIBILITY acltdtQueueRouteQueryInfo* acltdtCreateQueueRouteQueryInfo(void);

/// Destroys a query.
/// Returns ACL_ERROR_INVALID_PARAM for NULL.
ACL_FUNC_VISIBILITY aclError
acltdtDestroyQueueRouteQueryInfo(const acltdtQueueRouteQueryInfo* info);

/// Sets a parameter of a query: up to 4 bytes.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, another type, or more than 4 bytes.
ACL_FUNC_VISIBILITY aclError acltdtSetQueueRouteQueryInfo(acltdtQueueRouteQueryInfo* param,
                                                          acltdtQueueRouteQueryInfoParamType type,
                                                          size_t len, const void* value);

#ifdef __cplusplus
}
#endif

#endif
