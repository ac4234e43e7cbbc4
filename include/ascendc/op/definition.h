// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Operator definitions: what OpDef collects, and the entry of an operator in libhostnpu's table,
// where its definition, its inference and its tiling functions come together.
#ifndef HOSTNPU_ASCENDC_OP_DEFINITION_H_
#define HOSTNPU_ASCENDC_OP_DEFINITION_H_

#include <functional>
#include <map>

#include "context.h"

namespace hostnpu::op {

enum class Presence { kIgnored, kOptional, kRequired, kDynamic, kVirtual };

/// One input or output of a definition.
struct ParameterDefinition {
  std::string name;
  Presence presence = Presence::kRequired;
  std::vector<ge::DataType> dtypes;  // one a supported combination
  std::vector<ge::Format> formats;
  bool ignore_contiguous = false;
  bool value_depend = false;
  std::string follow;  // the input it takes dtypes and formats from
  bool follows_shape = false;
  // What the bytes of an output are before a kernel that adds to it, repeated: one for all
  // combinations or one each; an empty one stands for a number without its type.
  std::vector<std::string> initial_values;
};

/// One attribute; `value` is the default of an optional one.
struct AttributeDefinition {
  std::string name;
  bool required = true;
  gert::RuntimeAttrs::Value value;
  gert::RuntimeAttrs::Value::Kind kind = gert::RuntimeAttrs::Value::Kind::kInt;
};

using InferShapeFunction = ge::graphStatus (*)(gert::InferShapeContext*);
using InferDataTypeFunction = ge::graphStatus (*)(gert::InferDataTypeContext*);
using TilingFunction = ge::graphStatus (*)(gert::TilingContext*);

/// Launches one compiled kernel: addresses of inputs, outputs, workspace and tiling, in that order.
/// Returns an aclError, or kNoSuchInstance for a tiling key that it was not compiled for.
inline constexpr int kNoSuchInstance = -1;
using KernelLauncher = int (*)(uint64_t blocks, void* stream, uint64_t tiling_key,
                               uint8_t* const* addresses, uint32_t count);

/// All that is known of one operator type. Filled by static objects of operator libraries at load.
struct Operator {
  std::string type;  // "AddCustom"
  bool defined = false;
  std::vector<ParameterDefinition> inputs;
  std::vector<ParameterDefinition> outputs;
  std::vector<AttributeDefinition> attributes;
  std::vector<std::string> chips;               // "ascend910b", as AddConfig names them
  std::map<std::string, std::string> extended;  // ExtendCfgInfo
  InferShapeFunction infer_shape = nullptr;
  InferDataTypeFunction infer_data_type = nullptr;
  TilingFunction tiling = nullptr;
  std::function<ge::graphStatus(gert::TilingParseContext*)> tiling_parse;
  std::function<std::shared_ptr<void>()> make_compile_info;
  // By supported combination; one entry serves all. Null: it could not be loaded.
  std::vector<KernelLauncher> kernels;
};

/// Resolves Follow(): the root of each chain, and its data types and formats. `inputs` are resolved
/// as far as they stand before the parameter.
inline void ResolveFollow(ParameterDefinition& parameter,
                          const std::vector<ParameterDefinition>& inputs) {
  for (const ParameterDefinition& input : inputs) {
    if (parameter.follow.empty() || input.name != parameter.follow) continue;
    if (parameter.dtypes.empty()) parameter.dtypes = input.dtypes;
    if (parameter.formats.empty()) parameter.formats = input.formats;
    if (!input.follow.empty()) parameter.follow = input.follow;
    return;
  }
}

}  // namespace hostnpu::op

/// The entry of that type in libhostnpu's table; made if there is none. Never null.
extern "C" hostnpu::op::Operator* hostnpu_operator(const char* type);

