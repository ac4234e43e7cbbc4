// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiling structs by macro. For host code each becomes a class with set_x(), get_x(), SaveToBuffer()
// and GetDataSize(); for kernels, which see the bytes, a plain struct of the same layout: fields in
// order, each aligned to its own size, arrays and nested structs to 8, the whole rounded up to 8.
// HOSTNPU_TILING_AS_STRUCT chooses the second form.
#ifndef HOSTNPU_ASCENDC_REGISTER_TILINGDATA_BASE_H_
#define HOSTNPU_ASCENDC_REGISTER_TILINGDATA_BASE_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef HOSTNPU_TILING_AS_STRUCT

#define BEGIN_TILING_DATA_DEF(name) struct alignas(8) name {
#define TILING_DATA_FIELD_DEF(type, field) type field
#define TILING_DATA_FIELD_DEF_ARR(type, count, field) alignas(8) type field[count]
#define TILING_DATA_FIELD_DEF_STRUCT(type, field) alignas(8) type field
#define END_TILING_DATA_DEF }
#define REGISTER_TILING_DATA_CLASS(op, name) using HostnpuTilingOf_##op = name;

#else

#include <memory>
#include <string>
#include <vector>

namespace optiling {

/// What every tiling class is: the bytes, and where its nested structs go.
class TilingDef {
 public:
  virtual ~TilingDef() = default;
  TilingDef() = default;
  TilingDef(const TilingDef&) = default;
  TilingDef& operator=(const TilingDef&) = default;

  /// Bytes of the struct as the kernel sees it.
  size_t GetDataSize() const { return (bytes_.size() + 7) / 8 * 8; }

  /// Copies the struct out. Does nothing when `capacity` is less than GetDataSize(): callers test
  /// that.
  void SaveToBuffer(void* buffer, size_t capacity) const {
    if (buffer == nullptr || capacity < GetDataSize()) return;
    memset(buffer, 0, GetDataSize());
    Write(static_cast<uint8_t*>(buffer));
  }

 protected:
  /// Reserves a field; returns its offset.
  size_t Reserve(size_t size, size_t alignment) {
    const size_t offset = (bytes_.size() + alignment - 1) / alignment * alignment;
    bytes_.resize(offset + size, 0);
    return offset;
  }
  size_t ReserveNested(const TilingDef& nested) {
    const size_t offset = Reserve(nested.GetDataSize(), 8);
    nested_.push_back(
        {offset, reinterpret_cast<const char*>(&nested) - reinterpret_cast<const char*>(this)});
    return offset;
  }
  uint8_t* At(size_t offset) { return bytes_.data() + offset; }
  const uint8_t* At(size_t offset) const { return bytes_.data() + offset; }

  void Write(uint8_t* to) const {
    if (!bytes_.empty()) memcpy(to, bytes_.data(), bytes_.size());
    for (const Nested& n : nested_) {
      // Found by distance, not by pointer, so that a copied object writes its own members.
      reinterpret_cast<const TilingDef*>(reinterpret_cast<const char*>(this) + n.distance)
          ->Write(to + n.offset);
    }
  }

 private:
  struct Nested {
    size_t offset;
    ptrdiff_t distance;
  };
  std::vector<uint8_t> bytes_;
  std::vector<Nested> nested_;
};

/// Tiling classes by operator type, for frameworks that save raw tiling data by name.
class TilingDataRegistry {
 public:
  using Factory = std::unique_ptr<TilingDef> (*)();
  struct Entry {
    std::string op;
    Factory make;
  };
  static std::vector<Entry>& Entries() {
    static std::vector<Entry> entries;
    return entries;
  }
  static bool Add(const char* op, Factory make) {
    Entries().push_back({op, make});
    return true;
  }
};

}  // namespace optiling

#define BEGIN_TILING_DATA_DEF(name)           \
  class name : public ::optiling::TilingDef { \
   public:                                    \
    static constexpr const char* kClassName = #name;

#define TILING_DATA_FIELD_DEF(type, field)                                                \
 public:                                                                                  \
  void set_##field(type value) { memcpy(At(hostnpu_at_##field), &value, sizeof(value)); } \
  type get_##field() const {                                                              \
    type value;                                                                           \
    memcpy(&value, At(hostnpu_at_##field), sizeof(value));                                \
    return value;                                                                         \
  }                                                                                       \
                                                                                          \
 private:                                                                                 \
  size_t hostnpu_at_##field = Reserve(sizeof(type), sizeof(type));                        \
                                                                                          \
 public:                                                                                  \
  static_assert(true, "")

#define TILING_DATA_FIELD_DEF_ARR(type, count, field)                             \
 public:                                                                          \
  void set_##field(const type* values) {                                          \
    memcpy(At(hostnpu_at_##field), values, sizeof(type) * (count));               \
  }                                                                               \
  type* get_##field() { return reinterpret_cast<type*>(At(hostnpu_at_##field)); } \
                                                                                  \
 private:                                                                         \
  size_t hostnpu_at_##field = Reserve(sizeof(type) * (count), 8);                 \
                                                                                  \
 public:                                                                          \
  static_assert(true, "")

#define TILING_DATA_FIELD_DEF_STRUCT(type, field)   \
 public:                                            \
  type field;                                       \
                                                    \
 private:                                           \
  size_t hostnpu_at_##field = ReserveNested(field); \
                                                    \
 public:                                            \
  static_assert(true, "")

#define END_TILING_DATA_DEF }

#define REGISTER_TILING_DATA_CLASS(op, name)                                                    \
  [[maybe_unused]] static const bool hostnpu_registered_tiling_##op##_##name =                  \
      ::optiling::TilingDataRegistry::Add(#op, []() -> std::unique_ptr<::optiling::TilingDef> { \
        return std::make_unique<name>();                                                        \
      });

#endif  // HOSTNPU_TILING_AS_STRUCT

#endif  // HOSTNPU_ASCENDC_REGISTER_TILINGDATA_BASE_H_
