#pragma once

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "fmi-bridge/fmi/component/Fmu.hpp"
#include "fmi-bridge/osmp/component/OsmpLayer.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/osmp/ScriptedSource.hpp"
#include "tests/fmi-bridge/run/ExampleFmu.hpp"
#include "timespace/testing/Driver.hpp"

namespace openmi::osmp {

template <class Item>
Item& ItemNamed(fmi::Fmu& fmu, const std::string& id) {
  if constexpr (std::is_same_v<Item, ValueInput>) {
    for (IBaseInput* one : fmu.Inputs()) {
      if (one->Id() == id) return dynamic_cast<Item&>(*one);
    }
  } else {
    for (IBaseOutput* one : fmu.Outputs()) {
      if (one->Id() == id) return dynamic_cast<Item&>(*one);
    }
  }
  throw RangeError({.item = id}, "expected an item, found none");
}

inline osi::Message BytesOf(const ValueOutput& output) {
  return dynamic_cast<const IBytesRows&>(output.Values()).BytesAt(0, 0);
}

/// A model with a scripted source of sensor views before it.
struct Pair {
  Pair(const std::string& fmu_path, ScriptedSource::Script script, const std::string& message = "SensorView")
      : source(message, std::move(script)), source_driver(source), driver(fmu) {
    fmu.SetCaption("model");
    driver.Set("fmu", fmu_path);
    for (Driver* one : {&source_driver, &driver}) {
      one->Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-01T00:00:10Z");
    }
  }
  void Initialize(const std::string& input = "OSMPSensorViewIn") {
    source_driver.Initialize();
    driver.Initialize();
    source.Output().AddConsumer(ItemNamed<ValueInput>(fmu, input));
    source_driver.Validate();
    EXPECT_TRUE(driver.Validate());
  }
  void Prepare() {
    source_driver.Prepare();
    driver.Prepare();
  }
  osi::Message Data() { return BytesOf(ItemNamed<ValueOutput>(fmu, "OSMPSensorDataOut")); }

  ScriptedSource source;
  fmi::Fmu fmu;
  Driver source_driver;
  Driver driver;
};

inline std::string SensorPath(int version) {
  return fmi::ExamplePath(version, "ObjectListSensor").string();
}

}  // namespace openmi::osmp
