// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// `hostnpu run script.py` and `hostnpu ir script.py`: the package is beside us in a source tree, or
// where Python finds it. The interpreter is HOSTNPU_PYTHON, else that of the active virtual
// environment, else that of the source tree, else python3.
#include "cli/run_python.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "base/file.h"
#include "base/option.h"
#include "base/strings.h"
#include "base/subprocess.h"
#include "cli/command.h"
#include "compiler/toolchain.h"

namespace hostnpu::cli {
namespace {

/// <source tree>, if we stand in one.
std::string SourceTree() {
  std::vector<compiler::MissingPart> missing;
  const compiler::Toolchain toolchain = compiler::LocateToolchain(&missing);
  const std::string tree = base::DirectoryOf(toolchain.include_root);
  return base::IsFile(tree + "/python/hostnpu/__init__.py") ? tree : std::string();
}

std::string Interpreter(const std::string& tree) {
  const std::string chosen = base::EnvText("HOSTNPU_PYTHON", "");
  if (!chosen.empty()) return chosen;
  const std::string environment = base::EnvText("VIRTUAL_ENV", "");
  for (const std::string& root : {environment, tree.empty() ? tree : tree + "/.venv"}) {
    if (!root.empty() && base::IsFile(root + "/bin/python")) return root + "/bin/python";
  }
  return "python3";
}

}  // namespace

bool IsPythonScript(const std::string& file) { return base::ExtensionOf(file) == ".py"; }

int RunPython(const std::string& module, const std::vector<std::string>& arguments) {
  const std::string tree = SourceTree();
  if (!tree.empty()) {
    const std::string path = base::EnvText("PYTHONPATH", "");
    setenv("PYTHONPATH", (tree + "/python" + (path.empty() ? "" : ":" + path)).c_str(), 1);
  }
  std::vector<std::string> words = {Interpreter(tree), "-m", module};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::fflush(nullptr);
  execvp(pointers[0], pointers.data());
  PrintError(fmt::format("cannot start '{}': {}", words[0], base::SystemMessage(errno)));
  return kExitInternal;
}

}  // namespace hostnpu::cli
