// SPDX-License-Identifier: Apache-2.0
// Descriptor: are copies inside the device as fast as plain ones when they read their addresses at
// execution, or when they consist of rows?
#include "bench/cuda/questions.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferry::bench::cuda {
namespace {

constexpr Direction kInside = Direction::kInside;

void ask_form(const Setup& setup, Ground& ground, const std::string& what, const Layout& layout,
              const std::function<void()>& queue) {
  setup.show_progress(what);
  FerryLane& ferry = ground.ferry();
  const auto copy = [&] {
    queue();
    ferry.wait();
  };
  const std::vector<Contender> contenders{
      {"Ferry", copy},
      {"cudaMemcpyAsync", [&] { ground.raw().copy_start(layout.bytes(), kInside); }}};
  Row row = speed_row(what, layout.bytes(), contenders, race(contenders, setup.pace), 1);
  ground.verify(ferry, kInside, {layout}, queue);
  row.target = at_least(0.85);
  setup.add(row);
}

// As many rows as fit into `bytes`.
Rows rows_of(size_t width, size_t bytes) {
  const size_t pitch = width + width / 4;
  return {width, pitch, bytes / pitch};
}

Layout layout_of(const Rows& rows) {
  Layout layout{rows.width, rows.pitch * rows.height, {}, {}};
  for (size_t i = 0; i < rows.height; ++i)
    layout.from.push_back(i * rows.pitch);
  layout.to = layout.from;
  return layout;
}

bool has_descriptors() {
  size_t bytes = 0;
  return aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, &bytes) == ACL_SUCCESS;
}

}  // namespace

void ask_descriptor(const Setup& setup, Ground& ground) {
  if (!has_descriptors()) {
    setup.add(skipped_row("this product has no copies by descriptor (207000)"));
    return;
  }
  ground.prepare(kInside);
  FerryLane& ferry = ground.ferry();
  const Layout one = whole(ground.bytes());
  ferry.describe(one.bytes());
  ask_form(setup, ground, "by descriptor", one, [&] { ferry.copy_described(); });
  ask_form(setup, ground, "by stored addresses", one, [&] { ferry.copy_by_stored_addresses(); });
  for (const size_t width : {size_t{4} << 10, size_t{64} << 10}) {
    const Rows rows = rows_of(width, ground.bytes());
    ask_form(setup, ground, fmt::format("rows of {}", block_text(width)), layout_of(rows),
             [&] { ferry.copy_rows(rows); });
  }
}

}  // namespace ferry::bench::cuda
