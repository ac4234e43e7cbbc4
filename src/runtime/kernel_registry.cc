// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A launch carries the text that stood before its `<<<`, and the compiler driver has registered the
// kernels it saw by qualified name. The two meet here.
#include "runtime/kernel_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <mutex>

namespace hostnpu::runtime {
namespace {

std::string_view Trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i != text.size() && text[i] != separator) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

bool NamesWorkspace(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower.find("workspace") != std::string::npos || lower == "ws" || lower == "usrws";
}

// "x:GM_ADDR:gm;workspace:GM_ADDR:gm,kfc;n:uint32_t:". A type may hold colons ("ns::Tiling").
std::vector<KernelParameter> ParseParameters(std::string_view text) {
  std::vector<KernelParameter> parameters;
  if (text.empty()) return parameters;
  for (std::string_view item : Split(text, ';')) {
    if (item.empty()) continue;
    KernelParameter parameter;
    const size_t first = item.find(':');
    const size_t last = item.rfind(':');
    parameter.name = std::string(item.substr(0, first));
    if (first != std::string_view::npos && last > first) {
      parameter.type = std::string(item.substr(first + 1, last - first - 1));
      parameter.is_kfc_workspace = item.substr(last + 1).find("kfc") != std::string_view::npos;
    }
    parameter.names_workspace = NamesWorkspace(parameter.name);
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

/// The functions of the module that this thread loads; nothing while it loads none.
std::optional<std::vector<std::shared_ptr<const KernelFunction>>>& ModuleBeingLoaded() {
  static thread_local std::optional<std::vector<std::shared_ptr<const KernelFunction>>> functions;
  return functions;
}

std::string LastPart(const std::string& plain_name) {
  const size_t colon = plain_name.rfind("::");
  return colon == std::string::npos ? plain_name : plain_name.substr(colon + 2);
}

}  // namespace

std::string PlainKernelName(std::string_view launch_name) {
  std::string name;
  int depth = 0;
  int brackets = 0;  // inside them a `>` is a comparison
  for (char c : launch_name) {
    if (depth != 0 && c == '(') ++brackets;
    if (brackets == 0 && c == '<') ++depth;
    if (depth == 0 && !std::isspace(static_cast<unsigned char>(c))) name += c;
    if (brackets == 0 && c == '>') --depth;
    if (depth != 0 && c == ')') --brackets;
  }
  if (name.rfind("::", 0) == 0) name.erase(0, 2);
  return name;
}

HostnpuKernelType TypeOfQualifiers(std::string_view qualifiers) {
  const size_t mix = qualifiers.find("__mix__");
  if (mix != std::string_view::npos) {
    unsigned cube = 0;
    unsigned vector = 0;
    std::string arguments;
    for (char c : qualifiers.substr(mix)) {
      if (!std::isspace(static_cast<unsigned char>(c))) arguments += c;
    }
    if (std::sscanf(arguments.c_str(), "__mix__(%u,%u)", &cube, &vector) == 2) {
      if (cube == 1 && vector == 0) return HOSTNPU_KERNEL_MIX_AIC_1_0;
      if (cube == 0 && vector == 1) return HOSTNPU_KERNEL_MIX_AIV_1_0;
      if (cube == 1 && vector == 1) return HOSTNPU_KERNEL_MIX_AIC_1_1;
    }
    return HOSTNPU_KERNEL_MIX_AIC_1_2;
  }
  const bool cube = qualifiers.find("__cube__") != std::string_view::npos;
  const bool vector = qualifiers.find("__vector__") != std::string_view::npos;
  if (cube && vector) return HOSTNPU_KERNEL_MIX_AIC_1_2;
  if (cube) return HOSTNPU_KERNEL_AIC_ONLY;
  if (vector) return HOSTNPU_KERNEL_AIV_ONLY;
  return HOSTNPU_KERNEL_UNDECLARED;
}

HostnpuKernelType TypeOfTaskType(std::string_view task_type) {
  const std::pair<std::string_view, HostnpuKernelType> kNames[] = {
      {"KERNEL_TYPE_MIX_AIV_1_0", HOSTNPU_KERNEL_MIX_AIV_1_0},
      {"KERNEL_TYPE_MIX_AIC_1_0", HOSTNPU_KERNEL_MIX_AIC_1_0},
      {"KERNEL_TYPE_MIX_AIC_1_1", HOSTNPU_KERNEL_MIX_AIC_1_1},
      {"KERNEL_TYPE_MIX_AIC_1_2", HOSTNPU_KERNEL_MIX_AIC_1_2},
      {"KERNEL_TYPE_AIV_ONLY", HOSTNPU_KERNEL_AIV_ONLY},
      {"KERNEL_TYPE_AIC_ONLY", HOSTNPU_KERNEL_AIC_ONLY},
      // Chips without separate cube cores call their core AICORE or VECTORCORE; here both kinds
      // run.
      {"KERNEL_TYPE_AICORE", HOSTNPU_KERNEL_MIX_AIC_1_2},
      {"KERNEL_TYPE_VECTORCORE", HOSTNPU_KERNEL_AIV_ONLY},
  };
  for (const auto& [name, type] : kNames) {
    if (task_type.find(name) != std::string_view::npos) return type;
  }
  return HOSTNPU_KERNEL_UNDECLARED;
}

engine::BlockCores CoresOf(HostnpuKernelType type) {
  switch (type) {
    case HOSTNPU_KERNEL_AIC_ONLY:
    case HOSTNPU_KERNEL_MIX_AIC_1_0:
      return {1, 0};
    case HOSTNPU_KERNEL_MIX_AIC_1_1:
      return {1, 1};
    case HOSTNPU_KERNEL_MIX_AIC_1_2:
      return {1, 2};
    case HOSTNPU_KERNEL_AIV_ONLY:
    case HOSTNPU_KERNEL_MIX_AIV_1_0:
    case HOSTNPU_KERNEL_UNDECLARED:
      break;
  }
  return {0, 1};
}

bool IsMix(HostnpuKernelType type) {
  return type == HOSTNPU_KERNEL_MIX_AIV_1_0 || type == HOSTNPU_KERNEL_MIX_AIC_1_0 ||
         type == HOSTNPU_KERNEL_MIX_AIC_1_1 || type == HOSTNPU_KERNEL_MIX_AIC_1_2;
}

HostnpuKernelType Kernel::TypeFor(uint64_t tiling_key) const {
  for (const auto& [key, other] : types_by_key) {
    if (key == tiling_key) return other;
  }
  return type;
}

std::optional<size_t> Kernel::WorkspaceParameter() const {
  const size_t behind = have_tiling ? 2 : 1;
  if (have_workspace) {
    if (parameters.size() >= behind) return parameters.size() - behind;
    return std::nullopt;
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].is_kfc_workspace) return i;
  }
  for (size_t i = parameters.size(); i-- > 0;) {
    if (parameters[i].names_workspace) return i;
  }
  return std::nullopt;
}

