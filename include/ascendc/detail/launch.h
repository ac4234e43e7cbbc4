// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// How a translation unit launches kernels. The compiler driver rewrites
//     k<T><<<blocks, l2, stream>>>(x, n)
// into
//     (::hostnpu::kernel::LaunchOn("k<T>", __FILE__, __LINE__, (blocks), (l2), (stream)) <<
//      [](auto... a) { k<T>(a...); })(x, n)
// The generic lambda lets the kernel's own parameter types convert and deduce, as the chevron form
// does. Arguments are packed by value; the pack travels to every core.
#ifndef HOSTNPU_ASCENDC_DETAIL_LAUNCH_H_
#define HOSTNPU_ASCENDC_DETAIL_LAUNCH_H_

#include "../basic/sync.h"
#include "launch_abi.h"

// Where the linker put the values that the __BLOCK_LOCAL__ variables of this module begin with;
// null without such variables.
extern "C" {
extern const char __start_hostnpu_block_local[] __attribute__((weak, visibility("hidden")));
extern const char __stop_hostnpu_block_local[] __attribute__((weak, visibility("hidden")));
}

namespace hostnpu::kernel {

/// First of all on every core: its registers and variables as a kernel finds them.
inline void BeginCore() {
  AscendC::internal::Regs().Reset();
  if (__start_hostnpu_block_local == nullptr) return;
  HostnpuCore& core = AscendC::internal::ThisCore();
  core.abi->begin_block_locals(&core, __start_hostnpu_block_local,
                               reinterpret_cast<uintptr_t>(__stop_hostnpu_block_local) -
                                   reinterpret_cast<uintptr_t>(__start_hostnpu_block_local));
}

/// Last of all on every core whose kernel returns.
inline void EndCore() {
  if (HOSTNPU_UNLIKELY(AscendC::internal::Regs().flags_up != 0)) {
    AscendC::internal::ReportFlagsLeft();
  }
}

/// What `nullptr` becomes in a pack: a value of its own type could not be replaced by an address,
/// as the runtime does for a workspace that it leases.
struct NullArgument {
  void* value = nullptr;
  NullArgument(decltype(nullptr)) {}  // NOLINT: implicit
  template <typename T>
  operator T*() const {  // NOLINT: implicit
    return (T*)value;
  }
};

template <typename T>
struct Decayed {
  using Type = T;
};
template <>
struct Decayed<decltype(nullptr)> {
  using Type = NullArgument;
};
template <typename T>
struct Decayed<const T> : Decayed<T> {};
template <typename T>
struct Decayed<T&> : Decayed<T> {};
template <typename T>
struct Decayed<T&&> : Decayed<T> {};
template <typename T, size_t n>
struct Decayed<T[n]> {
  using Type = T*;
};
template <typename T, size_t n>
struct Decayed<const T[n]> {
  using Type = const T*;
};
template <typename R, typename... A>
struct Decayed<R(A...)> {
  using Type = R (*)(A...);
};

template <typename T>
struct IsPointer {
  static constexpr bool value = false;
};
template <typename T>
struct IsPointer<T*> {
  static constexpr bool value = true;
};
template <>
struct IsPointer<NullArgument> {
  static constexpr bool value = true;
};

template <size_t... index>
struct Indices {};
template <size_t n, size_t... index>
struct MakeIndices : MakeIndices<n - 1, n - 1, index...> {};
template <size_t... index>
struct MakeIndices<0, index...> {
  using Type = Indices<index...>;
};

template <size_t index, typename T>
struct Slot {
  T value;
};
template <typename Index, typename Body, typename... T>
struct Pack;
template <size_t... index, typename Body, typename... T>
struct Pack<Indices<index...>, Body, T...> : Slot<index, T>... {
  Body body;

  template <typename... A>
  explicit Pack(const Body& the_body, A&&... a)
      : Slot<index, T>{T(static_cast<A&&>(a))}..., body(the_body) {}

