// SPDX-License-Identifier: Apache-2.0
// The side that measures: its channel to the peer, and its ends of the raw loops and of Ferry's.
#pragma once

#include "bench/fabric/channel.h"
#include "bench/fabric/ferry_memory.h"
#include "bench/fabric/protocol.h"
#include "bench/raw/ucx_fabric.h"

#include <sys/types.h>

#include <memory>
#include <string>
#include <utility>

namespace ferry::bench::fabric {

/// Used by one thread.
class Link {
 public:
  /// Starts a peer on this machine. Must be called before this process uses the library.
  Link();
  /// Connects to `ferry bench fabric --listen` there.
  explicit Link(const std::string& peer);
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  bool is_local() const { return child_ > 0; }

  /// Throws the peer's words when it could not do so.
  std::string ask(const Request& request, const std::string& payload = {});
  void ask(Ask ask);

  /// Both ends of the raw loops. Throws when this build or the peer's has none.
  UcxFabric& raw();

 private:
  explicit Link(std::pair<Channel, pid_t> peer);

  Channel channel_;
  pid_t child_ = -1;
  std::string network_device_;
  std::unique_ptr<UcxFabric> raw_;
};

/// This process's end of Ferry's side: the peer's memory, pinned memory here, notifies. The device
/// must be set.
class FerryEnd {
 public:
  explicit FerryEnd(Link& link);

  std::byte* remote() const { return remote_.start(); }
  std::byte* pinned() const { return pinned_.at(0); }
  const Stream& stream() const { return stream_; }

  void copy_each(const Layout& layout, bool is_out);
  void copy_as_batch(const Layout& layout, bool is_out);
  /// Records the peer's notify, and waits for this one's.
  void ping();
  /// Plays the turns that the peer has queued and was not asked for yet. `queued`: since the peer
  /// began to answer.
  void play_until(uint64_t queued);

 private:
  static FerryCard exchange(Link& link, const SharedNotify& own);

  Stream stream_;
  SharedNotify own_notify_;
  FerryCard card_;
  FabricMemory remote_;
  SharedNotify others_notify_;
  Buffer pinned_;
  uint64_t turns_ = 0;
};

}  // namespace ferry::bench::fabric
