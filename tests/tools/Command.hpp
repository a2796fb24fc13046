#pragma once

#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "openmi/omi/SafeProbe.hpp"
#include "tests/support/ScratchFolder.hpp"

/// A folder of its own for a test, and the command run in it.
class Workplace : public ScratchFolder {
 public:
  Workplace() : ScratchFolder("tools") {}

  /// An OMI file of one of the test's components.
  std::string WriteOmi(const std::string& name, const std::string& type,
                       const std::string& library = "tool_components") const {
    return Write(name, "<?xml version=\"1.0\"?>\n<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"" +
                           type + "\"\n    Assembly=\"" + OPENMI_TEST_PLUGINS "/lib" + library + ".so\"/>\n");
  }
  /// wave -> tank over ten days by the hour. \param wave  attributes and arguments of the first component
  std::string WriteComposition(const std::string& name, const std::string& type = "test.Wave",
                               const std::string& arguments = {}) const {
    WriteOmi("wave.omi", type);
    WriteOmi("tank.omi", "test.Tank");
    return Write(name,
                 "<?xml version=\"1.0\"?>\n"
                 "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"pond\">\n"
                 "  <Component Id=\"wave\" Omi=\"wave.omi\">" +
                     arguments +
                     "</Component>\n"
                     "  <Component Id=\"tank\" Omi=\"tank.omi\"/>\n"
                     "  <Link From=\"wave.flow\" To=\"tank.inflow\"/>\n"
                     "  <Observe Item=\"tank.volume\"/>\n"
                     "  <Observe Item=\"wave.level\"/>\n"
                     "  <Run From=\"2020-01-01T00:00Z\" To=\"2020-01-11T00:00Z\"/>\n"
                     "</Composition>\n");
  }

  /// Runs the command here. \param environment  "NAME=VALUE"
  openmi::ChildResult Run(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment = {}) const {
    std::vector<std::string> argv = {"/usr/bin/env", "-C", Path().string()};
    argv.insert(argv.end(), environment.begin(), environment.end());
    argv.push_back(Program());
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    openmi::ChildLimits limits;
    limits.time = std::chrono::minutes(5);
    return openmi::RunInChild(argv, limits);
  }

  static std::string Program() { return OPENMI_BINARY_DIR "/bin/openmi"; }
};

/// Whether this machine gives out pseudo-terminals; a bare chroot has none.
inline bool HasTerminals() {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) return false;
  close(terminal);
  return true;
}

/// What a program writes to a terminal of its own, and what it ended with.
struct TerminalResult {
  std::string text;
  int exit_code = -1;
};
/// \param interrupt_after  Ctrl-C is typed once that text has been seen; empty: never
inline TerminalResult RunOnTerminal(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& environment = {},
                                    const std::string& interrupt_after = {}) {
  winsize size{.ws_row = 30, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) throw std::runtime_error("no terminal");
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    for (const std::string& one : environment) putenv(const_cast<char*>(one.c_str()));
    if (chdir(folder.c_str()) != 0) _exit(126);
    const std::string program = Workplace::Program();
    std::vector<char*> argv = {const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  TerminalResult result;
  bool interrupted = interrupt_after.empty();
  char buffer[4096];
  for (ssize_t count; (count = read(terminal, buffer, sizeof buffer)) > 0;) {
    result.text.append(buffer, static_cast<std::size_t>(count));
    if (!interrupted && result.text.find(interrupt_after) != std::string::npos) {
      interrupted = true;
      if (write(terminal, "\x03", 1) != 1) throw std::runtime_error("no Ctrl-C");
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}
