// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// printf of kernels. Device printf has no C varargs: each argument comes with its type, so the
// format is walked here and each conversion is given to snprintf with the length modifier that its
// argument needs. A call is one text, printed at once, so that cores do not tear each other's
// lines.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "ascendc/detail/device_abi.h"
#include "ascendc/detail/print_abi.h"

namespace hostnpu::engine {
namespace {

__attribute__((format(printf, 1, 0))) std::string FormatVa(const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  std::string text;
  if (length > 0) {
    text.resize(static_cast<size_t>(length));
    std::vsnprintf(text.data(), text.size() + 1, format, again);
  }
  va_end(again);
  return text;
}

/// A conversion as the format has it: flags, width and precision, without length modifiers.
struct Conversion {
  std::string spec;       // "%-8.3"
  int stars[2] = {0, 0};  // widths that are arguments
  int star_count = 0;
};

template <typename T>
void AppendOne(std::string& text, const Conversion& conversion, const char* tail, T value) {
  const std::string spec = conversion.spec + tail;
  char small[256];
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
  const auto print = [&](char* to, size_t size) {
    switch (conversion.star_count) {
      case 0:
        return std::snprintf(to, size, spec.c_str(), value);
      case 1:
        return std::snprintf(to, size, spec.c_str(), conversion.stars[0], value);
      default:
        return std::snprintf(to, size, spec.c_str(), conversion.stars[0], conversion.stars[1],
                             value);
    }
  };
#pragma clang diagnostic pop
  const int length = print(small, sizeof(small));
  if (length < 0) return;
  if (static_cast<size_t>(length) < sizeof(small)) {
    text.append(small, static_cast<size_t>(length));
    return;
  }
  std::string large(static_cast<size_t>(length) + 1, '\0');
  print(large.data(), large.size());
  text.append(large.data(), static_cast<size_t>(length));
}

void AppendConversion(std::string& text, const Conversion& conversion, char kind,
                      const HostnpuPrintArgument& argument) {
  const bool is_float = argument.kind == HOSTNPU_PRINT_FLOAT;
  const char tail[4] = {kind, 0, 0, 0};
  if (std::strchr("diuxXo", kind) != nullptr) {
    long long number = is_float ? static_cast<long long>(argument.real) : argument.number;
    const bool is_signed = kind == 'd' || kind == 'i';
    if (!is_signed && !is_float && argument.bytes < 8) {
      number &= (1LL << (8 * argument.bytes)) - 1;
    }
    const char wide[4] = {'l', 'l', kind, 0};
    AppendOne(text, conversion, wide, number);
  } else if (kind == 'c') {
    AppendOne(text, conversion, tail, static_cast<int>(argument.number));
  } else if (kind == 's') {
    const char* value = argument.kind != HOSTNPU_PRINT_STRING ? "(not a string)"
                        : argument.text == nullptr            ? "(null)"
                                                              : argument.text;
    AppendOne(text, conversion, tail, value);
  } else if (kind == 'p') {
    AppendOne(text, conversion, tail, argument.pointer);
  } else {
    const double real = is_float ? argument.real
                        : argument.kind == HOSTNPU_PRINT_UNSIGNED
                            ? static_cast<double>(static_cast<uint64_t>(argument.number))
                            : static_cast<double>(argument.number);
    AppendOne(text, conversion, tail, real);
  }
}

void AppendFormat(std::string& text, const char* format, const HostnpuPrintArgument* arguments,
                  uint32_t count) {
  uint32_t next = 0;
  while (*format != 0) {
    const char* percent = std::strchr(format, '%');
    if (percent == nullptr) {
      text += format;
      return;
    }
    text.append(format, percent);
    if (percent[1] == '%') {
      text += '%';
      format = percent + 2;
      continue;
    }
    Conversion conversion;
    conversion.spec = "%";
    const char* at = percent + 1;
    for (; *at != 0 && std::strchr("-+ #0123456789.*", *at) != nullptr; ++at) {
      if (*at == '*') {
        if (conversion.star_count == 2 || next >= count) break;
        conversion.stars[conversion.star_count++] = static_cast<int>(arguments[next++].number);
      }
      conversion.spec += *at;
    }
    while (*at != 0 && std::strchr("lhztj", *at) != nullptr) ++at;
    if (*at != 0 && std::strchr("diuxXocspfFeEgGaA", *at) != nullptr && next < count) {
      AppendConversion(text, conversion, *at, arguments[next++]);
      format = at + 1;
    } else {
      text += '%';
      format = percent + 1;
    }
  }
}

/// "[AIV Block 3/8] ": the core among its kind.
std::string CoreHeader(const HostnpuCore& core) {
  const bool vector = core.core_kind == HOSTNPU_CORE_AIV;
  const int64_t lanes = vector && core.is_mix != 0 ? core.task_ratio : 1;
  const int64_t lane = lanes > 1 ? core.sub_block_index : 0;
  return fmt::format("[{} Block {}/{}] ", vector ? "AIV" : "AIC", core.block_index * lanes + lane,
                     core.block_count * lanes);
}

void Put(std::string_view text) {
  HostnpuCore* core = hostnpu_core;
  if (core != nullptr) {
    core->abi->print(core, text.data(), text.size());
  } else {
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
}

[[noreturn]] void EndAtAssertion(const char* file, unsigned line, const char* expression) {
  HostnpuCore* core = hostnpu_core;
  if (core == nullptr) {
    std::fflush(nullptr);
    std::abort();
  }
  core->abi->fault(core, HOSTNPU_FAULT_ASSERT, "assert", "fails: %s (%s:%u)", expression, file,
                   line);
}

constexpr const char* kElementNames[] = {"float16", "float32", "bfloat16", "int8",
                                         "uint8",   "int16",   "uint16",   "int32",
                                         "uint32",  "int64",   "uint64",   "bool"};

template <typename T>
T Element(const void* data, uint64_t index) {
  T value;
  std::memcpy(&value, static_cast<const uint8_t*>(data) + index * sizeof(T), sizeof(T));
  return value;
}

std::string ElementText(const HostnpuDump& dump, uint64_t i) {
  switch (static_cast<HostnpuElementType>(dump.type)) {
    case HOSTNPU_ELEMENT_FLOAT16:
      return fmt::format("{:f}", static_cast<float>(Element<_Float16>(dump.data, i)));
    case HOSTNPU_ELEMENT_FLOAT32:
      return fmt::format("{:f}", Element<float>(dump.data, i));
    case HOSTNPU_ELEMENT_BFLOAT16: {
      const uint32_t bits = static_cast<uint32_t>(Element<uint16_t>(dump.data, i)) << 16;
      return fmt::format("{:f}", __builtin_bit_cast(float, bits));
    }
    case HOSTNPU_ELEMENT_INT8:
      return fmt::format("{}", static_cast<int>(Element<int8_t>(dump.data, i)));
    case HOSTNPU_ELEMENT_UINT8:
      return fmt::format("{}", static_cast<int>(Element<uint8_t>(dump.data, i)));
    case HOSTNPU_ELEMENT_INT16:
      return fmt::format("{}", Element<int16_t>(dump.data, i));
    case HOSTNPU_ELEMENT_UINT16:
      return fmt::format("{}", Element<uint16_t>(dump.data, i));
    case HOSTNPU_ELEMENT_INT32:
      return fmt::format("{}", Element<int32_t>(dump.data, i));
    case HOSTNPU_ELEMENT_UINT32:
      return fmt::format("{}", Element<uint32_t>(dump.data, i));
    case HOSTNPU_ELEMENT_INT64:
      return fmt::format("{}", Element<int64_t>(dump.data, i));
    case HOSTNPU_ELEMENT_UINT64:
      return fmt::format("{}", Element<uint64_t>(dump.data, i));
    case HOSTNPU_ELEMENT_BOOL:
      return Element<uint8_t>(dump.data, i) != 0 ? "1" : "0";
    case HOSTNPU_ELEMENT_NONE:
      break;
  }
  return "?";
}

/// How many dimensions have element `i` as a border of one of their rows.
uint32_t BordersAt(const HostnpuDump& dump, uint64_t i) {
  uint64_t row = 1;
  uint32_t borders = 0;
  for (uint32_t d = dump.dims; d > 0; --d) {
    row *= dump.shape[d - 1];
    borders += i % row == 0;
  }
  return borders;
}

/// "[[1,2],\n[3,4]]" in the nesting of the shape, "-" where the elements run out.
void AppendShaped(std::string& text, const HostnpuDump& dump) {
  uint64_t total = 1;
  for (uint32_t d = 0; d < dump.dims; ++d) total *= dump.shape[d];
  if (total != dump.count) {
    text += "shape is [";
    for (uint32_t d = 0; d < dump.dims; ++d) {
      text += fmt::format("{}{}", d == 0 ? "" : ", ", dump.shape[d]);
    }
    text += fmt::format(
        "], dumpSize is {}, {}.\n", dump.count,
        total > dump.count ? "data is not enough" : "dumpSize is greater than shapeSize");
  }
  for (uint64_t i = 0; i < total; ++i) {
    text.append(BordersAt(dump, i), '[');
    text += i < dump.count ? ElementText(dump, i) : "-";
    const uint32_t closed = BordersAt(dump, i + 1);
    text.append(closed, ']');
    if (i + 1 < total) text += closed != 0 ? ",\n" : ",";
  }
  text += '\n';
}

}  // namespace
}  // namespace hostnpu::engine

extern "C" {

using namespace hostnpu::engine;

void hostnpu_print(const char* format, const HostnpuPrintArgument* arguments, uint32_t count) {
  std::string text;
  if (hostnpu_core != nullptr) text = CoreHeader(*hostnpu_core);
  AppendFormat(text, format, arguments, count);
  Put(text);
}

void hostnpu_log(const char* level, const char* file, int line, const char* function,
                 const char* format, const HostnpuPrintArgument* arguments, uint32_t count) {
  const HostnpuCore* core = hostnpu_core;
  std::string text =
      core == nullptr
          ? fmt::format("[{}][{}:{}][{}][{}] ", level, file, line, function, getpid())
          : fmt::format("[{}][Block_{}][{}_{}][{}:{}][{}][{}] ", level, core->block_index,
                        core->core_kind == HOSTNPU_CORE_AIC ? "AIC" : "AIV", core->sub_block_index,
                        file, line, function, getpid());
  AppendFormat(text, format, arguments, count);
  text += '\n';
  Put(text);
}

void hostnpu_fail_assertion(const char* file, unsigned line, const char* expression,
                            const char* format, const HostnpuPrintArgument* arguments,
                            uint32_t count) {
  {  // EndAtAssertion() destroys nothing of this frame
    std::string text;
    if (format == nullptr) {
      text = fmt::format("[ASSERT] {}:{}: : Assertion `{}' failed.\n", file, line, expression);
    } else {
      text = fmt::format("[ASSERT] {}:{}: Assertion `{}' ", file, line, expression);
      AppendFormat(text, format, arguments, count);
      if (text.back() != '\n') text += '\n';
    }
    Put(text);
  }
  EndAtAssertion(file, line, expression);
}

void hostnpu_dump(const HostnpuDump* dump) {
  std::string text;
  if (hostnpu_core != nullptr) text = CoreHeader(*hostnpu_core);
  text += fmt::format("DumpTensor: desc={}, addr={:#x}, data_type={}, position={}, dump_size={}\n",
                      dump->desc, dump->address, kElementNames[dump->type], dump->position,
                      dump->count);
  if (dump->dims != 0) {
    AppendShaped(text, *dump);
  } else {
    text += '[';
    for (uint32_t i = 0; i < dump->count; ++i) {
      if (i != 0) text += ", ";
      text += ElementText(*dump, i);
    }
    text += "]\n";
  }
  Put(text);
}

int hostnpu_printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const std::string body = FormatVa(format, arguments);
  va_end(arguments);
  Put(hostnpu_core == nullptr ? body : CoreHeader(*hostnpu_core) + body);
  return static_cast<int>(body.size());
}

void hostnpu_assert_fail(const char* assertion, const char* file, unsigned line, const char*) {
  hostnpu_fail_assertion(file, line, assertion, nullptr, nullptr, 0);
}

}  // extern "C"
