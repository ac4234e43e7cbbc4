// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_BASE_HASH_H_
#define HOSTNPU_BASE_HASH_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hostnpu::base {

/// A 128-bit content hash (XXH3). Good against accident, not against an adversary.
struct Hash128 {
  uint64_t high = 0;
  uint64_t low = 0;

  /// 32 lower-case hexadecimal digits.
  std::string ToHex() const;
  friend bool operator==(const Hash128&, const Hash128&) = default;
};

/// The hash of one text.
Hash128 HashBytes(std::string_view bytes);

/// Hashes a sequence of fields. Each field goes in with its length, so that ("ab", "c") and ("a",
/// "bc") differ. Not thread-safe.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  Hasher& Add(std::string_view field);
  Hasher& Add(uint64_t number);
  Hash128 Finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hostnpu::base

#endif  // HOSTNPU_BASE_HASH_H_
