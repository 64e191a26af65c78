// SPDX-License-Identifier: Apache-2.0
// Setting up and tearing down one side; waiting.
#include "bench/raw/ucx/side.h"

#include "bench/raw/ucx/progress.h"

#include <malloc.h>
#include <poll.h>
#include <sys/mman.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

namespace ferry::bench::ucx {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

// The card: three numbers, then the worker's address and the packed key.
struct CardFront {
  uint64_t memory;
  uint64_t bytes;
  uint64_t address_bytes;
};

ucp_context_h open_context(const char* network_device) {
  ucp_config_t* config = nullptr;
  must(ucp_config_read(nullptr, nullptr, &config), "ucp_config_read");
  if (network_device[0] != '\0') {
    must(ucp_config_modify(config, "NET_DEVICES", network_device), "ucp_config_modify");
  }
  ucp_params_t params{};
  params.field_mask = UCP_PARAM_FIELD_FEATURES;
  params.features = UCP_FEATURE_RMA | UCP_FEATURE_AM | UCP_FEATURE_WAKEUP;
  ucp_context_h context = nullptr;
  const ucs_status_t status = ucp_init(&params, config, &context);
  ucp_config_release(config);
  must(status, "ucp_init");
  return context;
}

// What this process has allocated; pages of freed memory that stay resident would hide what a
// connection takes.
size_t allocated_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace

void must(ucs_status_t status, const char* what) {
  if (status == UCS_OK) return;
  throw std::runtime_error(std::string("raw UCX: ") + what + ": " + ucs_status_string(status));
}

Side::Side(size_t bytes, const char* network_device) : bytes_(bytes) {
  void* const memory =
      mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(memory);
  static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));  // advisory
  std::memset(memory_, 0, bytes);
  context_ = open_context(network_device);

  ucp_worker_params_t params{};
  params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  params.thread_mode = UCS_THREAD_MODE_SERIALIZED;
  must(ucp_worker_create(context_, &params, &worker_), "ucp_worker_create");

  must(ucp_worker_get_efd(worker_, &wakeup_), "ucp_worker_get_efd");

  ucp_mem_map_params_t map{};
  map.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH;
  map.address = memory_;
  map.length = bytes_;
  must(ucp_mem_map(context_, &map, &registration_), "ucp_mem_map");

  ucp_address_t* address = nullptr;
  size_t length = 0;
  must(ucp_worker_get_address(worker_, &address, &length), "ucp_worker_get_address");
  address_.assign(reinterpret_cast<const char*>(address), length);
  ucp_worker_release_address(worker_, address);
  void* key = nullptr;
  must(ucp_rkey_pack(context_, registration_, &key, &length), "ucp_rkey_pack");
  key_.assign(static_cast<const char*>(key), length);
  ucp_rkey_buffer_release(key);

  ucp_am_handler_param_t handler{};
  handler.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
                       UCP_AM_HANDLER_PARAM_FIELD_ARG;
  handler.id = 0;
  handler.cb = on_message;
  handler.arg = this;
  must(ucp_worker_set_am_recv_handler(worker_, &handler), "ucp_worker_set_am_recv_handler");
}

Side::~Side() {
  try {
    if (other_key_ != nullptr) ucp_rkey_destroy(other_key_);
    if (endpoint_ != nullptr) close_endpoint(endpoint_);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  if (worker_ != nullptr) ucp_worker_destroy(worker_);
  if (registration_ != nullptr) ucp_mem_unmap(context_, registration_);
  if (context_ != nullptr) ucp_cleanup(context_);
  for (const std::vector<std::byte>* body : spare_bodies_)
    delete body;
  if (memory_ != nullptr) munmap(memory_, bytes_ + kHugePage);
}

std::string Side::card() const {
  const CardFront front{reinterpret_cast<uint64_t>(memory_), bytes_, address_.size()};
  return std::string(reinterpret_cast<const char*>(&front), sizeof front) + address_ + key_;
}

void Side::connect(const std::string& card) {
  CardFront front{};
  if (card.size() < sizeof front) throw std::runtime_error("raw UCX: the peer's card is cut off");
  std::memcpy(&front, card.data(), sizeof front);
  const std::string rest = card.substr(sizeof front);
  if (front.address_bytes >= rest.size()) {
    throw std::runtime_error("raw UCX: the peer's card is cut off");
  }
  other_address_ = rest.substr(0, front.address_bytes);
  other_memory_ = front.memory;
  other_bytes_ = front.bytes;
  endpoint_ = make_endpoint();
  must(ucp_ep_rkey_unpack(endpoint_, rest.data() + front.address_bytes, &other_key_),
       "ucp_ep_rkey_unpack");
}

ucp_ep_h Side::make_endpoint() {
  ucp_ep_params_t params{};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER;
  params.address = reinterpret_cast<const ucp_address_t*>(other_address_.data());
  // A peer that dies must end the loop. Ferry asks for the same, so UCX chooses the same
  // transports.
  params.err_mode = UCP_ERR_HANDLING_MODE_PEER;
  params.err_handler.cb = on_endpoint_error;
  params.err_handler.arg = this;
  ucp_ep_h endpoint = nullptr;
  must(ucp_ep_create(worker_, &params, &endpoint), "ucp_ep_create");
  return endpoint;
}

void Side::close_endpoint(ucp_ep_h endpoint) {
  ucp_request_param_t params{};
  params.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
  params.flags = UCP_EP_CLOSE_FLAG_FORCE;
  const ucs_status_ptr_t request = ucp_ep_close_nbx(endpoint, &params);
  if (!UCS_PTR_IS_PTR(request)) return;
  while (ucp_request_check_status(request) == UCS_INPROGRESS)
    ucp_worker_progress(worker_);
  ucp_request_free(request);
}

void Side::on_endpoint_error(void* side, ucp_ep_h /*endpoint*/, ucs_status_t status) {
  static_cast<Side*>(side)->failure_ = status;
}

std::string Side::transports() const {
  // ucp_ep_print_info is the only way that UCX 1.13 offers; it names the lanes as "lane[0]: ...".
  char* text = nullptr;
  size_t length = 0;
  FILE* const stream = open_memstream(&text, &length);
  if (stream == nullptr) throw std::bad_alloc();
  ucp_ep_print_info(endpoint_, stream);
  std::fclose(stream);
  const std::string all(text, length);
  std::free(text);
  std::string names;
  for (size_t at = all.find("lane["); at != std::string::npos; at = all.find("lane[", at + 1)) {
    const size_t colon = all.find(':', all.find(':', at) + 1);
    const size_t start = colon == std::string::npos ? colon : colon + 1;
    if (start == std::string::npos) break;
    const std::string name = all.substr(start, all.find_first_of(" .\n", start) - start);
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : ", ") + name;
  }
  return names.empty() ? "unknown" : names;
}

