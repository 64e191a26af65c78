// SPDX-License-Identifier: Apache-2.0
// An event under a name, for other processes. Those of this host get its page; those of other hosts
// ask this process, which records on the page for them.
#pragma once

#include "core/record_watcher.h"
#include "sharing/descriptor.h"
#include "sharing/event_page.h"
#include "sharing/exchange.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace ferry {

// What a visitor is told.
struct EventFacts {
  int32_t device = -1;  // logical id, in the creating process
};

// Answers as long as the event of the creator lives, or another process holds it.
class EventOffer final : public sharing::Offer {
 public:
  EventOffer(const sharing::Name& name, sharing::Descriptor file,
             std::shared_ptr<sharing::EventPage> page, const EventFacts& facts);
  ~EventOffer() override;
  EventOffer(const EventOffer&) = delete;
  EventOffer& operator=(const EventOffer&) = delete;

  sharing::Kind kind() const override { return sharing::Kind::kEvent; }
  sharing::Answer open(const sharing::Visitor& visitor) override;
  // A visitor has let go of the event, or the creator has destroyed it.
  void closed() override;
  void asked(uint64_t visitor, std::span<const std::byte> question,
             const Answering& answer) override;
  // Its records that have not ended are abandoned.
  void left(uint64_t visitor) override;

 private:
  uint64_t begin_record(uint64_t visitor);
  void end_record(uint64_t visitor, uint64_t ticket, sharing::EventPage::State state);

  const sharing::Name name_;
  const sharing::Descriptor file_;
  const std::shared_ptr<sharing::EventPage> page_;
  const std::shared_ptr<RecordWatcher> watcher_;  // for visitors of other hosts
  const EventFacts facts_;
  std::mutex mutex_;                                 // guards the members below
  uint64_t holders_ = 1;                             // visitors, and the creator
  std::map<uint64_t, std::vector<uint64_t>> begun_;  // tickets of visitors of other hosts
};

}  // namespace ferry