namespace ops {

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
enum DependScope { ALL = 0, TILING, INVALID_SCOPE };
enum class FollowType { ALL = 0, DTYPE, FORMAT, SHAPE, INVALID_TYPE };
enum class FormatCheckOption { DEFAULT, STRICT, MAX };

enum class ScalarType : uint32_t {
  UINT64 = 0,
  INT64 = 1,
  UINT32 = 2,
  INT32 = 3,
  UINT16 = 4,
  INT16 = 5,
  UINT8 = 6,
  INT8 = 7,
  FLOAT32 = 8,
  FLOAT16 = 9,
  INVALID_DTYPE = static_cast<uint32_t>(-1)
};

/// A number and its type, as InitValue takes it.
struct ScalarVar {
  ScalarVar() = default;
  template <typename T>
  ScalarVar(ScalarType type, T number) : scalar_type(type) {
    switch (type) {
      case ScalarType::UINT64:
      case ScalarType::INT64:
        Keep(static_cast<int64_t>(number));
        break;
      case ScalarType::UINT32:
      case ScalarType::INT32:
        Keep(static_cast<int32_t>(static_cast<int64_t>(number)));
        break;
      case ScalarType::UINT16:
      case ScalarType::INT16:
        Keep(static_cast<int16_t>(static_cast<int64_t>(number)));
        break;
      case ScalarType::UINT8:
      case ScalarType::INT8:
        Keep(static_cast<int8_t>(static_cast<int64_t>(number)));
        break;
      case ScalarType::FLOAT32:
        Keep(static_cast<float>(number));
        break;
      case ScalarType::FLOAT16:
        Keep(static_cast<_Float16>(static_cast<float>(number)));
        break;
      default:
        break;
    }
  }
  ScalarType scalar_type = ScalarType::INVALID_DTYPE;
  std::string bytes;  // of the number in its type

 private:
  template <typename T>
  void Keep(T value) {
    bytes.assign(reinterpret_cast<const char*>(&value), sizeof(value));
  }
};

class OpParamDef {
 public:
  explicit OpParamDef(const char* name) { definition_.name = name; }
  OpParamDef& ParamType(Option option) {
    definition_.presence = static_cast<hostnpu::op::Presence>(option);
    return *this;
  }
  OpParamDef& DataType(std::vector<ge::DataType> dtypes) {
    definition_.dtypes = std::move(dtypes);
    return *this;
  }
  OpParamDef& DataTypeList(std::vector<ge::DataType> dtypes) { return DataType(std::move(dtypes)); }
  OpParamDef& DataTypeForBinQuery(std::vector<ge::DataType>) { return *this; }
  OpParamDef& Format(std::vector<ge::Format> formats) {
    definition_.formats = std::move(formats);
    return *this;
  }
  OpParamDef& FormatList(std::vector<ge::Format> formats) { return Format(std::move(formats)); }
  OpParamDef& FormatForBinQuery(std::vector<ge::Format>) { return *this; }
  OpParamDef& UnknownShapeFormat(std::vector<ge::Format>) { return *this; }
  OpParamDef& ValueDepend(Option, DependScope = ALL) {
    definition_.value_depend = true;
    return *this;
  }
  OpParamDef& IgnoreContiguous() {
    definition_.ignore_contiguous = true;
    return *this;
  }
  OpParamDef& AutoContiguous() {
    definition_.ignore_contiguous = false;
    return *this;
  }
  OpParamDef& Scalar() { return *this; }
  OpParamDef& ScalarList() { return *this; }
  OpParamDef& To(ge::DataType) { return *this; }
  OpParamDef& To(const char*) { return *this; }
  OpParamDef& Version(uint32_t) { return *this; }
  OpParamDef& Comment(const char*) { return *this; }
  /// Zero; another number needs its type.
  OpParamDef& InitValue(uint64_t value) {
    definition_.initial_values = {value == 0 ? std::string(1, '\0') : std::string()};
    return *this;
  }
  OpParamDef& InitValue(const ScalarVar& value) {
    definition_.initial_values = {value.bytes};
    return *this;
  }
  OpParamDef& InitValue(const std::vector<ScalarVar>& values) {
    definition_.initial_values.clear();
    for (const ScalarVar& value : values) definition_.initial_values.push_back(value.bytes);
    return *this;
  }
  OpParamDef& OutputShapeDependOnCompute() { return *this; }
  OpParamDef& Follow(const char* name, FollowType kind = FollowType::ALL) {
    definition_.follow = name;
    definition_.follows_shape = kind == FollowType::ALL || kind == FollowType::SHAPE;
    return *this;
  }
  const hostnpu::op::ParameterDefinition& definition() const { return definition_; }

