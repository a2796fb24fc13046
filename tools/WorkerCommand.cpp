#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "composition/channel/Greeting.hpp"
#include "composition/channel/WorkerProgram.hpp"
#include "composition/hosts/Admission.hpp"
#include "openmi/sdk/Error.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"

namespace openmi::tools {
namespace {

constexpr std::chrono::seconds kJoinTime{30};

struct WorkerArguments {
  std::string address;
  std::uint64_t ticket = 0;
  std::string key_file;
  bool for_study = false;
};

WorkerKey KeyOf(const WorkerArguments& arguments) {
  if (!arguments.key_file.empty()) return WorkerKey::Read(arguments.key_file);
  const char* given = std::getenv(WorkerKey::kVariable);
  if (given != nullptr && *given != '\0') return WorkerKey::Parse(given);
  throw UsageFault{fmt::format("expected the key of the run in {} or in a file, found none; name one with --key-file",
                               WorkerKey::kVariable)};
}

/// Enters the folder of the run and keeps its limits, and becomes the program that holds components.
int Execute(const WorkerArguments& arguments) {
  const WorkerKey key = KeyOf(arguments);
  const std::string program = (arguments.for_study ? kStudyHost : kComponentHost).Find();
  unsetenv(WorkerKey::kVariable);  // components need not know it
  auto [connection, welcome] = JoinRun(arguments.address, arguments.ticket, key, kJoinTime);
  std::error_code error;
  std::filesystem::current_path(welcome.folder, error);
  if (error) {
    throw FileError({.file = welcome.folder},
                    fmt::format("expected the folder of the run on this host, found: {}", error.message()),
                    "share it between the hosts, or copy it to the same place");
  }
  if (welcome.memory > 0) {
    const rlimit space{welcome.memory, welcome.memory};
    setrlimit(RLIMIT_AS, &space);
  }
  const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(in, STDIN_FILENO);
  if (connection.Number() == kSocketThere) {
    fcntl(kSocketThere, F_SETFD, 0);
  } else {
    dup2(connection.Number(), kSocketThere);
  }
  const std::string row_key = key.ForRows().Text();
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0 || write(ends[1], row_key.data(), row_key.size()) < 0) {
    throw FileError({.file = program}, fmt::format("expected a pipe, found: {}", std::strerror(errno)));
  }
  if (ends[0] == kRowKeyThere) {
    fcntl(kRowKeyThere, F_SETFD, 0);
  } else {
    dup2(ends[0], kRowKeyThere);
  }
  execl(program.c_str(), program.c_str(), "--connected", nullptr);
  throw FileError({.file = program},
                  fmt::format("expected a program that can be started, found: {}", std::strerror(errno)));
}

}  // namespace

void AddWorker(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<WorkerArguments>();
  CLI::App* worker =
      app.add_subcommand("worker", "Hold components for a run on another host, which starts this command");
  AddValue(*worker, "--connect", arguments->address, "HOST:PORT", "Address of the run")->required();
  AddValue(*worker, "--ticket", arguments->ticket, "NUMBER", "Number under which the run expects this worker")
      ->required();
  AddValue(*worker, "--key-file", arguments->key_file, "FILE",
           "File with the key of the run that only its owner can read; -: standard input (default: the key is in "
           "OPENMI_WORKER_KEY)");
  worker->add_flag("--study", arguments->for_study, "Run members of a study instead of holding components");
  worker->footer(
      "The run adds these arguments itself; see --launcher of 'openmi run'.\n"
      "Example:\n"
      "  openmi run basin.xml --place lowland=node2 --listen 192.168.1.5 --launcher 'ssh {host} {command}'");
  worker->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
