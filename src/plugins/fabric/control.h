// SPDX-License-Identifier: Apache-2.0
// Control connections: who may talk to this process, what peers open, and whether they live. UCX
// moves bytes only for peers that were authenticated here.
#pragma once

#include "plugins/fabric/engine.h"
#include "plugins/fabric/line.h"
#include "plugins/fabric/secret.h"
#include "plugins/fabric/stranger_filter.h"

#include <poll.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ferry::fabric {

// May be shared between threads; never destroyed.
class Control {
 public:
  Control(Engine& engine, const ferryx_fabric_services& services, int64_t timeout);

  // "" or what is wrong.
  std::string start(const ferryx_fabric_settings& settings, ferryx_fabric_place& own);
  // Starts UCX, so that only hosts of peers reach its sockets. "" or what is wrong.
  std::string start_engine(const std::string& devices);
  // Does not return.
  [[noreturn]] void run();

  // Opens an object of the process at a place. "" or why it cannot be reached.
  std::string visit(const ferryx_fabric_place& place, const ferryx_fabric_request& request,
                    OpenedFrame& opened, std::shared_ptr<Peer>& peer);
  void let_go(const std::shared_ptr<Peer>& peer, uint64_t segment);
  void close();

 private:
  using LineRef = std::shared_ptr<Line>;

  // The visiting thread.
  LineRef find(const ferryx_fabric_place& place) const;
  LineRef connect(const ferryx_fabric_place& place, int64_t deadline, std::string& why);
  std::string shake_hands(Line& line, int64_t deadline);

  // The control thread.
  void poll_once();
  void accept_one();
  void look_after(const LineRef& line, int64_t time);
  void read(const LineRef& line);
  // "" or why the connection must end.
  std::string take(const LineRef& line);
  std::string take_hello(Line& line);
  std::string take_proof(Line& line);
  std::string take_ready(Line& line);
  std::string take_request(const LineRef& line);
  void end(const LineRef& line, const std::string& why);
  // Lets the host of a peer connect to UCX, which connects in both directions. Before it knows our
  // address. It stays admitted: UCX may connect again, and a connection that is dropped in silence
  // keeps it waiting.
  std::string admit(const Line& line);
  void wake() const;

  // The thread for jobs.
  void open(const LineRef& line, const OpenFrame& request);

  Engine& engine_;
  const ferryx_fabric_services& services_;
  const int64_t timeout_;  // nanoseconds
  Secret secret_;
  StrangerFilter filter_;
  Socket listener_;
  int wake_file_ = -1;
  std::vector<pollfd> polled_;
  std::vector<LineRef> looked_at_;

  mutable std::mutex mutex_;  // guards the members below
  std::vector<LineRef> lines_;
  bool is_closed_ = false;
};

}  // namespace ferry::fabric