 private:
  hostnpu::op::ParameterDefinition definition_;
};

class OpAttrDef {
 public:
  using Value = gert::RuntimeAttrs::Value;
  explicit OpAttrDef(const char* name) { definition_.name = name; }
  OpAttrDef& AttrType(Option option) {
    definition_.required = option == REQUIRED;
    return *this;
  }
  OpAttrDef& Bool(bool value = false) {
    definition_.value.boolean = value;
    return Kind(Value::Kind::kBool);
  }
  OpAttrDef& Int(int64_t value = 0) {
    definition_.value.integer = value;
    return Kind(Value::Kind::kInt);
  }
  OpAttrDef& Float(float value = 0) {
    definition_.value.real = value;
    return Kind(Value::Kind::kFloat);
  }
  OpAttrDef& String(const char* value = "") {
    definition_.value.text = value;
    return Kind(Value::Kind::kString);
  }
  OpAttrDef& ListInt(std::vector<int64_t> value = {}) {
    definition_.value.integers = gert::TypedContinuousVector<int64_t>(value);
    return Kind(Value::Kind::kIntList);
  }
  OpAttrDef& ListListInt(std::vector<std::vector<int64_t>> value = {}) {
    definition_.value.integer_lists = gert::ContinuousVectorVector(value);
    return Kind(Value::Kind::kIntListList);
  }
  OpAttrDef& ListBool(std::vector<bool> value = {}) {
    definition_.value.booleans = gert::TypedContinuousVector<bool>(value);
    return Kind(Value::Kind::kBoolList);
  }
  OpAttrDef& ListFloat(std::vector<float> value = {}) {
    definition_.value.reals = gert::TypedContinuousVector<float>(value);
    return Kind(Value::Kind::kFloatList);
  }
  OpAttrDef& Version(uint32_t) { return *this; }
  OpAttrDef& Comment(const char*) { return *this; }
  const hostnpu::op::AttributeDefinition& definition() const { return definition_; }

 private:
  OpAttrDef& Kind(Value::Kind kind) {
    definition_.kind = kind;
    definition_.value.kind = kind;
    return *this;
  }
  hostnpu::op::AttributeDefinition definition_;
};

class OpAICoreConfig {
 public:
  OpAICoreConfig() = default;
  explicit OpAICoreConfig(const char*) {}
  // A chip may state parameters of its own: those of an A2 or A3 chip replace the operator's.
  OpParamDef& Input(const char* name) { return inputs_.emplace_back(name); }
  OpParamDef& Output(const char* name) { return outputs_.emplace_back(name); }
  OpAICoreConfig& DynamicCompileStaticFlag(bool) { return *this; }
  OpAICoreConfig& DynamicFormatFlag(bool) { return *this; }
  OpAICoreConfig& DynamicRankSupportFlag(bool) { return *this; }
  OpAICoreConfig& DynamicShapeSupportFlag(bool) { return *this; }
  OpAICoreConfig& NeedCheckSupportFlag(bool) { return *this; }
  OpAICoreConfig& PrecisionReduceFlag(bool) { return *this; }
  OpAICoreConfig& ExtendCfgInfo(const char* key, const char* value) {
    extended_[key] = value;
    return *this;
  }
  const std::vector<OpParamDef>& inputs() const { return inputs_; }
  const std::vector<OpParamDef>& outputs() const { return outputs_; }
  const std::map<std::string, std::string>& extended() const { return extended_; }

