// SPDX-License-Identifier: Apache-2.0
// The text of a call, and the source file of a reproducer.
#include "writer.h"

#include "calls.h"

#include <algorithm>
#include <set>
#include <type_traits>

namespace stress {

namespace {

// What every reproducer starts with.
constexpr const char* kPreamble = R"(#include "acl/acl.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <thread>
#include <vector>

namespace {

[[maybe_unused]] void* const garbage = reinterpret_cast<void*>(uintptr_t{0x10});
[[maybe_unused]] void* buffers[12];
[[maybe_unused]] aclrtContext contexts[4];
[[maybe_unused]] aclrtStream streams[6];
[[maybe_unused]] aclrtEvent events[6];
[[maybe_unused]] aclrtNotify notifies[4];

[[maybe_unused]] void* at(int buffer, size_t offset) {
  return buffers[buffer] == nullptr ? nullptr : static_cast<char*>(buffers[buffer]) + offset;
}

[[maybe_unused]] void set_bytes(void* address, size_t size, int pattern) {
  std::vector<uint8_t> bytes(size);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<uint8_t>(static_cast<size_t>(pattern) + i * 37 + (i >> 8));
  ASSERT_EQ(aclrtMemcpy(address, size, bytes.data(), size, ACL_MEMCPY_DEFAULT), 0);
}

[[maybe_unused]] void* map_pages(size_t size, int pattern) {
  void* mapped = mmap(nullptr, size + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(static_cast<char*>(mapped) + size, 4096, PROT_NONE);
  for (size_t i = 0; i < size; ++i)
    static_cast<uint8_t*>(mapped)[i] =
        static_cast<uint8_t>(static_cast<size_t>(pattern) + i * 37 + (i >> 8));
  return mapped;
}

// -1 fits every byte.
[[maybe_unused]] void expect_bytes(void* address, const std::vector<int>& expected) {
  std::vector<uint8_t> actual(expected.size());
  aclrtPtrAttributes attributes{};
  ASSERT_EQ(aclrtPointerGetAttributes(address, &attributes), 0);
  if (attributes.location.type == ACL_MEM_LOCATION_TYPE_DEVICE) {
    ASSERT_EQ(aclrtMemcpy(actual.data(), actual.size(), address, actual.size(), ACL_MEMCPY_DEFAULT), 0);
  } else {
    std::memcpy(actual.data(), address, actual.size());
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(expected[i] < 0 || expected[i] == actual[i])
        << "byte " << i << " is " << int{actual[i]} << ", predicted is " << expected[i];
  }
}

// What a host function does.
struct Fill {
  void* at;
  size_t count;
  int value;
};
[[maybe_unused]] void run_fill(void* argument) {
  const Fill* fill = static_cast<Fill*>(argument);
  if (fill->count != 0) std::memset(fill->at, fill->value, fill->count);
}
)";

constexpr const char* kServers = R"(
// Threads that serve the callbacks of the streams of a device.
std::atomic<bool> is_stopped{false};
std::thread servers[2];
uint64_t server_of(int device) { return static_cast<uint64_t>(servers[device].native_handle()); }
void serve() {
  while (!is_stopped)
    aclrtProcessReport(5);
}
)";

constexpr const char* kOrder = R"(
// Operations of other threads that must come first.
std::atomic<bool> is_done[%];
void after(std::initializer_list<size_t> operations) {
  for (const size_t operation : operations)
    is_done[operation].wait(false);
}
void done(size_t operation) {
  is_done[operation] = true;
  is_done[operation].notify_all();
}
)";

std::string bracketed(const char* array, int slot) {
  if (slot == kGarbage) return "garbage";
  return slot == kNull ? "nullptr" : array + ("[" + std::to_string(slot) + "]");
}

std::string address_of(const char* array, int slot) {
  return slot == kNull ? "nullptr" : "&" + bracketed(array, slot);
}

std::string text_of(const Place& place) {
  if (place.buffer < 0) return "nullptr";
  return "at(" + std::to_string(place.buffer) + ", " + std::to_string(place.offset) + ")";
}

// Prints a call instead of making it.
class Printer {
 public:
  explicit Printer(const Operation& op) : op_(op) {}

  template <class Function, class... Arguments>
  aclError operator()(const char* name, Function /*function*/, const Arguments&... arguments) {
    text = std::string(name) + "(";
    size_t left = sizeof...(arguments);
    (void(text += print(arguments) + (--left == 0 ? "" : ", ")), ...);
    text += ")";
    return ACL_SUCCESS;
  }

  std::string text;

