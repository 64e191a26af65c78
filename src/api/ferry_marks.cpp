// SPDX-License-Identifier: Apache-2.0
// The functions of ferry/ferry.h for marks and ranges, and the limit of snapshots.
#include "api/arguments.h"
#include "api/exported.h"
#include "base/status.h"
#include "core/profile/annotations.h"
#include "core/profile/program_ranges.h"
#include "core/profile/snapshot.h"
#include "core/profile/stream_mark.h"

#include "ferry/ferry.h"

#include <cstring>

namespace ferry::api {
namespace {

static_assert(static_cast<uint32_t>(AnnotationKind::kTracePoint) == FERRY_TRACE_POINT);
static_assert(Annotation::kNameSize == FERRY_MARK_NAME_SIZE);
static_assert(Annotation::kDomainSize == FERRY_MARK_DOMAIN_SIZE);
static_assert(kNoTask == FERRY_NO_TASK);

const char* or_empty(const char* domain) {
  return domain == nullptr ? "" : domain;
}

// Empty for NULL: no stream is to get a task.
Result<Ref<Stream>> stream_to_mark(aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_if_given(stream));
  if (*found) FERRY_RETURN_IF_ERROR(require_current_context(**found));
  return found;
}

Status mark(const char* domain, const char* text, aclrtStream stream) {
  if (text == nullptr) return fail_null("text");
  FERRY_TRY(Ref<Stream>, found, stream_to_mark(stream));
  if (*found) FERRY_RETURN_IF_ERROR((*found)->check_open_for_work());
  record_mark(or_empty(domain), text);
  if (!*found) return {};
  Annotation queued;
  queued.set_domain(or_empty(domain));
  queued.set_name(text);
  return submit_mark(**found, queued);
}

Status copy_mark(uint64_t index, ferryRecordedMark* mark) {
  if (mark == nullptr) return fail_null("mark");
  if (mark->structSize < sizeof *mark) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "structSize", mark->structSize)
        .allowed("%zu or more", sizeof *mark);
  }
  Annotation found;
  if (!get_annotation(index, found)) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "index", index)
        .expected()
        .because(", but the list has no such mark");
  }
  *mark = {.structSize = mark->structSize,
           .kind = static_cast<uint32_t>(found.kind),
           .time = found.time,
           .id = found.id,
           .model = found.model,
           .tag = found.tag,
           .thread = found.thread,
           .stream = found.stream,
           .task = found.task,
           .name = {},
           .domain = {}};
  std::memcpy(mark->name, found.name, sizeof mark->name);
  std::memcpy(mark->domain, found.domain, sizeof mark->domain);
  return {};
}

}  // namespace
}  // namespace ferry::api

using namespace ferry;       // NOLINT(google-build-using-namespace): C functions have no namespace
using namespace ferry::api;  // NOLINT(google-build-using-namespace)

aclError ferryRecordMarks(int on) {
  return exported("ferryRecordMarks", [&] {
    set_interest(InterestOf::kProgram, on != 0 ? kInMarks | kInSteps : 0U);
    return Status();
  });
}

uint64_t ferryMarkCount(void) {
  return annotation_count();
}

aclError ferryGetMark(uint64_t index, ferryRecordedMark* mark) {
  return exported("ferryGetMark", [&] { return copy_mark(index, mark); });
}

aclError ferryMark(const char* domain, const char* text, aclrtStream stream) {
  return exported("ferryMark", [&] { return ferry::api::mark(domain, text, stream); });
}

aclError ferryRangeStart(const char* domain, const char* text, aclrtStream stream, uint64_t* id) {
  return exported("ferryRangeStart", [&]() -> Status {
    if (text == nullptr) return fail_null("text");
    if (id == nullptr) return fail_null("id");
    FERRY_TRY(Ref<Stream>, found, stream_to_mark(stream));
    FERRY_TRY(uint32_t, started, start_range(or_empty(domain), text, *found));
    *id = *started;
    return {};
  });
}

aclError ferryRangeEnd(const char* domain, uint64_t id) {
  return exported("ferryRangeEnd", [&] { return end_range(or_empty(domain), id); });
}

void ferrySetSnapshotLimit(uint32_t milliseconds) {
  set_snapshot_limit(milliseconds);
}
