#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "openmi/omi/SafeProbe.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi {

/// The command, in a folder with components in C#.
class Dotnet : public testing::Test {
 protected:
  ChildResult Run(std::vector<std::string> words) {
    const std::string command = OPENMI_BINARY_DIR "/bin/openmi";
    std::vector<std::string> all = {"/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder.Path().string(),
                                    command};
    all.insert(all.end(), words.begin(), words.end());
    return RunInChild(all, {.time = std::chrono::minutes(2)});
  }
  /// Writes an OMI file of a component in one of the assemblies.
  std::string Omi(const std::string& name, const std::string& assembly, const std::string& type,
                  const std::vector<std::pair<std::string, std::string>>& arguments = {}) {
    std::string text = fmt::format(
        "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"{}\" "
        "Assembly=\"{}/{}\"><Arguments>",
        type, OPENMI_DOTNET_ASSEMBLIES, assembly);
    for (const auto& [key, value] : arguments) text += fmt::format("<Argument Key=\"{}\" Value=\"{}\"/>", key, value);
    return folder.Write(name, text + "</Arguments></LinkableComponent>\n");
  }
  /// Writes a composition of the lines between its run and its end.
  std::string Composition(const std::string& name, const std::string& lines, const std::string& run = "") {
    return folder.Write(name, fmt::format("<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"{}\">\n{}\n<Run "
                                          "From=\"2020-01-01T00:00Z\" To=\"2020-01-03T00:00Z\" {}/>\n</Composition>\n",
                                          name.substr(0, name.find('.')), lines, run));
  }
  /// The values of a table of results, without its head.
  std::string Rows(const std::string& file) {
    const std::string text = folder.Read("results/" + file);
    std::string rows;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      if (!line.empty() && line[0] >= '0' && line[0] <= '9') rows += line + "\n";
      at = end == std::string::npos ? text.size() : end + 1;
    }
    return rows;
  }
  ScratchFolder folder{"dotnet"};
};

}  // namespace openmi
