// SPDX-License-Identifier: Apache-2.0
// The report travels between processes as a file in memory, under a name that all of them know.
#include "layers/fabric/report.h"

#include "layers/fabric/fabric.h"
#include "layers/fabric/relay.h"
#include "layers/fabric/staging.h"
#include "sharing/endpoint.h"
#include "sharing/exchange.h"
#include "sharing/visit.h"

#include "acl/error_codes/rt_error_codes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <memory>
#include <utility>

namespace ferry::layers::fabric {
namespace {

using sharing::Descriptor;

// No random name: it guards nothing, since only processes of this user are answered.
constexpr sharing::Name kReportName{.high = 0x4665'7272'7946'6162, .low = 0x7269'6352'6570'6f72};

Descriptor file_with(const std::string& text) {
  Descriptor file(memfd_create("ferry-fabric-report", MFD_CLOEXEC));
  if (!file) return file;
  const ssize_t written = write(file.number(), text.data(), text.size());
  return written == static_cast<ssize_t>(text.size()) ? std::move(file) : Descriptor();
}

std::string contents_of(const Descriptor& file) {
  std::string text;
  char part[4096];
  for (ssize_t count = 0;
       (count = pread(file.number(), part, sizeof part, static_cast<off_t>(text.size()))) > 0;)
    text.append(part, static_cast<size_t>(count));
  return text;
}

// Tells each visitor how things stand. The file of the latest answer stays open until the next.
class Report final : public sharing::Offer {
 public:
  sharing::Kind kind() const override { return sharing::Kind::kReport; }
  sharing::Answer open(const sharing::Visitor& /*visitor*/) override {
    file_ = file_with(report_own());
    if (!file_) {
      return {.code = ACL_ERROR_RT_MEMORY_ALLOCATION, .text = "it has no file descriptor left"};
    }
    sharing::Answer answer;
    answer.file = file_.number();
    return answer;
  }
  void closed() override {}

 private:
  Descriptor file_;
};

std::string place_text(const sharing::Place& place) {
  char text[64];
  const uint8_t* const bytes = place.address.data();
  bool is_mapped = bytes[10] == 0xff && bytes[11] == 0xff;
  for (int i = 0; i < 10; ++i)
    is_mapped = is_mapped && bytes[i] == 0;
  if (is_mapped) {
    std::snprintf(text, sizeof text, "%d.%d.%d.%d:%d", bytes[12], bytes[13], bytes[14], bytes[15],
                  place.port);
    return text;
  }
  std::string all = "[";
  for (int i = 0; i < 16; i += 2) {
    std::snprintf(text, sizeof text, "%s%x", i == 0 ? "" : ":", bytes[i] << 8 | bytes[i + 1]);
    all += text;
  }
  return all + "]:" + std::to_string(place.port);
}

std::string describe_peers(const Fabric& fabric) {
  std::string text;
  for (size_t length = fabric.table().describe(fabric.handle(), nullptr, 0);
       length > text.size();) {
    text.resize(length);
    length = fabric.table().describe(fabric.handle(), text.data(), text.size() + 1);
    if (length < text.size()) text.resize(length);
  }
  return text;
}

std::string indented(const std::string& lines) {
  std::string text;
  for (size_t start = 0; start < lines.size();) {
    const size_t end = lines.find('\n', start);
    text += "  " + lines.substr(start, end - start) + "\n";
    start = end == std::string::npos ? lines.size() : end + 1;
  }
  return text;
}

std::string counts_text(const ferryFabricCounts& counts) {
  char text[512];
  std::snprintf(text, sizeof text,
                "  %u peers, %u objects of peers open here, %u of this process open there\n"
                "  %" PRIu64 " bytes put, %" PRIu64 " got, %" PRIu64 " staged, %" PRIu64
                " passed on from host to host\n"
                "  %" PRIu64 " requests, %" PRIu64 " of them packed, %" PRIu64
                " put off because too many were in flight; %" PRIu64
                " signals\n"
                "  %" PRIu64 " connections refused, %" PRIu64 " peers lost\n",
                counts.peers, counts.objectsInUse, counts.objectsLent, counts.bytesPut,
                counts.bytesGot, counts.bytesStaged, counts.bytesRelayed, counts.requests,
                counts.packedRequests, counts.retries, counts.signals, counts.refused, counts.lost);
  return text;
}

}  // namespace

Status get_counts(ferryFabricCounts& counts) {
  const Fabric* const fabric = Fabric::instance();
  if (fabric == nullptr) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1006,
                "this process has no fabric: set FERRY_FABRIC, and open a device");
  }
  ferryx_fabric_counts now{};
  now.struct_size = sizeof now;
  fabric->table().counts(fabric->handle(), &now);
  counts = {.structSize = counts.structSize,
            .peers = now.peers,
            .objectsInUse = now.segments_in_use,
            .objectsLent = now.segments_lent,
            .bytesPut = now.bytes_put,
            .bytesGot = now.bytes_got,
            .bytesStaged = now.staged + Staging::bytes_staged(),
            .bytesRelayed = Relay::bytes_relayed(),
            .requests = now.operations,
            .packedRequests = now.packed,
            .signals = now.signals,
            .retries = now.retries,
            .refused = now.refused,
            .lost = now.lost};
  return {};
}

std::string report_own() {
  const Fabric* const fabric = Fabric::instance();
  if (fabric == nullptr) return {};
  ferryFabricCounts counts{};
  static_cast<void>(get_counts(counts));
  return "process " + std::to_string(getpid()) + " at " + place_text(fabric->own_place()) + "\n" +
         counts_text(counts) + indented(describe_peers(*fabric));
}

std::string report_all() {
  const auto addresses = sharing::list_sockets();
  std::string all;
  if (!addresses.has_value()) return "/proc/net/unix cannot be read\n";
  for (const sharing::Address& address : *addresses) {
    const sharing::Visit visit =
        sharing::visit({.address = address, .name = kReportName}, sharing::Kind::kReport, -1);
    if (visit.outcome == sharing::Visit::Outcome::kOpened) {
      all += contents_of(visit.file);
    } else if (visit.outcome != sharing::Visit::Outcome::kUnknown) {
      all += "process " + std::to_string(address.process) + ": " + visit.text + "\n";
    }
  }
  return all;
}

Status offer_report() {
  sharing::Exchange& exchange = sharing::Exchange::instance();
  FERRY_TRY(sharing::Address, address, exchange.address());
  static_cast<void>(address);
  exchange.publish(kReportName, std::make_shared<Report>());
  return {};
}

}  // namespace ferry::layers::fabric
