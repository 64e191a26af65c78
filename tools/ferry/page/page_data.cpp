// SPDX-License-Identifier: Apache-2.0
#include "page/page_data.h"

#include "page/columns.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace ferry::tools::page {
namespace {

using Json = nlohmann::json;
using trace::Trace;

// A table under construction. A column whose values are all the same is one number.
class Columns {
 public:
  Column& operator[](const char* name) { return columns_[name]; }
  Column& wide(const char* name) {
    is_wide_[name] = true;
    return columns_[name];
  }

  Json json(size_t count) const {
    Json columns = Json::object();
    for (const auto& [name, column] : columns_) {
      if (is_wide_.count(name) != 0) {
        columns[name] = Json{{"wide", column.encode()}};
      } else if (column.is_constant()) {
        columns[name] = static_cast<int64_t>(column.first());
      } else {
        columns[name] = column.encode();
      }
    }
    return Json{{"count", count}, {"columns", std::move(columns)}};
  }

 private:
  std::map<std::string, Column> columns_;
  std::map<std::string, bool> is_wide_;
};

// Numbers things by the order in which they come.
class Numbering {
 public:
  int64_t number_of(uint64_t thing) {
    const auto [place, is_new] = numbers_.try_emplace(thing, static_cast<int64_t>(things_.size()));
    if (is_new) things_.push_back(thing);
    return place->second;
  }
  const std::vector<uint64_t>& things() const { return things_; }

