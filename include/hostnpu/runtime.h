// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels from C++ without host boilerplate:
//
//   // void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n)
//   auto module = hostnpu::Module::Compile("add_custom.asc");
//   auto kernel = module->Find("add_custom");
//   auto result = hostnpu::Launch(*kernel, 48, {x, y}, {hostnpu::Output<float>(n)}, {}, {n});
//   for (float value : result->output<float>(0)) ...
//
// Arguments go to the parameters in the order inputs, outputs, workspaces, scalars, which is that
// of operators. C++17; nothing here throws.
#ifndef HOSTNPU_HOSTNPU_RUNTIME_H_
#define HOSTNPU_HOSTNPU_RUNTIME_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#define HOSTNPU_API __attribute__((visibility("default")))

namespace hostnpu {

/// What went wrong. `number` is the aclError, `message` what aclGetRecentErrMsg would give.
struct Error {
  int number = 0;
  std::string message;
};

/// A value or an Error. `ok()` must be asked before either is taken.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit
  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return *std::get_if<0>(&state_); }
  const T& value() const { return *std::get_if<0>(&state_); }
  const Error& error() const { return *std::get_if<1>(&state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> state_;
};
struct Done {};
using Status = Result<Done>;

/// How a source is compiled.
struct CompileOptions {
  std::vector<std::string> include_dirs;
  std::vector<std::string> defines;  ///< "NAME" or "NAME=text"
  std::vector<std::string> flags;    ///< more options for clang
  std::string standard = "c++17";
  std::string chip;    ///< empty: the chip of this process's devices
  bool debug = false;  ///< -O0 -g
};

/// One parameter of a kernel.
struct Parameter {
  std::string name;
  std::string type;
  size_t offset = 0;  ///< in the packed arguments
  size_t size_bytes = 0;
  bool is_pointer = false;
};

class Module;

/// A kernel that can be called by name. Cheap to copy; valid for the rest of the process.
class HOSTNPU_API Kernel {
 public:
  const std::string& name() const;
  const std::vector<Parameter>& parameters() const;
  /// Bytes of all parameters, packed as a C struct of them.
  size_t packed_bytes() const;

  struct State;
  explicit Kernel(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

/// Kernels compiled or loaded into this process. Cheap to copy.
class HOSTNPU_API Module {
 public:
  /// Compiles a source file, or takes it from the cache. The error's message is the compiler's.
  static Result<Module> Compile(const std::string& path, const CompileOptions& options = {});
  /// The same for a text; `name` is what messages call it.
  static Result<Module> CompileText(const std::string& text, const std::string& name,
                                    const CompileOptions& options = {});
  /// Loads a shared object that `hostnpu build --shared` or Compile() has made.
  static Result<Module> Load(const std::string& path);

  /// A kernel of the module by name, with or without its namespaces.
  Result<Kernel> Find(const std::string& name) const;
  std::vector<std::string> kernel_names() const;

  struct State;
  explicit Module(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;
};

/// A queue of launches on a device. Destroyed with the last copy, after waiting.
class HOSTNPU_API Stream {
 public:
  static Result<Stream> Create(int device = 0);
  /// Waits. The error of a failed launch, which stays until Reset().
  Status Synchronize();
  /// Waits, and forgets a failure.
  Status Reset();
  /// The aclrtStream.
  void* handle() const;

  struct State;
  explicit Stream(std::shared_ptr<State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<State> state_;
};

/// Device memory, freed with the object.
class HOSTNPU_API Buffer {
 public:
  static Result<Buffer> Allocate(size_t size_bytes, int device = 0, const std::string& label = "");
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();
  void* data() const { return data_; }
  size_t size_bytes() const { return size_bytes_; }

 private:
  Buffer(void* data, size_t size_bytes) : data_(data), size_bytes_(size_bytes) {}
  void* data_ = nullptr;
  size_t size_bytes_ = 0;
};

/// Lends bytes of the host to kernels, under a label, until TakeBack() of the same bytes. May
/// repeat (counted). For callers that own tensors: kernels then use them without a copy.
HOSTNPU_API Status Lend(void* data, size_t size_bytes, int device = 0,
                        const std::string& label = "");
HOSTNPU_API Status TakeBack(void* data, size_t size_bytes);

/// Enqueues a launch with packed arguments: the shortest way, for callers that pack themselves. A
/// null stream is the default stream of the thread's device (device 0 without one).
HOSTNPU_API Status LaunchPacked(const Kernel& kernel, uint64_t blocks, const void* packed,
                                size_t packed_bytes, void* stream = nullptr);

/// What a workspace that is leased holds when its kernel starts.
enum class WorkspaceContents {
  kUndefined,       ///< anything; a pattern that no correct kernel survives under --poison
  kZero,            ///< zero at every launch
  kPersistentZero,  ///< zero at first use, and the kernel leaves it zero: a launch that does not is
                    ///< an error that names the first dirty byte
};

/// Tells the bytes of a kernel's workspace. Where a launch passes null for it, of that many bytes
/// one is leased from the stream for the time of the launch; the library's own part comes on top.
HOSTNPU_API Status SetWorkspaceSize(const std::string& kernel, uint64_t size_bytes,
                                    WorkspaceContents contents = WorkspaceContents::kUndefined);
/// The same promise for the workspace of an operator ("AddCustom"), whose tiling function tells the
/// bytes. It holds where the caller leaves the workspace to the runtime.
HOSTNPU_API void SetOperatorWorkspaceContents(const std::string& type, WorkspaceContents contents);

/// The workspace memory of one device.
struct WorkspaceStatistics {
  uint64_t reserved_bytes = 0;  ///< held now
  uint64_t peak_reserved_bytes = 0;
  uint64_t busy_bytes = 0;  ///< of them in use by launches that have not finished
  uint64_t limit_bytes = 0;
  uint64_t allocations = 0;  ///< of device memory, ever: none in the steady state
  uint64_t refused = 0;
  uint64_t leases = 0;
};
HOSTNPU_API Result<WorkspaceStatistics> GetWorkspaceStatistics(int device = 0);
/// No more than that many bytes from now on. A launch that would need more is refused.
HOSTNPU_API Status SetWorkspaceLimit(uint64_t size_bytes, int device = 0);
/// Frees what no launch uses; gives the bytes freed.
HOSTNPU_API Result<uint64_t> TrimWorkspaces(int device = 0);
/// After a warm-up: a launch that needs more workspace than those before is refused, until
/// unlocked.
HOSTNPU_API Status LockWorkspaces(bool locked, int device = 0);
/// What each workspace was declared and what was touched of it, so far; empty unless
/// HOSTNPU_WORKSPACE_REPORT is 1.
HOSTNPU_API std::string WorkspaceReport();

/// A run of elements that an input reads.
struct Input {
  const void* data = nullptr;
  size_t size_bytes = 0;
  Input(const void* the_data, size_t bytes) : data(the_data), size_bytes(bytes) {}
  /// A vector, array, span: anything with data() and size().
  template <typename C, typename = decltype(std::declval<const C&>().data()),
            typename = decltype(std::declval<const C&>().size())>
  Input(const C& c)  // NOLINT: implicit
      : data(c.data()), size_bytes(c.size() * sizeof(*c.data())) {}
};

/// What an output is to be: that many bytes, contents undefined unless `zeroed`.
struct OutputSize {
  size_t size_bytes = 0;
  bool zeroed = false;
};
template <typename T>
OutputSize Output(size_t count, bool zeroed = false) {
  return {count * sizeof(T), zeroed};
}
using Outputs = std::vector<OutputSize>;
/// The bytes of a workspace and what they hold.
struct WorkspaceSize {
  size_t size_bytes = 0;
  WorkspaceContents contents = WorkspaceContents::kUndefined;
  WorkspaceSize(size_t bytes,  // NOLINT: implicit
                WorkspaceContents the_contents = WorkspaceContents::kUndefined)
      : size_bytes(bytes), contents(the_contents) {}
};
using Workspaces = std::vector<WorkspaceSize>;

/// A number, or a struct by value (tiling data).
struct Scalar {
  std::vector<unsigned char> bytes;
  bool is_integer = false;
  bool is_float = false;
  template <typename T, typename = std::enable_if_t<std::is_trivially_copyable<T>::value>>
  Scalar(const T& value)  // NOLINT: implicit
      : bytes(sizeof(T)),
        is_integer(std::is_integral<T>::value),
        is_float(std::is_floating_point<T>::value) {
    memcpy(bytes.data(), &value, sizeof(T));
  }
};

/// What a launch gave.
class Launched {
 public:
  explicit Launched(std::vector<Buffer> outputs) : outputs_(std::move(outputs)) {}
  /// The elements of an output.
  template <typename T>
  struct Elements {
    T* first;
    size_t count;
    T* begin() const { return first; }
    T* end() const { return first + count; }
    T* data() const { return first; }
    size_t size() const { return count; }
    T& operator[](size_t i) const { return first[i]; }
  };
  template <typename T>
  Elements<T> output(size_t index) const {
    return {static_cast<T*>(outputs_[index].data()), outputs_[index].size_bytes() / sizeof(T)};
  }
  size_t output_count() const { return outputs_.size(); }

 private:
  std::vector<Buffer> outputs_;
};

/// Runs a kernel to its end, in a stream of the calling thread. Inputs are lent for that time,
/// outputs allocated, workspaces leased from the stream, which keeps persistent ones; integers and
/// floats are converted to what the parameter has. Errors name the parameter at fault.
HOSTNPU_API Result<Launched> Launch(const Kernel& kernel, uint64_t blocks,
                                    const std::vector<Input>& inputs, const Outputs& outputs = {},
                                    const Workspaces& workspaces = {},
                                    const std::vector<Scalar>& scalars = {});

}  // namespace hostnpu

#endif  // HOSTNPU_HOSTNPU_RUNTIME_H_
