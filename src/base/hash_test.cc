// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <gtest/gtest.h>

namespace hostnpu::base {
namespace {

TEST(Hash, GivesTheKnownValueOfTheEmptyText) {
  EXPECT_EQ(HashBytes("").ToHex(),
            "99aa06d3014798d86001c324468d497f");  // XXH3-128 of nothing, seed 0
}

TEST(Hash, DiffersForDifferentTexts) {
  EXPECT_EQ(HashBytes("abc"), HashBytes("abc"));
  EXPECT_FALSE(HashBytes("abc") == HashBytes("abd"));
  EXPECT_FALSE(HashBytes(std::string(1, '\0')) == HashBytes(""));
}

TEST(Hasher, KnowsWhereAFieldEnds) {
  EXPECT_FALSE(Hasher().Add("ab").Add("c").Finish() == Hasher().Add("a").Add("bc").Finish());
  EXPECT_FALSE(Hasher().Add("").Finish() == Hasher().Finish());
  EXPECT_EQ(Hasher().Add("ab").Add(uint64_t{7}).Finish(),
            Hasher().Add("ab").Add(uint64_t{7}).Finish());
}

TEST(Hasher, CanGoOnAfterFinish) {
  Hasher hasher;
  hasher.Add("a");
  const Hash128 first = hasher.Finish();
  EXPECT_EQ(hasher.Finish(), first);
  EXPECT_FALSE(hasher.Add("b").Finish() == first);
}

}  // namespace
}  // namespace hostnpu::base