  static void Run(void* pack) {
    BeginCore();
    auto* self = static_cast<Pack*>(pack);
    self->body(static_cast<Slot<index, T>*>(self)->value...);
    EndCore();
  }
  static void Copy(void* to, const void* from) { new (to) Pack(*static_cast<const Pack*>(from)); }
  static void Destroy(void* pack) { static_cast<Pack*>(pack)->~Pack(); }
  void Describe(HostnpuArgument* list) const {
    size_t at = 0;
    ((list[at++] = {static_cast<uint32_t>(reinterpret_cast<const char*>(
                                              &static_cast<const Slot<index, T>*>(this)->value) -
                                          reinterpret_cast<const char*>(this)),
                    static_cast<uint32_t>(sizeof(T)), IsPointer<T>::value ? 1u : 0u}),
     ...);
    static_cast<void>(at);
  }

 private:
  static void* operator new(size_t, void* place) { return place; }
};

/// The same text in every compile of the same source: finds the AIC variant of a kernel.
template <typename P>
const char* VariantKey() {
  return __PRETTY_FUNCTION__;
}
#ifdef HOSTNPU_AIC_VARIANT
/// In the AIC compile of a source that is compiled twice: makes the kernel findable by its launch.
template <typename P>
struct AicVariant {
  static bool Register() {
    hostnpu_register_aic_variant(VariantKey<P>(), &P::Run);
    return true;
  }
  static inline const bool registered = Register();
};
#endif

template <typename Body>
class Launcher;

/// Where and on what to launch; takes the kernel by `<<`.
class LaunchOn {
 public:
  template <typename L2, typename Stream>
  LaunchOn(const char* name, const char* file, uint32_t line, uint64_t blocks, L2&&, Stream stream)
      : LaunchOn(name, file, line, blocks, (void*)stream, HOSTNPU_LAUNCH_CHEVRON) {}
  template <typename L2>
  LaunchOn(const char* name, const char* file, uint32_t line, uint64_t blocks, L2&&)
      : LaunchOn(name, file, line, blocks, nullptr, HOSTNPU_LAUNCH_CHEVRON) {}
  LaunchOn(const char* name, const char* file, uint32_t line, uint64_t blocks)
      : LaunchOn(name, file, line, blocks, nullptr, HOSTNPU_LAUNCH_CHEVRON) {}

  static LaunchOn Form(const char* name, const char* file, uint32_t line, uint64_t blocks,
                       void* stream, HostnpuLaunchForm form, uint64_t tiling_key = 0,
                       HostnpuKernelType type = HOSTNPU_KERNEL_UNDECLARED) {
    LaunchOn on(name, file, line, blocks, stream, form);
    on.launch_.tiling_key = tiling_key;
    on.launch_.kernel_type = type;
    return on;
  }

  template <typename Body>
  Launcher<Body> operator<<(Body body) const {
    return Launcher<Body>(launch_, body);
  }

 private:
  HOSTNPU_SHARED LaunchOn(const char* name, const char* file, uint32_t line, uint64_t blocks,
                          void* stream, HostnpuLaunchForm form) {
    launch_.name = name;
    launch_.file = file;
    launch_.line = line;
    launch_.form = form;
    launch_.blocks = blocks;
    launch_.stream = stream;
    launch_.kernel_type = HOSTNPU_KERNEL_UNDECLARED;
  }
  HostnpuLaunch launch_ = {};
};

template <typename Body>
class Launcher {
 public:
  Launcher(const HostnpuLaunch& launch, const Body& body) : launch_(launch), body_(body) {}

