// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// An operator project is host code that describes and tiles, and kernels; what lies between
// (entries, dispatch by tiling key, aclnn functions) the vendor generates, and so do we. The order
// of work: compile the host code, load it and ask it which operators there are; find each one's
// kernel; compile that once, or once for each combination of data types where it uses DTYPE_
// macros; then link the host code again with the generated functions.
#include "cli/operator_project.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/file.h"
#include "base/subprocess.h"
#include "cli/operator_text.h"
#include "compiler/driver.h"
#include "compiler/kernel_scanner.h"

namespace hostnpu::cli {
namespace {

using nlohmann::json;

struct KernelSource {
  std::string file;
  compiler::KernelDeclaration kernel;
};

struct TilingClass {
  std::string header;
  std::string name;  // "optiling::AddCustomTilingData"
};

struct Project {
  OperatorProjectOptions options;
  std::string root;
  std::vector<std::string> host_sources;
  std::vector<std::string> kernel_sources;
  std::vector<std::string> include_dirs;
  std::map<std::string, TilingClass> tiling_classes;  // by operator type
  bool depends_on_dtypes = false;
};

void Walk(const std::string& directory, int depth, std::vector<std::string>& files) {
  if (depth > 8) return;
  std::vector<std::string> names = base::ListDirectory(directory);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (name.empty() || name[0] == '.' || name == "build" || name == "build_out" || name == "tests")
      continue;
    const std::string path = base::JoinPath(directory, name);
    if (base::IsDirectory(path)) {
      Walk(path, depth + 1, files);
    } else {
      files.push_back(path);
    }
  }
}

bool HasComponent(const std::string& path, const std::string& component) {
  return path.find("/" + component + "/") != std::string::npos;
}

bool IsSource(const std::string& path) {
  const std::string extension = base::ExtensionOf(path);
  return extension == ".cpp" || extension == ".cc" || extension == ".asc";
}

// REGISTER_TILING_DATA_CLASS(Op, Name) in a header: the kernel of Op sees that struct.
void FindTilingClasses(const std::string& path, const std::string& text, Project& project) {
  const std::string macro = "REGISTER_TILING_DATA_CLASS(";
  for (size_t at = text.find(macro); at != std::string::npos; at = text.find(macro, at + 1)) {
    const size_t line = text.rfind('\n', at);
    if (text.find("define", line == std::string::npos ? 0 : line) < at) continue;
    const size_t comma = text.find(',', at);
    const size_t end = text.find(')', at);
    if (comma == std::string::npos || end == std::string::npos || comma > end) continue;
    const auto trimmed = [](std::string word) {
      word.erase(0, word.find_first_not_of(" \t\n"));
      word.erase(word.find_last_not_of(" \t\n") + 1);
      return word;
    };
    const std::string type = trimmed(text.substr(at + macro.size(), comma - at - macro.size()));
    const std::string name = trimmed(text.substr(comma + 1, end - comma - 1));
    const bool in_optiling = text.find("namespace optiling") != std::string::npos;
    project.tiling_classes[type] = {path, (in_optiling ? "optiling::" : "") + name};
  }
}

base::Result<Project> ReadProject(const OperatorProjectOptions& options) {
  Project project;
  project.options = options;
  project.root = base::NormalizePath(options.directory);
  if (!base::IsDirectory(project.root)) {
    return base::Error{base::Code::kNotFound,
                       fmt::format("'{}' is not a directory", options.directory)};
  }
  const auto real = base::RealPath(project.root);
  if (real.has_value()) project.root = *real;
  std::vector<std::string> files;
  Walk(project.root, 0, files);
  std::map<std::string, bool> directories;
  const std::string output = base::RealPath(options.output).value_or(options.output);
  for (const std::string& path : files) {
    if (path.rfind(output + "/", 0) == 0) continue;
    const bool host = HasComponent(path, "op_host");
    const bool kernel = HasComponent(path, "op_kernel");
    if (!host && !kernel) continue;
    HOSTNPU_ASSIGN_OR_RETURN(const std::string text, base::ReadFile(path));
    directories[base::DirectoryOf(path)] = true;
    if (IsSource(path)) (host ? project.host_sources : project.kernel_sources).push_back(path);
    if (host) FindTilingClasses(path, text, project);
    for (const char* word : {"DTYPE_", "ASCENDC_TPL_INPUT(", "ASCENDC_TPL_OUTPUT("}) {
      if (kernel && text.find(word) != std::string::npos) project.depends_on_dtypes = true;
    }
  }
  for (const auto& [directory, present] : directories) project.include_dirs.push_back(directory);
  project.include_dirs.push_back(project.root);
  project.include_dirs.insert(project.include_dirs.end(), options.include_dirs.begin(),
                              options.include_dirs.end());
  if (project.host_sources.empty()) {
    return base::Error{base::Code::kNotFound,
                       fmt::format("'{}' has no sources in an op_host folder", options.directory)};
  }
  if (project.kernel_sources.empty()) {
    return base::Error{
        base::Code::kNotFound,
        fmt::format("'{}' has no sources in an op_kernel folder", options.directory)};
  }
  return project;
}

compiler::CompileRequest Request(const Project& project) {
  compiler::CompileRequest request;
  request.output = compiler::OutputKind::kSharedObject;
  request.include_dirs = project.include_dirs;
  request.defines = project.options.defines;
  request.chip = project.options.chip;
  request.debug = project.options.debug;
  return request;
}

base::Result<void> CopyFile(const std::string& from, const std::string& to, bool executable) {
  HOSTNPU_ASSIGN_OR_RETURN(const std::string bytes, base::ReadFile(from));
  HOSTNPU_TRY(base::WriteFileAtomically(to, bytes), fmt::format("writing '{}'", to));
  if (executable) chmod(to.c_str(), 0755);
  return {};
}

/// Compiles `request` and puts the result at `to`.
base::Result<void> CompileTo(const compiler::CompileRequest& request, const std::string& to) {
  HOSTNPU_ASSIGN_OR_RETURN(compiler::CompiledModule module, compiler::Compile(request));
  auto copied = CopyFile(module.path, to, true);
  if (!module.in_cache) static_cast<void>(base::RemoveTree(module.folder));
  return copied;
}

std::vector<OperatorFacts::Parameter> ReadParameters(const json& list) {
  std::vector<OperatorFacts::Parameter> parameters;
  for (const json& entry : list) {
    OperatorFacts::Parameter parameter;
    parameter.name = entry.value("name", "");
    parameter.presence = entry.value("presence", "required");
    parameter.dtypes = entry.value("dtypes", std::vector<int>());
    parameter.formats = entry.value("formats", std::vector<int>());
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

base::Result<std::vector<OperatorFacts>> Describe(const std::string& library) {
  HOSTNPU_ASSIGN_OR_RETURN(auto run,
                           base::RunProgram({"/proc/self/exe", "describe-library", library}));
  const json description = json::parse(run.out, nullptr, /*allow_exceptions=*/false);
  if (!run.ok() || description.is_discarded()) {
    const std::string ended = run.signal != 0 ? fmt::format("it ends with signal {}", run.signal)
                                              : fmt::format("exit status {}", run.exit_code);
    return base::Error{base::Code::kCompileError,
                       fmt::format("the project's host code cannot be loaded: {}",
                                   run.err.empty() ? ended : run.err)};
  }
  std::vector<OperatorFacts> operators;
  for (const json& entry : description) {
    OperatorFacts facts;
    facts.type = entry.value("type", "");
    facts.inputs = ReadParameters(entry["inputs"]);
    facts.outputs = ReadParameters(entry["outputs"]);
    for (const json& attribute : entry["attributes"]) {
      facts.attributes.push_back({attribute.value("name", ""), attribute.value("kind", "int")});
    }
    for (const auto& [key, value] : entry["extended"].items()) facts.extended[key] = value;
    operators.push_back(std::move(facts));
  }
  if (operators.empty()) {
    return base::Error{base::Code::kNotFound,
                       "the project's host code defines no operator (OP_ADD)"};
  }
  return operators;
}

base::Result<KernelSource> FindKernel(const Project& project, const OperatorFacts& facts) {
  const auto named = facts.extended.find("opFile.value");
  const std::string wanted = named != facts.extended.end() ? named->second : SnakeCase(facts.type);
  std::vector<std::string> seen;
  for (const std::string& file : project.kernel_sources) {
    HOSTNPU_ASSIGN_OR_RETURN(const std::string text, base::ReadFile(file));
    const auto tokens = compiler::Lex(text);
    // The product, not the CPU twin of a unit test.
    const compiler::KnownMacros known = {{"__CCE_KT_TEST__", false}};
    for (compiler::KernelDeclaration& kernel : compiler::ScanKernels(text, tokens, {}, known)) {
      if (!kernel.is_definition) continue;
      if (kernel.name == wanted || kernel.name == SnakeCase(facts.type))
        return KernelSource{file, std::move(kernel)};
      seen.push_back(kernel.name);
    }
  }
  std::string list;
  for (const std::string& name : seen) list += (list.empty() ? "" : ", ") + name;
  return base::Error{base::Code::kNotFound,
                     fmt::format("operator {} needs a kernel '{}', and op_kernel has: {}",
                                 facts.type, wanted, list.empty() ? "none" : list)};
}

/// -D words of one combination of data types.
std::vector<std::string> DataTypeDefines(const OperatorFacts& facts, size_t combination) {
  std::vector<std::string> defines;
  for (const auto* list : {&facts.inputs, &facts.outputs}) {
    for (const OperatorFacts::Parameter& parameter : *list) {
      std::string upper = parameter.name;
      std::transform(upper.begin(), upper.end(), upper.begin(),
                     [](unsigned char c) { return std::toupper(c); });
      if (!parameter.dtypes.empty()) {
        const int dtype = parameter.dtypes[std::min(combination, parameter.dtypes.size() - 1)];
        const std::string type = KernelTypeOf(dtype);
        if (!type.empty()) defines.push_back(fmt::format("DTYPE_{}={}", upper, type));
        defines.push_back(fmt::format("ORIG_DTYPE_{}={}", upper, DataTypeEnumerator(dtype)));
      }
      const int format =
          parameter.formats.empty()
              ? 2
              : parameter.formats[std::min(combination, parameter.formats.size() - 1)];
      defines.push_back(fmt::format("FORMAT_{}={}", upper, FormatEnumerator(format)));
    }
  }
  return defines;
}

constexpr const char* kTableProgram = R"(
#include <stdio.h>
static void Item(const hostnpu::tiling::TemplateParameter& p, bool last) {
  printf("{\"name\":\"%s\",\"kind\":%d,\"bits\":%d,\"values\":[", p.name, (int)p.kind, (int)p.bits);
  const uint64_t count = p.kind == hostnpu::tiling::ParameterKind::kAttribute ? 0 : p.Count();
  for (uint64_t i = 0; i < count; ++i) printf("%s%llu", i == 0 ? "" : ",", (unsigned long long)p.At(i));
  printf("]}%s", last ? "" : ",");
}
int main() {
  printf("{\"declared\":[");
  for (int i = 0; i < g_tilingDeclareParams.size; ++i) Item(g_tilingDeclareParams.parameters[i], i + 1 == g_tilingDeclareParams.size);
  printf("],\"selected\":[");
  const int selections = (int)(sizeof(g_tilingSelectParams) / sizeof(g_tilingSelectParams[0]));
  for (int s = 0; s < selections; ++s) {
    printf("[");
    for (int i = 0; i < g_tilingSelectParams[s].item_count(); ++i) Item(g_tilingSelectParams[s].items[i], i + 1 == g_tilingSelectParams[s].item_count());
    printf("]%s", s + 1 == selections ? "" : ",");
  }
  printf("]}");
}
)";

struct TableItem {
  std::string name;
  int kind = 0;
  int bits = 0;
  std::vector<uint64_t> values;
};
TableItem ReadItem(const json& entry) {
  return {entry.value("name", ""), entry.value("kind", 0), entry.value("bits", 8),
          entry.value("values", std::vector<uint64_t>())};
}

/// The dtype that a DATATYPE value stands for: itself, or that of an input or output in this
/// combination.
int ResolveDataType(const OperatorFacts& facts, uint64_t value, size_t combination) {
  constexpr uint64_t kInput = 100000000, kOutput = 900000000;
  if (value < kInput) return static_cast<int>(value);
  const auto& list = value >= kOutput ? facts.outputs : facts.inputs;
  const uint64_t index = value - (value >= kOutput ? kOutput : kInput);
  if (index >= list.size() || list[index].dtypes.empty()) return 0;
  return list[index].dtypes[std::min(combination, list[index].dtypes.size() - 1)];
}

/// Every instantiation that the ASCENDC_TPL tables of a kernel name, with its key.
base::Result<std::vector<KernelInstance>> FindInstances(const Project& project,
                                                        const OperatorFacts& facts,
                                                        const KernelSource& source,
                                                        size_t combination,
                                                        const std::vector<std::string>& defines) {
  compiler::CompileRequest request = Request(project);
  request.output = compiler::OutputKind::kExecutable;
  request.defines.insert(request.defines.end(), defines.begin(), defines.end());
  const std::string program = fmt::format("#include \"{}\"\n{}", source.file, kTableProgram);
  const std::string path =
      base::JoinPath(project.options.output, "src/" + SnakeCase(facts.type) + "_tables.cpp");
  HOSTNPU_TRY(base::WriteFile(path, program), "writing a generated source");
  request.sources = {{path}};
  HOSTNPU_ASSIGN_OR_RETURN(compiler::CompiledModule module, compiler::Compile(request));
  HOSTNPU_ASSIGN_OR_RETURN(auto run, base::RunProgram({module.path}));
  if (!module.in_cache) static_cast<void>(base::RemoveTree(module.folder));
  const json tables = json::parse(run.out, nullptr, /*allow_exceptions=*/false);
  if (tables.is_discarded()) {
    return base::Error{base::Code::kInternal,
                       fmt::format("the tiling key tables of {} cannot be read", facts.type)};
  }
  std::vector<TableItem> declared;
  for (const json& entry : tables["declared"]) declared.push_back(ReadItem(entry));
  std::vector<KernelInstance> instances;
  std::map<uint64_t, bool> known;
  for (const json& selection : tables["selected"]) {
    std::vector<TableItem> items;
    for (const json& entry : selection) items.push_back(ReadItem(entry));
    std::vector<size_t> at(declared.size(), 0);
    std::vector<const TableItem*> chosen;
    for (const TableItem& parameter : declared) {
      const auto found = std::find_if(items.begin(), items.end(), [&](const TableItem& item) {
        return item.name == parameter.name;
      });
      chosen.push_back(found == items.end() ? &parameter : &*found);
    }
    for (bool more = true; more;) {
      KernelInstance instance;
      int shift = 0;
      bool usable = true;
      for (size_t i = 0; i < declared.size(); ++i) {
        if (chosen[i]->values.empty()) {
          usable = false;
          break;
        }
        const uint64_t value = chosen[i]->values[at[i]];
        uint64_t field = value;
        std::string text = fmt::format("{}", value);
        if (declared[i].kind == 0) {
          const int dtype = ResolveDataType(facts, value, combination);
          field = static_cast<uint64_t>(dtype);
          text = KernelTypeOf(dtype);
          usable = usable && !text.empty();
        } else if (declared[i].kind == 2) {
          const auto& list = declared[i].values;
          field = static_cast<uint64_t>(std::find(list.begin(), list.end(), value) - list.begin());
        }
        instance.key |= field << shift;
        shift += declared[i].bits;
        instance.arguments += (i == 0 ? "" : ", ") + text;
      }
      if (usable && !known[instance.key]) {
        known[instance.key] = true;
        instances.push_back(std::move(instance));
      }
      more = false;
      for (size_t i = 0; i < declared.size() && !more; ++i) {
        if (++at[i] < chosen[i]->values.size()) {
          more = true;
        } else {
          at[i] = 0;
        }
      }
    }
  }
  if (instances.empty()) {
    return base::Error{
        base::Code::kNotFound,
        fmt::format("kernel '{}' is a template, and no ASCENDC_TPL_SEL names an instantiation",
                    source.kernel.name)};
  }
  return instances;
}

/// Compiles one variant of a kernel; gives the file's name below OUT/lib/kernels.
base::Result<std::string> BuildKernel(const Project& project, const OperatorFacts& facts,
                                      const KernelSource& source, size_t combination) {
  std::vector<std::string> defines = DataTypeDefines(facts, combination);
  std::vector<std::string> flags;
  if (auto tiling = project.tiling_classes.find(facts.type);
      tiling != project.tiling_classes.end()) {
    defines.push_back("HOSTNPU_TILING_AS_STRUCT=1");
    defines.push_back("HOSTNPU_DEFAULT_TILING=" + tiling->second.name);
    flags = {"-include", tiling->second.header};
  }
  std::vector<KernelInstance> instances;
  if (source.kernel.is_template) {
    HOSTNPU_ASSIGN_OR_RETURN(instances,
                             FindInstances(project, facts, source, combination, defines));
  }
  compiler::CompileRequest request = Request(project);
  request.defines.insert(request.defines.end(), defines.begin(), defines.end());
  request.defines.push_back("HAVE_WORKSPACE=1");
  request.defines.push_back("HAVE_TILING=1");
  request.compiler_flags = flags;
  const std::string stem = fmt::format("{}_{}", SnakeCase(facts.type), combination);
  const std::string glue = base::JoinPath(project.options.output, "src/" + stem + ".cpp");
  HOSTNPU_TRY(base::WriteFile(glue, KernelGlue(source.file, source.kernel.qualified_name,
                                               source.kernel.parameters.size(), instances,
                                               source.kernel.is_template)),
              "writing a generated source");
  request.sources = {{glue}};
  HOSTNPU_TRY(
      CompileTo(request, base::JoinPath(project.options.output, "lib/kernels/" + stem + ".so")),
      fmt::format("compiling the kernel of {}", facts.type));
  return stem + ".so";
}

base::Result<BuiltOperator> BuildOperator(const Project& project, const OperatorFacts& facts,
                                          std::vector<std::string>& kernel_files) {
  HOSTNPU_ASSIGN_OR_RETURN(const KernelSource source, FindKernel(project, facts));
  const size_t expected = facts.inputs.size() + facts.outputs.size() + 2;
  if (source.kernel.parameters.size() != expected) {
    return base::Error{
        base::Code::kInvalidArgument,
        fmt::format(
            "kernel '{}' has {} parameters; operator {} needs {}: {} inputs, {} outputs, the "
            "workspace and the tiling",
            source.kernel.name, source.kernel.parameters.size(), facts.type, expected,
            facts.inputs.size(), facts.outputs.size())};
  }
  BuiltOperator built{facts.type, source.kernel.name,
                      project.depends_on_dtypes ? facts.Combinations() : 1, ""};
  for (size_t combination = 0; combination < built.variants; ++combination) {
    HOSTNPU_ASSIGN_OR_RETURN(std::string file, BuildKernel(project, facts, source, combination));
    kernel_files.push_back(std::move(file));
  }
  built.header =
      base::JoinPath(project.options.output, "include/aclnn_" + SnakeCase(facts.type) + ".h");
  HOSTNPU_TRY(base::WriteFile(built.header, AclnnHeader(facts)), "writing a generated header");
  return built;
}

}  // namespace

base::Result<BuiltProject> BuildOperatorProject(const OperatorProjectOptions& given) {
  OperatorProjectOptions options = given;
  for (const char* folder : {"", "/src", "/include", "/lib", "/lib/kernels"}) {
    HOSTNPU_TRY(base::MakeDirectories(options.output + folder), "making the output folder");
  }
  options.output = base::RealPath(options.output).value_or(options.output);
  HOSTNPU_ASSIGN_OR_RETURN(Project project, ReadProject(options));

  compiler::CompileRequest host = Request(project);
  host.defines.push_back("HOSTNPU_OP_HOST=1");
  for (const std::string& source : project.host_sources) host.sources.push_back({source});
  HOSTNPU_ASSIGN_OR_RETURN(compiler::CompiledModule described, compiler::Compile(host));
  HOSTNPU_ASSIGN_OR_RETURN(const std::vector<OperatorFacts> operators, Describe(described.path));
  if (!described.in_cache) static_cast<void>(base::RemoveTree(described.folder));

  BuiltProject built;
  std::map<std::string, std::vector<std::string>> kernels;
  std::string glue;
  for (const OperatorFacts& facts : operators) {
    HOSTNPU_ASSIGN_OR_RETURN(BuiltOperator one, BuildOperator(project, facts, kernels[facts.type]));
    built.operators.push_back(std::move(one));
    glue += AclnnSource(facts);
  }
  const std::string aclnn = base::JoinPath(options.output, "src/aclnn.cpp");
  const std::string loader = base::JoinPath(options.output, "src/loader.cpp");
  HOSTNPU_TRY(base::WriteFile(aclnn, glue), "writing a generated source");
  HOSTNPU_TRY(base::WriteFile(loader, LoaderSource(kernels)), "writing a generated source");
  host.sources.push_back({aclnn});
  host.sources.push_back({loader});
  host.include_dirs.push_back(base::JoinPath(options.output, "include"));
  built.library = base::JoinPath(options.output, "lib/libcust_opapi.so");
  HOSTNPU_TRY(CompileTo(host, built.library), "linking the operator library");
  return built;
}

}  // namespace hostnpu::cli
