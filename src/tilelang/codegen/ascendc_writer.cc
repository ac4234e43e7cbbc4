// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A kernel as text: parameters, tensors over them, then one block of code for the cube core and one
// for the vector cores, each with the buffers it uses; and below it the function the host calls.
//
// Which cores: a kernel with both kinds of work, or whose cores signal each other, is mixed; a
// kernel of one kind runs on that kind alone. Where the program sees `vid`, two vector cores share
// a block: mixed kernels have them by themselves, a vector kernel is launched with twice the
// blocks.
#include "tilelang/codegen/ascendc_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tilelang/codegen/stmt_writer.h"
#include "tilelang/codegen/text.h"
#include "tilelang/ir/expr.h"
#include "tilelang/ir/visitor.h"
#include "tilelang/passes/place_buffers.h"
#include "tilelang/passes/streams.h"

namespace hostnpu::tilelang::codegen {
namespace {

using ir::BufferId;
using ir::Core;
using ir::Memory;

struct MemoryText {
  Memory memory;
  const char* name;      // of the TBuf
  const char* position;  // TPosition
  const char* stage;     // hidden staging of gemm_v0, or null
  int64_t bytes;         // all of it, for the memories that have a stage
};
constexpr MemoryText kMemories[] = {
    {Memory::kUb, "ascend_ub", "VECCALC", nullptr, 0},
    {Memory::kL1, "ascend_l1", "A1", nullptr, 0},
    {Memory::kL0A, "ascend_l0a", "A2", "l0a_stage", 65536},
    {Memory::kL0B, "ascend_l0b", "B2", "l0b_stage", 65536},
    {Memory::kL0C, "ascend_l0c", "CO1", nullptr, 0},
};

/// What the body uses: buffers, and whether gemm_v0 or a fill of L0C needs staging.
class UsedBuffers : public ir::Visitor {
 public:
  using ir::Visitor::Visit;
  explicit UsedBuffers(const ir::Module& module) : module_(module) {}
  void VisitRegion(const ir::Region& region, AccessKind access) override {
    used.insert(region.buffer);
    Visitor::VisitRegion(region, access);
  }
  void VisitElement(BufferId buffer, AccessKind) override { used.insert(buffer); }
  void Visit(const ir::Gemm& node) override {
    needs_stage = needs_stage || !node.mma;
    VisitChildren(node);
  }
  void Visit(const ir::TileOp& node) override {
    const auto* region = std::get_if<ir::Region>(&node.args[0]);
    if (region != nullptr && module_.buffer(region->buffer).memory == Memory::kL0C)
      needs_stage = true;
    VisitChildren(node);
  }
  std::set<BufferId> used;
  bool needs_stage = false;

 private:
  const ir::Module& module_;
};

class KernelWriter {
 public:
  explicit KernelWriter(const ir::Module& module)
      : module_(module), names_(module), exprs_(module, names_), used_(module) {
    used_.VisitStmt(module.body);
    work_ = passes::WorkOf(module, module.body);
    if (!work_.any()) work_.vector = true;
    mixed_ =
        (work_.cube && work_.vector) || (work_.vector && passes::HasCrossCoreSync(module.body));
    two_vectors_ = module.launch.threads == 0;
  }

  base::Result<GeneratedKernel> Write() {
    CollectParameters();
    const std::string name = names_.Fresh(module_.name + "_kernel");
    HOSTNPU_ASSIGN_OR_RETURN(std::string cube, StreamText(Core::kCube));
    HOSTNPU_ASSIGN_OR_RETURN(std::string vector, StreamText(Core::kVector));
    GeneratedKernel kernel;
    kernel.name = name;
    kernel.entry = name + "_call";
    kernel.parameters = parameters_;
    kernel.source = Head() + KernelText(name, cube, vector);
    kernel.host_source = HostText(name, kernel.entry);
    kernel.source += "\n" + kernel.host_source;
    return kernel;
  }

