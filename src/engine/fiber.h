// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ENGINE_FIBER_H_
#define HOSTNPU_ENGINE_FIBER_H_

#include <cstddef>
#include <cstdint>

namespace hostnpu::engine {

/// A stack with a body that runs until it yields. One AI core runs on one fiber.
///
///     Start(body) ── Resume() ──> body runs ── Yield() ──> Resume() returns ─┐
///          ^                        ^───────────────────────── Resume() <────┤
///          └─────────────── Start(next body) <──────── finished() <──────────┘
///
/// A fiber belongs to the thread that first resumes it and never moves to another: kernels keep the
/// address of thread-local state in registers. The stack is reused from body to body; it is fresh
/// only after Abandon(), which drops a body that will never be resumed.
class Fiber {
 public:
  using Body = void (*)(void* context);

  /// Reserves a stack of `stack_bytes` (touched only as it is used) with a guard below it.
  /// Only a fiber that IsUsable() may be used: the host may have no memory for the stack.
  explicit Fiber(size_t stack_bytes);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Gives an idle fiber its next body; it runs at the next Resume().
  void Start(Body body, void* context);
  /// Runs the body until it yields or ends. Called from the thread's own stack only.
  void Resume();
  /// Called on the fiber: goes back to Resume()'s caller.
  void Yield();
  /// Ends the body from inside, without unwinding: its stack is simply dropped.
  [[noreturn]] void Exit();
  /// Drops a body that is suspended. Objects on its stack are not destroyed.
  void Abandon();

  bool IsUsable() const { return stack_ != nullptr; }
  bool finished() const { return finished_; }
  size_t stack_bytes() const { return stack_bytes_; }
  /// Whether `address` is in the guard: the stack has overflowed.
  bool InGuard(const void* address) const;
  /// Before code runs over the fiber's frames instead of returning through them: to
  /// AddressSanitizer they are alive until then. Async-signal-safe.
  void GiveUpFrames() const;
  /// A stack pointer from which a handler may run on this fiber after its contents are given up.
  void* ResetPointer() const;

 private:
  static void Enter(void* fiber);
  void Reset();
  void SwitchOut(bool final);

  char* stack_ = nullptr;  // lowest usable byte; the guard is below
  size_t stack_bytes_ = 0;
  void* context_ = nullptr;         // where this fiber is suspended; null before the first Resume
  void* caller_context_ = nullptr;  // where Resume() was called
  Body body_ = nullptr;
  void* body_context_ = nullptr;
  bool finished_ = true;
  bool exited_ = false;  // left in the middle: the stack must be set up anew
  // For AddressSanitizer and ThreadSanitizer, which must be told of every switch.
  void* asan_fake_stack_ = nullptr;
  void* asan_caller_fake_stack_ = nullptr;
  const void* caller_stack_ = nullptr;
  size_t caller_stack_bytes_ = 0;
  void* tsan_fiber_ = nullptr;
  void* tsan_caller_ = nullptr;
};

}  // namespace hostnpu::engine

#endif  // HOSTNPU_ENGINE_FIBER_H_
