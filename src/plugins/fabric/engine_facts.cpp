// SPDX-License-Identifier: Apache-2.0
// What the engine reports: counts, and a line per peer.
#include "plugins/fabric/engine.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>

namespace ferry::fabric {

// UCX 1.13 tells only what a person is to read: lines such as "lane[0]: 1:tcp/eth0.0 md[1] ...".
std::string Engine::transports_of(const Peer& peer) const {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* const file = is_closed_ ? nullptr : open_memstream(&text, &size);
  if (file == nullptr) return "unknown transport";
  ucp_ep_print_info(peer.endpoint, file);
  std::fclose(file);
  const std::unique_ptr<char, void (*)(void*)> own(text, std::free);
  std::istringstream words(std::string(text, size));
  std::string found;
  for (std::string word; words >> word;) {
    if (!word.starts_with("lane[") || !(words >> word)) continue;
    const std::string name = word.substr(word.find(':') + 1);
    if (found.find(name) == std::string::npos) found += (found.empty() ? "" : " ") + name;
  }
  return found.empty() ? "unknown transport" : found;
}

void Engine::count_refused() {
  const Lock lock(mutex_);
  ++counts_.refused;
}

void Engine::counts(ferryx_fabric_counts& counts) const {
  const Lock lock(mutex_);
  const uint32_t size = counts.struct_size;
  counts = counts_;
  counts.struct_size = size;
  counts.peers = static_cast<uint32_t>(peers_.size());
  for (const auto& [token, peer] : peers_) {
    counts.segments_in_use += static_cast<uint32_t>(peer->openings);
    counts.segments_lent += static_cast<uint32_t>(peer->lent.size());
  }
}

std::string Engine::describe() const {
  const Lock lock(mutex_);
  std::string text;
  for (const auto& [token, peer] : peers_) {
    text += peer->name + ": " + transports_of(*peer) + ", " + std::to_string(peer->openings) +
            " opened here, " + std::to_string(peer->lent.size()) + " opened there, " +
            std::to_string(peer->bytes_put) + " bytes put, " + std::to_string(peer->bytes_got) +
            " bytes got, " + std::to_string(peer->sent.size() + peer->waiting.size()) +
            " requests in flight, blocks up to " + std::to_string(peer->packed_block.load()) +
            " bytes packed\n";
  }
  return text;
}

}  // namespace ferry::fabric
