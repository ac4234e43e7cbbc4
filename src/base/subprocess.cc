// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// Running a program and reading both of its outputs without a deadlock: one poll loop serves the
// two pipes, so that a program that fills one while we wait on the other goes on. posix_spawn
// instead of fork, because the caller may be a big process with many threads.
#include "base/subprocess.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "base/file.h"
#include "base/strings.h"

extern char** environ;

namespace hostnpu::base {
namespace {

using Clock = std::chrono::steady_clock;

Error SpawnError(const std::string& program, int error_number) {
  const Code code = error_number == ENOENT ? Code::kNotFound : Code::kIo;
  return Error{
      code, fmt::format("cannot start '{}': {}", program, SystemMessage(error_number)), {}};
}

/// Our environment with the given variables replaced.
std::vector<std::string> MergedEnvironment(
    const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : changes) {
      replaced |= text.size() > name.size() && text.starts_with(name) && text[name.size()] == '=';
    }
    if (!replaced) merged.emplace_back(text);
  }
  for (const auto& [name, value] : changes) merged.push_back(name + "=" + value);
  return merged;
}

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// The two output pipes; closes what is still open.
struct Pipes {
  std::array<int, 2> out{-1, -1};
  std::array<int, 2> err{-1, -1};

  bool Open() { return pipe2(out.data(), O_CLOEXEC) == 0 && pipe2(err.data(), O_CLOEXEC) == 0; }
  static void Close(int& descriptor) {
    if (descriptor >= 0) close(descriptor);
    descriptor = -1;
  }
  ~Pipes() {
    for (int* descriptor : {&out[0], &out[1], &err[0], &err[1]}) Close(*descriptor);
  }
};

int Spawn(const std::vector<std::string>& words, const SubprocessOptions& options, Pipes& pipes,
          pid_t* pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipes.out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipes.err[1], STDERR_FILENO);
  if (!options.working_directory.empty()) {
    posix_spawn_file_actions_addchdir_np(&actions, options.working_directory.c_str());
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  short flags = POSIX_SPAWN_SETSIGMASK;
  sigset_t no_signals;
  sigemptyset(&no_signals);
  posix_spawnattr_setsigmask(&attributes, &no_signals);
  if (options.timeout_ms > 0) {  // a group of its own, so that its children die with it
    flags |= POSIX_SPAWN_SETPGROUP;
    posix_spawnattr_setpgroup(&attributes, 0);
  }
  posix_spawnattr_setflags(&attributes, flags);
  const std::vector<std::string> environment = MergedEnvironment(options.environment);
  const int error_number = posix_spawnp(pid, words[0].c_str(), &actions, &attributes,
                                        Pointers(words).data(), Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error_number;
}

/// Reads what is there; closes the descriptor at its end.
void Drain(int& descriptor, std::string& text) {
  char buffer[16384];
  const ssize_t count = read(descriptor, buffer, sizeof(buffer));
  if (count > 0) {
    text.append(buffer, static_cast<size_t>(count));
  } else if (count == 0 || errno != EINTR) {
    Pipes::Close(descriptor);
  }
}

/// Reads both pipes until both ended or the deadline passed; false in the latter case.
bool Collect(Pipes& pipes, std::optional<Clock::time_point> deadline, SubprocessResult& result) {
  while (pipes.out[0] >= 0 || pipes.err[0] >= 0) {
    int wait_ms = -1;
    if (deadline) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - Clock::now()).count();
      if (left <= 0) return false;
      wait_ms = static_cast<int>(left) + 1;
    }
    std::array<pollfd, 2> polled{pollfd{pipes.out[0], POLLIN, 0}, pollfd{pipes.err[0], POLLIN, 0}};
    if (poll(polled.data(), polled.size(), wait_ms) < 0 && errno != EINTR) return true;
    if (polled[0].fd >= 0 && polled[0].revents != 0) Drain(pipes.out[0], result.out);
    if (polled[1].fd >= 0 && polled[1].revents != 0) Drain(pipes.err[0], result.err);
  }
  return true;
}

}  // namespace

Result<SubprocessResult> RunProgram(const std::vector<std::string>& words,
                                    const SubprocessOptions& options) {
  if (words.empty()) return Error{Code::kInvalidArgument, "no program to start", {}};
  Pipes pipes;
  if (!pipes.Open()) return SpawnError(words[0], errno);
  pid_t pid = 0;
  if (const int error_number = Spawn(words, options, pipes, &pid); error_number != 0) {
    return SpawnError(words[0], error_number);
  }
  Pipes::Close(pipes.out[1]);
  Pipes::Close(pipes.err[1]);
  SubprocessResult result;
  std::optional<Clock::time_point> deadline;
  if (options.timeout_ms > 0)
    deadline = Clock::now() + std::chrono::milliseconds(options.timeout_ms);
  if (!Collect(pipes, deadline, result)) {
    result.timed_out = true;
    kill(-pid, SIGKILL);
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return SpawnError(words[0], errno);
  }
  if (WIFSIGNALED(status)) {
    result.signal = WTERMSIG(status);
  } else {
    result.exit_code = WEXITSTATUS(status);
  }
  return result;
}

std::optional<std::string> FindProgram(const std::string& name) {
  const auto runnable = [](const std::string& path) {
    return IsFile(path) && access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) {
    return runnable(name) ? std::optional(name) : std::nullopt;
  }
  const char* path = std::getenv("PATH");
  for (const std::string_view directory : Split(path == nullptr ? "/usr/bin:/bin" : path, ':')) {
    std::string candidate = JoinPath(directory.empty() ? "." : std::string(directory), name);
    if (candidate.find('/') == std::string::npos) candidate = "./" + candidate;
    if (runnable(candidate)) return candidate;
  }
  return std::nullopt;
}

std::string PathOfThisBinary() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&PathOfThisBinary), &info) != 0 &&
      info.dli_fname != nullptr) {
    // For the program itself dladdr gives argv[0], which may be a bare name or relative.
    if (std::strstr(info.dli_fname, ".so") == nullptr) {
      if (auto self = RealPath("/proc/self/exe")) return *self;
    }
    if (auto resolved = RealPath(info.dli_fname)) return *resolved;
  }
  return RealPath("/proc/self/exe").value_or("");
}

}  // namespace hostnpu::base
