// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_IR_MODULE_H_
#define HOSTNPU_TILELANG_IR_MODULE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "tilelang/ir/node.h"

namespace hostnpu::tilelang::ir {

enum class BufferKind : uint8_t {
  kParam,      ///< a tensor of the signature, in GM
  kLocal,      ///< allocated in the kernel, on chip or a mutable scalar
  kWorkspace,  ///< T.alloc_workspace: GM that no parameter names
  kView,       ///< the storage of `base` seen with another dtype or shape
};

/// Physical order of an L1 tile (T.annotate_layout). Indexing is not changed by it.
enum class Layout : uint8_t { kDefault, kZn, kNz, kColumnMajor };

/// What a workspace holds when the kernel begins; the runtime does it.
enum class InitialContents : uint8_t { kUndefined, kZero, kValue, kPersistentZero };

/// One buffer: everything but where it is used.
struct Buffer {
  std::string name;
  DType dtype = DType::kFloat32;
  std::vector<ExprPtr> shape;
  Memory memory = Memory::kGm;
  BufferKind kind = BufferKind::kLocal;
  SourceRange range{};

  BufferId base = kNoBuffer;         ///< kView: whose storage it is
  int64_t base_offset = 0;           ///< kView: bytes from the start of base
  std::optional<int64_t> address{};  ///< T.annotate_address: byte offset in its memory
  Layout layout = Layout::kDefault;

  bool per_block = true;  ///< kWorkspace: one for each block, or one for the launch
  InitialContents init = InitialContents::kUndefined;  ///< kWorkspace
  double init_value = 0;                               ///< kWorkspace, kValue
  /// Rows of a slice, where the blocks that run at once share a folded workspace; 0: not folded. A
  /// kWorkspace has a slice of one (all that its shape says) for each block.
  int64_t folded_rows = 0;

  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
};

/// One parameter of the signature: a tensor (buffer) or a scalar (var).
struct Param {
  std::string name;
  BufferId buffer = kNoBuffer;
  VarPtr scalar{};  ///< null for a tensor
  SourceRange range{};
};

/// T.Kernel.
struct Launch {
  ExprPtr blocks;   ///< over symbols and scalar parameters
  int threads = 0;  ///< 0: not given (two AIVs, vid visible); 1: one AIV; 2: two AIVs, split by us
  VarPtr cid{};     ///< block id, int32
  VarPtr vid{};     ///< vector core of the block, int32; 0 on the cube core. Null with threads
  int64_t at_once = 0;  ///< launch so many blocks, then the next ones; 0: all
  SourceRange range{};
};

/// The four switches of pass_configs that mean something here.
struct PassConfig {
  bool auto_sync = false;
  bool memory_planning = false;
  bool auto_cv_combine = false;
  bool auto_cv_sync = false;
};

/// One TileLang kernel function. Value type: copying shares the tree.
///
/// The order of the arguments of the generated kernel, and of a launch, is: the parameters of the
/// signature (tensors as GM pointers, scalars by value), then the hidden workspaces (kWorkspace) in
/// the order of their ids, then the symbols as int64.
struct Module {
  std::string name;
  std::vector<Param> params;
  std::vector<VarPtr> symbols;  ///< T.symbolic sizes, by first appearance in the signature
  std::vector<Buffer> buffers;  ///< by BufferId
  Launch launch;
  StmtPtr body;  ///< what runs in each block
  PassConfig config;
  std::shared_ptr<const SourceMap> sources;

  const Buffer& buffer(BufferId id) const { return buffers[static_cast<size_t>(id)]; }
  Buffer& buffer(BufferId id) { return buffers[static_cast<size_t>(id)]; }
  BufferId Add(Buffer buffer) {
    buffers.push_back(std::move(buffer));
    return static_cast<BufferId>(buffers.size() - 1);
  }
  /// Follows views to the buffer that owns the storage.
  BufferId Storage(BufferId id) const {
    while (buffer(id).kind == BufferKind::kView) id = buffer(id).base;
    return id;
  }
};

/// A compile error at `range`, as `path:line:col: error: message` with the excerpt (style section
/// 8).
base::Error ErrorAt(const Module& module, const SourceRange& range, const std::string& message,
                    const std::vector<Note>& notes = {}, const std::string& help = {});

/// The region that is all of a buffer.
Region WholeRegion(const Module& module, BufferId buffer, const SourceRange& range = {});
bool IsWhole(const Module& module, const Region& region);

}  // namespace hostnpu::tilelang::ir

#endif  // HOSTNPU_TILELANG_IR_MODULE_H_
