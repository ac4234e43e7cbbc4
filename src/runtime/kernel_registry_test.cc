// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel_registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hostnpu::runtime {
namespace {

using testing::HasSubstr;

void Register(const char* name, const char* qualifiers = "", const char* task_type = "",
              const char* parameters = "", uint32_t have_workspace = 0, uint32_t have_tiling = 0) {
  KernelRegistry::Get().Register(HostnpuKernelInfo{name, "k.asc", 1, qualifiers, task_type,
                                                   parameters, have_workspace, have_tiling});
}

TEST(KernelRegistryTest, ALaunchNamesItsKernelWithOrWithoutNamespacesAndTemplateArguments) {
  Register("registry::inner::add");
  Register("plain_add");
  auto& registry = KernelRegistry::Get();
  for (const char* name : {"registry::inner::add", "::registry::inner::add", "inner::add", "add",
                           "add<float, 2>", "registry::inner::add<ns::T<int>, (3 > 2)>"}) {
    auto kernel = registry.Find(name);
    ASSERT_NE(kernel, nullptr) << name;
    EXPECT_EQ(kernel->name, "registry::inner::add") << name;
  }
  EXPECT_EQ(registry.Find("here::plain_add")->name, "plain_add");
  EXPECT_EQ(registry.Find("other::inner::add"), nullptr);
  EXPECT_EQ(registry.Find("subtract"), nullptr);
  EXPECT_EQ(registry.Find(""), nullptr);
}

TEST(KernelRegistryTest, ParametersAreReadFromTheirText) {
  Register("with_parameters", "", "",
           "x:GM_ADDR:gm;t:optiling::AddTiling:;usrWorkspace:GM_ADDR:gm,kfc;:float:");
  auto kernel = KernelRegistry::Get().Find("with_parameters");
  ASSERT_EQ(kernel->parameters.size(), 4u);
  EXPECT_EQ(kernel->parameters[1].type, "optiling::AddTiling");
  EXPECT_TRUE(kernel->parameters[2].is_kfc_workspace);
  EXPECT_FALSE(kernel->parameters[0].is_kfc_workspace);
  EXPECT_EQ(kernel->ParameterName(1), "'t'");
  EXPECT_EQ(kernel->ParameterName(3), "number 4");
  EXPECT_EQ(kernel->WorkspaceParameter(), 2u);
  EXPECT_EQ(kernel->SystemWorkspaceParameter(), 2u);
}

TEST(KernelRegistryTest, TheWorkspaceIsTheLastParameterOrTheOneBeforeTheTiling) {
  const char* parameters = "x:GM_ADDR:gm;a:GM_ADDR:gm;b:GM_ADDR:gm";
  Register("last", "", "", parameters, 1, 0);
  Register("before_tiling", "", "", parameters, 1, 1);
  Register("none", "", "", parameters, 0, 0);
  auto& registry = KernelRegistry::Get();
  EXPECT_EQ(registry.Find("last")->WorkspaceParameter(), 2u);
  EXPECT_EQ(registry.Find("before_tiling")->WorkspaceParameter(), 1u);
  EXPECT_EQ(registry.Find("before_tiling")->SystemWorkspaceParameter(), 1u);
  EXPECT_EQ(registry.Find("none")->WorkspaceParameter(), std::nullopt);
  Register("named", "", "", "x:GM_ADDR:gm;workspace:GM_ADDR:gm");
  EXPECT_EQ(registry.Find("named")->WorkspaceParameter(), 1u);
  EXPECT_EQ(registry.Find("named")->SystemWorkspaceParameter(), std::nullopt);
  auto result = registry.SetWorkspaceBytes("none", 100);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, HasSubstr("has no workspace parameter"));
}

TEST(KernelRegistryTest, CoresFollowFromQualifiersTaskTypesAndKeys) {
  EXPECT_EQ(TypeOfQualifiers("__aicore__ __vector__"), HOSTNPU_KERNEL_AIV_ONLY);
  EXPECT_EQ(TypeOfQualifiers("__mix__( 1 , 1 )"), HOSTNPU_KERNEL_MIX_AIC_1_1);
  EXPECT_EQ(TypeOfQualifiers("__aicore__"), HOSTNPU_KERNEL_UNDECLARED);
  EXPECT_EQ(TypeOfTaskType("KERNEL_TYPE_MIX_AIV_1_0"), HOSTNPU_KERNEL_MIX_AIV_1_0);
  EXPECT_EQ(TypeOfTaskType(""), HOSTNPU_KERNEL_UNDECLARED);
  EXPECT_EQ(CoresOf(HOSTNPU_KERNEL_MIX_AIC_1_2), (engine::BlockCores{1, 2}));
  EXPECT_EQ(CoresOf(HOSTNPU_KERNEL_MIX_AIC_1_0), (engine::BlockCores{1, 0}));
  Register("by_key", "__aicore__",
           "KERNEL_TYPE_AIV_ONLY;10=KERNEL_TYPE_MIX_AIC_1_2;0x20=KERNEL_TYPE_AIC_ONLY");
  auto kernel = KernelRegistry::Get().Find("by_key");
  EXPECT_EQ(kernel->TypeFor(0), HOSTNPU_KERNEL_AIV_ONLY);
  EXPECT_EQ(kernel->TypeFor(10), HOSTNPU_KERNEL_MIX_AIC_1_2);
  EXPECT_EQ(kernel->TypeFor(32), HOSTNPU_KERNEL_AIC_ONLY);
}

}  // namespace
}  // namespace hostnpu::runtime
