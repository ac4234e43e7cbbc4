// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "base/check.h"

namespace hostnpu::base {

struct Hasher::State {
  XXH3_state_t* xxh = XXH3_createState();
  ~State() { XXH3_freeState(xxh); }
};

std::string Hash128::ToHex() const { return fmt::format("{:016x}{:016x}", high, low); }

Hash128 HashBytes(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

Hasher::Hasher() : state_(std::make_unique<State>()) {
  HOSTNPU_CHECK(state_->xxh != nullptr);
  XXH3_128bits_reset(state_->xxh);
}

Hasher::~Hasher() = default;

Hasher& Hasher::Add(std::string_view field) {
  const uint64_t size = field.size();
  XXH3_128bits_update(state_->xxh, &size, sizeof(size));
  XXH3_128bits_update(state_->xxh, field.data(), field.size());
  return *this;
}

Hasher& Hasher::Add(uint64_t number) {
  XXH3_128bits_update(state_->xxh, &number, sizeof(number));
  return *this;
}

Hash128 Hasher::Finish() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_->xxh);
  return {hash.high64, hash.low64};
}

}  // namespace hostnpu::base
