// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// Two variants of one program in one file: the program itself is the vector variant; the cube
// variant is a shared object with no visible name, carried as bytes. Both hold the same launches
// under the same keys, and launch.h registers those of the cube variant. Two variants in one link
// would not do: every inline function and template of the user's would be one symbol with two
// meanings.
#include "compiler/variant.h"

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "compiler/lexer.h"

namespace hostnpu::compiler {
namespace {

bool AnyFileHas(const SourceSet& sources, std::initializer_list<std::string_view> words) {
  for (const auto& [absolute, file] : sources.files) {
    for (const std::string_view word : words) {
      if (file.text.find(word) != std::string::npos) return true;
    }
  }
  return false;
}

/// Whether the word at `i` is declared there: a class, or a function behind its type.
bool IsDeclared(const std::vector<Token>& tokens, size_t i) {
  static const std::set<std::string_view> kNoTypes = {
      "return", "else", "do", "case", "throw", "new", "co_return", "co_yield", "co_await"};
  if (i == 0 || tokens[i - 1].kind != TokenKind::kIdentifier) return false;
  const std::string_view before = tokens[i - 1].text;
  if (before == "class" || before == "struct" || before == "namespace") return true;
  return i + 1 < tokens.size() && tokens[i + 1].text == "(" && kNoTypes.count(before) == 0;
}

/// The words in the code of the sources, comments and strings aside, less the names that the
/// sources declare themselves: a program's own LoadData() says nothing of the cube.
std::set<std::string_view> WordsUsed(const SourceSet& sources) {
  std::set<std::string_view> used;
  std::set<std::string_view> declared;
  std::set<std::string_view> qualified;  // AscendC::LoadData is the vendor's, whatever is declared
  for (const auto& [absolute, file] : sources.files) {
    const std::vector<Token> tokens = Lex(file.text);
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind != TokenKind::kIdentifier) continue;
      if (IsDeclared(tokens, i)) {
        declared.insert(tokens[i].text);
        continue;
      }
      const bool is_template = i + 1 < tokens.size() && tokens[i + 1].text == "<";
      if (tokens[i].text == "Matmul" && !is_template) continue;  // a name that anybody may use
      used.insert(tokens[i].text);
      const bool vendors = i >= 2 && tokens[i - 1].text == "::" &&
                           (tokens[i - 2].text == "AscendC" || tokens[i - 2].text == "matmul");
      if (vendors) qualified.insert(tokens[i].text);
    }
  }
  for (const std::string_view name : declared) used.erase(name);
  used.merge(qualified);
  return used;
}

/// `if constexpr (... g_coreType ...)`, looked for in the hundred bytes behind each `if constexpr`.
bool BranchesOnCoreType(std::string_view text) {
  constexpr std::string_view kBranch = "if constexpr";
  for (size_t at = text.find(kBranch); at != std::string_view::npos;
       at = text.find(kBranch, at + 1)) {
    const std::string_view condition = text.substr(at, text.find('{', at) - at).substr(0, 120);
    if (condition.find("g_coreType") != std::string_view::npos ||
        condition.find("ASCEND_IS_A") != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool NeedsTwoVariants(const SourceSet& sources) {
  if (AnyFileHas(sources,
                 {"__DAV_C220_CUBE__", "__DAV_C220_VEC__", "__DAV_CUBE__", "__DAV_VEC__"})) {
    return true;
  }
  for (const auto& [absolute, file] : sources.files) {
    if (BranchesOnCoreType(file.text)) return true;
  }
  return false;
}

std::vector<std::string> DefinesOf(Variant variant) {
  switch (variant) {
    case Variant::kBoth:
      return {};
    case Variant::kVector:
      return {"__DAV_C220_VEC__=1", "__DAV_VEC__=1"};
    case Variant::kCube:
      return {"__DAV_C220_CUBE__=1", "__DAV_CUBE__=1", "HOSTNPU_AIC_VARIANT=1"};
  }
  return {};
}

std::string InferTaskType(const SourceSet& sources) {
  const std::set<std::string_view> words = WordsUsed(sources);
  const auto uses = [&words](std::initializer_list<std::string_view> names) {
    return std::any_of(names.begin(), names.end(),
                       [&words](std::string_view name) { return words.count(name) != 0; });
  };
  if (!uses({"Mmad", "MmadWithSparse", "Fixpipe", "LoadData", "LoadDataWithTranspose",
             "LoadDataWithSparse", "REGIST_MATMUL_OBJ", "Matmul", "MatmulImpl", "ASCEND_IS_AIC"})) {
    return {};
  }
  const bool vector = uses({"VECIN", "VECCALC", "VECOUT", "ASCEND_IS_AIV", "__ubuf__",
                            "REGIST_MATMUL_OBJ", "CrossCoreSetFlag"});
  return vector ? "KERNEL_TYPE_MIX_AIC_1_2" : "KERNEL_TYPE_AIC_ONLY";
}

std::string EmbeddedLoaderText(const std::string& path) {
  return R"(#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
__asm__(".pushsection .rodata\n.balign 16\nhostnpu_cube_begin:\n.incbin )" +
         base::ReplaceAll(base::CppQuote(path), "\"", "\\\"") + R"(\n"
        "hostnpu_cube_end:\n.popsection\n");
extern const char begin[] __asm__("hostnpu_cube_begin");
extern const char end[] __asm__("hostnpu_cube_end");
__attribute__((constructor)) static void LoadCubeVariant(void) {
  char path[64];
  const int file = memfd_create("hostnpu-cube-variant", MFD_CLOEXEC);
  for (const char* at = begin; file >= 0 && at < end;) {
    const ssize_t count = write(file, at, (size_t)(end - at));
    if (count <= 0) break;
    at += count;
  }
  snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
  if (file < 0 || dlopen(path, RTLD_LAZY | RTLD_LOCAL) == NULL) {
    fprintf(stderr, "hostnpu: error: the cube variant of this program cannot be loaded: %s\n",
            file < 0 ? "no memory file" : dlerror());
    exit(3);
  }
  // The file stays open: its path is the library's name, by which a symbolizer finds it.
}
)";
}

}  // namespace hostnpu::compiler
