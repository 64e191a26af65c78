// SPDX-License-Identifier: Apache-2.0
// Handles: the void* a program holds for a context, stream, event, notify and so on. A handle is a
// number, not an address: kind, slot and generation. A destroyed, foreign or random value is
// recognised without touching memory it might point to. Finding an object pins it: it stays alive,
// though no longer findable, until the last Ref is gone.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace ferry {

// Bits 48 to 55 of a handle, so that no handle is a valid address on x86-64 or aarch64.
enum class HandleKind : uint8_t {
  kContext = 0xC0,
  kStream = 0x5E,
  kEvent = 0xE7,
  kNotify = 0x40,
  kCountingNotify = 0x4C,
  kDataBuffer = 0xDB,
  kPhysicalMemory = 0x9E,  // not in a table: virtual_memory.h
  kMemoryPool = 0x90,
  kAllocatorDesc = 0xAD,
  kMessageBuffer = 0x31,
  kProfilingConfig = 0x32,
  kSubscribeConfig = 0x33,
  kStamp = 0x34,
  kStep = 0x35,
  kHostBinary = 0xB0,
  kBinary = 0xB1,
  kFunction = 0xF0,
  kArgumentList = 0xA6,
  kParameter = 0x9A,  // not in a table: kernel_arguments.h
  kModel = 0x3D,
  kModelStream = 0x5D,
  kModelTask = 0x7D,
  kTaskGroup = 0x76,
  kLabel = 0x1A,
  kLabelList = 0x1B,
  kCondition = 0xCD,
};

// One slot of a table. The word holds the generation in its upper and the reference count in its
// lower half. Invariants: while an object is findable, the table itself holds one reference.
// Removing it advances the generation, so that the old handle no longer matches. The slot is reused
// only after the reference count has dropped to 0.
struct HandleSlot {
  std::atomic<uint64_t> word{uint64_t{1} << 32};
  void* object = nullptr;
  uint32_t index = 0;
};

// Base of what a HandleTable<T> holds. Not copied, not moved: its address is its identity.
class Handled {
 public:
  Handled() = default;
  Handled(const Handled&) = delete;
  Handled& operator=(const Handled&) = delete;

  void* handle() const { return handle_; }

 protected:
  ~Handled() = default;

 private:
  template <class T>
  friend class HandleTable;
  template <class T>
  friend class Ref;

  HandleSlot* slot_ = nullptr;
  void* handle_ = nullptr;
};

template <class T>
class HandleTable;

// A counted reference to an object of a table; may be passed between threads, not shared by them.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(const Ref& other) : object_(other.object_) {
    if (object_ != nullptr) object_->slot_->word.fetch_add(1, std::memory_order_relaxed);
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ != nullptr) HandleTable<T>::release(object_);
  }

  explicit operator bool() const { return object_ != nullptr; }
  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }

 private:
  friend class HandleTable<T>;
  explicit Ref(T* counted) : object_(counted) {}

  T* object_ = nullptr;
};

// All live objects of one kind. T derives from Handled and names its HandleKind as T::kHandleKind.
// May be shared between threads. A process has one table per kind, which is never destroyed.
template <class T>
class HandleTable {
 public:
  static HandleTable& instance() {
    static auto* table = new HandleTable;
    return *table;
  }

  // Makes `object` findable. `announce` gets the handle just before that, to enter it elsewhere; if
  // it throws, there never was an object.
  template <class Announce>
  Ref<T> insert(std::unique_ptr<T> object, Announce announce) {
    TakenSlot taken(*this);
    HandleSlot* slot = taken.slot;
    slot->object = object.get();
    const uint64_t generation = slot->word.load(std::memory_order_relaxed) >> 32;
    object->slot_ = slot;
    object->handle_ = encode(generation, slot->index);
    announce(object->handle_);
    taken.slot = nullptr;
    // One reference for the table, one for the caller.
    slot->word.store(generation << 32 | 2, std::memory_order_release);
    return Ref<T>(object.release());
  }
  Ref<T> insert(std::unique_ptr<T> object) {
    return insert(std::move(object), [](void* /*handle*/) {});
  }

  // Empty when the handle does not refer to a live object of this kind.
  Ref<T> find(const void* handle) const {
    HandleSlot* slot = slot_of(handle);
    if (slot == nullptr) return {};
    const uint64_t generation = generation_of(handle);
    uint64_t word = slot->word.load(std::memory_order_acquire);
    while (matches(word, generation)) {
      if (slot->word.compare_exchange_weak(word, word + 1, std::memory_order_acquire)) {
        return Ref<T>(static_cast<T*>(slot->object));
      }
    }
    return {};
  }