 private:
  void CollectParameters() {
    for (const ir::Param& param : module_.params) {
      KernelParameter parameter;
      parameter.name = param.name;
      if (param.scalar != nullptr) {
        parameter.kind = KernelParameter::Kind::kScalar;
        parameter.dtype = param.scalar->dtype;
        parameter.var = param.scalar;
      } else {
        parameter.buffer = param.buffer;
        parameter.dtype = module_.buffer(param.buffer).dtype;
      }
      parameters_.push_back(std::move(parameter));
    }
    for (size_t i = 0; i < module_.buffers.size(); ++i) {
      if (module_.buffers[i].kind != ir::BufferKind::kWorkspace) continue;
      KernelParameter parameter;
      parameter.kind = KernelParameter::Kind::kWorkspace;
      parameter.name = module_.buffers[i].name;
      parameter.dtype = module_.buffers[i].dtype;
      parameter.buffer = static_cast<BufferId>(i);
      parameters_.push_back(std::move(parameter));
    }
    for (const ir::VarPtr& symbol : module_.symbols) {
      KernelParameter parameter;
      parameter.kind = KernelParameter::Kind::kSymbol;
      parameter.name = symbol->name;
      parameter.dtype = symbol->dtype;
      parameter.var = symbol;
      parameters_.push_back(std::move(parameter));
    }
  }

  std::string Head() const {
    std::string text = fmt::format("// {}: generated from TileLang.\n", module_.name);
    if (module_.sources != nullptr && !module_.sources->files.empty()) {
      const std::string& path = module_.sources->files.front().path;
      const size_t slash = path.find_last_of('/');
      text = fmt::format("// {}: generated from TileLang, {}.\n", module_.name,
                         slash == std::string::npos ? path : path.substr(slash + 1));
    }
    return text +
           "#include \"kernel_operator.h\"\n#include \"tilelang/tile.h\"\n\nusing namespace "
           "AscendC;\n\n";
  }

  static bool IsAddress(const KernelParameter& p) {
    return p.kind == KernelParameter::Kind::kTensor || p.kind == KernelParameter::Kind::kWorkspace;
  }
  std::string ParameterText(const KernelParameter& p) {
    if (IsAddress(p)) return fmt::format("GM_ADDR {}_gm", names_.Of(p.buffer));
    return fmt::format("{} {}", ScalarType(p.dtype), names_.Of(*p.var));
  }
  static std::string ScalarType(ir::DType dtype) {
    return dtype == ir::DType::kBool ? "bool" : std::string(ir::AscendCType(dtype));
  }

  std::string KernelText(const std::string& name, const std::string& cube,
                         const std::string& vector) {
    std::string parameters;
    for (const KernelParameter& p : parameters_) {
      parameters += (parameters.empty() ? "" : ", ") + ParameterText(p);
    }
    if (IsFolded()) parameters += fmt::format(", int32_t {}", first_block_);
    const char* qualifier = mixed_       ? (two_vectors_ ? "__mix__(1, 2)" : "__mix__(1, 1)")
                            : work_.cube ? "__cube__"
                                         : "__vector__";
    std::string text = fmt::format("extern \"C\" __global__ __aicore__ {} void {}({}) {{\n",
                                   qualifier, name, parameters);
    for (const KernelParameter& p : parameters_) {
      if (!IsAddress(p)) continue;
      const std::string& tensor = names_.Of(p.buffer);
      const std::string type(ir::AscendCType(p.dtype));
      std::string address = fmt::format("reinterpret_cast<__gm__ {}*>({}_gm)", type, tensor);
      if (p.kind == KernelParameter::Kind::kTensor && module_.buffer(p.buffer).folded_rows != 0) {
        text += fmt::format("  // Folded: the slice of block {} is the first.\n", first_block_);
        address += fmt::format(" - int64_t({}) * ({})", first_block_, SliceText(p.buffer));
      }
      text += fmt::format("  [[maybe_unused]] GlobalTensor<{}> {};\n", type, tensor);
      text += fmt::format("  {}.SetGlobalBuffer({});\n", tensor, address);
    }
    text += "  TPipe pipe;\n  [[maybe_unused]] float deq_scale = 1.0f;\n";
    text += fmt::format("  [[maybe_unused]] constexpr bool sync_all_aiv_only = {};\n",
                        work_.cube ? "false" : "true");
    text += BlockIdText();
    if (mixed_) {
      text += "  if ASCEND_IS_AIC {\n" + cube + "  }\n  if ASCEND_IS_AIV {\n" + vector + "  }\n}\n";
    } else {
      text += "  {\n" + (work_.cube ? cube : vector) + "  }\n}\n";
    }
    return text;
  }