 private:
  template <class T>
  requires(std::is_arithmetic_v<T>) static std::string print(T value) {
    return std::to_string(value);
  }
  static std::string print(std::nullptr_t) { return "nullptr"; }
  static std::string print(aclrtMemcpyKind kind) {
    return "static_cast<aclrtMemcpyKind>(" + std::to_string(static_cast<int>(kind)) + ")";
  }
  static std::string print(aclrtMemMallocPolicy policy) {
    return "static_cast<aclrtMemMallocPolicy>(" + std::to_string(static_cast<int>(policy)) + ")";
  }
  static std::string print(aclrtCallbackBlockType type) {
    return "static_cast<aclrtCallbackBlockType>(" + std::to_string(static_cast<int>(type)) + ")";
  }
  // aclrtMemcpyAsyncWithOffset has pointers to pointers.
  std::string print(const Address& address) const {
    const std::string text_of_place = text_of(address.place);
    if (op_.call != Call::kMemcpyAsyncWithOffset || address.place.buffer < 0) return text_of_place;
    const bool is_src = address.place == op_.src && text.find("at(") != std::string::npos;
    return (is_src ? "static_cast<const void**>(" : "static_cast<void**>(") + text_of_place + ")";
  }
  static std::string print(const BufferSlot& made) { return address_of("buffers", made.slot); }
  static std::string print(const StreamHandle& used) { return bracketed("streams", used.slot); }
  static std::string print(const StreamSlot& made) { return address_of("streams", made.slot); }
  static std::string print(const EventHandle& used) { return bracketed("events", used.slot); }
  static std::string print(const EventSlot& made) { return address_of("events", made.slot); }
  static std::string print(const NotifyHandle& used) { return bracketed("notifies", used.slot); }
  static std::string print(const NotifySlot& made) { return address_of("notifies", made.slot); }
  static std::string print(const NotifyList& used) { return address_of("notifies", used.slot); }
  static std::string print(const ContextHandle& used) { return bracketed("contexts", used.slot); }
  static std::string print(const ContextSlot& made) { return address_of("contexts", made.slot); }
  std::string print(const FailIndex&) const {
    return (op_.missing & kNoFailIndex) != 0 ? "nullptr" : "&fail_index";
  }
  static std::string print(const StreamStatusOut&) { return "&status"; }
  static std::string print(const EventStatusOut&) { return "&status"; }
  static std::string print(const Server& server) {
    return "server_of(" + std::to_string(server.device) + ")";
  }
  static std::string print(const HostFunction& function) {
    return function.is_null ? "nullptr" : "run_fill";
  }
  static std::string print(const HostFill&) { return "&fill"; }
  std::string print(BatchArray which) const {
    constexpr const char* kNames[] = {"dsts", "dest_maxs", "srcs", "sizes", "attrs", "indexes"};
    const auto index = static_cast<unsigned>(which);
    return (op_.missing >> index & 1) != 0 ? "nullptr" : std::string(kNames[index]);
  }

