#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "composition/results/FileHash.hpp"
#include "fmi-bridge/fmi/FmuExtras.hpp"
#include "fmi-bridge/fmi/run/BusFrames.hpp"
#include "fmi-bridge/fmi/run/StateFile.hpp"
#include "openmi/omi/IconType.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {

// Any bytes are terminals whose members are variables, and a manifest, or warnings.
OPENMI_FUZZ_TARGET(fmu_extras) {
  using namespace openmi::fmi;
  ModelDescription description;
  for (const char* name : {"phi", "tau", "u"}) description.variables.emplace_back().name = name;
  Problems problems;
  const auto require = [](const auto& self, const std::vector<Terminal>& terminals) -> void {
    for (const Terminal& terminal : terminals) {
      for (const TerminalMember& member : terminal.members) Require(member.variable >= 0 && member.variable < 3);
      self(self, terminal.terminals);
    }
  };
  require(require, ReadTerminals(input, "fuzz.xml", description, problems));
  static_cast<void>(ReadManifest(input, "fuzz.xml", problems));
  for (const Problem& problem : problems) {
    Require(problem.severity == Problem::Warning && problem.where.file == "fuzz.xml" && !problem.problem.empty());
  }
}

// Any bytes are a state that is written as it was read, or refused. With the right hash, what lies behind it is
// reached.
OPENMI_FUZZ_TARGET(fmu_state) {
  using namespace openmi::fmi;
  const auto read = [](const std::string& content) {
    try {
      const StateFile state = DecodeStateFile(content, {.file = "fuzz.state"});
      Require(DecodeStateFile(EncodeStateFile(state), {}).fmu == state.fmu);
    } catch (const FormatError&) {
    }
  };
  std::string content(input);
  read(content);
  const std::size_t hash = content.find("sha256 ");
  const std::size_t end = content.find("\n\n", hash);
  if (hash == std::string::npos || end == std::string::npos) return;
  Sha256 right;
  right.Add(std::string_view(content).substr(0, hash));
  right.Add(std::string_view(content).substr(end + 2));
  content.replace(hash + 7, end - hash - 7, right.Finish());
  read(content);
}

// Any bytes are a picture of one of two kinds, or refused.
OPENMI_FUZZ_TARGET(icon) {
  try {
    const std::string_view type = IconType(input, "fuzz");
    Require(type == "image/png" || type == "image/svg+xml");
  } catch (const FormatError& error) {
    Require(!error.Problem().empty());
  }
}

// Any bytes are operations of a bus whose frames become lines, or refused. What is in the file is cut at a time.
OPENMI_FUZZ_TARGET(bus_frames) {
  using namespace openmi::fmi;
  const std::string path = FileOf("", ".log");
  BusFrames frames(path);
  const Stamp epoch{40587.0};
  frames.StartStep(epoch);
  try {
    frames.Take(epoch + Seconds(1.0), "a.Can", std::as_bytes(std::span(input)));
  } catch (const FormatError& error) {
    Require(!error.Problem().empty());
  }
  frames.StartStep(epoch + Seconds(1.0));
  std::ifstream lines(path);
  for (std::string line; std::getline(lines, line);) Require(line.starts_with("(0000000001.000000) a.Can "));
  frames.Drop();
  frames.StartStep(epoch);
  Require(std::filesystem::file_size(path) == 0);
}

}  // namespace openmi::fuzz