  std::string BlockIdText() {
    const std::string cid =
        module_.launch.cid == nullptr ? "block_id" : names_.Of(*module_.launch.cid);
    std::string text;
    const char* block = mixed_                          ? "GetBlockIdx() / GetTaskRation()"
                        : (!work_.cube && two_vectors_) ? "GetBlockIdx() / 2"
                                                        : "GetBlockIdx()";
    text += fmt::format("  [[maybe_unused]] const int32_t {} = {}static_cast<int32_t>({});\n", cid,
                        IsFolded() ? first_block_ + " + " : "", block);
    if (module_.launch.vid != nullptr) {
      const char* lane = mixed_ ? "GetSubBlockIdx()" : work_.cube ? "0" : "GetBlockIdx() % 2";
      text += fmt::format("  [[maybe_unused]] const int32_t {} = static_cast<int32_t>({});\n",
                          names_.Of(*module_.launch.vid), lane);
    }
    for (const KernelParameter& p : parameters_) {
      if (p.kind != KernelParameter::Kind::kWorkspace || !module_.buffer(p.buffer).per_block)
        continue;
      const std::string& tensor = names_.Of(p.buffer);
      const bool folded = module_.buffer(p.buffer).folded_rows != 0;
      text += fmt::format("  {0} = {0}[static_cast<uint64_t>({1}) * ({2})];\n", tensor,
                          folded ? fmt::format("{} - {}", cid, first_block_) : cid,
                          SliceText(p.buffer));
    }
    return text;
  }

  bool IsFolded() const { return module_.launch.at_once != 0; }

  /// Elements that a block has in a workspace: all of one that each has for itself, or the rows of
  /// its slice.
  std::string SliceText(BufferId id) {
    const ir::Buffer& buffer = module_.buffer(id);
    const bool whole = buffer.kind == ir::BufferKind::kWorkspace;
    ir::ExprPtr count = whole ? ir::MakeInt(1) : ir::MakeInt(buffer.folded_rows);
    for (size_t d = whole ? 0 : 1; d < buffer.shape.size(); ++d) {
      count = ir::Mul(count, buffer.shape[d]);
    }
    return exprs_.Write(count);
  }

  /// Buffers and code of one stream; empty when the stream has no work.
  base::Result<std::string> StreamText(Core core) {
    const bool is_cube = core == Core::kCube;
    if (!(is_cube ? work_.cube : work_.vector)) return std::string();
    std::string text;
    for (const MemoryText& memory : kMemories) {
      if (ir::IsCubeMemory(memory.memory) == is_cube) text += MemoryDeclarations(memory);
    }
    StmtWriter writer(module_, names_, core, "    ");
    HOSTNPU_ASSIGN_OR_RETURN(std::string body, writer.Write(module_.body));
    return text + body;
  }

  std::string MemoryDeclarations(const MemoryText& memory) {
    int64_t end = 0;
    std::string lines;
    for (size_t i = 0; i < module_.buffers.size(); ++i) {
      const auto id = static_cast<BufferId>(i);
      const ir::Buffer& buffer = module_.buffers[i];
      if (buffer.memory != memory.memory) continue;
      const bool hidden = buffer.name == passes::kScratchName;
      const BufferId storage = module_.Storage(id);
      const int64_t address = module_.buffer(storage).address.value_or(0);
      end = std::max(end, address + passes::StorageBytes(module_, storage));
      if (!hidden && used_.used.count(id) == 0) continue;
      int64_t offset = address;
      for (BufferId view = id; module_.buffer(view).kind == ir::BufferKind::kView;
           view = module_.buffer(view).base) {
        offset += module_.buffer(view).base_offset;
      }
      const int64_t bytes = passes::StorageBytes(module_, storage) - (offset - address);
      const int64_t elements = bytes * 8 / ir::DTypeBits(buffer.dtype);
      lines +=
          fmt::format("    [[maybe_unused]] const auto {} = {}.GetWithOffset<{}>({}, {});\n",
                      names_.Of(id), memory.name, ir::AscendCType(buffer.dtype), elements, offset);
    }
    const bool stage = memory.stage != nullptr && used_.needs_stage;
    if (end == 0 && !stage) return "";
    std::string text =
        fmt::format("    TBuf<TPosition::{}> {};\n    pipe.InitBuffer({}, {});\n", memory.position,
                    memory.name, memory.name, stage ? memory.bytes : end);
    if (stage) {
      lines +=
          fmt::format("    [[maybe_unused]] const auto {} = {}.GetWithOffset<uint8_t>({}, {});\n",
                      memory.stage, memory.name, memory.bytes - end, end);
    }
    return text + lines;
  }

