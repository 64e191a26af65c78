// SPDX-License-Identifier: Apache-2.0
// libacl_tdt_queue.so: buffers, attributes of queues, routes.
#include "companions/array.h"
#include "companions/declarations.h"
#include "companions/object.h"

using namespace ferry::companions;  // NOLINT(google-build-using-namespace): C functions have none

namespace {

constexpr size_t kLongestName = 127;
constexpr uint32_t kDepth = 8;

struct QueueAttribute : Object {
  static constexpr Kind kKind = Kind::kQueueAttribute;
  static constexpr const char* kName = "set of attributes of a queue";
  void clear() {}

  char name[kLongestName + 1];
  uint32_t depth;
};

struct RouteValues {
  uint32_t source;
  uint32_t destination;
  int32_t status;
};

struct Route : Object {
  static constexpr Kind kKind = Kind::kRoute;
  static constexpr const char* kName = "route";
  void clear() {}

  RouteValues values;
};

struct RouteList : Object {
  static constexpr Kind kKind = Kind::kRouteList;
  static constexpr const char* kName = "list of routes";
  void clear() { routes.clear(); }

  Array<RouteValues> routes;
};

struct RouteQuery : Object {
  static constexpr Kind kKind = Kind::kRouteQuery;
  static constexpr const char* kName = "query of routes";
  void clear() {}

  uint32_t values[3];  // by acltdtQueueRouteQueryInfoParamType
  bool is_set[3];
};

aclError fail_type(const char* function, int type, const char* allowed) {
  return fail(function, ACL_ERROR_INVALID_PARAM, "type is %d, allowed is %s", type, allowed);
}

// Stores `value` for the program if it has given room for it.
aclError store(const char* function, const void* value, size_t size, size_t len,
               size_t* paramRetSize, void* param) {
  if (len < size) {
    return fail(function, ACL_ERROR_INVALID_PARAM, "len is %zu, allowed is %zu or more", len, size);
  }
  std::memcpy(param, value, size);
  *paramRetSize = size;
  return ACL_SUCCESS;
}

aclError fail_length(const char* function, size_t len, size_t most) {
  return fail(function, ACL_ERROR_INVALID_PARAM, "len is %zu, allowed is up to %zu", len, most);
}

aclError set_name(const char* function, QueueAttribute& attribute, size_t len, const void* param) {
  if (len > sizeof(char*)) return fail_length(function, len, sizeof(char*));
  const char* name = nullptr;
  std::memcpy(&name, param, sizeof name);
  if (name == nullptr) return fail_null(function, "the name at param");
  const size_t length = strnlen(name, kLongestName + 1);
  if (length > kLongestName) {
    return fail(function, ACL_ERROR_INVALID_PARAM,
                "the name at param is too long, allowed are %zu characters", kLongestName);
  }
  std::memcpy(attribute.name, name, length + 1);
  return ACL_SUCCESS;
}

}  // namespace

aclError acltdtAllocBuf(size_t size, uint32_t type, acltdtBuf* buf) {
  if (type > ACL_TDT_DVPP_MEM) {
    return fail(__func__, ACL_ERROR_INVALID_PARAM, "type is %u, allowed is 0 or 1", type);
  }
  return aclrtAllocBuf(buf, size);
}

acltdtQueueAttr* acltdtCreateQueueAttr() {
  auto* const attribute = create<QueueAttribute>(__func__);
  if (attribute != nullptr) attribute->depth = kDepth;
  return static_cast<acltdtQueueAttr*>(static_cast<void*>(attribute));
}

aclError acltdtDestroyQueueAttr(const acltdtQueueAttr* attr) {
  return destroy<QueueAttribute>(__func__, "attr", attr);
}

