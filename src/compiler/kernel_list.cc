// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel_list.h"

#include <nlohmann/json.hpp>

namespace hostnpu::compiler {

std::string KernelsToJson(const std::vector<KernelDeclaration>& kernels) {
  nlohmann::json list = nlohmann::json::array();
  for (const KernelDeclaration& kernel : kernels) {
    nlohmann::json parameters = nlohmann::json::array();
    for (const KernelParameter& parameter : kernel.parameters) {
      parameters.push_back(
          {parameter.name, parameter.type, parameter.is_global_memory, parameter.is_kfc_workspace});
    }
    list.push_back({{"name", kernel.name},
                    {"qualified_name", kernel.qualified_name},
                    {"line", kernel.line},
                    {"template", kernel.is_template},
                    {"extern_c", kernel.is_extern_c},
                    {"definition", kernel.is_definition},
                    {"macro", kernel.in_macro},
                    {"qualifiers", kernel.qualifiers},
                    {"task_type", kernel.task_type},
                    {"task_types_by_key", kernel.task_types_by_key},
                    {"parameters", std::move(parameters)}});
  }
  return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<KernelDeclaration> KernelsFromJson(const std::string& text) {
  std::vector<KernelDeclaration> kernels;
  const nlohmann::json list = nlohmann::json::parse(text, nullptr, false);
  if (!list.is_array()) return kernels;
  for (const nlohmann::json& item : list) {
    if (!item.is_object() || !item.contains("parameters")) return {};
    KernelDeclaration kernel;
    kernel.name = item.value("name", "");
    kernel.qualified_name = item.value("qualified_name", "");
    kernel.line = item.value("line", 0u);
    kernel.is_template = item.value("template", false);
    kernel.is_extern_c = item.value("extern_c", false);
    kernel.is_definition = item.value("definition", false);
    kernel.in_macro = item.value("macro", false);
    kernel.qualifiers = item.value("qualifiers", "");
    kernel.task_type = item.value("task_type", "");
    kernel.task_types_by_key = item.value("task_types_by_key", std::vector<std::string>());
    for (const nlohmann::json& parameter : item.at("parameters")) {
      if (!parameter.is_array() || parameter.size() != 4) return {};
      kernel.parameters.push_back({parameter[0].get<std::string>(), parameter[1].get<std::string>(),
                                   parameter[2].get<bool>(), parameter[3].get<bool>()});
    }
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

}  // namespace hostnpu::compiler