  // Makes the object unfindable. Empty when it was not findable, so that one of several callers
  // wins.
  Ref<T> remove(const void* handle) {
    HandleSlot* slot = slot_of(handle);
    if (slot == nullptr) return {};
    const uint64_t generation = generation_of(handle);
    uint64_t word = slot->word.load(std::memory_order_acquire);
    while (matches(word, generation)) {
      const uint64_t moved_on = next_generation(generation) << 32 | (word & kCountMask);
      if (slot->word.compare_exchange_weak(word, moved_on, std::memory_order_acq_rel)) {
        return Ref<T>(static_cast<T*>(slot->object));  // takes over the table's reference
      }
    }
    return {};
  }

 private:
  friend class Ref<T>;

  static constexpr unsigned kIndexBits = 22;
  static constexpr unsigned kGenerationBits = 26;
  static constexpr uint64_t kIndexMask = (uint64_t{1} << kIndexBits) - 1;
  static constexpr uint64_t kGenerationMask = (uint64_t{1} << kGenerationBits) - 1;
  static constexpr uint64_t kCountMask = 0xFFFFFFFF;
  static constexpr size_t kBlockSize = 1024;
  static constexpr size_t kBlocks = (size_t{1} << kIndexBits) / kBlockSize;
  using Block = std::array<HandleSlot, kBlockSize>;

  // A slot that is given back unless an object moves in.
  struct TakenSlot {
    explicit TakenSlot(HandleTable& of_table) : table(of_table), slot(of_table.take_slot()) {}
    ~TakenSlot() {
      if (slot != nullptr) table.give_back(slot);
    }
    TakenSlot(const TakenSlot&) = delete;
    TakenSlot& operator=(const TakenSlot&) = delete;

    HandleTable& table;
    HandleSlot* slot;
  };

  static bool matches(uint64_t word, uint64_t generation) {
    return word >> 32 == generation && (word & kCountMask) != 0;
  }
  // Never 0, so that no handle is NULL in its lower bits.
  static uint64_t next_generation(uint64_t generation) {
    return generation == kGenerationMask ? 1 : generation + 1;
  }
  static void* encode(uint64_t generation, uint64_t index) {
    const auto kind = static_cast<uint64_t>(T::kHandleKind);
    return reinterpret_cast<void*>(kind << 48 | generation << kIndexBits | index);
  }
  static uint64_t generation_of(const void* handle) {
    return reinterpret_cast<uint64_t>(handle) >> kIndexBits & kGenerationMask;
  }

  HandleSlot* slot_of(const void* handle) const {
    const auto value = reinterpret_cast<uint64_t>(handle);
    if (value >> 48 != static_cast<uint64_t>(T::kHandleKind)) return nullptr;
    const size_t index = value & kIndexMask;
    Block* block = blocks_[index / kBlockSize].load(std::memory_order_acquire);
    return block == nullptr ? nullptr : &(*block)[index % kBlockSize];
  }

  HandleSlot* take_slot() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) add_block();
    HandleSlot* slot = free_.back();
    free_.pop_back();
    return slot;
  }

  void add_block() {
    if (used_blocks_ == kBlocks) throw std::bad_alloc();
    free_.reserve(used_blocks_ * kBlockSize + kBlockSize);
    auto* block = new Block;
    for (size_t i = kBlockSize; i-- > 0;) {
      (*block)[i].index = static_cast<uint32_t>(used_blocks_ * kBlockSize + i);
      free_.push_back(&(*block)[i]);
    }
    blocks_[used_blocks_++].store(block, std::memory_order_release);
  }

  static void release(T* object) {
    HandleSlot* slot = object->slot_;
    if ((slot->word.fetch_sub(1, std::memory_order_acq_rel) & kCountMask) != 1) return;
    delete object;
    instance().give_back(slot);
  }

  void give_back(HandleSlot* slot) {
    const std::lock_guard lock(mutex_);
    free_.push_back(slot);  // add_block has reserved its place
  }

  std::array<std::atomic<Block*>, kBlocks> blocks_{};
  std::mutex mutex_;  // protects free_ and used_blocks_; finding takes no lock
  std::vector<HandleSlot*> free_;
  size_t used_blocks_ = 0;
};

}  // namespace ferry
