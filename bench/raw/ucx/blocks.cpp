// SPDX-License-Identifier: Apache-2.0
// Copies: operations of UCX, packed messages, large messages; and what the receiver does.
#include "bench/raw/ucx/progress.h"
#include "bench/raw/ucx/side.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>

namespace ferry::bench::ucx {
namespace {

constexpr size_t kPlaceBytes = sizeof(uint64_t);

size_t blocks_per_part(uint64_t block_bytes) {
  return std::max<size_t>(1, kPartBytes / (block_bytes + kPlaceBytes));
}

}  // namespace

// A body in flight goes back to the spare ones when it has left. The header must live as long as
// the send.
struct OutgoingMessage {
  Side* side;
  MessageHeader header;
  std::vector<std::byte>* body;
};

struct Side::Arrival {
  Side* side;
  MessageHeader header;
  std::vector<std::byte> bytes;  // empty when they arrive in their place
};

void Side::put_each(const Layout& layout) {
  ucp_request_param_t params{};
  params.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  params.cb.send = on_operation_done;
  params.user_data = this;
  for (size_t i = 0; i < layout.from.size(); ++i) {
    const ucs_status_ptr_t request =
        ucp_put_nbx(endpoint_, memory_ + layout.from[i], layout.block_bytes,
                    other_memory_ + layout.to[i], other_key_, &params);
    if (UCS_PTR_IS_ERR(request)) must(UCS_PTR_STATUS(request), "ucp_put_nbx");
    if (request != nullptr) ++in_flight_;
  }
  flush();
}

void Side::get_each(const Layout& layout) {
  ucp_request_param_t params{};
  params.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  params.cb.send = on_operation_done;
  params.user_data = this;
  for (size_t i = 0; i < layout.from.size(); ++i) {
    const ucs_status_ptr_t request =
        ucp_get_nbx(endpoint_, memory_ + layout.to[i], layout.block_bytes,
                    other_memory_ + layout.from[i], other_key_, &params);
    if (UCS_PTR_IS_ERR(request)) must(UCS_PTR_STATUS(request), "ucp_get_nbx");
    if (request != nullptr) ++in_flight_;
  }
  poll_until([this] { return in_flight_ == 0; });
}

MessageHeader Side::begin(MessageKind kind, const Layout& layout) {
  MessageHeader header{};
  header.kind = kind;
  header.number = ++number_;
  header.total = static_cast<uint32_t>(layout.from.size());
  header.block_bytes = layout.block_bytes;
  return header;
}

void Side::put_packed(const Layout& layout) {
  MessageHeader header = begin(MessageKind::kPacked, layout);
  header.wants_answer = 1;
  send_packed(header, {layout.from.begin(), layout.from.end()},
              {layout.to.begin(), layout.to.end()});
  wait_for_answer();
}

void Side::get_packed(const Layout& layout) {
  MessageHeader header = begin(MessageKind::kGather, layout);
  header.count = header.total;
  const size_t bytes = layout.from.size() * kPlaceBytes;
  std::vector<std::byte>* const body = spare_body(2 * bytes);
  std::memcpy(body->data(), layout.from.data(), bytes);
  std::memcpy(body->data() + bytes, layout.to.data(), bytes);
  send(header, body);
  wait_for_answer();
}

void Side::put_message(const Layout& layout) {
  MessageHeader header = begin(MessageKind::kBulk, layout);
  header.place = layout.to.front();
  header.wants_answer = 1;
  send_bulk(header, memory_ + layout.from.front(), layout.block_bytes);
  wait_for_answer();
}

void Side::get_message(const Layout& layout) {
  MessageHeader header = begin(MessageKind::kFetch, layout);
  header.place = layout.from.front();
  header.other_place = layout.to.front();
  send(header);
  wait_for_answer();
}

void Side::send_packed(MessageHeader header, const std::vector<uint64_t>& from,
                       const std::vector<uint64_t>& to) {
  const size_t per_part = blocks_per_part(header.block_bytes);
  for (size_t start = 0; start < from.size(); start += per_part) {
    const size_t count = std::min(per_part, from.size() - start);
    poll_until([this] { return in_flight_ < kWindow; });
    std::vector<std::byte>* const body = spare_body(count * (kPlaceBytes + header.block_bytes));
    std::memcpy(body->data(), to.data() + start, count * kPlaceBytes);
    std::byte* block = body->data() + count * kPlaceBytes;
    for (size_t i = start; i < start + count; ++i, block += header.block_bytes)
      std::memcpy(block, checked(from[i], header.block_bytes), header.block_bytes);
    header.count = static_cast<uint32_t>(count);
    send(header, body);
  }
}

std::vector<std::byte>* Side::spare_body(size_t bytes) {
  std::vector<std::byte>* body = nullptr;
  if (spare_bodies_.empty()) {
    body = new std::vector<std::byte>;
  } else {
    body = spare_bodies_.back();
    spare_bodies_.pop_back();
  }
  body->resize(bytes);
  return body;
}

void Side::on_sent(void* request, ucs_status_t status, void* message) {
  const std::unique_ptr<OutgoingMessage> own(static_cast<OutgoingMessage*>(message));
  Side& side = *own->side;
  --side.in_flight_;
  if (own->body != nullptr) side.spare_bodies_.push_back(own->body);
  if (status != UCS_OK) side.failure_ = status;
  if (request != nullptr) ucp_request_free(request);
}

void Side::send(const MessageHeader& header, std::vector<std::byte>* body) {
  auto* const message = new OutgoingMessage{this, header, body};
  ucp_request_param_t params{};
  params.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  params.cb.send = on_sent;
  params.user_data = message;
  ++in_flight_;
  const ucs_status_ptr_t request = ucp_am_send_nbx(
      endpoint_, 0, &message->header, sizeof message->header,
      body == nullptr ? nullptr : body->data(), body == nullptr ? 0 : body->size(), &params);
  if (!UCS_PTR_IS_PTR(request)) on_sent(nullptr, UCS_PTR_STATUS(request), message);
}

void Side::send_bulk(const MessageHeader& header, const std::byte* bytes, size_t count) {
  auto* const message = new OutgoingMessage{this, header, nullptr};
  ucp_request_param_t params{};
  params.op_attr_mask =
      UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_FLAGS;
  params.cb.send = on_sent;
  params.user_data = message;
  params.flags = UCP_AM_SEND_FLAG_RNDV;
  ++in_flight_;
  const ucs_status_ptr_t request = ucp_am_send_nbx(endpoint_, 0, &message->header,
                                                   sizeof message->header, bytes, count, &params);
  if (!UCS_PTR_IS_PTR(request)) on_sent(nullptr, UCS_PTR_STATUS(request), message);
}

void Side::send_on(ucp_ep_h endpoint, const MessageHeader& header) {
  auto* const message = new OutgoingMessage{this, header, nullptr};
  ucp_request_param_t params{};
  params.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  params.cb.send = on_sent;
  params.user_data = message;
  ++in_flight_;
  const ucs_status_ptr_t request =
      ucp_am_send_nbx(endpoint, 0, &message->header, sizeof message->header, nullptr, 0, &params);
  if (!UCS_PTR_IS_PTR(request)) on_sent(nullptr, UCS_PTR_STATUS(request), message);
}

// A handler runs inside UCX: it throws nothing and waits for nothing.
ucs_status_t Side::on_message(void* side, const void* header, size_t header_length, void* data,
                              size_t length, const ucp_am_recv_param_t* param) {
  Side& self = *static_cast<Side*>(side);
  try {
    MessageHeader parsed{};
    if (header_length != sizeof parsed) throw std::runtime_error("raw UCX: a strange header");
    std::memcpy(&parsed, header, sizeof parsed);
    if ((param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) == 0) {
      self.arrive(parsed, static_cast<const std::byte*>(data), length);
      return UCS_OK;
    }
    auto arrival = std::make_unique<Arrival>(Arrival{&self, parsed, {}});
    std::byte* target = nullptr;
    if (parsed.kind == MessageKind::kBulk) {
      target = self.checked(parsed.place, length);
    } else {
      arrival->bytes.resize(length);
      target = arrival->bytes.data();
    }
    ucp_request_param_t params{};
    params.op_attr_mask =
        UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FLAG_NO_IMM_CMPL;
    params.cb.recv_am = on_received;
    params.user_data = arrival.get();
    const ucs_status_ptr_t request =
        ucp_am_recv_data_nbx(self.worker_, data, target, length, &params);
    if (UCS_PTR_IS_ERR(request)) must(UCS_PTR_STATUS(request), "ucp_am_recv_data_nbx");
    static_cast<void>(arrival.release());  // on_received has it
    return UCS_INPROGRESS;
  } catch (const std::exception& error) {
    self.refusal_ = error.what();
    return UCS_OK;
  }
}

void Side::on_received(void* request, ucs_status_t status, size_t /*length*/, void* arrival) {
  const std::unique_ptr<Arrival> own(static_cast<Arrival*>(arrival));
  Side& self = *own->side;
  ucp_request_free(request);
  if (status != UCS_OK) {
    self.failure_ = status;
    return;
  }
  try {
    if (own->header.kind == MessageKind::kBulk) {
      self.blocks_arrived(own->header, 1);
    } else {
      self.arrive(own->header, own->bytes.data(), own->bytes.size());
    }
  } catch (const std::exception& error) {
    self.refusal_ = error.what();
  }
}

void Side::arrive(const MessageHeader& header, const std::byte* data, size_t length) {
  switch (header.kind) {
    case MessageKind::kPing: {
      MessageHeader answer{};
      answer.kind = MessageKind::kDone;
      answer.number = header.number;
      return send(answer);
    }
    case MessageKind::kDone:
      answered_ = header.number;
      return;
    case MessageKind::kPacked: {
      if (header.block_bytes > bytes_ ||
          header.count > length / (kPlaceBytes + header.block_bytes)) {
        throw std::runtime_error("raw UCX: a message is cut off");
      }
      const std::byte* block = data + header.count * kPlaceBytes;
      for (size_t i = 0; i < header.count; ++i, block += header.block_bytes) {
        uint64_t place = 0;
        std::memcpy(&place, data + i * kPlaceBytes, sizeof place);
        std::memcpy(checked(place, header.block_bytes), block, header.block_bytes);
      }
      return blocks_arrived(header, header.count);
    }
    case MessageKind::kBulk:
      std::memcpy(checked(header.place, length), data, length);
      return blocks_arrived(header, 1);
    case MessageKind::kGather:
    case MessageKind::kFetch:
      return take_job(header, data, length);
  }
  throw std::runtime_error("raw UCX: an unknown message");
}

void Side::blocks_arrived(const MessageHeader& header, uint32_t count) {
  if (arriving_ != header.number) arrived_ = 0;
  arriving_ = header.number;
  arrived_ += count;
  if (arrived_ != header.total) return;
  arriving_ = 0;
  if (header.wants_answer == 0) {
    answered_ = header.number;
    return;
  }
  MessageHeader answer{};
  answer.kind = MessageKind::kDone;
  answer.number = header.number;
  send(answer);
}

void Side::take_job(const MessageHeader& header, const std::byte* data, size_t length) {
  Job job{header, {}, {}};
  if (header.kind == MessageKind::kGather) {
    const size_t bytes = size_t{header.count} * kPlaceBytes;
    if (header.block_bytes > bytes_ || length != 2 * bytes) {
      throw std::runtime_error("raw UCX: a message is cut off");
    }
    job.from.resize(header.count);
    job.to.resize(header.count);
    std::memcpy(job.from.data(), data, bytes);
    std::memcpy(job.to.data(), data + bytes, bytes);
  }
  jobs_.push_back(std::move(job));
}

void Side::run_job(const Job& job) {
  MessageHeader header = job.header;
  if (job.header.kind == MessageKind::kGather) {
    header.kind = MessageKind::kPacked;
    return send_packed(header, job.from, job.to);
  }
  header.kind = MessageKind::kBulk;
  header.place = job.header.other_place;
  send_bulk(header, checked(job.header.place, job.header.block_bytes), job.header.block_bytes);
}

}  // namespace ferry::bench::ucx
