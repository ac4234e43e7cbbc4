// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A __BLOCK_LOCAL__ variable exists once per core. Kernels are compiled to machine code that knows
// nothing of cores, and the only variable there is more than one of in machine code is a
// thread-local one. So these are thread-local, in a section of their own, and the cores that share
// a thread take turns: who stops carries its values away, who goes on brings its own.
#include "engine/block_local.h"

#include <link.h>

#include "base/check.h"

// What thread-local accesses compile to: a module's number and an offset into its variables. It
// makes the variables if this thread has not touched them yet.
extern "C" void* __tls_get_addr(size_t* index);

namespace hostnpu::engine {
namespace {

struct Search {
  uintptr_t image;
  size_t index[2];
  bool found;
};

int LookIn(dl_phdr_info* module, size_t, void* context) {
  auto& search = *static_cast<Search*>(context);
  for (size_t i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module->dlpi_phdr[i];
    const uintptr_t begin = module->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_TLS || search.image - begin >= segment.p_memsz) continue;
    search.index[0] = module->dlpi_tls_modid;
    search.index[1] = search.image - begin;
    search.found = true;
    return 1;
  }
  return 0;
}

}  // namespace

void BlockLocals::Begin(const void* image, size_t bytes) {
  Search search = {reinterpret_cast<uintptr_t>(image), {0, 0}, false};
  dl_iterate_phdr(&LookIn, &search);
  HOSTNPU_CHECK(search.found);
  place_ = static_cast<uint8_t*>(__tls_get_addr(search.index));
  values_.resize(bytes);
  std::memcpy(place_, image, bytes);
}

}  // namespace hostnpu::engine
