// SPDX-License-Identifier: Apache-2.0
// Random bytes, and checking where they arrived.
#include "bench/cuda/ground.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <stdexcept>

namespace ferry::bench::cuda {
namespace {

// Calls work(i) for every i below `count`, split evenly over the team.
template <typename Work>
void share(ThreadTeam& team, size_t count, const Work& work) {
  team.run([&](size_t member) {
    const size_t end = count * (member + 1) / team.size();
    for (size_t i = count * member / team.size(); i < end; ++i)
      work(i);
  });
}

constexpr size_t kPage = size_t{64} << 10;

void fill_at_random(ThreadTeam& team, std::byte* at, size_t bytes) {
  share(team, bytes / kPage, [&](size_t page) {
    std::mt19937_64 random(page + 1);
    auto* words = reinterpret_cast<uint64_t*>(at + page * kPage);
    std::generate(words, words + kPage / sizeof *words, std::ref(random));
  });
}

void copy_on_host(ThreadTeam& team, std::byte* to, const std::byte* from, size_t bytes) {
  share(team, bytes / kPage,
        [&](size_t page) { std::memcpy(to + page * kPage, from + page * kPage, kPage); });
}

}  // namespace

const char* direction_text(Direction direction) {
  switch (direction) {
    case Direction::kIn:
      return "in";
    case Direction::kOut:
      return "out";
    case Direction::kInside:
      return "inside";
  }
  return "";
}

Blocks blocks_of(const Layout& layout, const Lane& lane, Direction direction) {
  Blocks blocks;
  for (const size_t offset : layout.to)
    blocks.to.push_back(lane.target(direction) + offset);
  for (const size_t offset : layout.from)
    blocks.from.push_back(lane.source(direction) + offset);
  blocks.sizes.assign(layout.from.size(), layout.block_bytes);
  return blocks;
}

Ground::Ground(ThreadTeam& team, size_t bytes)
    : team_(team),
      reference_(Buffer::Place::kPlain, bytes),
      pageable_(Buffer::Place::kPlain, bytes),
      ferry_(bytes),
      raw_(open_cuda_lane(ferry_.device(), bytes)) {
  fill_at_random(team, reference_.at(0), bytes);
}

void Ground::prepare(Direction direction) {
  Lane* const lanes[] = {&ferry_, raw_.get()};
  if (direction == Direction::kIn) {
    for (Lane* lane : lanes) {
      if (!is_host_ready_) copy_on_host(team_, lane->host(), reference_.at(0), bytes());
    }
    is_host_ready_ = true;
    is_device_ready_ = false;
    return;
  }
  for (Lane* lane : lanes) {
    if (!is_device_ready_) {
      raw_->copy(lane->device(), reference_.at(0), bytes(), Direction::kIn);
      raw_->wait();
    }
  }
  is_device_ready_ = true;
  if (direction == Direction::kOut) is_host_ready_ = false;
}

void Ground::verify(Lane& lane, Direction direction, const std::vector<Layout>& layouts,
                    const std::function<void()>& copy) {
  clear(lane, direction, layouts);
  copy();
  lane.wait();
  const std::byte* const bytes = arrived(lane, direction, layouts.front().pool_bytes);
  for (const Layout& layout : layouts)
    compare(bytes, layout);
}

void Ground::verify_pageable(Lane& lane, size_t bytes, const std::function<void()>& copy) {
  std::memset(pageable_.at(0), 0, bytes);
  copy();
  lane.wait();
  compare(pageable_.at(0), whole(bytes));
}

void Ground::clear(Lane& lane, Direction direction, const std::vector<Layout>& layouts) {
  if (direction != Direction::kOut) {
    raw_->clear(lane.target(direction), layouts.front().pool_bytes);
    raw_->wait();
    return;
  }
  for (const Layout& layout : layouts) {
    share(team_, layout.to.size(),
          [&](size_t i) { std::memset(lane.host() + layout.to[i], 0, layout.block_bytes); });
  }
}

// The start of the targets, in memory that the host can read.
const std::byte* Ground::arrived(Lane& lane, Direction direction, size_t bytes) {
  if (direction == Direction::kOut) return lane.host();
  raw_->copy(raw_->scratch(), lane.target(direction), bytes, Direction::kOut);
  raw_->wait();
  return raw_->scratch();
}

void Ground::compare(const std::byte* arrived, const Layout& layout) const {
  constexpr size_t kNone = SIZE_MAX;
  std::atomic<size_t> wrong{kNone};
  share(team_, layout.to.size(), [&](size_t i) {
    const std::byte* const sent = reference_.at(layout.from[i]);
    if (std::memcmp(arrived + layout.to[i], sent, layout.block_bytes) != 0) wrong = i;
  });
  if (wrong == kNone) return;
  throw std::runtime_error(
      fmt::format("WRONG BYTES in block {} of {}, {} bytes each: the speed of such a copy means "
                  "nothing",
                  wrong.load(), layout.to.size(), layout.block_bytes));
}

}  // namespace ferry::bench::cuda
