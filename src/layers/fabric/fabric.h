// SPDX-License-Identifier: Apache-2.0
// This process in the fabric: the plugin that connects it with other hosts, and what they get of
// this process. There is none unless FERRY_FABRIC is set.
#pragma once

#include "layers/fabric/fabric_plugin.h"
#include "sharing/far_hosts.h"

#include "ferry/backend.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace ferry::layers::fabric {

// May be shared between threads; never destroyed.
class Fabric final : public sharing::FarHosts {
 public:
  // Loads the plugin and listens, once per process. "" or what is wrong.
  static std::string open(const ferryx_runtime& runtime);
  // nullptr: it is not open.
  static Fabric* instance();

  sharing::Place own_place() const override;
  bool is_for_this_host() const override;
  sharing::Visit visit(const sharing::Handle& handle, sharing::Kind kind, int32_t device) override;

  const ferryx_fabric_table& table() const { return *table_; }
  ferryx_fabric* handle() const { return fabric_; }
  // The process is ending.
  void close() { table_->close(fabric_); }

 private:
  Fabric() = default;

  const ferryx_fabric_table* table_ = nullptr;
  ferryx_fabric* fabric_ = nullptr;
};

}  // namespace ferry::layers::fabric
