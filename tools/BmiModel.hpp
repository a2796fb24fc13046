#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::bmi {
class BmiComponent;
}

namespace openmi::tools {

/// The BMI model that the user named: a library, or an OMI file of one, with arguments.
struct BmiModelOptions {
  std::string file;
  std::string config;
  std::vector<std::string> arguments;   ///< KEY=VALUE
  std::vector<std::string> parameters;  ///< NAME=VALUE

  void AddTo(CLI::App& app);
  /// The model as an OMI file.
  /// \throws UsageFault  the OMI file is of another type
  /// \throws MissingFile  there is no such file
  OmiFile Omi() const;
  /// Sets the arguments of a component.
  /// \throws ArgumentError  one of them is unknown or wrong
  void ApplyTo(bmi::BmiComponent& component) const;
};

/// Does `work`, which calls a model, and returns its exit code. If the code of the model ends the program (exit, or
/// STOP in Fortran), that is an error of the model.
int CallModel(const std::function<int()>& work);

}  // namespace openmi::tools
