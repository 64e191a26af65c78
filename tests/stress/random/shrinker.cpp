// SPDX-License-Identifier: Apache-2.0
// Delta debugging over the list of operations, then over their arguments.
#include "shrinker.h"

#include <algorithm>

namespace stress {

namespace {

constexpr size_t kComparedBytes = 4;

bool all_succeed(const std::vector<Prediction>& predictions) {
  return std::all_of(predictions.begin(), predictions.end(),
                     [](const Prediction& each) { return each.code == ACL_SUCCESS; });
}

class Shrinker {
 public:
  Shrinker(Program program, Arguments arguments, int tries)
      : program_(std::move(program)), arguments_(arguments), tries_(tries) {}

  Program run() {
    size_t size = 0;
    do {
      size = program_.size();
      remove_operations();
      use_one_thread();
      narrow_comparisons();
      remove_items();
      reduce_sizes();
    } while (program_.size() < size);
    return program_;
  }

 private:
  // Keeps the candidate if it fails too.
  bool accept(Program candidate) {
    const std::optional<std::vector<Prediction>> predictions = predict(candidate);
    if (!predictions || (arguments_ == Arguments::kValid && !all_succeed(*predictions))) {
      return false;
    }
    for (int i = 0; i < tries_; ++i) {
      failure_ = run_isolated(candidate, *predictions);
      if (!failure_) continue;
      program_ = std::move(candidate);
      return true;
    }
    return false;
  }

  void remove_operations() {
    for (size_t length = std::max<size_t>(program_.size() / 2, 1);; length /= 2) {
      for (size_t begin = 0; begin < program_.size();) {
        const size_t end = std::min(begin + length, program_.size());
        Program candidate = program_;
        candidate.erase(candidate.begin() + static_cast<ptrdiff_t>(begin),
                        candidate.begin() + static_cast<ptrdiff_t>(end));
        if (!accept(std::move(candidate))) begin = end;
      }
      if (length <= 1) return;
    }
  }

  void use_one_thread() {
    Program candidate = program_;
    for (Operation& op : candidate)
      op.thread = 0;
    accept(std::move(candidate));
  }

  // A comparison needs only the first byte that is wrong, and a few behind it.
  void narrow_comparisons() {
    if (!accept(program_) || failure_->operation >= program_.size() ||
        program_[failure_->operation].call != Call::kCompare) {
      return;
    }
    Program candidate = program_;
    Operation& compare = candidate[failure_->operation];
    compare.dst.offset += failure_->offset;
    compare.count = std::min(compare.count - failure_->offset, kComparedBytes);
    accept(std::move(candidate));
  }

  void remove_items() {
    for (size_t i = 0; i < program_.size(); ++i) {
      for (size_t item = 0; item < program_[i].items.size();) {
        Program candidate = program_;
        Operation& op = candidate[i];
        op.items.erase(op.items.begin() + static_cast<ptrdiff_t>(item));
        // An attribute applies up to the next one's first item.
        for (Attribute& attribute : op.attributes)
          attribute.first -= attribute.first > item ? 1 : 0;
        std::erase_if(op.attributes, [&](const Attribute& attribute) {
          return attribute.first >= op.items.size();
        });
        const auto last =
            std::unique(op.attributes.rbegin(), op.attributes.rend(),
                        [](const Attribute& a, const Attribute& b) { return a.first == b.first; });
        op.attributes.erase(op.attributes.begin(), last.base());
        if (!accept(std::move(candidate))) ++item;
      }
    }
  }

  void reduce_sizes() {
    for (size_t i = 0; i < program_.size(); ++i) {
      while (program_[i].count > 1) {
        Program candidate = program_;
        candidate[i].count /= 2;
        if (!accept(std::move(candidate))) break;
      }
    }
  }

  Program program_;
  Arguments arguments_;
  int tries_;
  std::optional<Failure> failure_;  // of the latest candidate
};

}  // namespace

Program shrink(Program program, Arguments arguments, int tries) {
  return Shrinker(std::move(program), arguments, tries).run();
}

}  // namespace stress