 private:
  std::vector<OpParamDef> inputs_;
  std::vector<OpParamDef> outputs_;
  std::map<std::string, std::string> extended_;
};

class OpAICoreDef {
 public:
  OpAICoreDef& SetTiling(hostnpu::op::TilingFunction function) {
    tiling_ = function;
    return *this;
  }
  template <typename F>
  OpAICoreDef& SetCheckSupport(F) {
    return *this;
  }
  template <typename F>
  OpAICoreDef& SetOpSelectFormat(F) {
    return *this;
  }
  template <typename F>
  OpAICoreDef& SetGeneralize(F) {
    return *this;
  }
  OpAICoreDef& AddConfig(const char* chip) {
    configs_.emplace_back(chip, OpAICoreConfig());
    return *this;
  }
  OpAICoreDef& AddConfig(const char* chip, const OpAICoreConfig& config) {
    configs_.emplace_back(chip, config);
    return *this;
  }
  hostnpu::op::TilingFunction tiling() const { return tiling_; }
  const std::vector<std::pair<std::string, OpAICoreConfig>>& configs() const { return configs_; }

 private:
  hostnpu::op::TilingFunction tiling_ = nullptr;
  std::vector<std::pair<std::string, OpAICoreConfig>> configs_;
};

class OpDef {
 public:
  explicit OpDef(const char* type) : type_(type) {}
  virtual ~OpDef() = default;

  // References to list elements are used up within one statement.
  OpParamDef& Input(const char* name) { return inputs_.emplace_back(name); }
  OpParamDef& Output(const char* name) { return outputs_.emplace_back(name); }
  OpAttrDef& Attr(const char* name) { return attributes_.emplace_back(name); }
  OpDef& SetInferShape(hostnpu::op::InferShapeFunction function) {
    infer_shape_ = function;
    return *this;
  }
  template <typename F>
  OpDef& SetInferShapeRange(F) {
    return *this;
  }
  OpDef& SetInferDataType(hostnpu::op::InferDataTypeFunction function) {
    infer_data_type_ = function;
    return *this;
  }
  OpDef& Comment(int, const char*) { return *this; }
  OpDef& FormatMatchMode(FormatCheckOption) { return *this; }
  OpAICoreDef& AICore() { return aicore_; }

  /// Writes the definition into the table.
  void Publish() const {
    hostnpu::op::Operator& entry = *hostnpu_operator(type_.c_str());
    entry.defined = true;
    entry.inputs.clear();
    entry.outputs.clear();
    entry.attributes.clear();
    entry.chips.clear();
    entry.kernels.clear();  // of another library with the same operator
    const std::vector<OpParamDef>* inputs = &inputs_;
    const std::vector<OpParamDef>* outputs = &outputs_;
    for (const auto& [chip, config] : aicore_.configs()) {
      entry.chips.push_back(chip);
      if (chip != "ascend910b" && chip != "ascend910_93") continue;
      for (const auto& [key, value] : config.extended()) entry.extended[key] = value;
      if (!config.inputs().empty()) inputs = &config.inputs();
      if (!config.outputs().empty()) outputs = &config.outputs();
    }
    for (const OpParamDef& input : *inputs) {
      hostnpu::op::ParameterDefinition definition = input.definition();
      hostnpu::op::ResolveFollow(definition, entry.inputs);
      entry.inputs.push_back(std::move(definition));
    }
    for (const OpParamDef& output : *outputs) {
      hostnpu::op::ParameterDefinition definition = output.definition();
      hostnpu::op::ResolveFollow(definition, entry.inputs);
      entry.outputs.push_back(std::move(definition));
    }
    for (const OpAttrDef& attribute : attributes_)
      entry.attributes.push_back(attribute.definition());
    if (infer_shape_ != nullptr) entry.infer_shape = infer_shape_;
    if (infer_data_type_ != nullptr) entry.infer_data_type = infer_data_type_;
    if (aicore_.tiling() != nullptr) entry.tiling = aicore_.tiling();
  }

