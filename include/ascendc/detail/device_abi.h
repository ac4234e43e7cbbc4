/* Copyright 2026 The hostnpu Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The only door between compiled kernels and the engine. Plain C, because the two sides are
 * compiled by different compiler runs, perhaps by different compilers. Kernel headers read and
 * write the fields of HostnpuCore directly where it is hot (identity, memories, GM windows) and
 * call the table for the rest.
 */
#ifndef HOSTNPU_ASCENDC_DETAIL_DEVICE_ABI_H_
#define HOSTNPU_ASCENDC_DETAIL_DEVICE_ABI_H_

#include <stddef.h>
#include <stdint.h>

#define HOSTNPU_DEVICE_ABI_VERSION 3u

#ifdef __cplusplus
extern "C" {
#endif

/* Values of g_coreType in the vendor's CPU twin. */
enum HostnpuCoreKind { HOSTNPU_CORE_AIC = 1, HOSTNPU_CORE_AIV = 2 };

enum HostnpuMemoryKind {
  HOSTNPU_MEMORY_UB,
  HOSTNPU_MEMORY_L1,
  HOSTNPU_MEMORY_L0A,
  HOSTNPU_MEMORY_L0B,
  HOSTNPU_MEMORY_L0C,
  HOSTNPU_MEMORY_BT,
  HOSTNPU_MEMORY_FB,
  HOSTNPU_MEMORY_COUNT,
  HOSTNPU_MEMORY_GM = HOSTNPU_MEMORY_COUNT
};

enum HostnpuFaultKind {
  HOSTNPU_FAULT_LOCAL_BOUNDS, /* an access leaves an on-chip memory */
  HOSTNPU_FAULT_LOCAL_FULL,   /* buffers need more than an on-chip memory has */
  HOSTNPU_FAULT_GM_BOUNDS,    /* an access leaves its device allocation, or hits none */
  HOSTNPU_FAULT_ALIGNMENT,    /* an address or length the hardware does not take */
  HOSTNPU_FAULT_ARGUMENT,     /* a parameter of an instruction out of its range */
  HOSTNPU_FAULT_QUEUE,        /* TQue, TPipe or event id misuse */
  HOSTNPU_FAULT_STALL,        /* a wait that nothing can ever end */
  HOSTNPU_FAULT_FLAG,         /* cross-core flag counter overflow, illegal flag id */
  HOSTNPU_FAULT_ASSERT,       /* the kernel's own assert or Trap */
  HOSTNPU_FAULT_UNSUPPORTED,  /* a form of an API that is not implemented here */
  HOSTNPU_FAULT_SIGNAL        /* the host CPU raised SIGSEGV, SIGBUS or SIGFPE in kernel code */
};

/* A scalar may be read from the bytes that aclrtMalloc adds behind a buffer, with a warning. */
enum HostnpuGmAccess { HOSTNPU_GM_READ = 1, HOSTNPU_GM_WRITE = 2, HOSTNPU_GM_READ_SCALAR = 3 };

/* One on-chip memory. `base` is 64-byte aligned. `size_bytes` is what the hardware has: beyond it
 * nothing may be touched. `usable_bytes` is what InitBuffer may hand out. size_bytes 0: this core
 * has no such memory. */
typedef struct HostnpuLocalMemory {
  uint8_t* base;
  uint32_t size_bytes;
  uint32_t usable_bytes;
} HostnpuLocalMemory;

/* A GM range that this core has been allowed to touch: one device allocation. [begin, end). */
typedef struct HostnpuGmWindow {
  uintptr_t begin;
  uintptr_t end;
} HostnpuGmWindow;

#define HOSTNPU_GM_WINDOW_COUNT 8

typedef struct HostnpuCore HostnpuCore;

typedef struct HostnpuDeviceAbi {
  uint32_t version;
  uint32_t size_bytes;

  /* Ends this core and fails its launch. printf-like; `api` names the Ascend C function
   * ("DataCopy"). The engine adds kernel, core and source line. Does not return. */
  void (*fault)(HostnpuCore* core, enum HostnpuFaultKind kind, const char* api, const char* format,
                ...) __attribute__((noreturn, format(printf, 4, 5)));

  /* Finds the allocation that holds [address, address + bytes), puts it into a window of the core
   * and returns; faults with the buffer's name, size and the offset if there is none. */
  void (*gm_check)(HostnpuCore* core, const char* api, const void* address, uint64_t bytes,
                   enum HostnpuGmAccess access);

  /* Serialises read-modify-write of GM across cores. The range must not cross a 4096-byte boundary;
   * no other ABI call may be made between the two. */
  void (*gm_lock)(HostnpuCore* core, const void* address);
  void (*gm_unlock)(HostnpuCore* core, const void* address);

  /* Cross-core flags of the FFTS, modes 0, 1, 2; see spec of CrossCoreSetFlag. */
  void (*cross_core_set)(HostnpuCore* core, uint32_t mode, uint32_t flag);
  void (*cross_core_wait)(HostnpuCore* core, uint32_t flag);
  /* SyncAll: with aiv_only all AIVs, else all cores of both kinds. */
  void (*sync_all)(HostnpuCore* core, uint32_t aiv_only);
  /* A barrier of `participants` cores of the launch, keyed by (launch, key, how often this core has
   * come here with this key). For the soft SyncAll and everything like it. */
  void (*barrier)(HostnpuCore* core, const char* what, uint64_t key, uint32_t participants);
  /* Parks until ready(context) is true. `what` names the wait in a stall report. */
  void (*wait_until)(HostnpuCore* core, const char* what, int (*ready)(void* context),
                     void* context);
  /* Lets other cores run; for code that polls memory. */
  void (*yield)(HostnpuCore* core);

  /* Writes whole text to the program's standard output, never interleaved with another core's. */
  void (*print)(HostnpuCore* core, const char* text, size_t length);

  /* Only in check mode: one access of one pipe to one memory. null in run mode. */
  void (*observe)(HostnpuCore* core, uint32_t pipe, uint32_t memory, const void* address,
                  uint64_t bytes, uint32_t is_write, const char* api);

  /* Called when a core begins a kernel whose module has __BLOCK_LOCAL__ variables: gives them the
   * `bytes` of the thread-local image at `image`, and from then on keeps those of this core apart
   * from those of others. */
  void (*begin_block_locals)(HostnpuCore* core, const void* image, size_t bytes);

  /* A flag between two pipes is still set now that the kernel has ended. `event` is its name
   * ("MTE3_V"), `api` the function that set it last, `place` the return address of that call. */
  void (*flag_left)(HostnpuCore* core, const char* event, uint32_t id, const char* api,
                    uint64_t sets, uint64_t waits, void* place);
} HostnpuDeviceAbi;

/* One AI core (AIC or AIV) while it runs a kernel. */
struct HostnpuCore {
  const HostnpuDeviceAbi* abi;
  HostnpuGmWindow gm_window[HOSTNPU_GM_WINDOW_COUNT]; /* [0] is the last one hit */
  HostnpuLocalMemory memory[HOSTNPU_MEMORY_COUNT];

  int32_t core_kind;   /* HostnpuCoreKind */
  int32_t task_ratio;  /* AIV cores per AIC of this kernel type; 1 on an AIC */
  int64_t block_index; /* of the launch: [0, block_count) */
  int64_t block_count; /* blocks of the launch */
  int64_t sub_block_index;
  int64_t sub_block_count;
  int32_t is_mix; /* the launch runs AIC and AIV */
  uint32_t gm_window_next;

  uint64_t tiling_key;
  uint8_t* system_workspace; /* what SetSysWorkspace stored; null if nothing */
  void* pipe;                /* the current AscendC::TPipe */
  const char* kernel_name;
  void* engine;        /* the engine's own */
  uint32_t is_twin;    /* launched by ICPU_RUN_KF: GetUserWorkspace returns its argument */
  uint32_t poll_count; /* GM scalar reads since the last yield */

  /* State of the kernel headers (mask, control register, queues' events ...). Zeroed at core start,
   * so no larger than needed: with 4096 bytes that was a third of the cost of an empty core. */
  uint8_t registers[640] __attribute__((aligned(64)));
  /* More of it that is not zeroed: whoever uses it knows from `registers` what is valid. */
  uint8_t records[6720] __attribute__((aligned(64)));
};

/* The core whose fiber runs on this thread; null outside kernels. */
extern __thread HostnpuCore* hostnpu_core
    __attribute__((tls_model("initial-exec"), visibility("default")));

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* HOSTNPU_ASCENDC_DETAIL_DEVICE_ABI_H_ */
