// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels dereference GM pointers of their own making. When one is wild the host CPU raises a
// signal; the handler turns it into a fault of that core and lets the process live. It cannot
// unwind the kernel, so it gives up the fiber's stack: the signal frame is made to return into a
// function that ends the fiber.
#include <dlfcn.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <array>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/symbolize.h"
#include "engine/core.h"
#include "engine/device_abi.h"
#include "engine/division.h"
#include "engine/job.h"
#include "memory/device_memory.h"

namespace hostnpu::engine {
namespace {

constexpr size_t kSignalStackBytes = 256 * 1024;  // unwinding and formatting happen on it

struct sigaction previous_segv, previous_bus, previous_fpe;

// Filled in by the handler, which must not allocate: plain data, initialised before the thread
// runs.
struct Pending {
  int signal;
  const void* address;
  std::array<void*, 48> trace;
  size_t trace_count;
};
thread_local constinit Pending pending = {};

std::string Describe(const Core& core, int signal, const void* address) {
  if (signal == SIGFPE) return "the kernel computes what the processor refuses (SIGFPE)";
  if (core.fiber.InGuard(address)) {
    return fmt::format(
        "the kernel's stack is full ({} bytes); large local arrays belong in UB or GM",
        core.fiber.stack_bytes());
  }
  std::optional<memory::BufferInfo> below = memory::DeviceMemory::Get().NearestBelow(address);
  const auto value = reinterpret_cast<uintptr_t>(address);
  if (below.has_value() && value - below->base < below->size_bytes + (1u << 20)) {
    return fmt::format("the kernel touches offset {} of {}, which has {} bytes",
                       value - below->base, below->Name(), below->size_bytes);
  }
  return fmt::format("the kernel touches {:#x}, which is no memory of it", value);
}

// Runs on the fiber's stack, from the top: what the kernel had there is given up.
[[noreturn]] void EndFaultedCore() {
  auto& core = *static_cast<Core*>(hostnpu_core->engine);
  GiveUpGmLock(core);
  {  // Exit() destroys nothing of this frame
    // Braces would make a list of the two iterators, which are pointers as its elements are.
    const std::vector<void*> trace(pending.trace.begin(),
                                   pending.trace.begin() + pending.trace_count);
    core.job->RecordFault(core, HOSTNPU_FAULT_SIGNAL, "",
                          Describe(core, pending.signal, pending.address), trace);
  }
  core.fiber.Exit();
}

void Redirect(void* signal_context, const Core& core) {
  auto* context = static_cast<ucontext_t*>(signal_context);
  core.fiber.GiveUpFrames();
  const auto top = reinterpret_cast<uintptr_t>(core.fiber.ResetPointer()) & ~uintptr_t{63};
#if defined(__x86_64__)
  context->uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(top - 8);  // as after a call
  context->uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(&EndFaultedCore);
#elif defined(__aarch64__)
  context->uc_mcontext.sp = top;
  context->uc_mcontext.pc = reinterpret_cast<uintptr_t>(&EndFaultedCore);
#else
#error "signal redirection is written for x86-64 and aarch64"
#endif
}

void PassOn(int signal, siginfo_t* info, void* context) {
  const struct sigaction& previous = signal == SIGSEGV  ? previous_segv
                                     : signal == SIGBUS ? previous_bus
                                                        : previous_fpe;
  if ((previous.sa_flags & SA_SIGINFO) != 0 && previous.sa_sigaction != nullptr) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN) {
    ::signal(signal, SIG_DFL);
    raise(signal);
  } else {
    previous.sa_handler(signal);
  }
}

void Handle(int signal, siginfo_t* info, void* context) {
  if (hostnpu_core == nullptr) {
    PassOn(signal, info, context);
    return;
  }
  auto& core = *static_cast<Core*>(hostnpu_core->engine);
  if (signal == SIGFPE && FinishDivision(context)) {
    if (core.odd_divisions++ == 0) {
      core.division_trace_count = base::CaptureStackInto(core.division_trace);
    }
    return;
  }
  pending.signal = signal;
  pending.address = info->si_addr;
  pending.trace_count = base::CaptureStackInto(pending.trace);
  Redirect(context, core);
}

void Install() {
  struct sigaction action = {};
  action.sa_sigaction = &Handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previous_segv);
  sigaction(SIGBUS, &action, &previous_bus);
  sigaction(SIGFPE, &action, &previous_fpe);
}

/// The signal stack of one thread, for as long as the thread lives.
struct SignalStack {
  SignalStack() {
    stack_t current = {};
    sigaltstack(nullptr, &current);
    if ((current.ss_flags & SS_DISABLE) == 0 && current.ss_size >= kSignalStackBytes) return;
    memory = ::operator new(kSignalStackBytes);
    stack_t mine = {};
    mine.ss_sp = memory;
    mine.ss_size = kSignalStackBytes;
    sigaltstack(&mine, nullptr);
  }
  ~SignalStack() {
    if (memory == nullptr) return;
    stack_t off = {};
    off.ss_flags = SS_DISABLE;
    sigaltstack(&off, nullptr);
    ::operator delete(memory);
  }
  void* memory = nullptr;
};

}  // namespace

void EnterWorkerThread() {
  static std::once_flag once;
  std::call_once(once, Install);
  static thread_local SignalStack stack;
}

}  // namespace hostnpu::engine
