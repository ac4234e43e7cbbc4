// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_CODEGEN_TEXT_H_
#define HOSTNPU_TILELANG_CODEGEN_TEXT_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tilelang/ir/module.h"

namespace hostnpu::tilelang::codegen {

/// C++ names for variables and buffers: the user's where it is free, else with a number behind it.
class Names {
 public:
  explicit Names(const ir::Module& module);

  /// The name of a buffer.
  const std::string& Of(ir::BufferId buffer) const { return buffers_[static_cast<size_t>(buffer)]; }
  /// The name of a variable; given at first sight.
  const std::string& Of(const ir::Var& var);
  /// A free name that begins as `wish`.
  std::string Fresh(const std::string& wish);

 private:
  std::vector<std::string> buffers_;
  std::map<uint64_t, std::string> vars_;
  std::set<std::string> taken_;
};

/// Writes expressions as C++.
class ExprWriter {
 public:
  ExprWriter(const ir::Module& module, Names& names) : module_(module), names_(names) {}

  std::string Write(const ir::ExprPtr& expr);
  /// Row-major element offset of `indices` in `buffer`, as int64 for GM and int32 on the chip.
  std::string Offset(ir::BufferId buffer, const std::vector<ir::ExprPtr>& indices);

 private:
  std::string WriteBinary(const ir::Binary& node);
  std::string WriteMath(const ir::MathCall& node);
  std::string WriteLoad(const ir::Load& node);

  const ir::Module& module_;
  Names& names_;
};

/// Text as a C++ string literal, quotes included.
std::string StringLiteral(const std::string& text);

/// A float literal of a C++ type: "-inf" and NaN included.
std::string FloatLiteral(double value, ir::DType dtype);

}  // namespace hostnpu::tilelang::codegen

#endif  // HOSTNPU_TILELANG_CODEGEN_TEXT_H_
