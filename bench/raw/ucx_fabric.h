// SPDX-License-Identifier: Apache-2.0
// Raw UCX between two processes, the baseline of what Ferry does with memory of other hosts. This
// header knows nothing of UCX: the loops are a module of their own, libferry_bench_ucx.so
// (raw/ucx), because UCX changes the process that loads it.
#pragma once

#include "bench/transfer.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

namespace ferry::bench {

/// What one more connection to the same peer takes.
struct ConnectionCost {
  double seconds;  // from its creation to the answer to its first message
  double bytes;    // of this process's heap; the kernel's buffers are not counted
};

/// One side: a block of memory that the other side may access. Used by one thread at a time. Calls
/// throw when UCX fails or the other side does not answer in time.
class UcxFabric {
 public:
  virtual ~UcxFabric() = default;

  /// The memory that the other side can access, and that local copies start and end in.
  virtual std::byte* memory() = 0;
  /// Bytes that the other side needs to connect.
  virtual std::string card() const = 0;
  virtual void connect(const std::string& card) = 0;
  /// The bytes of the key that unlocks the memory; part of the card.
  virtual size_t key_bytes() const = 0;
  /// The transports that UCX chose, for people. After connect().
  virtual std::string transports() const = 0;

  /// Answers the other side until told to stop. Takes a core while there is work.
  virtual void serve(const std::atomic<bool>& should_stop) = 0;

  // Copies between this memory and the other side's, as `layout` says. Each returns when all bytes
  // have arrived and this side knows it.
  /// One operation of UCX per block: put with a flush behind the last one; get.
  virtual void put_each(const Layout& layout) = 0;
  virtual void get_each(const Layout& layout) = 0;
  /// Blocks packed into messages that the receiver scatters and acknowledges.
  virtual void put_packed(const Layout& layout) = 0;
  virtual void get_packed(const Layout& layout) = 0;
  /// One message for the only block of `layout`, received in its place.
  virtual void put_message(const Layout& layout) = 0;
  virtual void get_message(const Layout& layout) = 0;

  /// A message without data, and the answer to it.
  virtual void ping() = 0;

  virtual ConnectionCost open_connections(size_t count) = 0;
};

/// How the module is found: a function of this type with this name. `card_of_other` of connect()
/// comes from the same build.
constexpr const char* kUcxLibraryName = "libferry_bench_ucx.so";
constexpr const char* kUcxEntryName = "ferry_bench_ucx_open";
using UcxEntry = UcxFabric* (*)(size_t bytes, const char* network_device);

/// Loads the module and opens a side with so much memory. UCX uses only `network_device`, such as
/// "lo"; "": what its own variables and defaults say. Throws when this build has no such module.
std::unique_ptr<UcxFabric> open_ucx_fabric(size_t bytes, const std::string& network_device);

}  // namespace ferry::bench
