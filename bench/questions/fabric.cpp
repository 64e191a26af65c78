// SPDX-License-Identifier: Apache-2.0
// Memory of another host: do Ferry's copies and notifies cost what UCX itself costs over the same
// transport? Every round of each contender compares all bytes, on the side where they arrive.
#include "bench/fabric/link.h"
#include "bench/question.h"
#include "bench/questions/questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::bench {
namespace {

using fabric::Ask;
using fabric::FerryEnd;
using fabric::Link;
using fabric::Pool;
using fabric::Shape;

// Why there are no numbers of Ferry; "" when there are.
std::string why_raw_only(const Link& link) {
  const char* const value = std::getenv("FERRY_FABRIC");
  if (value == nullptr) return "FERRY_FABRIC is not set, here and for the peer";
  // Processes of one host would share the memory instead.
  const bool is_always = std::string_view(value).find(",always") != std::string_view::npos;
  return is_always || !link.is_local() ? "" : "FERRY_FABRIC is set, but without \"always\"";
}

// Everything that one run of the question uses.
struct Ground {
  const Setup& setup;
  Link& link;
  UcxFabric& raw;
  FerryEnd* ferry;  // nullptr: only the raw loops are measured
  std::string why_raw_only;
  uint64_t seed = 0;
};

// Copies of one shape in one direction.
struct Way {
  Ground& ground;
  Shape shape;
  bool is_out;  // to the peer
  Layout layout = fabric::layout_of(shape);

  std::byte* memory(Pool pool) const {
    return pool == Pool::kRaw ? ground.raw.memory() : ground.ferry->pinned();
  }

  // Fills the source; the peer serves raw operations during the round only, because that takes a
  // core.
  void before(Pool pool) const {
    ++ground.seed;
    if (is_out) {
      fabric::fill_blocks(layout, ground.seed, memory(pool));
    } else {
      ground.link.ask({Ask::kFill, pool, shape, ground.seed});
    }
    if (pool == Pool::kRaw) ground.link.ask(Ask::kServeRaw);
  }

  void after(Pool pool) const {
    if (pool == Pool::kRaw) ground.link.ask(Ask::kRestRaw);
    if (is_out) {
      ground.link.ask({Ask::kVerify, pool, shape, ground.seed});
    } else {
      fabric::verify_blocks(layout, ground.seed, memory(pool));
    }
  }

  Contender contender(const std::string& name, Pool pool, std::function<void()> once) const {
    return {
        name, std::move(once), {}, [this, pool] { before(pool); }, [this, pool] { after(pool); }};
  }

