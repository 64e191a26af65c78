// SPDX-License-Identifier: Apache-2.0
// Captured models: what does it cost to run recorded copies again, instead of queueing them again?
#include "bench/client.h"
#include "bench/question.h"
#include "bench/questions/questions.h"

#include <cstring>
#include <stdexcept>

namespace ferry::bench {
namespace {

// Many small copies inside the device: queued one by one, and recorded in a model.
class Replay {
 public:
  Replay() {
    check(aclmdlRICaptureBegin(recorded_.handle(), ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    queue(recorded_);
    check(aclmdlRICaptureEnd(recorded_.handle(), &model_));
  }
  ~Replay() { static_cast<void>(aclmdlRIDestroy(model_)); }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  void submit_again() const {
    queue(stream_);
    stream_.synchronize();
  }
  void run() const {
    check(aclmdlRIExecuteAsync(model_, stream_.handle()));
    stream_.synchronize();
  }
  void verify() {
    ++round_;
    std::memset(host_.at(0), round_, kCopies * kBytes);
    source_.write(host_.at(0));
    run();
    std::memset(host_.at(0), 0, kCopies * kBytes);
    target_.read(host_.at(0));
    for (size_t i = 0; i < kCopies * kBytes; ++i) {
      if (host_.at(0)[i] != std::byte{round_}) {
        throw std::runtime_error("WRONG BYTES: a run has not copied everything");
      }
    }
  }

  static constexpr size_t kCopies = 1000;

 private:
  static constexpr size_t kBytes = 256;

  void queue(const Stream& stream) const {
    for (size_t i = 0; i < kCopies; ++i) {
      check(aclrtMemcpyAsync(target_.at(i * kBytes), kBytes, source_.at(i * kBytes), kBytes,
                             ACL_MEMCPY_DEVICE_TO_DEVICE, stream.handle()));
    }
  }

  Stream stream_;
  Stream recorded_;
  Buffer source_{Buffer::Place::kDevice, kCopies* kBytes};
  Buffer target_{Buffer::Place::kDevice, kCopies* kBytes};
  Buffer host_{Buffer::Place::kPinned, kCopies* kBytes};
  aclmdlRI model_ = nullptr;
  unsigned char round_ = 0;
};

}  // namespace

void ask_capture(const Setup& setup) {
  constexpr double kMicroseconds = 1e6;
  setup.show_progress("runs of a model");
  Replay replay;
  const std::vector<Contender> contenders{
      {"run of the model", [&] { replay.run(); }, {}, {}, [&] { replay.verify(); }},
      {"queued again", [&] { replay.submit_again(); }, {}, {}, {}}};
  const Times times = race(contenders, setup.pace);
  Row row;
  row.what = "1000 copies of 256 B, and wait";
  row.unit = "us per run";
  row.measured = median(times.front()) * kMicroseconds;
  row.baseline = median(times[1]) * kMicroseconds;
  row.baseline_name = "queued again";
  row.ratio = ratio_of(times[1], times.front());
  row.target = below(0.5 * median(times[1]) * kMicroseconds, "us");
  row.judged = row.measured;
  setup.add(row);
}

}  // namespace ferry::bench