  const Operation& op_;
};

std::string call_of(const Operation& op) {
  Printer printer(op);
  visit_call(op, printer);
  return printer.text;
}

// A line "type name[] = {...};".
template <class Elements, class Print>
std::string array_of(const char* type_and_name, const Elements& elements, const Print& print) {
  std::string text = "    ";
  text += type_and_name;
  // An array cannot be empty; how much of it counts is passed separately.
  text += "[] = {";
  for (const auto& element : elements)
    text += print(element) + ", ";
  if (elements.empty()) text += "{}";
  return text + "};\n";
}

std::string text_of(const aclrtMemLocation& location) {
  return "{" + std::to_string(location.id) + ", static_cast<aclrtMemLocationType>(" +
         std::to_string(static_cast<int>(location.type)) + ")}";
}

std::string arrays_of(const Operation& op) {
  std::string text;
  text += array_of("[[maybe_unused]] void* dsts", op.items,
                   [](const Item& item) { return text_of(item.dst); });
  text += array_of("[[maybe_unused]] size_t dest_maxs", op.items,
                   [](const Item& item) { return std::to_string(item.dest_max); });
  text += array_of("[[maybe_unused]] void* srcs", op.items,
                   [](const Item& item) { return text_of(item.src); });
  text += array_of("[[maybe_unused]] size_t sizes", op.items,
                   [](const Item& item) { return std::to_string(item.size); });
  text += array_of("[[maybe_unused]] aclrtMemcpyBatchAttr attrs", op.attributes,
                   [](const Attribute& each) {
                     return "{" + text_of(each.dst) + ", " + text_of(each.src) +
                            ", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, " +
                            std::to_string(each.reserved) + "}}";
                   });
  text += array_of("[[maybe_unused]] size_t indexes", op.attributes,
                   [](const Attribute& each) { return std::to_string(each.first); });
  return text + "    [[maybe_unused]] size_t fail_index = 0;\n";
}

std::string step_of(const Operation& op, const Prediction& prediction) {
  const std::string slot = "buffers[" + std::to_string(op.slot) + "]";
  const std::string size = std::to_string(op.count);
  switch (op.call) {
    case Call::kMapHost:
      return slot + " = map_pages(" + size + ", " + std::to_string(op.value) + ");";
    case Call::kUnmapHost:
      return "munmap(" + slot + ", " + size + " + 4096);\n    " + slot + " = nullptr;";
    case Call::kStoreAddress:
      return "void* address = " + text_of(op.src) + ";\n    EXPECT_EQ(aclrtMemcpy(" +
             text_of(op.dst) + ", 8, &address, 8, ACL_MEMCPY_HOST_TO_DEVICE), 0);";
    case Call::kTouchHost:
      return "std::memset(" + text_of(op.dst) + ", " + std::to_string(op.value) + ", " + size +
             ");";
    case Call::kCompare: {
      std::string text = "expect_bytes(" + text_of(op.dst) + ", {";
      for (const uint16_t byte : prediction.bytes)
        text += (byte == kUnknownByte ? "-1" : std::to_string(byte)) + ", ";
      return text + "});";
    }
    default:
      return "";
  }
}

// What surrounds a call: its variables, and what follows when it succeeds.
std::string statements_of(const Operation& op, const Prediction& prediction) {
  if (!is_api_call(op.call)) return "    " + step_of(op, prediction) + "\n";
  std::string text;
  if (is_batch(op.call)) text += arrays_of(op);
  if (op.call == Call::kStreamQuery) {
    text += "    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;\n";
  }
  if (op.call == Call::kQueryEventStatus) {
    text += "    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;\n";
  }
  if (op.call == Call::kLaunchHostFunc || op.call == Call::kLaunchCallback) {
    text += "    static Fill fill;\n    fill = {" + text_of(op.dst) + ", " +
            std::to_string(op.count) + ", " + std::to_string(op.value) + "};\n";
  }
  if (prediction.other_code) {
    text += "    const aclError code = " + call_of(op) +
            ";\n    EXPECT_TRUE(code == " + std::to_string(prediction.code) +
            " || code == " + std::to_string(*prediction.other_code) + ") << code;\n";
  } else {
    text += "    EXPECT_EQ(" + call_of(op) + ", " + std::to_string(prediction.code) + ");\n";
  }
  if (prediction.fail_index) {
    text += "    EXPECT_EQ(fail_index, " +
            (*prediction.fail_index == SIZE_MAX ? "SIZE_MAX"
                                                : std::to_string(*prediction.fail_index) + "U") +
            ");\n";
  }
  if (prediction.status)
    text += "    EXPECT_EQ(status, " + std::to_string(*prediction.status) + ");\n";
  if (prediction.code != ACL_SUCCESS) return text;
  const std::string slot = "buffers[" + std::to_string(op.slot) + "]";
  if (is_allocation(op.call)) {
    text += "    set_bytes(" + slot + ", " + std::to_string(capacity_of(op)) + ", " +
            std::to_string(op.value) + ");\n";
  }
  if (op.call == Call::kFreeHost) text += "    " + slot + " = nullptr;\n";
  return text;
}

std::string thread_body(const Program& program, const std::vector<Prediction>& predictions,
                        int thread, bool has_order) {
  std::string text;
  for (size_t i = 0; i < program.size(); ++i) {
    if (program[i].thread != thread) continue;
    text += "  {\n";
    if (!predictions[i].after.empty()) {
      text += "    after({";
      for (const size_t earlier : predictions[i].after)
        text += std::to_string(earlier) + ", ";
      text += "});\n";
    }
    text += statements_of(program[i], predictions[i]);
    if (has_order) text += "    done(" + std::to_string(i) + ");\n";
    text += "  }\n";
  }
  return text;
}

bool has_server(const Program& program) {
  return std::any_of(program.begin(), program.end(), [](const Operation& op) {
    return is_between(op.call, Call::kSubscribeReport, Call::kUnSubscribeReport);
  });
}

}  // namespace

std::string text_of(const Operation& op, const Prediction& prediction) {
  if (op.call == Call::kCompare) {
    return "comparison of " + std::to_string(op.count) + " bytes from " + text_of(op.dst);
  }
  return is_api_call(op.call) ? call_of(op) : step_of(op, prediction);
}

std::string write_test(const Program& program, const std::vector<Prediction>& predictions,
                       const std::string& comment) {
  std::set<int> threads;
  for (const Operation& op : program)
    threads.insert(op.thread);
  const bool has_order = threads.size() > 1;
  std::string text = comment + kPreamble;
  if (has_server(program)) text += kServers;
  if (has_order) {
    std::string order = kOrder;
    text += order.replace(order.find('%'), 1, std::to_string(program.size()));
  }
  for (const int thread : threads) {
    text += "\nvoid run_thread_" + std::to_string(thread) + "() {\n" +
            thread_body(program, predictions, thread, has_order) + "}\n";
  }
  text += "\n}  // namespace\n\nTEST(Reproducer, DoesWhatTheModelPredicts) {\n";
  text += "  for (int device = 0; device < 2; ++device) {\n";
  text += "    ASSERT_EQ(aclrtSetDevice(device), 0);\n";
  text += "    ASSERT_EQ(aclrtGetCurrentContext(&contexts[device]), 0);\n  }\n";
  if (has_server(program)) {
    text += "  for (std::thread& server : servers)\n    server = std::thread(serve);\n";
  }
  text += "  std::vector<std::thread> threads;\n";
  for (const int thread : threads)
    text += "  threads.emplace_back(run_thread_" + std::to_string(thread) + ");\n";
  text += "  for (std::thread& thread : threads)\n    thread.join();\n";
  if (has_server(program)) {
    text += "  is_stopped = true;\n  for (std::thread& server : servers)\n    server.join();\n";
  }
  return text + "}\n";
}

}  // namespace stress
