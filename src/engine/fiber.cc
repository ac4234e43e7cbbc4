// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A switch costs 4.5 ns with Boost's fcontext, 160 ns with ucontext (two system calls for the
// signal mask) and microseconds with threads; a mixed kernel switches twice per hand-over, so the
// difference is the run time. Boost's raw contexts are used rather than its fiber class, because a
// core that faults is dropped without unwinding the kernel's stack, and that class unwinds by
// throwing.
#include "engine/fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <boost/context/detail/fcontext.hpp>

#include "base/check.h"
#include "base/poison.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HOSTNPU_TSAN 1
#endif
#endif
#ifdef HOSTNPU_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef HOSTNPU_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace hostnpu::engine {
namespace {

namespace context = boost::context::detail;

// Larger than the frame of any function a kernel may have: one that starts above the guard must not
// end below it. A multiple of every page size in use; it costs addresses, not memory.
constexpr size_t kGuardBytes = 256 * 1024;

size_t PageBytes() {
  static const size_t bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

Fiber::Fiber(size_t stack_bytes) {
  const size_t page = PageBytes();
  stack_bytes_ = (stack_bytes + page - 1) / page * page;
  void* raw = mmap(nullptr, stack_bytes_ + kGuardBytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (raw == MAP_FAILED) return;
  mprotect(raw, kGuardBytes, PROT_NONE);
  stack_ = static_cast<char*>(raw) + kGuardBytes;
  Reset();
}

Fiber::~Fiber() {
#ifdef HOSTNPU_TSAN
  if (tsan_fiber_ != nullptr) __tsan_destroy_fiber(tsan_fiber_);
#endif
  if (stack_ != nullptr) munmap(stack_ - kGuardBytes, stack_bytes_ + kGuardBytes);
}

void Fiber::Reset() {
  exited_ = false;
  context_ =
      context::make_fcontext(stack_ + stack_bytes_, stack_bytes_, [](context::transfer_t transfer) {
        auto* fiber = static_cast<Fiber*>(transfer.data);
        fiber->caller_context_ = transfer.fctx;
        Enter(fiber);
      });
  GiveUpFrames();
#ifdef HOSTNPU_ASAN
  asan_fake_stack_ = nullptr;
#endif
#ifdef HOSTNPU_TSAN
  if (tsan_fiber_ != nullptr) __tsan_destroy_fiber(tsan_fiber_);
  tsan_fiber_ = __tsan_create_fiber(0);
#endif
}

void Fiber::Enter(void* pointer) {
  auto* fiber = static_cast<Fiber*>(pointer);
#ifdef HOSTNPU_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &fiber->caller_stack_, &fiber->caller_stack_bytes_);
#endif
  for (;;) {
    fiber->body_(fiber->body_context_);
    fiber->finished_ = true;
    fiber->SwitchOut(/*final=*/false);
  }
}

void Fiber::Start(Body body, void* context) {
  HOSTNPU_CHECK(finished_);
  if (exited_) Reset();
  body_ = body;
  body_context_ = context;
  finished_ = false;
}

void Fiber::Resume() {
#ifdef HOSTNPU_TSAN
  tsan_caller_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(tsan_fiber_, 0);
#endif
#ifdef HOSTNPU_ASAN
  __sanitizer_start_switch_fiber(&asan_caller_fake_stack_, stack_, stack_bytes_);
#endif
  const context::transfer_t back =
      context::jump_fcontext(static_cast<context::fcontext_t>(context_), this);
#ifdef HOSTNPU_ASAN
  __sanitizer_finish_switch_fiber(asan_caller_fake_stack_, nullptr, nullptr);
#endif
  context_ = back.fctx;
}

void Fiber::SwitchOut(bool final) {
#ifdef HOSTNPU_TSAN
  __tsan_switch_to_fiber(tsan_caller_, 0);
#endif
#ifdef HOSTNPU_ASAN
  __sanitizer_start_switch_fiber(final ? nullptr : &asan_fake_stack_, caller_stack_,
                                 caller_stack_bytes_);
#else
  static_cast<void>(final);
#endif
  const context::transfer_t in =
      context::jump_fcontext(static_cast<context::fcontext_t>(caller_context_), nullptr);
#ifdef HOSTNPU_ASAN
  __sanitizer_finish_switch_fiber(asan_fake_stack_, &caller_stack_, &caller_stack_bytes_);
#endif
  caller_context_ = in.fctx;
}

void Fiber::Yield() { SwitchOut(/*final=*/false); }

void Fiber::Exit() {
  finished_ = true;
  exited_ = true;
  SwitchOut(/*final=*/true);
  __builtin_unreachable();
}

void Fiber::Abandon() {
  finished_ = true;
  Reset();
}

bool Fiber::InGuard(const void* address) const {
  const char* byte = static_cast<const char*>(address);
  return byte < stack_ && byte >= stack_ - kGuardBytes;
}

void Fiber::GiveUpFrames() const { base::Unpoison(stack_, stack_bytes_); }

void* Fiber::ResetPointer() const { return stack_ + stack_bytes_ - 4096; }

}  // namespace hostnpu::engine
