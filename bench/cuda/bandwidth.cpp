// SPDX-License-Identifier: Apache-2.0
// Bandwidth: is one large copy as fast as CUDA's, and much faster from and to pageable memory?
#include "bench/cuda/questions.h"

#include <algorithm>

namespace ferry::bench::cuda {
namespace {

using Copy = std::function<void(Lane&)>;

// Races Ferry's lane against the raw one, both running `copy`.
Row race_lanes(const Setup& setup, Ground& ground, const std::string& what, size_t bytes,
               const Copy& copy) {
  setup.show_progress(what);
  const std::vector<Contender> contenders{{"Ferry", [&] { copy(ground.ferry()); }},
                                          {"cudaMemcpyAsync", [&] { copy(ground.raw()); }}};
  return speed_row(what, bytes, contenders, race(contenders, setup.pace), 1);
}

void ask_pinned(const Setup& setup, Ground& ground, const std::string& what, Direction direction) {
  ground.prepare(direction);
  const size_t bytes = ground.bytes();
  const Copy copy = [=](Lane& lane) { lane.copy_start(bytes, direction); };
  Row row = race_lanes(setup, ground, what, bytes, copy);
  for (Lane* lane : {static_cast<Lane*>(&ground.ferry()), static_cast<Lane*>(&ground.raw())})
    ground.verify(*lane, direction, {whole(bytes)}, [&] { copy(*lane); });
  row.target = at_least(0.97);
  setup.add(row);
}

}  // namespace

void ask_bandwidth(const Setup& setup, Ground& ground) {
  ask_pinned(setup, ground, "host to device", Direction::kIn);
  ask_pinned(setup, ground, "device to host", Direction::kOut);
  ask_pinned(setup, ground, "device to device", Direction::kInside);
}

void ask_pageable(const Setup& setup, Ground& ground) {
  const size_t bytes = std::min(ground.bytes(), size_t{256} << 20);
  Lane* const lanes[] = {&ground.ferry(), &ground.raw()};

  ground.prepare(Direction::kIn);
  const Copy copy_in = [&](Lane& lane) {
    lane.copy(lane.device(), ground.pageable_source(), bytes, Direction::kIn);
    lane.wait();
  };
  Row row = race_lanes(setup, ground, "host to device", bytes, copy_in);
  for (Lane* lane : lanes)
    ground.verify(*lane, Direction::kIn, {whole(bytes)}, [&] { copy_in(*lane); });
  row.target = at_least(3);
  setup.add(row);

  ground.prepare(Direction::kOut);
  const Copy copy_out = [&](Lane& lane) {
    lane.copy(ground.pageable_target(), lane.device(), bytes, Direction::kOut);
    lane.wait();
  };
  row = race_lanes(setup, ground, "device to host", bytes, copy_out);
  for (Lane* lane : lanes)
    ground.verify_pageable(*lane, bytes, [&] { copy_out(*lane); });
  row.target = at_least(2);
  setup.add(row);
}

}  // namespace ferry::bench::cuda
