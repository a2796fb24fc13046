#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bmi-bridge/component/BmiComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/support/ScratchFolder.hpp"
#include "timespace/testing/Driver.hpp"

namespace openmi::bmi {

inline std::string TestLibrary(const std::string& name) {
  return std::string(OPENMI_BMI_LIBRARIES) + "/lib" + name + ".so";
}
inline std::string ExampleLibrary(const std::string& name) {
  return std::string(OPENMI_BMI_EXAMPLES) + "/lib" + name + ".so";
}

/// A component of a library, driven by hand.
struct Bench {
  using Arguments = std::map<std::string, std::string>;

  Bench(const std::string& library, const Arguments& arguments) : driver(component) {
    driver.Set("library", library).Set("start-time", "2020-01-01T00:00Z");
    for (const auto& [key, value] : arguments) driver.Set(key, value);
  }
  NumericOutput& Output(std::size_t index = 0) { return dynamic_cast<NumericOutput&>(*component.Outputs()[index]); }
  NumericInput& Input(std::size_t index = 0) { return dynamic_cast<NumericInput&>(*component.Inputs()[index]); }
  /// The newest row of an output.
  std::vector<double> Row(std::size_t index = 0) {
    const std::span<const double> row = Output(index).LastRow();
    return {row.begin(), row.end()};
  }

  BmiComponent component;
  Driver driver;
};

/// The model that does what its configuration says.
struct OddBench : Bench {
  explicit OddBench(const std::string& lines, const Arguments& arguments = {}, const std::string& library = "odd_model")
      : Bench(TestLibrary(library), arguments) {
    driver.Set("config-file", folder.Write("odd.cfg", lines));
  }
  /// What it says when it is initialized; empty where it succeeds.
  std::string Problem() {
    try {
      driver.Initialize();
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
  std::string Messages() {
    driver.Validate();
    std::string all;
    for (const std::string& message : driver.Messages()) all += message + "\n";
    return all;
  }
  ScratchFolder folder{"bmi"};
};

}  // namespace openmi::bmi
