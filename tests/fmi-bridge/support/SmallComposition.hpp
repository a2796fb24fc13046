#pragma once

#include <string>

namespace openmi::test {

/// A composition of ready components: sum.c = given.value + 2 sum.b, with sum.b left to whoever drives it.
/// \param to  end of the run, which begins at 2020-02-28T00:00Z
inline std::string SmallComposition(const std::string& to) {
  return R"(<?xml version="1.0" encoding="UTF-8"?>
<Composition xmlns="urn:openmi2:composition:1" Id="small-one" Caption="A &lt;small&gt; composition">
  <Component Id="given" Type="openmi.Constant" Assembly="openmi-components">
    <Argument Key="value" Value="7"/>
    <Argument Key="unit" Value="mm d-1"/>
  </Component>
  <Component Id="sum" Type="openmi.Expression" Assembly="openmi-components">
    <Argument Key="inputs" Value="a[mm d-1],b[mm d-1]"/>
    <Argument Key="outputs" Value="c=a+2*b[mm d-1]"/>
    <Argument Key="time-step" Value="PT10M"/>
  </Component>
  <Link From="given.value" To="sum.a"/>
  <Run From="2020-02-28T00:00Z" To=")" +
         to + R"(" Trigger="sum"/>
</Composition>)";
}

}  // namespace openmi::test
