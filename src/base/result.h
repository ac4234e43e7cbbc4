// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_BASE_RESULT_H_
#define HOSTNPU_BASE_RESULT_H_

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hostnpu::base {

/// What went wrong, as a class of faults. The runtime maps these to ACL numbers
/// (runtime/status.def); nothing below it knows ACL.
enum class Code {
  kInvalidArgument,  ///< the caller gave a value that is never legal
  kInvalidState,     ///< legal value, wrong moment (a destroyed stream, a finished lease)
  kNotFound,         ///< a file, chip, kernel or symbol that does not exist
  kOutOfMemory,      ///< device or host memory is exhausted, or a configured limit is reached
  kUnsupported,      ///< exists on the hardware, not here
  kCompileError,     ///< the user's source does not compile
  kKernelFault,      ///< a core did something illegal while running
  kStall,            ///< no core of a launch can go on
  kTimeout,          ///< a wait with a limit ran out
  kIo,               ///< the operating system refused
  kInternal,         ///< our own mistake
};

/// One error: a sentence about the thing at fault, and what was being done, innermost first.
struct Error {
  Code code = Code::kInternal;
  std::string message{};               // "Count (4096 bytes) is larger than destMax (1024 bytes)."
  std::vector<std::string> context{};  // innermost first: "copying from host memory to [Device 0]"
  int number = 0;                      // an outer layer's own number for this error; 0: by code

  /// Appends one step of what was being done; returns itself for chaining.
  Error& While(std::string doing) & {
    context.push_back(std::move(doing));
    return *this;
  }
  Error&& While(std::string doing) && {
    context.push_back(std::move(doing));
    return std::move(*this);
  }

  /// The message and its ` - While ...` lines, each line ended by a newline except the last.
  std::string ToString() const {
    std::string text = message;
    for (const std::string& step : context) text += "\n - While " + step;
    return text;
  }
};

/// A value or an Error. `ok()` must be asked before either is taken.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return state_.index() == 0; }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  Error& error() & { return std::get<1>(state_); }
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return !error_.has_value(); }
  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace hostnpu::base

/// Returns the error of `expr` from this function, with `doing` added to its context.
#define HOSTNPU_TRY(expr, doing)                      \
  do {                                                \
    if (auto try_result = (expr); !try_result.ok()) { \
      try_result.error().context.push_back(doing);    \
      return std::move(try_result.error());           \
    }                                                 \
  } while (false)

#define HOSTNPU_CONCAT_INNER(a, b) a##b
#define HOSTNPU_CONCAT(a, b) HOSTNPU_CONCAT_INNER(a, b)

/// Declares `decl` from the value of `expr`, or returns its error unchanged:
/// `HOSTNPU_ASSIGN_OR_RETURN(auto text, ReadFile(path));`
#define HOSTNPU_ASSIGN_OR_RETURN(decl, expr) \
  HOSTNPU_ASSIGN_OR_RETURN_INNER(HOSTNPU_CONCAT(assign_result_, __LINE__), decl, expr)
#define HOSTNPU_ASSIGN_OR_RETURN_INNER(tmp, decl, expr) \
  auto tmp = (expr);                                    \
  if (!tmp.ok()) return std::move(tmp).error();         \
  decl = std::move(tmp).value()

#endif  // HOSTNPU_BASE_RESULT_H_
