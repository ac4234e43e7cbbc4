// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_LAST_ERROR_H_
#define HOSTNPU_RUNTIME_LAST_ERROR_H_

#include <string>
#include <string_view>

#include "base/result.h"

namespace hostnpu::runtime {

/// Keeps an error as this thread's newest and returns its ACL number. `function` is the one the
/// user called.
int KeepError(std::string_view function, const base::Error& error);
/// The number of a call's result, its error kept if it has one.
template <typename T>
int KeepResult(std::string_view function, const base::Result<T>& result) {
  return result.ok() ? 0 : KeepError(function, result.error());
}

/// This thread's newest error, whether its message has been read or not.
base::Error NewestError();
/// The number of this thread's newest error, 0 if none; `forget` sets it to none.
int LastErrorNumber(bool forget);
/// The newest message, which counts as read then; null if there is none that has not been read. The
/// text lives until this thread's next call.
const char* TakeLastMessage();

/// A launch failed or was refused, and perhaps nobody will ask: if the program ends before its
/// message has been read, the message is printed to stderr. `spoils_exit`: the program's exit
/// status 0 becomes 1 then.
void NoteUnreadFailure(const base::Error& error, bool spoils_exit = false);
/// The failure has reached the user in another way.
void MarkRead(const base::Error& error);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_LAST_ERROR_H_
