#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/fmi-bridge/run/ExampleFmu.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::fmi {

/// Names the host with which this program tests, for the length of the program: the one for Windows, or that for
/// libraries of this machine.
inline const bool has_host = setenv("OPENMI_WINDOWS_HOST", OPENMI_TEST_HOST, 1) == 0;

/// An example FMU whose only library is for Windows.
inline std::filesystem::path WindowsPath(int version, const std::string& name) {
  return std::filesystem::path(OPENMI_WINDOWS_FMUS) / std::to_string(version) / name;
}

/// The same, with the description of the FMU of this machine.
struct WindowsFmu {
  WindowsFmu(int version, const std::string& name) : native(version, name), folder(WindowsPath(version, name)) {}
  SimulationResult Run(const SimulationOptions& options, IRecorder& recorder) const {
    return Simulate(folder, native.description, options, recorder);
  }

  ExampleFmu native;
  std::filesystem::path folder;
};

}  // namespace openmi::fmi
