// SPDX-License-Identifier: Apache-2.0
// Bandwidth: is a large copy as fast as the memory allows?
#include "bench/client.h"
#include "bench/question.h"
#include "bench/questions/questions.h"
#include "bench/transfer.h"

namespace ferry::bench {
namespace {

size_t bytes_of(Effort effort) {
  return effort == Effort::kQuick ? size_t{4} << 20 : size_t{256} << 20;
}

void ask_copy(const Setup& setup, const std::string& what, Buffer::Place from, Buffer::Place to,
              double least_ratio) {
  setup.show_progress(what);
  const Layout layout = whole(bytes_of(setup.effort));
  const Stream stream;
  Transfer ours(layout, from, to);
  Transfer raw(layout, Buffer::Place::kPlain, Buffer::Place::kPlain);
  std::vector<Contender> contenders = raw_contenders(raw, setup.team);
  contenders.push_back(non_temporal_contender(raw, setup.team));
  contenders.insert(contenders.begin(),
                    contender("Ferry", ours, [&] { ours.copy_one_by_one(stream); }));
  Row row = speed_row(what, layout.bytes(), contenders, race(contenders, setup.pace), 1);
  row.target = at_least(least_ratio);
  setup.add(row);
}

}  // namespace

void ask_bandwidth(const Setup& setup) {
  using Place = Buffer::Place;
  ask_copy(setup, "host to device", Place::kPinned, Place::kDevice, 0.95);
  ask_copy(setup, "device to host", Place::kDevice, Place::kPinned, 0.95);
  ask_copy(setup, "device to device", Place::kDevice, Place::kDevice, 0.95);
}

void ask_pageable(const Setup& setup) {
  using Place = Buffer::Place;
  ask_copy(setup, "host to device", Place::kPlain, Place::kDevice, 0.90);
  ask_copy(setup, "device to host", Place::kDevice, Place::kPlain, 0.90);
}

}  // namespace ferry::bench