 private:
  std::unordered_map<uint64_t, int64_t> numbers_;
  std::vector<uint64_t> things_;
};

// The page writes "none" as -1.
int64_t or_none(uint64_t number) {
  return number >= static_cast<uint64_t>(kLargestExact) ? -1 : static_cast<int64_t>(number);
}
int64_t or_none(uint32_t number) {
  return number == UINT32_MAX ? -1 : int64_t{number};
}

Json calls_json(const Trace& trace, Numbering& threads, Numbering& sites, Numbering& stacks) {
  Columns columns;
  for (const trace::Call& call : trace.calls) {
    columns["begin"].add(call.begin);
    columns["duration"].add(call.end - call.begin);
    columns["thread"].add(threads.number_of(call.thread));
    columns["function"].add(call.function);
    columns["result"].add(call.result);
    columns["site"].add(call.site == 0 ? -1 : sites.number_of(call.site));
    columns["script"].add(call.script);
    columns["stream"].add(call.stream);
    columns["first_work"].add(or_none(call.first_work));
    columns["works"].add(call.works);
    columns["stack"].add(call.stack == 0 ? -1 : stacks.number_of(call.stack));
    columns["unfinished"].add(call.is_unfinished ? 1 : 0);
  }
  return columns.json(trace.calls.size());
}

void add_bytes(Columns& columns, const trace::Work& work) {
  columns["bytes"].add_unsigned(work.bytes);
  columns["items"].add_unsigned(work.items);
  columns["smallest"].add_unsigned(work.smallest);
  columns["largest"].add_unsigned(work.largest);
  columns["neighbours"].add_unsigned(work.neighbours);
  columns.wide("dst").add_wide(work.dst);
  columns.wide("src").add_wide(work.src);
  columns["dst_pitch"].add_unsigned(work.dst_pitch);
  columns["src_pitch"].add_unsigned(work.src_pitch);
  columns["width"].add_unsigned(work.width);
  columns.wide("hash").add_wide(work.hash);
  columns["direction"].add(static_cast<int64_t>(work.direction));
  columns["memory"].add(static_cast<int64_t>(work.memory));
}

Json works_json(const Trace& trace, Numbering& threads) {
  Columns columns;
  for (const trace::Work& work : trace.works) {
    columns["number"].add_unsigned(work.number);
    columns["begin"].add(work.begin);
    columns["duration"].add(work.end - work.begin);
    columns["queued"].add(work.begin - work.submitted);
    columns["thread"].add(work.is_during_call() ? threads.number_of(work.thread) : -1);
    columns["call"].add(or_none(work.call_index));
    columns["task"].add(or_none(work.task));
    columns["correlation"].add(or_none(work.correlation));
    columns["stream"].add(work.stream);
    columns["device"].add(work.device);
    columns["peer"].add(work.peer);
    columns["result"].add(work.result);
    columns["name"].add(work.name);
    columns["function"].add(work.function);
    columns["kind"].add(static_cast<int64_t>(work.kind));
    columns["marker"].add_unsigned(work.marker);
    columns["model"].add(or_none(work.model));
    columns["run"].add(or_none(work.run));
    columns["unfinished"].add(work.is_unfinished ? 1 : 0);
    add_bytes(columns, work);
  }
  return columns.json(trace.works.size());
}

Json ranges_json(const Trace& trace, Numbering& threads) {
  Columns columns;
  for (const trace::Range& range : trace.ranges) {
    columns["begin"].add(range.begin);
    columns["duration"].add(range.end - range.begin);
    columns["thread"].add(range.stream < 0 ? threads.number_of(range.thread) : -1);
    columns["device"].add(range.device);
    columns["stream"].add(range.stream);
    columns["name"].add(range.name);
    columns["domain"].add(range.domain);
  }
  return columns.json(trace.ranges.size());
}

Json instants_json(const Trace& trace, Numbering& threads) {
  Columns columns;
  for (const trace::Instant& instant : trace.instants) {
    columns["what"].add(static_cast<int64_t>(instant.what));
    columns["time"].add(instant.time);
    columns["thread"].add(instant.stream < 0 ? threads.number_of(instant.thread) : -1);
    columns["device"].add(instant.device);
    columns["stream"].add(instant.stream);
    columns["name"].add(instant.name);
    columns["text"].add(instant.text);
    columns["severity"].add(instant.severity);
    columns.wide("address").add_wide(instant.address);
    columns["size"].add_unsigned(instant.size);
  }
  return columns.json(trace.instants.size());
}

Json device_memory_json(const Trace& trace) {
  Json devices = Json::array();
  for (const auto& [device, samples] : trace.device_memory) {
    Columns columns;
    for (const trace::Sample& sample : samples) {
      columns["time"].add(sample.time);
      columns["bytes"].add_unsigned(sample.bytes);
    }
    devices.push_back({{"device", device}, {"samples", columns.json(samples.size())}});
  }
  return devices;
}

Json texts_json(const Trace& trace) {
  size_t count = 1;  // "" is always there
  const auto see = [&count](trace::TextId id) { count = std::max(count, size_t{id} + 1); };
  for (const trace::Call& call : trace.calls) {
    see(call.function);
    see(call.script);
  }
  for (const trace::Work& work : trace.works) {
    see(work.name);
    see(work.function);
  }
  for (const trace::Range& range : trace.ranges) {
    see(range.name);
    see(range.domain);
  }
  for (const trace::Instant& instant : trace.instants) {
    see(instant.name);
    see(instant.text);
    see(instant.severity);
  }
  Json texts = Json::array();
  for (size_t i = 0; i < count; ++i) {
    texts.push_back(trace.texts.text_of(static_cast<trace::TextId>(i)));
  }
  return texts;
}

// Where an address is, when nobody has found its line: file and offset.
std::string place_in_module(const Trace& trace, uint64_t address) {
  for (const trace::Module& module : trace.modules) {
    if (address < module.begin || address >= module.end) continue;
    const std::string file = module.path.substr(module.path.rfind('/') + 1);
    return fmt::format("{}+{:#x}", file, address - module.begin + module.offset);
  }
  return fmt::format("{:#x}", address);
}

// Places of frames, the innermost first. What lies outside of main has no place.
Json stacks_json(const Trace& trace, const Extras& extras, const Numbering& stacks,
                 Numbering& sites) {
  Json all = Json::array();
  for (const uint64_t stack : stacks.things()) {
    Json frames = Json::array();
    const auto known = trace.stacks.find(stack);
    if (known != trace.stacks.end()) {
      for (const uint64_t address : known->second) {
        if (extras.sites.count(address) == 0) break;
        frames.push_back(sites.number_of(address));
      }
    }
    all.push_back(std::move(frames));
  }
  return all;
}

Json sites_json(const Trace& trace, const Extras& extras, const Numbering& sites) {
  Json places = Json::array();
  for (const uint64_t site : sites.things()) {
    const auto known = extras.sites.find(site);
    places.push_back(known != extras.sites.end() ? known->second : place_in_module(trace, site));
  }
  return places;
}

Json threads_json(const Trace& trace, const Numbering& threads) {
  Json lanes = Json::array();
  for (const uint64_t thread : threads.things()) {
    const auto name = trace.thread_names.find(thread);
    lanes.push_back({{"id", fmt::format("{}", thread)},
                     {"name", name != trace.thread_names.end() ? name->second : ""}});
  }
  return lanes;
}

Json devices_json(const Trace& trace) {
  Json devices = Json::array();
  for (const trace::Device& device : trace.devices) {
    devices.push_back({{"id", device.id},
                       {"kind", device.kind},
                       {"name", device.name},
                       {"memory", static_cast<double>(device.memory)}});
  }
  return devices;
}

Json about_json(const Trace& trace) {
  return Json{{"ferry", trace.ferry},         {"program", trace.program},
              {"arguments", trace.arguments}, {"pid", trace.pid},
              {"started", trace.started},     {"soc", trace.soc},
              {"cann", trace.cann},           {"schedule", trace.schedule},
              {"checked", trace.is_checked},  {"complete", trace.is_complete},
              {"dropped", trace.dropped},     {"lost_lines", trace.lost_lines}};
}

Json advice_json(const Extras& extras) {
  Json list = Json::array();
  for (const Advice& advice : extras.advice) {
    list.push_back({{"title", advice.title},
                    {"text", advice.text},
                    {"to_do", advice.to_do},
                    {"hint", advice.hint},
                    {"places", advice.places},
                    {"gain", advice.gain},
                    {"works", advice.works},
                    {"calls", advice.calls}});
  }
  return list;
}

Json tables_json(const Extras& extras) {
  Json tables = Json::array();
  for (const Table& table : extras.tables) {
    tables.push_back({{"title", table.title},
                      {"columns", table.columns},
                      {"rows", table.rows},
                      {"times", table.times},
                      {"notes", table.notes}});
  }
  return tables;
}

Json limits_json(const Extras& extras) {
  Json limits = Json::array();
  for (const Limit& limit : extras.limits) {
    limits.push_back({{"direction", static_cast<int>(limit.direction)},
                      {"memory", static_cast<int>(limit.memory)},
                      {"gbps", limit.gbps}});
  }
  return limits;
}

}  // namespace

std::string page_data(const Trace& trace, const Extras& extras) {
  Numbering threads;
  Numbering sites;
  Numbering stacks;
  Json data;
  data["about"] = about_json(trace);
  data["devices"] = devices_json(trace);
  data["texts"] = texts_json(trace);
  data["calls"] = calls_json(trace, threads, sites, stacks);
  data["works"] = works_json(trace, threads);
  data["ranges"] = ranges_json(trace, threads);
  data["instants"] = instants_json(trace, threads);
  data["device_memory"] = device_memory_json(trace);
  data["threads"] = threads_json(trace, threads);
  data["stacks"] = stacks_json(trace, extras, stacks, sites);
  data["sites"] = sites_json(trace, extras, sites);
  data["advice"] = advice_json(extras);
  data["tables"] = tables_json(extras);
  data["limits"] = limits_json(extras);
  // Texts of a trace may hold anything, such as "</script>" or bytes that are not UTF-8.
  const std::string plain = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(plain.size());
  for (const char letter : plain) {
    if (letter == '<') {
      safe += "\\u003c";
    } else {
      safe += letter;
    }
  }
  return safe;
}

}  // namespace ferry::tools::page
