// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A kernel may divide by zero where it does not use the result, for a tile after the last one. The
// device goes on, and so do processors other than x86, which raises a signal. The signal handler
// then does what the instruction would have done elsewhere.
//
// The instructions are DIV and IDIV: opcode F6 (8 bits) or F7, with 6 or 7 in the register field of
// the next byte, behind prefixes for the size. Of the operand only the length is needed: a quotient
// that is too large comes from the one dividend that has no positive counterpart.
#include "engine/division.h"

#include <ucontext.h>

#include <cstdint>

namespace hostnpu::engine {

#if defined(__x86_64__)

namespace {

struct Division {
  uint64_t length = 0;  // bytes of the instruction; 0: it is none
  uint32_t bits = 0;
  bool is_signed = false;
};

// Bytes of the operand behind the opcode: the byte with the register field, and an address.
uint64_t OperandBytes(const uint8_t* at) {
  const uint8_t mode = at[0] >> 6, base = at[0] & 7;
  if (mode == 3) return 1;
  const bool has_index = base == 4;
  const bool has_no_base = mode == 0 && (base == 5 || (has_index && (at[1] & 7) == 5));
  const uint64_t displacement = mode == 1 ? 1 : mode == 2 || has_no_base ? 4 : 0;
  return 1 + (has_index ? 1 : 0) + displacement;
}

Division Decode(const uint8_t* code) {
  Division division;
  const uint8_t* at = code;
  division.bits = 32;
  for (; *at == 0x66 || *at == 0x2e || *at == 0x3e || *at == 0x64 || *at == 0x65; ++at) {
    if (*at == 0x66) division.bits = 16;
  }
  if ((*at & 0xf0) == 0x40) {
    if ((*at & 8) != 0) division.bits = 64;
    ++at;
  }
  const uint8_t opcode = *at++;
  const uint8_t field = *at >> 3 & 7;
  if ((opcode != 0xf6 && opcode != 0xf7) || field < 6) return {};
  if (opcode == 0xf6) division.bits = 8;
  division.is_signed = field == 7;
  division.length = static_cast<uint64_t>(at - code) + OperandBytes(at);
  return division;
}

}  // namespace

bool FinishDivision(void* signal_context) {
  auto* const registers = static_cast<ucontext_t*>(signal_context)->uc_mcontext.gregs;
  const Division division = Decode(reinterpret_cast<const uint8_t*>(registers[REG_RIP]));
  if (division.length == 0) return false;
  const auto low = static_cast<uint64_t>(registers[REG_RAX]);
  const auto high = static_cast<uint64_t>(registers[REG_RDX]);
  const uint64_t mask = division.bits == 64 ? ~uint64_t{0} : (uint64_t{1} << division.bits) - 1;
  const uint64_t least = uint64_t{1} << (division.bits - 1);
  const bool is_8_bit = division.bits == 8;  // of AX: the quotient goes to AL, the rest to AH
  const uint64_t upper = is_8_bit ? low >> 8 & mask : high & mask;
  const bool overflows = division.is_signed && (low & mask) == least && upper == mask;
  const uint64_t quotient = overflows ? least : 0;
  const uint64_t rest = overflows ? 0 : low & mask;
  const uint64_t kept = division.bits >= 32 ? 0 : ~mask;  // a 32-bit result clears the upper half
  if (is_8_bit) {
    registers[REG_RAX] = static_cast<greg_t>((low & ~uint64_t{0xffff}) | rest << 8 | quotient);
  } else {
    registers[REG_RAX] = static_cast<greg_t>((low & kept) | quotient);
    registers[REG_RDX] = static_cast<greg_t>((high & kept) | rest);
  }
  registers[REG_RIP] += static_cast<greg_t>(division.length);
  return true;
}

#else

bool FinishDivision(void*) { return false; }

#endif

}  // namespace hostnpu::engine
