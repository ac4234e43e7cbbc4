// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_HANDLE_H_
#define HOSTNPU_RUNTIME_HANDLE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace hostnpu::runtime {

/// What a handle given to a program stands for. The value is the top half of the handle.
enum class HandleKind : uint64_t {
  kContext = 0x5A01,
  kStream = 0x5A02,
  kEvent = 0x5A03,
  kBinary = 0x5A04,
  kModule = 0x5A05,
  kFunction = 0x5A06,
  kArguments = 0x5A07,
};

/// A handle is no address: kind and a number that counts up and is never used twice. So a destroyed
/// handle, or one of another kind, is always known as such.
constexpr uint64_t kHandleShift = 48;

inline void* MakeHandle(HandleKind kind, uint64_t id) {
  return reinterpret_cast<void*>(static_cast<uint64_t>(kind) << kHandleShift | id << 4);
}
inline uint64_t IdOfHandle(const void* handle) {
  return (reinterpret_cast<uint64_t>(handle) & ((uint64_t{1} << kHandleShift) - 1)) >> 4;
}
inline bool IsHandleOf(HandleKind kind, const void* handle) {
  return reinterpret_cast<uint64_t>(handle) >> kHandleShift == static_cast<uint64_t>(kind);
}

/// "[Stream 3]", "[Event 1]"; "null"; "the address 0x7f...". For messages.
std::string DescribeHandle(const void* handle);

/// The living objects of one kind, by handle. Thread-safe.
template <typename T>
class HandleTable {
 public:
  explicit HandleTable(HandleKind kind) : kind_(kind) {}

  uint64_t NextId() {
    std::unique_lock lock(mutex_);
    return next_id_++;
  }
  void* Add(uint64_t id, std::shared_ptr<T> object) {
    std::unique_lock lock(mutex_);
    objects_.emplace(id, std::move(object));
    return MakeHandle(kind_, id);
  }
  std::shared_ptr<T> Find(const void* handle) const {
    if (!IsHandleOf(kind_, handle)) return nullptr;
    std::shared_lock lock(mutex_);
    auto found = objects_.find(IdOfHandle(handle));
    return found == objects_.end() ? nullptr : found->second;
  }
  /// Takes it out; null if it is not there.
  std::shared_ptr<T> Remove(const void* handle) {
    if (!IsHandleOf(kind_, handle)) return nullptr;
    std::unique_lock lock(mutex_);
    auto found = objects_.find(IdOfHandle(handle));
    if (found == objects_.end()) return nullptr;
    std::shared_ptr<T> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }
  std::vector<std::shared_ptr<T>> All() const {
    std::shared_lock lock(mutex_);
    std::vector<std::shared_ptr<T>> all;
    for (const auto& [id, object] : objects_) all.push_back(object);
    return all;
  }
  HandleKind kind() const { return kind_; }

 private:
  const HandleKind kind_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<uint64_t, std::shared_ptr<T>> objects_;
  uint64_t next_id_ = 1;
};

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_HANDLE_H_