std::optional<size_t> Kernel::SystemWorkspaceParameter() const {
  const std::optional<size_t> position = WorkspaceParameter();
  if (!position.has_value() || have_workspace) return position;
  return parameters[*position].is_kfc_workspace ? position : std::nullopt;
}

std::string Kernel::ParameterName(size_t index) const {
  if (index < parameters.size() && !parameters[index].name.empty()) {
    return fmt::format("'{}'", parameters[index].name);
  }
  return fmt::format("number {}", index + 1);
}

KernelRegistry& KernelRegistry::Get() {
  // Modules register from their static objects, in an order nobody knows; never destroyed.
  static KernelRegistry& registry = *new KernelRegistry;
  return registry;
}

void KernelRegistry::Register(const HostnpuKernelInfo& info) {
  auto kernel = std::make_shared<Kernel>();
  kernel->name = PlainKernelName(info.name == nullptr ? "" : info.name);
  kernel->file = info.file == nullptr ? "" : info.file;
  kernel->line = info.line;
  kernel->parameters = ParseParameters(info.parameters == nullptr ? "" : info.parameters);
  kernel->have_workspace = info.have_workspace != 0;
  kernel->have_tiling = info.have_tiling != 0;
  kernel->type = TypeOfQualifiers(info.qualifiers == nullptr ? "" : info.qualifiers);
  const auto types = Split(info.task_type == nullptr ? "" : info.task_type, ';');
  if (kernel->type == HOSTNPU_KERNEL_UNDECLARED) kernel->type = TypeOfTaskType(types[0]);
  for (size_t i = 1; i < types.size(); ++i) {
    const size_t equals = types[i].find('=');
    const HostnpuKernelType type = TypeOfTaskType(types[i]);
    if (equals == std::string_view::npos || type == HOSTNPU_KERNEL_UNDECLARED) continue;
    const std::string key(Trim(types[i].substr(0, equals)));
    kernel->types_by_key.emplace_back(std::strtoull(key.c_str(), nullptr, 0), type);
  }
  std::unique_lock lock(mutex_);
  auto& slot = by_name_[kernel->name];
  if (slot == nullptr) by_last_part_[LastPart(kernel->name)].push_back(kernel->name);
  // Told before the module was loaded, or by an earlier module of the same source.
  if (slot != nullptr) kernel->workspace_bytes = slot->workspace_bytes;
  slot = std::move(kernel);
}

