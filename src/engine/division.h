// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ENGINE_DIVISION_H_
#define HOSTNPU_ENGINE_DIVISION_H_

namespace hostnpu::engine {

/// Finishes the integer division that SIGFPE has stopped, and lets the program go on behind it. By
/// zero gives the quotient 0 and the dividend as the rest, and the least number by -1 gives itself
/// and 0: what processors do that raise no signal. `signal_context` is the ucontext_t of the
/// handler. False, and nothing changed, if the instruction is no division. Allocates nothing.
bool FinishDivision(void* signal_context);

}  // namespace hostnpu::engine

#endif  // HOSTNPU_ENGINE_DIVISION_H_
