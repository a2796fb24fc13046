#pragma once

#include <filesystem>
#include <string>

#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/simulate/Simulation.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::fmi {

/// One of our own FMUs, as an archive.
inline std::filesystem::path ExamplePath(int version, const std::string& name) {
  return std::filesystem::path(OPENMI_BINARY_DIR) / "examples" / "fmus" / std::to_string(version) / (name + ".fmu");
}

/// Opened: description and files.
struct ExampleFmu {
  ExampleFmu(int version, const std::string& name) : files(UnpackedArchive::Open(ExamplePath(version, name))) {
    Problems problems;
    description = ReadFmuDescription(files->Folder(), problems);
    ThrowIfErrors(problems);
  }
  SimulationResult Run(const SimulationOptions& options, IRecorder& recorder) const {
    return Simulate(files->Folder(), description, options, recorder);
  }

  std::shared_ptr<const UnpackedArchive> files;
  ModelDescription description;
};

}  // namespace openmi::fmi
