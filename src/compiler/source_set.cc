// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// The set of user files serves two masters. The rewriter must see each file that may hold a launch,
// so the set must not be too small; the cache key holds each file's bytes, so a file too many only
// costs a needless recompile. Hence the crude scan: every include line counts, active or not.
#include "compiler/source_set.h"

#include <deque>

#include "base/file.h"
#include "base/strings.h"

namespace hostnpu::compiler {
namespace {

/// Parses a line that may be an include; false when it is none.
bool ParseInclude(std::string_view line, IncludeLine* include) {
  line = base::Trim(line);
  if (!line.starts_with('#')) return false;
  line = base::Trim(line.substr(1));
  if (!line.starts_with("include")) return false;
  line = line.substr(7);
  if (line.starts_with("_next")) line = line.substr(5);
  while (line.starts_with(' ') || line.starts_with('\t')) line.remove_prefix(1);
  if (line.empty() || (line[0] != '"' && line[0] != '<')) return false;
  const size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
  if (end == std::string_view::npos) return false;
  include->name = std::string(line.substr(1, end - 1));
  include->quoted = line[0] == '"';
  return true;
}

class Collector {
 public:
  explicit Collector(const std::vector<std::string>& include_dirs) : include_dirs_(include_dirs) {}

  base::Result<void> AddSource(const SourceInput& source) {
    const std::string absolute = base::NormalizePath(source.path);
    if (source.in_memory) {
      AddText(source.path, absolute, source.text);
    } else {
      if (base::IsDirectory(source.path)) {
        return base::Error{base::Code::kInvalidArgument,
                           "'" + source.path + "' is a directory, not a source file",
                           {}};
      }
      auto text = base::ReadFile(source.path);
      if (!text.ok()) return std::move(text).error();
      AddText(source.path, absolute, std::move(text).value());
    }
    set_.sources.push_back(absolute);
    return {};
  }

  SourceSet Finish() {
    while (!pending_.empty()) {
      const std::string absolute = pending_.front();
      pending_.pop_front();
      const UserFile& file = set_.files.at(absolute);
      const std::string directory = base::DirectoryOf(file.path);
      for (const IncludeLine& include : FindIncludes(file.text)) Follow(include, directory);
    }
    return std::move(set_);
  }

 private:
  void AddText(const std::string& path, const std::string& absolute, std::string text) {
    if (set_.files.count(absolute) != 0) return;
    const base::Hash128 hash = base::HashBytes(text);
    set_.files.emplace(absolute, UserFile{path, absolute, std::move(text), hash});
    pending_.push_back(absolute);
  }

  bool TryFile(const std::string& path) {
    const std::string absolute = base::NormalizePath(path);
    if (set_.files.count(absolute) != 0) return true;
    if (IsSystemPath(absolute) || !base::IsFile(path)) return false;
    auto text = base::ReadFile(path);
    if (!text.ok()) return false;  // the compiler will say why
    AddText(path, absolute, std::move(text).value());
    return true;
  }

  void Follow(const IncludeLine& include, const std::string& directory) {
    if (include.name.starts_with('/')) {
      TryFile(include.name);
      return;
    }
    if (include.quoted && TryFile(base::JoinPath(directory, include.name))) return;
    if (!searched_.insert(include.name).second) return;
    for (const std::string& searched : include_dirs_) {
      if (TryFile(base::JoinPath(searched, include.name))) return;
    }
    set_.unresolved_includes.insert(include.name);
  }

  const std::vector<std::string>& include_dirs_;
  SourceSet set_;
  std::deque<std::string> pending_;
  std::set<std::string> searched_;  // names already looked up in the include directories
};

}  // namespace

std::vector<IncludeLine> FindIncludes(std::string_view text) {
  std::vector<IncludeLine> includes;
  for (size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    size_t begin = at;
    while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
    if (begin > 0 && text[begin - 1] != '\n' && text[begin - 1] != '/') continue;
    const size_t end = std::min(text.find('\n', at), text.size());
    IncludeLine include;
    if (ParseInclude(text.substr(at, end - at), &include)) {
      include.offset = static_cast<uint32_t>(at);
      includes.push_back(std::move(include));
    }
  }
  return includes;
}

bool SourceSet::Includes(std::string_view name) const {
  return unresolved_includes.count(std::string(name)) != 0;
}

bool IsSystemPath(std::string_view path) {
  return path.starts_with("/usr/include/") || path.starts_with("/usr/lib/") ||
         path.starts_with("/usr/local/include/");
}

base::Result<SourceSet> CollectSources(const std::vector<SourceInput>& sources,
                                       const std::vector<std::string>& include_dirs) {
  Collector collector(include_dirs);
  for (const SourceInput& source : sources) {
    auto added = collector.AddSource(source);
    if (!added.ok()) return std::move(added).error();
  }
  return collector.Finish();
}

}  // namespace hostnpu::compiler