 private:
  std::string type_;
  std::vector<OpParamDef> inputs_;
  std::vector<OpParamDef> outputs_;
  std::vector<OpAttrDef> attributes_;
  hostnpu::op::InferShapeFunction infer_shape_ = nullptr;
  hostnpu::op::InferDataTypeFunction infer_data_type_ = nullptr;
  OpAICoreDef aicore_;
};

}  // namespace ops

#define OP_ADD(type)                                                \
  [[maybe_unused]] static const bool hostnpu_op_added_##type = [] { \
    const type definition(#type);                                   \
    definition.Publish();                                           \
    return true;                                                    \
  }()

namespace gert {

/// What IMPL_OP_OPTILING and IMPL_OP_INFERSHAPE chain on.
class OpImplRegistration {
 public:
  explicit OpImplRegistration(const char* type) : entry_(*hostnpu_operator(type)) {}
  OpImplRegistration& Tiling(hostnpu::op::TilingFunction function, size_t = 0) {
    entry_.tiling = function;
    return *this;
  }
  template <typename CompileInfo, typename F>
  OpImplRegistration& TilingParse(F function) {
    entry_.tiling_parse = [function](TilingParseContext* context) { return function(context); };
    entry_.make_compile_info = []() -> std::shared_ptr<void> {
      return std::make_shared<CompileInfo>();
    };
    return *this;
  }
  OpImplRegistration& TilingInputsDataDependency(std::initializer_list<int32_t> inputs) {
    return Depend(inputs);
  }
  template <typename Placement>
  OpImplRegistration& TilingInputsDataDependency(std::initializer_list<int32_t> inputs,
                                                 Placement&&) {
    return Depend(inputs);
  }
  OpImplRegistration& InputsDataDependency(std::initializer_list<int32_t> inputs) {
    return Depend(inputs);
  }
  OpImplRegistration& InferShape(hostnpu::op::InferShapeFunction function) {
    entry_.infer_shape = function;
    return *this;
  }
  template <typename F>
  OpImplRegistration& InferShapeRange(F) {
    return *this;
  }
  OpImplRegistration& InferDataType(hostnpu::op::InferDataTypeFunction function) {
    entry_.infer_data_type = function;
    return *this;
  }
  template <typename T>
  OpImplRegistration& PrivateAttr(const char*, T) {
    return *this;
  }

 private:
  OpImplRegistration& Depend(std::initializer_list<int32_t> inputs) {
    for (const int32_t input : inputs) {
      if (input >= 0 && static_cast<size_t>(input) < entry_.inputs.size()) {
        entry_.inputs[static_cast<size_t>(input)].value_depend = true;
      }
    }
    return *this;
  }
  hostnpu::op::Operator& entry_;
};

}  // namespace gert

#define HOSTNPU_OP_JOIN_INNER(a, b) a##b
#define HOSTNPU_OP_JOIN(a, b) HOSTNPU_OP_JOIN_INNER(a, b)
#define IMPL_OP(type)                                                       \
  [[maybe_unused]] static const ::gert::OpImplRegistration HOSTNPU_OP_JOIN( \
      hostnpu_op_impl_##type##_, __COUNTER__) = ::gert::OpImplRegistration(#type)
#define IMPL_OP_OPTILING(type) IMPL_OP(type)
// Tiling on the device: here all is the host.
#define DEVICE_IMPL_OP_OPTILING(type) IMPL_OP(type)
#define IMPL_OP_INFERSHAPE(type) IMPL_OP(type)
#define IMPL_OP_INFERDATATYPE(type) IMPL_OP(type)

#endif  // HOSTNPU_ASCENDC_OP_DEFINITION_H_
