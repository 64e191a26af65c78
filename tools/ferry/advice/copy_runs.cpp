// SPDX-License-Identifier: Apache-2.0
// The search for runs of copies, one thread after the other.
#include "advice/copy_runs.h"

#include <map>

namespace ferry::tools::advice {
namespace {

// A pause of the program that ends a run: it probably made the bytes of the next copy.
constexpr int64_t kLongPause = 100'000;  // ns

class RunFinder {
 public:
  RunFinder(const Survey& survey, const std::function<void(const CopyRun&)>& look)
      : survey_(survey), look_(look) {}

  void look_at(const std::vector<uint32_t>& calls) {
    int64_t last_end = 0;
    for (const uint32_t index : calls) {
      const trace::Call& call = survey_.trace().calls[index];
      if (call.begin - last_end > kLongPause) end_all();
      last_end = call.end;
      take(index);
    }
    end_all();
  }

 private:
  void take(uint32_t index) {
    const Role role = survey_.role_of(index);
    if (role == Role::kSynchronize || role == Role::kRefused) end_all();
    const trace::Work* copy = survey_.single_work(index);
    if (copy != nullptr && is_queued_copy(*copy) && copy->model == trace::kNone) {
      extend(*copy);
      return;
    }
    for (const uint32_t work : survey_.works_of(index)) {
      if (survey_.trace().works[work].is_during_call()) {
        end_all();
      } else {
        end(open_[survey_.trace().works[work].stream]);
      }
    }
  }

  void extend(const trace::Work& copy) {
    CopyRun& run = open_[copy.stream];
    if (!run.empty()) {
      const trace::Work& last = survey_.trace().works[run.back()];
      if (last.direction != copy.direction || last.memory != copy.memory) end(run);
    }
    run.push_back(static_cast<uint32_t>(&copy - survey_.trace().works.data()));
  }

  void end(CopyRun& run) {
    if (run.size() > 1) look_(run);
    run.clear();
  }

  void end_all() {
    for (auto& [stream, run] : open_)
      end(run);
  }

  const Survey& survey_;
  const std::function<void(const CopyRun&)>& look_;
  std::map<int32_t, CopyRun> open_;  // by stream
};

}  // namespace

void for_each_copy_run(const Survey& survey, const std::function<void(const CopyRun&)>& look) {
  for (const auto& [thread, calls] : survey.threads())
    RunFinder(survey, look).look_at(calls);
}

bool continues(const trace::Work& work, const trace::Work& next) {
  return work.dst != 0 && work.src != 0 && work.dst + work.bytes == next.dst &&
         work.src + work.bytes == next.src;
}

uint64_t continued(const trace::Trace& trace, const CopyRun& run) {
  uint64_t count = 0;
  for (size_t i = 1; i < run.size(); ++i)
    count += continues(trace.works[run[i - 1]], trace.works[run[i]]) ? 1 : 0;
  return count;
}

}  // namespace ferry::tools::advice
