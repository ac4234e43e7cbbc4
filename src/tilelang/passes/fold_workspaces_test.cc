// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "tilelang/passes/fold_workspaces.h"

#include <gtest/gtest.h>

#include "tilelang/ir/expr.h"
#include "tilelang/ir/printer.h"

namespace hostnpu::tilelang::passes {
namespace {

using ir::Add;
using ir::BufferId;
using ir::DType;
using ir::ExprPtr;
using ir::MakeInt;
using ir::Memory;
using ir::Mul;

/// A kernel that copies one row of `W`, at the index under test, to UB.
class FoldWorkspacesTest : public testing::Test {
 protected:
  const ir::VarPtr cid_ = ir::MakeVar("cid", DType::kInt32);
  const ir::VarPtr vid_ = ir::MakeVar("vid", DType::kInt32);
  const ir::VarPtr i_ = ir::MakeVar("i", DType::kInt32);
  const arch::Chip* chip_ = arch::FindChip("Ascend910B1").value();

  ir::Module ModuleWith(const ExprPtr& row, int64_t blocks = 1000) const {
    ir::Module module;
    module.name = "main";
    module.Add({.name = "W",
                .shape = {MakeInt(blocks * 4), MakeInt(64)},
                .memory = Memory::kGm,
                .kind = ir::BufferKind::kParam});
    module.Add({.name = "a", .shape = {MakeInt(64)}, .memory = Memory::kUb});
    module.params = {{.name = "W", .buffer = BufferId{0}}};
    module.launch = {.blocks = MakeInt(blocks), .cid = cid_, .vid = vid_};
    const auto copy = ir::Make<ir::Copy>({}, [&](ir::Copy& node) {
      node.src = {.buffer = BufferId{0}, .dims = {{row, MakeInt(1)}, {MakeInt(0), MakeInt(64)}}};
      node.dst = {.buffer = BufferId{1}, .dims = {{MakeInt(0), MakeInt(64)}}};
    });
    module.body = ir::Make<ir::For>({}, [&](ir::For& node) {
      node.var = i_;
      node.min = MakeInt(0);
      node.extent = MakeInt(2);
      node.body = ir::MakeSeq({copy});
    });
    return module;
  }
  base::Result<ir::Module> Fold(const ExprPtr& row, int64_t blocks = 1000) const {
    return FoldWorkspaces(ModuleWith(row, blocks), {BufferId{0}}, *chip_);
  }
  static ExprPtr Make(ir::BinaryOp op, const ExprPtr& a, int64_t b) {
    return ir::MakeBinary(op, a, MakeInt(b)).value();
  }
};

TEST_F(FoldWorkspacesTest, FoldsWhereLoopsAndLanesStayInTheSlice) {
  const ExprPtr row = Add(Mul(cid_, MakeInt(4)), Add(Mul(vid_, MakeInt(2)), i_));
  const auto folded = Fold(row);
  ASSERT_TRUE(folded.ok()) << folded.error().ToString();
  EXPECT_EQ(folded->buffer(BufferId{0}).folded_rows, 4);
  EXPECT_EQ(folded->launch.at_once, chip_->aiv_count / 2);
  EXPECT_NE(ir::Print(*folded).find("folded to slices of 4"), std::string::npos);
}

TEST_F(FoldWorkspacesTest, RefusesARowOfTheNextSlice) {
  const ExprPtr row = Add(Mul(cid_, MakeInt(2)), Add(vid_, Mul(i_, MakeInt(2))));
  const auto folded = Fold(row);
  ASSERT_FALSE(folded.ok());
  EXPECT_NE(folded.error().ToString().find("reaches the rows 0 to 3 of a slice of 2"),
            std::string::npos)
      << folded.error().ToString();
}

TEST_F(FoldWorkspacesTest, DividesABlockNumberOnlyByWhatGoesIntoIt) {
  const ExprPtr rows = Mul(cid_, MakeInt(8));
  EXPECT_TRUE(Fold(Make(ir::BinaryOp::kFloorDiv, rows, 2)).ok());
  EXPECT_TRUE(
      Fold(Add(Mul(cid_, MakeInt(4)), Make(ir::BinaryOp::kFloorMod, Add(rows, i_), 4))).ok());
  EXPECT_FALSE(Fold(Make(ir::BinaryOp::kFloorDiv, rows, 3)).ok());
  EXPECT_FALSE(Fold(Make(ir::BinaryOp::kFloorMod, cid_, 4)).ok());
  EXPECT_FALSE(Fold(ir::Sub(MakeInt(4000), cid_)).ok());
}

TEST_F(FoldWorkspacesTest, LeavesAKernelAloneWhoseBlocksRunAtOnce) {
  const auto folded = Fold(cid_, chip_->aiv_count / 2);
  ASSERT_TRUE(folded.ok());
  EXPECT_EQ(folded->launch.at_once, 0);
  EXPECT_EQ(ir::Print(*folded), ir::Print(ModuleWith(cid_, chip_->aiv_count / 2)));
}

TEST_F(FoldWorkspacesTest, SaysNothingOfNumbersThatMayWrap) {
  const ExprPtr row = Mul(Mul(cid_, MakeInt(1 << 30)), MakeInt(1 << 30));
  EXPECT_FALSE(Fold(row).ok());
}

}  // namespace
}  // namespace hostnpu::tilelang::passes