  /// Enqueues; returns an aclError.
  template <typename... A>
  int operator()(A&&... a) {
    using Packed =
        Pack<typename MakeIndices<sizeof...(A)>::Type, Body, typename Decayed<A>::Type...>;
    const Packed pack(body_, static_cast<A&&>(a)...);
    HostnpuArgument list[sizeof...(A) + 1];
    pack.Describe(list);
#ifdef HOSTNPU_AIC_VARIANT
    static_cast<void>(AicVariant<Packed>::registered);
#endif
    launch_.variant_key = VariantKey<Packed>();
    launch_.entry = &Packed::Run;
    launch_.arguments = &pack;
    launch_.arguments_bytes = sizeof(pack);
    launch_.arguments_align = alignof(Packed);
    launch_.copy_arguments = &Packed::Copy;
    launch_.destroy_arguments = &Packed::Destroy;
    launch_.argument_list = list;
    launch_.argument_count = sizeof...(A);
    return hostnpu_launch(&launch_);
  }

 private:
  HostnpuLaunch launch_;
  Body body_;
};

/// The entry of a kernel that is called by name: reads the parameters as they lie in a C struct.
template <auto kernel>
struct NamedEntry;
template <typename... P, void (*kernel)(P...)>
struct NamedEntry<kernel> {
  struct Layout {
    HostnpuArgument list[sizeof...(P) + 1] = {};
    uint32_t bytes = 0;
    uint32_t align = 1;
    constexpr Layout() {
      size_t at = 0;
      ((bytes = (bytes + alignof(P) - 1) / alignof(P) * alignof(P),
        align = alignof(P) > align ? alignof(P) : align,
        list[at++] = {bytes, static_cast<uint32_t>(sizeof(P)), IsPointer<P>::value ? 1u : 0u},
        bytes += sizeof(P)),
       ...);
      bytes = (bytes + align - 1) / align * align;
      static_cast<void>(at);
    }
  };
  static constexpr Layout layout = {};

  template <size_t... index>
  static void Call(char* raw, Indices<index...>) {
    kernel(*reinterpret_cast<P*>(raw + layout.list[index].offset)...);
    static_cast<void>(raw);
  }
  static void Run(void* raw) {
    BeginCore();
    Call(static_cast<char*>(raw), typename MakeIndices<sizeof...(P)>::Type());
    EndCore();
  }
  static bool Register(const char* name) {
#ifdef HOSTNPU_AIC_VARIANT
    static_cast<void>(name);
    hostnpu_register_aic_variant(VariantKey<NamedEntry>(), &Run);
#else
    const HostnpuEntryInfo info = {
        name,        VariantKey<NamedEntry>(), &Run, layout.list, sizeof...(P), layout.bytes,
        layout.align};
    hostnpu_register_entry(&info);
#endif
    return true;
  }
};

struct KernelRegistration {
  explicit KernelRegistration(const HostnpuKernelInfo& info) { hostnpu_register_kernel(&info); }
};

}  // namespace hostnpu::kernel

#ifdef HAVE_WORKSPACE
#define HOSTNPU_HAVE_WORKSPACE 1
#else
#define HOSTNPU_HAVE_WORKSPACE 0
#endif
#ifdef HAVE_TILING
#define HOSTNPU_HAVE_TILING 1
#else
#define HOSTNPU_HAVE_TILING 0
#endif

#define HOSTNPU_JOIN_INNER(a, b) a##b
#define HOSTNPU_JOIN(a, b) HOSTNPU_JOIN_INNER(a, b)
/// Written by the compiler driver, once per __global__ function it has seen.
#define HOSTNPU_REGISTER_KERNEL(name, file, line, qualifiers, task_type, parameters)      \
  static const ::hostnpu::kernel::KernelRegistration HOSTNPU_JOIN(                        \
      hostnpu_kernel_registration_,                                                       \
      __COUNTER__)(HostnpuKernelInfo{name, file, line, qualifiers, task_type, parameters, \
                                     HOSTNPU_HAVE_WORKSPACE, HOSTNPU_HAVE_TILING})

/// Written by the compiler driver behind each kernel whose name alone says which function it is.
#define HOSTNPU_REGISTER_ENTRY(name, function)                               \
  static const bool HOSTNPU_JOIN(hostnpu_entry_registration_, __COUNTER__) = \
      ::hostnpu::kernel::NamedEntry<&function>::Register(name)

#endif  // HOSTNPU_ASCENDC_DETAIL_LAUNCH_H_
