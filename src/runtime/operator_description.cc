// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "runtime/operator_call.h"

namespace hostnpu::runtime {
namespace {

using nlohmann::json;

json DescribeParameters(const std::vector<op::ParameterDefinition>& parameters) {
  json list = json::array();
  for (const op::ParameterDefinition& parameter : parameters) {
    json entry;
    entry["name"] = parameter.name;
    entry["presence"] = parameter.presence == op::Presence::kOptional  ? "optional"
                        : parameter.presence == op::Presence::kDynamic ? "dynamic"
                                                                       : "required";
    entry["dtypes"] = json::array();
    for (const ge::DataType dtype : parameter.dtypes)
      entry["dtypes"].push_back(static_cast<int>(dtype));
    entry["formats"] = json::array();
    for (const ge::Format format : parameter.formats)
      entry["formats"].push_back(static_cast<int>(format));
    list.push_back(std::move(entry));
  }
  return list;
}

const char* KindName(gert::RuntimeAttrs::Value::Kind kind) {
  using Kind = gert::RuntimeAttrs::Value::Kind;
  switch (kind) {
    case Kind::kFloat:
      return "float";
    case Kind::kBool:
      return "bool";
    case Kind::kString:
      return "string";
    case Kind::kIntList:
      return "int list";
    case Kind::kFloatList:
      return "float list";
    case Kind::kBoolList:
      return "bool list";
    case Kind::kIntListList:
      return "int list list";
    default:
      return "int";
  }
}

std::string DescribeAll() {
  json all = json::array();
  for (const op::Operator* op : OperatorTable::Get().All()) {
    json entry;
    entry["type"] = op->type;
    entry["inputs"] = DescribeParameters(op->inputs);
    entry["outputs"] = DescribeParameters(op->outputs);
    entry["attributes"] = json::array();
    for (const op::AttributeDefinition& attribute : op->attributes) {
      entry["attributes"].push_back({{"name", attribute.name}, {"kind", KindName(attribute.kind)}});
    }
    entry["extended"] = json::object();
    for (const auto& [key, value] : op->extended) entry["extended"][key] = value;
    all.push_back(std::move(entry));
  }
  return all.dump();
}

}  // namespace
}  // namespace hostnpu::runtime

/// The operators of all loaded libraries as JSON; the text lives until the next call.
extern "C" __attribute__((visibility("default"))) const char* hostnpu_describe_operators() {
  static std::string& text = *new std::string;
  text = hostnpu::runtime::DescribeAll();
  return text.c_str();
}
