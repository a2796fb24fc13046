#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fmi-bridge/fmi/component/Fmu.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/run/ExampleFmu.hpp"
#include "timespace/testing/Driver.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi::fmi {

inline constexpr Stamp kRunBegin{58849.0};  // 2020-01-01

/// An example FMU as a component, driven step by step; inputs are fed from tables.
///
/// Order of calls: Set, Feed, Prepare, then updates.
class ComponentRun {
 public:
  /// \param seconds  length of the run
  ComponentRun(int version, const std::string& name, double seconds) : driver(fmu) {
    fmu.SetCaption("x");
    driver.Set("fmu", ExamplePath(version, name).string());
    driver.Set("start-time", "2020-01-01T00:00Z").Set("end-time", fmt::format("2020-01-01T00:00:{:09.6f}Z", seconds));
  }
  ~ComponentRun() {
    try {
      driver.Finish();
    } catch (const Error&) {  // it failed before
    }
    for (auto& feed : feeds_) {
      if (feed->linked != nullptr) feed->table.Output().RemoveConsumer(*feed->linked);
    }
  }
  ComponentRun(const ComponentRun&) = delete;
  ComponentRun& operator=(const ComponentRun&) = delete;

  /// Links an input to a table of values at 0, `step`, 2 `step`, ... seconds.
  void Feed(const std::string& input, double step, const std::vector<double>& values) {
    std::vector<TableRow> rows;
    for (std::size_t i = 0; i < values.size(); ++i) {
      rows.push_back({kRunBegin + Seconds(step * static_cast<double>(i)), {values[i]}});
    }
    feeds_.push_back(std::make_unique<Fed>(input, rows));
  }
  /// \param initial  called in the initialization mode of the FMU, as the engine sets initial values
  void Prepare(const std::function<void()>& initial = {}) {
    driver.Initialize();
    for (auto& feed : feeds_) {
      feed->driver.Initialize();
      feed->driver.Validate();
      feed->linked = &Input(feed->input);
      feed->table.Output().AddConsumer(*feed->linked);
    }
    ASSERT_TRUE(driver.Validate()) << (driver.Messages().empty() ? "" : driver.Messages()[0]);
    for (auto& feed : feeds_) feed->driver.Prepare();
    if (initial) {
      fmu.EnterInitialization();
      initial();
    }
    driver.Prepare();
  }
  IBaseInput& Input(const std::string& id) {
    for (IBaseInput* input : fmu.Inputs()) {
      if (input->Id() == id) return *input;
    }
    throw RangeError({.item = id}, "expected an input, found none");
  }
  IBaseOutput& Output(const std::string& id) {
    for (IBaseOutput* output : fmu.Outputs()) {
      if (output->Id() == id) return *output;
    }
    throw RangeError({.item = id}, "expected an output, found none");
  }
  /// The newest number of an output.
  double Number(const std::string& id) { return dynamic_cast<NumericOutput&>(Output(id)).LastRow()[0]; }
  /// The newest value of an output that is no number.
  Value Text(const std::string& id) { return dynamic_cast<ITimeSpaceOutput&>(Output(id)).Values().GetValue(0, 0); }
  /// The first table, to keep and restore its state with that of the FMU.
  TableComponent& Table() { return feeds_.at(0)->table; }
  /// The first remark; empty without.
  std::string Remark() const {
    const Problems remarks = fmu.Remarks();
    return remarks.empty() ? "" : FormatProblem(remarks[0]);
  }

  Fmu fmu;
  Driver driver;

 private:
  struct Fed {
    Fed(std::string its_input, const std::vector<TableRow>& rows)
        : input(std::move(its_input)), table(rows), driver(table) {}
    std::string input;
    IBaseInput* linked = nullptr;
    TableComponent table;
    Driver driver;
  };
  std::vector<std::unique_ptr<Fed>> feeds_;
};

}  // namespace openmi::fmi