void KernelRegistry::RegisterEntry(const HostnpuEntryInfo& info) {
  auto function = std::make_shared<KernelFunction>();
  function->name = PlainKernelName(info.name);
  function->variant_key = info.variant_key;
  function->entry = info.entry;
  function->arguments.assign(info.argument_list, info.argument_list + info.argument_count);
  function->arguments_bytes = info.arguments_bytes;
  function->arguments_align = info.arguments_align;
  if (ModuleBeingLoaded().has_value()) ModuleBeingLoaded()->push_back(function);
  std::unique_lock lock(mutex_);
  functions_[function->name] = std::move(function);
}

std::shared_ptr<const KernelFunction> KernelRegistry::FindFunction(std::string_view name) const {
  std::shared_lock lock(mutex_);
  std::string plain = PlainKernelName(name);
  if (auto kernel = FindLocked(name)) plain = kernel->name;
  auto found = functions_.find(plain);
  return found == functions_.end() ? nullptr : found->second;
}

void KernelRegistry::BeginModule() { ModuleBeingLoaded().emplace(); }

std::vector<std::shared_ptr<const KernelFunction>> KernelRegistry::EndModule() {
  auto functions = std::move(*ModuleBeingLoaded());
  ModuleBeingLoaded().reset();
  return functions;
}

void KernelRegistry::RegisterAicVariant(const char* key, HostnpuKernelEntry entry) {
  std::unique_lock lock(mutex_);
  aic_variants_[key] = entry;
}

std::shared_ptr<const Kernel> KernelRegistry::FindLocked(std::string_view launch_name) const {
  // Most launches name a kernel as it is registered.
  if (auto found = by_name_.find(launch_name); found != by_name_.end()) return found->second;
  const std::string plain = PlainKernelName(launch_name);
  if (auto found = by_name_.find(plain); found != by_name_.end()) return found->second;
  // A name may be shortened by `using`, or stand inside the namespace.
  const auto candidates = by_last_part_.find(LastPart(plain));
  if (candidates == by_last_part_.end()) return nullptr;
  const std::string tail = "::" + plain;
  for (const std::string& name : candidates->second) {
    if (("::" + name).ends_with(tail) || tail.ends_with("::" + name)) return by_name_.at(name);
  }
  return nullptr;
}

std::shared_ptr<const Kernel> KernelRegistry::Find(std::string_view launch_name) const {
  std::shared_lock lock(mutex_);
  return FindLocked(launch_name);
}

HostnpuKernelEntry KernelRegistry::FindAicVariant(const char* key) const {
  if (key == nullptr) return nullptr;
  std::shared_lock lock(mutex_);
  if (aic_variants_.empty()) return nullptr;
  auto found = aic_variants_.find(key);
  return found == aic_variants_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<const Kernel>> KernelRegistry::All() const {
  std::shared_lock lock(mutex_);
  std::vector<std::shared_ptr<const Kernel>> all;
  for (const auto& [name, kernel] : by_name_) all.push_back(kernel);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a->name < b->name; });
  return all;
}

base::Result<void> KernelRegistry::SetWorkspaceBytes(std::string_view name, uint64_t bytes,
                                                     workspace::Contents contents) {
  std::unique_lock lock(mutex_);
  std::shared_ptr<const Kernel> found = FindLocked(name);
  if (found == nullptr) {
    std::string known;
    for (const auto& [each, kernel] : by_name_) known += (known.empty() ? "'" : ", '") + each + "'";
    return base::Error{base::Code::kNotFound,
                       fmt::format("There is no kernel '{}'; there {}.", name,
                                   known.empty() ? "is none at all" : "are " + known)};
  }
  if (!found->WorkspaceParameter().has_value()) {
    return base::Error{
        base::Code::kInvalidArgument,
        fmt::format("Kernel '{}' has no workspace parameter: none is named workspace "
                    "or marked __kfc_workspace__, and it is compiled without "
                    "HAVE_WORKSPACE.",
                    found->name)};
  }
  auto changed = std::make_shared<Kernel>(*found);
  changed->workspace_bytes = bytes;
  changed->workspace_contents = contents;
  by_name_[changed->name] = std::move(changed);
  return {};
}

}  // namespace hostnpu::runtime
