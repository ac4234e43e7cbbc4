// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// Fields in a fixed order; each number ends with a blank or a line end, each text is preceded by
// its length, so that paths and keys may hold anything:
//
//   hostnpu-entry 2
//   object BYTES HASH-LENGTH HASH NAME-LENGTH NAME
//   dependencies COUNT
//   SIZE MTIME PATH-LENGTH PATH            (COUNT times)
//   kernels LENGTH TEXT
//   key LENGTH TEXT
#include "compiler/manifest.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>

#include "base/file.h"

namespace hostnpu::compiler {
namespace {

constexpr std::string_view kFormat = "hostnpu-entry 2\n";

/// Reads a text from its front; once something is not as expected, nothing is read any more.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  void Word(std::string_view expected) {
    good_ = good_ && rest_.starts_with(expected);
    if (good_) rest_.remove_prefix(expected.size());
  }

  template <typename Integer>
  Integer Number() {
    Integer value = 0;
    if (!good_) return value;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    good_ = error == std::errc();
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    Word(" ");
    return value;
  }

  std::string Text() {
    const auto size = Number<uint64_t>();
    good_ = good_ && size <= rest_.size();
    if (!good_) return {};
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }

  bool good() const { return good_; }
  bool at_end() const { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace

std::optional<Dependency> Dependency::Of(const std::string& path) {
  const auto status = base::StatFile(path);
  if (!status) return std::nullopt;
  return Dependency{path, status->size, status->mtime_ns};
}

std::string Manifest::ToText() const {
  std::string text(kFormat);
  auto out = std::back_inserter(text);
  fmt::format_to(out, "object {} {} {} {} {}\n", object_bytes, object_hash.size(), object_hash,
                 object.size(), object);
  fmt::format_to(out, "dependencies {} \n", dependencies.size());
  for (const Dependency& each : dependencies) {
    fmt::format_to(out, "{} {} {} {}\n", each.size, each.mtime_ns, each.path.size(), each.path);
  }
  fmt::format_to(out, "kernels {} {}\nkey {} {}\n", kernels.size(), kernels, key.size(), key);
  return text;
}

std::optional<Manifest> Manifest::FromText(std::string_view text) {
  Manifest manifest;
  Reader reader(text);
  reader.Word(kFormat);
  reader.Word("object ");
  manifest.object_bytes = reader.Number<uint64_t>();
  manifest.object_hash = reader.Text();
  reader.Word(" ");
  manifest.object = reader.Text();
  reader.Word("\ndependencies ");
  const auto count = reader.Number<uint64_t>();
  reader.Word("\n");
  for (uint64_t i = 0; i < count && reader.good(); ++i) {
    Dependency dependency;
    dependency.size = reader.Number<uint64_t>();
    dependency.mtime_ns = reader.Number<int64_t>();
    dependency.path = reader.Text();
    reader.Word("\n");
    manifest.dependencies.push_back(std::move(dependency));
  }
  reader.Word("kernels ");
  manifest.kernels = reader.Text();
  reader.Word("\nkey ");
  manifest.key = reader.Text();
  reader.Word("\n");
  if (!reader.at_end()) return std::nullopt;
  return manifest;
}

}  // namespace hostnpu::compiler