  std::string HostText(const std::string& name, const std::string& entry) {
    std::string text =
        "extern \"C\" int aclrtPeekAtLastError(int level);\n\n"
        "// One 8-byte word a parameter: an address, an integer, or the bits of a double.\n";
    text += fmt::format("extern \"C\" int {}(const uint64_t* words, void* stream) {{\n", entry);
    std::string args;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      const KernelParameter& p = parameters_[i];
      if (IsAddress(p)) {
        args += fmt::format("{}reinterpret_cast<GM_ADDR>(words[{}])", args.empty() ? "" : ", ", i);
        continue;
      }
      const std::string type = ScalarType(p.dtype);
      const std::string& var = names_.Of(*p.var);
      if (ir::IsFloat(p.dtype)) {
        text += fmt::format(
            "  double {}_bits;\n  __builtin_memcpy(&{}_bits, &words[{}], sizeof(double));\n", var,
            var, i);
        text += fmt::format("  [[maybe_unused]] const {} {} = static_cast<{}>({}_bits);\n", type,
                            var, type, var);
      } else {
        // Wide, so that the number of blocks is computed without overflow.
        text += fmt::format(
            "  [[maybe_unused]] const int64_t {} = static_cast<int64_t>(words[{}]);\n", var, i);
      }
      args += fmt::format("{}static_cast<{}>({})", args.empty() ? "" : ", ", type, var);
    }
    const bool doubled = !mixed_ && !work_.cube && two_vectors_;
    if (IsFolded()) return text + FoldedLaunchText(name, args, doubled);
    text += fmt::format("  const int64_t blocks = {}({});\n", doubled ? "2 * " : "",
                        exprs_.Write(module_.launch.blocks));
    text += "  if (blocks <= 0) return 0;\n";
    // More than a launch can say are as many as it can say: the runtime refuses those by their
    // number.
    text +=
        "  const uint32_t launched = blocks > int64_t{0xffffffff} ? 0xffffffffu : "
        "static_cast<uint32_t>(blocks);\n";
    text += fmt::format("  {}<<<launched, nullptr, stream>>>({});\n", name, args);
    text += "  return aclrtPeekAtLastError(0);\n}\n";
    return text;
  }

  /// As many blocks as run at once, then the next ones: each part finds the slices free. What no
  /// block number can count is launched in one go, for the runtime to refuse.
  std::string FoldedLaunchText(const std::string& name, const std::string& args, bool doubled) {
    std::string text =
        fmt::format("  const int64_t blocks = ({});\n", exprs_.Write(module_.launch.blocks));
    text += fmt::format("  const int64_t at_once = blocks > 0x3fffffff ? blocks : {};\n",
                        module_.launch.at_once);
    text += "  for (int64_t first = 0; first < blocks; first += at_once) {\n";
    text += "    const int64_t left = blocks - first < at_once ? blocks - first : at_once;\n";
    text += fmt::format(
        "    const uint32_t launched = left > 0x3fffffff ? 0xffffffffu : "
        "static_cast<uint32_t>({}left);\n",
        doubled ? "2 * " : "");
    text += fmt::format("    {}<<<launched, nullptr, stream>>>({}, static_cast<int32_t>(first));\n",
                        name, args);
    text += "    if (const int error = aclrtPeekAtLastError(0); error != 0) return error;\n  }\n";
    return text + "  return 0;\n}\n";
  }

  const ir::Module& module_;
  Names names_;
  const std::string first_block_ = names_.Fresh("first_block");
  ExprWriter exprs_;
  UsedBuffers used_;
  passes::Work work_;
  bool mixed_ = false;
  bool two_vectors_ = true;
  std::vector<KernelParameter> parameters_;
};

}  // namespace

base::Result<GeneratedKernel> WriteAscendC(const ir::Module& module) {
  return KernelWriter(module).Write();
}

}  // namespace hostnpu::tilelang::codegen