aclError acltdtSetQueueAttr(acltdtQueueAttr* attr, acltdtQueueAttrType type, size_t len,
                            const void* param) {
  auto* const found = find<QueueAttribute>(__func__, "attr", attr);
  if (found == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (param == nullptr) return fail_null(__func__, "param");
  switch (type) {
    case ACL_TDT_QUEUE_NAME_PTR:
      return set_name(__func__, *found, len, param);
    case ACL_TDT_QUEUE_DEPTH_UINT32:
      if (len > sizeof found->depth) return fail_length(__func__, len, sizeof found->depth);
      std::memcpy(&found->depth, param, len);
      return ACL_SUCCESS;
  }
  return fail_type(__func__, type, "0 or 1");
}

aclError acltdtGetQueueAttr(const acltdtQueueAttr* attr, acltdtQueueAttrType type, size_t len,
                            size_t* paramRetSize, void* param) {
  const QueueAttribute* const found = find<QueueAttribute>(__func__, "attr", attr);
  if (found == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (paramRetSize == nullptr) return fail_null(__func__, "paramRetSize");
  if (param == nullptr) return fail_null(__func__, "param");
  const char* const name = found->name;
  switch (type) {
    case ACL_TDT_QUEUE_NAME_PTR:
      return store(__func__, &name, sizeof name, len, paramRetSize, param);
    case ACL_TDT_QUEUE_DEPTH_UINT32:
      return store(__func__, &found->depth, sizeof found->depth, len, paramRetSize, param);
  }
  return fail_type(__func__, type, "0 or 1");
}

acltdtQueueRoute* acltdtCreateQueueRoute(uint32_t srcId, uint32_t dstId) {
  auto* const route = create<Route>(__func__);
  if (route != nullptr) route->values = {srcId, dstId, ACL_TDT_QUEUE_ROUTE_UNBIND};
  return static_cast<acltdtQueueRoute*>(static_cast<void*>(route));
}

aclError acltdtDestroyQueueRoute(const acltdtQueueRoute* route) {
  return destroy<Route>(__func__, "route", route);
}

aclError acltdtGetQueueRouteParam(const acltdtQueueRoute* route, acltdtQueueRouteParamType type,
                                  size_t len, size_t* paramRetSize, void* param) {
  const Route* const found = find<Route>(__func__, "route", route);
  if (found == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (paramRetSize == nullptr) return fail_null(__func__, "paramRetSize");
  if (param == nullptr) return fail_null(__func__, "param");
  const RouteValues& values = found->values;
  switch (type) {
    case ACL_TDT_QUEUE_ROUTE_SRC_UINT32:
      return store(__func__, &values.source, sizeof values.source, len, paramRetSize, param);
    case ACL_TDT_QUEUE_ROUTE_DST_UINT32:
      return store(__func__, &values.destination, sizeof values.destination, len, paramRetSize,
                   param);
    case ACL_TDT_QUEUE_ROUTE_STATUS_INT32:
      return store(__func__, &values.status, sizeof values.status, len, paramRetSize, param);
  }
  return fail_type(__func__, type, "0 to 2");
}

acltdtQueueRouteList* acltdtCreateQueueRouteList() {
  return static_cast<acltdtQueueRouteList*>(static_cast<void*>(create<RouteList>(__func__)));
}

aclError acltdtDestroyQueueRouteList(const acltdtQueueRouteList* routeList) {
  return destroy<RouteList>(__func__, "routeList", routeList);
}

aclError acltdtAddQueueRoute(acltdtQueueRouteList* routeList, const acltdtQueueRoute* route) {
  auto* const list = find<RouteList>(__func__, "routeList", routeList);
  if (list == nullptr) return ACL_ERROR_INVALID_PARAM;
  const Route* const found = find<Route>(__func__, "route", route);
  if (found == nullptr) return ACL_ERROR_INVALID_PARAM;
  return list->routes.push(found->values) ? ACL_SUCCESS : fail_memory(__func__);
}

aclError acltdtGetQueueRoute(const acltdtQueueRouteList* routeList, size_t index,
                             acltdtQueueRoute* route) {
  const RouteList* const list = find<RouteList>(__func__, "routeList", routeList);
  if (list == nullptr) return ACL_ERROR_INVALID_PARAM;
  auto* const found = find<Route>(__func__, "route", route);
  if (found == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (index >= list->routes.size()) {
    return fail(__func__, ACL_ERROR_INVALID_PARAM, "index is %zu, but the list has %zu routes",
                index, list->routes.size());
  }
  found->values = list->routes[index];
  return ACL_SUCCESS;
}

size_t acltdtGetQueueRouteNum(const acltdtQueueRouteList* routeList) {
  const RouteList* const list = find<RouteList>(__func__, "routeList", routeList);
  return list == nullptr ? 0 : list->routes.size();
}

acltdtQueueRouteQueryInfo* acltdtCreateQueueRouteQueryInfo() {
  return static_cast<acltdtQueueRouteQueryInfo*>(static_cast<void*>(create<RouteQuery>(__func__)));
}

aclError acltdtDestroyQueueRouteQueryInfo(const acltdtQueueRouteQueryInfo* info) {
  return destroy<RouteQuery>(__func__, "info", info);
}

aclError acltdtSetQueueRouteQueryInfo(acltdtQueueRouteQueryInfo* param,
                                      acltdtQueueRouteQueryInfoParamType type, size_t len,
                                      const void* value) {
  auto* const query = find<RouteQuery>(__func__, "param", param);
  if (query == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (value == nullptr) return fail_null(__func__, "value");
  if (type < ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM ||
      type > ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32) {
    return fail_type(__func__, type, "0 to 2");
  }
  if (len > sizeof *query->values) return fail_length(__func__, len, sizeof *query->values);
  std::memcpy(&query->values[type], value, len);
  query->is_set[type] = true;
  return ACL_SUCCESS;
}