  Contender each() const {
    return contender(is_out ? "put, flush" : "get", Pool::kRaw, [this] {
      is_out ? ground.raw.put_each(layout) : ground.raw.get_each(layout);
    });
  }
  Contender packed() const {
    return contender("packed messages", Pool::kRaw, [this] {
      is_out ? ground.raw.put_packed(layout) : ground.raw.get_packed(layout);
    });
  }
  Contender message() const {
    return contender("one message", Pool::kRaw, [this] {
      is_out ? ground.raw.put_message(layout) : ground.raw.get_message(layout);
    });
  }
  Contender loop() const {
    return contender("loop of copies", Pool::kFerry,
                     [this] { ground.ferry->copy_each(layout, is_out); });
  }
  Contender batch() const {
    return contender("batch", Pool::kFerry,
                     [this] { ground.ferry->copy_as_batch(layout, is_out); });
  }
};

const char* direction(bool is_out) {
  return is_out ? "out" : "in";
}

// Rows of speeds: `own`, if there is a fabric, against the fastest of `raw`.
void add_speed(const Ground& ground, const std::string& what, const Way& way,
               const std::optional<Contender>& own, std::vector<Contender> raw, double target) {
  ground.setup.show_progress(what);
  const size_t bytes = way.layout.bytes();
  if (!own) {
    const Times times = race(raw, ground.setup.pace);
    const size_t best = fastest_of(times);
    Row row;
    row.what = what;
    row.unit = "GB/s";
    row.baseline = speed_of(bytes, times[best]);
    row.baseline_name = raw[best].name;
    row.skipped = ground.why_raw_only;
    return ground.setup.add(row);
  }
  raw.insert(raw.begin(), *own);
  Row row = speed_row(what, bytes, raw, race(raw, ground.setup.pace), 1);
  row.target = at_least(target);
  ground.setup.add(row);
}

// Rows of times: microseconds per copy, or per turn.
void add_time(const Ground& ground, const std::string& what, const char* unit,
              const std::optional<Contender>& own, std::vector<Contender> contenders,
              double target) {
  ground.setup.show_progress(what);
  if (own) contenders.insert(contenders.begin(), *own);
  const Times times = race(contenders, ground.setup.pace);
  const Times raw(times.begin() + (own ? 1 : 0), times.end());
  const size_t best = fastest_of(raw);
  Row row;
  row.what = what;
  row.unit = unit;
  row.baseline = median(raw[best]) * 1e6;
  row.baseline_name = contenders[best + (own ? 1 : 0)].name;
  if (own) {
    row.measured = median(times.front()) * 1e6;
    row.ratio = ratio_of(times.front(), raw[best]);
    row.target = at_most(target);
    row.judged = row.ratio->median;
  } else {
    row.skipped = ground.why_raw_only;
  }
  ground.setup.add(row);
}

void ask_large(Ground& ground, bool is_out) {
  const bool is_quick = ground.setup.effort == Effort::kQuick;
  const Way way{ground, {1, is_quick ? size_t{1} << 20 : fabric::kPoolBytes}, is_out};
  add_speed(ground, fmt::format("{}, {}", block_text(way.shape.block_bytes), direction(is_out)),
            way, ground.ferry != nullptr ? std::optional(way.loop()) : std::nullopt,
            {way.each(), way.message()}, 0.95);
}

// A batch must not lose against the loop that it replaces, either.
void add_loop(const Ground& ground, const Way& way, const std::string& what) {
  const std::vector<Contender> contenders{way.batch(), way.loop()};
  Row row = speed_row(what + ", loop", way.layout.bytes(), contenders,
                      race(contenders, ground.setup.pace), 1);
  row.target = at_least(1);
  ground.setup.add(row);
}

void ask_scattered(Ground& ground, bool is_out) {
  const bool is_quick = ground.setup.effort == Effort::kQuick;
  const Way way{ground, {is_quick ? 256U : 4096U, 4096}, is_out};
  const std::string what = fmt::format("{} x 4K, {}", way.shape.count, direction(is_out));
  const bool has_batch = ground.ferry != nullptr && has_batch_copies();
  add_speed(ground, what, way,
            has_batch                 ? std::optional(way.batch())
            : ground.ferry != nullptr ? std::optional(way.loop())
                                      : std::nullopt,
            {way.each(), way.packed()}, 0.9);
  if (has_batch) add_loop(ground, way, what);
}

void ask_small(Ground& ground, bool is_out) {
  const Way way{ground, {1, 64}, is_out};
  add_time(ground, fmt::format("64 B, {}, and wait", direction(is_out)), "us per copy",
           ground.ferry != nullptr ? std::optional(way.loop()) : std::nullopt,
           {way.each(), way.packed()}, 1.3);
}

void ask_notifies(Ground& ground) {
  Link& link = ground.link;
  std::optional<Contender> own;
  if (ground.ferry != nullptr) {
    own = {"notifies",
           [&] { ground.ferry->ping(); },
           {},
           [&] { link.ask(Ask::kAnswerNotifies); },
           [&] {
             const std::string answer = link.ask({Ask::kStopNotifies, Pool::kFerry, {}, 0});
             uint64_t queued = 0;
             std::memcpy(&queued, answer.data(), std::min(sizeof queued, answer.size()));
             ground.ferry->play_until(queued);
           }};
  }
  const Contender raw{"active messages",
                      [&] { ground.raw.ping(); },
                      {},
                      [&] { link.ask(Ask::kServeRaw); },
                      [&] { link.ask(Ask::kRestRaw); }};
  add_time(ground, "notify, ping-pong", "us per turn", own, {raw}, 1.3);
}

// Seconds of this process's CPU time, which a busy machine does not change.
double cpu_of_a_put(Ground& ground) {
  const bool is_quick = ground.setup.effort == Effort::kQuick;
  const Way small{ground, {is_quick ? 256U : 4096U, 64}, true};
  const size_t repetitions = is_quick ? 1 : 100;
  small.before(Pool::kRaw);
  ground.raw.put_each(small.layout);
  const std::clock_t start = std::clock();
  for (size_t i = 0; i < repetitions; ++i)
    ground.raw.put_each(small.layout);
  const std::clock_t end = std::clock();
  small.after(Pool::kRaw);
  return static_cast<double>(end - start) / CLOCKS_PER_SEC /
         static_cast<double>(repetitions * small.shape.count);
}

// What scripts/simulate_fabric.py starts from; no targets. The rate at which one side takes small
// messages decides how many senders it can serve.
void ask_facts(Ground& ground) {
  const size_t count = ground.setup.effort == Effort::kQuick ? 4 : 100;
  ground.setup.show_progress("connections");
  ground.link.ask(Ask::kServeRaw);
  const ConnectionCost cost = ground.raw.open_connections(count);
  ground.link.ask(Ask::kRestRaw);
  const auto add = [&](const char* what, const char* unit, double value) {
    Row row;
    row.what = what;
    row.unit = unit;
    row.baseline = value;
    row.baseline_name = "raw UCX over " + ground.raw.transports();
    ground.setup.add(row);
  };
  add("a 64-byte put among many, CPU", "us per put", cpu_of_a_put(ground) * 1e6);
  add("a connection", "us per connection", cost.seconds * 1e6);
  add("memory of a connection", "KiB", cost.bytes / 1024);
  add("a remote key", "bytes", static_cast<double>(ground.raw.key_bytes()));
}

}  // namespace

void ask_fabric(const Setup& setup) {
  Link& link = *setup.fabric;
  UcxFabric& raw = link.raw();
  std::optional<FerryEnd> ferry;
  const std::string raw_only = why_raw_only(link);
  if (raw_only.empty()) ferry.emplace(link);
  Ground ground{setup, link, raw, ferry ? &*ferry : nullptr, raw_only};
  for (const bool is_out : {true, false}) {
    ask_large(ground, is_out);
    ask_scattered(ground, is_out);
    ask_small(ground, is_out);
  }
  ask_notifies(ground);
  ask_facts(ground);
}

}  // namespace ferry::bench
