#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "openmi/omi/SdkVersion.hpp"
#include "openmi/omi/Spawn.hpp"
#include "openmi/sdk/Error.hpp"
#include "studio/Studio.hpp"
#include "tools/CommandPart.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct StudioArguments {
  std::string file;
  std::uint16_t port = 0;
  bool no_browser = false;
  std::string timeout = "60";
  bool in_child = false;
};

/// A file for a request to a child process; removed at the end.
class RequestFile {
 public:
  explicit RequestFile(const nlohmann::json& request) {
    std::string name = (std::filesystem::temp_directory_path() / "openmi-studio-XXXXXX").string();
    const int descriptor = mkstemp(name.data());
    if (descriptor < 0) throw FileError({.file = name}, "cannot create a temporary file");
    close(descriptor);
    path_ = name;
    std::ofstream(path_) << request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  ~RequestFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  RequestFile(const RequestFile&) = delete;
  RequestFile& operator=(const RequestFile&) = delete;
  const std::string& Path() const { return path_; }

 private:
  std::string path_;
};

int ExecuteInChild(const StudioArguments& arguments) {
  AnswerStream answer;
  std::ifstream stream(arguments.file);
  const nlohmann::json request = nlohmann::json::parse(stream, nullptr, false);
  if (!request.is_object()) return kUsage;
  // Relative paths of the composition's files start from its folder anyway; what a library writes lands there too.
  answer.Finish(Inspect(request, answer));
}

/// The composition to open where none is named: a new one, of a name that no file has.
std::filesystem::path NewName() {
  std::filesystem::path path = "composition.xml";
  for (int number = 2; std::filesystem::exists(path); ++number) path = fmt::format("composition-{}.xml", number);
  return path;
}

void OpenBrowser(const std::string& address) {
  try {
    const pid_t pid = SpawnChild({"xdg-open", address}, {}, 0);
    std::thread([pid] {
      int status = 0;
      (void)waitpid(pid, &status, 0);
    }).detach();
  } catch (const Error&) {
    PrintLine(stderr, "found no xdg-open; open the address above in a browser");
  }
}

int Execute(const StudioArguments& arguments) {
  const double timeout = ParseNumber(arguments.timeout, "--timeout");
  // Only this function waits for the signals, so that a thread of the studio never gets one.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  Studio studio({.composition = arguments.file.empty() ? NewName() : std::filesystem::path(arguments.file),
                 .program = std::filesystem::read_symlink("/proc/self/exe").string(),
                 .port = arguments.port,
                 .ask = [timeout](const nlohmann::json& request) {
                   const RequestFile file(request);
                   return AskThisProgram({"studio", file.Path()}, timeout, ChildTime::EachStep);
                 }});
  std::thread server([&studio] { studio.Run(); });
  PrintLine(stdout, studio.Address());
  std::fflush(stdout);
  if (!arguments.no_browser) OpenBrowser(studio.Address());
  int signal = 0;
  sigwait(&signals, &signal);
  studio.Stop();
  server.join();
  return kSuccess;
}

void AddStudio(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<StudioArguments>();
  CLI::App* studio = app.add_subcommand("studio", "Link, check and run a composition in the browser");
  studio->add_option("FILE", arguments->file, "Composition; a file that does not exist is a new one");
  AddValue(*studio, "--port", arguments->port, "PORT", "Port of this machine to serve at (default: any free one)");
  studio->add_flag("--no-browser", arguments->no_browser, "Print the address only; do not open it");
  AddTimeout(*studio, arguments->timeout);
  AddChildFlag(*studio, arguments->in_child);
  studio->footer(
      "Serves a page to this machine and user only, until Ctrl-C. The address contains a key.\n\n"
      "Examples:\n"
      "  openmi studio upper-creek.xml\n"
      "  openmi studio --no-browser --port 8080");
  studio->callback([arguments, &invocation] {
    invocation.execute = [arguments] { return arguments->in_child ? ExecuteInChild(*arguments) : Execute(*arguments); };
  });
}

}  // namespace

extern "C" {
extern const CommandPart openmi_command_part;
const CommandPart openmi_command_part = {kSdkVersion, AddStudio, nullptr};
}

}  // namespace openmi::tools