std::byte* Side::checked(uint64_t place, uint64_t bytes) const {
  if (place > bytes_ || bytes > bytes_ - place) {
    throw std::runtime_error("raw UCX: a message names bytes beyond the memory");
  }
  return memory_ + place;
}

bool Side::poll() {
  bool is_fruitful = ucp_worker_progress(worker_) != 0;
  while (!jobs_.empty()) {
    is_fruitful = true;
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    run_job(job);
  }
  if (!refusal_.empty()) throw std::runtime_error(refusal_);
  must(failure_, "the connection");
  return is_fruitful;
}

void Side::sleep() {
  constexpr int kMilliseconds = 10;
  const ucs_status_t status = ucp_worker_arm(worker_);
  if (status == UCS_ERR_BUSY) return;  // something has happened meanwhile
  must(status, "ucp_worker_arm");
  pollfd entry{.fd = wakeup_, .events = POLLIN, .revents = 0};
  static_cast<void>(::poll(&entry, 1, kMilliseconds));
}

void Side::serve(const std::atomic<bool>& should_stop) {
  size_t fruitless = 0;
  while (!should_stop.load(std::memory_order_relaxed)) {
    fruitless = poll() ? 0 : fruitless + 1;
    if (fruitless >= kSpins) sleep();
  }
}

void Side::on_operation_done(void* request, ucs_status_t status, void* side) {
  Side& self = *static_cast<Side*>(side);
  --self.in_flight_;
  if (status != UCS_OK) self.failure_ = status;
  ucp_request_free(request);
}

void Side::flush() {
  ucp_request_param_t params{};
  params.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  params.cb.send = on_operation_done;
  params.user_data = this;
  const ucs_status_ptr_t request = ucp_ep_flush_nbx(endpoint_, &params);
  if (UCS_PTR_IS_ERR(request)) must(UCS_PTR_STATUS(request), "ucp_ep_flush_nbx");
  if (request != nullptr) ++in_flight_;
  poll_until([this] { return in_flight_ == 0; });
}

void Side::ping() {
  MessageHeader header{};
  header.kind = MessageKind::kPing;
  header.number = ++number_;
  send(header);
  wait_for_answer();
}

void Side::wait_for_answer() {
  poll_until([this] { return answered_ == number_; });
}

// Every connection has endpoints of its own on both sides. The answers arrive over the first one.
ConnectionCost Side::open_connections(size_t count) {
  using Clock = std::chrono::steady_clock;
  ping();
  const size_t before = allocated_bytes();
  const auto start = Clock::now();
  std::vector<ucp_ep_h> endpoints;
  for (size_t i = 0; i < count; ++i) {
    endpoints.push_back(make_endpoint());
    MessageHeader header{};
    header.kind = MessageKind::kPing;
    header.number = ++number_;
    send_on(endpoints.back(), header);
    wait_for_answer();
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const size_t after = allocated_bytes();
  for (const ucp_ep_h endpoint : endpoints)
    close_endpoint(endpoint);
  const double times = static_cast<double>(count);
  return {seconds / times, (static_cast<double>(after) - static_cast<double>(before)) / times};
}

}  // namespace ferry::bench::ucx

extern "C" __attribute__((visibility("default"))) ferry::bench::UcxFabric* ferry_bench_ucx_open(
    size_t bytes, const char* network_device) {
  return new ferry::bench::ucx::Side(bytes, network_device);
}
