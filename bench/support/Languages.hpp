#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/support/ReadyRun.hpp"
#include "bench/support/Report.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/elements/ElementSet.hpp"

// What programs about components in other languages share: the components in C++ beside them, and long rows, whose
// addresses are compared. Each of them includes this once.
namespace bench {

inline constexpr std::size_t kLong = 1'000'000;

/// Mixes a value into the one before.
class Mixer final : public openmi::SteppingComponent {
 public:
  Mixer() : SteppingComponent("mixer", "PT1S") {
    in_ = AddInput("in", "1", {.default_value = 1.0});
    out_ = AddOutput("out", "1", {.initial = 1.0});
  }

 private:
  void Step(openmi::Stamp, openmi::Stamp) override { out_.Set(0.9 * out_.Get() + 0.1 * in_.Get()); }
  openmi::ScalarInput in_;
  openmi::ScalarOutput out_;
};
OPENMI_EXPORT_COMPONENT_AS("bench.Mixer", Mixer)

/// Gives and takes long rows.
class LongRows final : public openmi::SteppingComponent {
 public:
  LongRows() : SteppingComponent("long-rows", "PT1S") {}
  const double* read = nullptr;
  const double* written = nullptr;

 private:
  void Setup() override {
    std::vector<std::string> ids;
    for (std::size_t i = 1; i <= kLong; ++i) ids.push_back(std::to_string(i));
    const auto where = std::make_shared<openmi::ElementSet>(openmi::ElementSet::IdBased("long", ids));
    in_ = AddInput("in", "1", where, {.default_value = 1.0});
    out_ = AddOutput("out", "1", where);
  }
  void Step(openmi::Stamp, openmi::Stamp to) override {
    const std::span<double> row = out_.Next();
    std::ranges::fill(row, to.mjd);
    written = row.data();
    read = in_.Values().data();
  }
  openmi::ArrayInput in_;
  openmi::ArrayOutput out_;
};
OPENMI_EXPORT_COMPONENT_AS("bench.LongRows", LongRows)

/// Two of them, the first of which feeds the second.
inline std::string Pair(const std::string& first, const std::string& second) {
  return fmt::format(R"(<Composition xmlns="urn:openmi2:composition:1" Id="pair">
  <Component Id="first" {}</Component>
  <Component Id="second" {}</Component>
  <Link From="first.out" To="second.in"/>
  <Run From="2000-01-01T00:00Z" To="2020-01-01T00:00Z" Trigger="second"/>
</Composition>
)",
                     first, second);
}

/// The address that a component gives as a number.
inline const double* AddressIn(const openmi::IBaseLinkableComponent& component, std::size_t output) {
  const auto& item = dynamic_cast<const openmi::NumericOutput&>(*component.Outputs()[output]);
  return reinterpret_cast<const double*>(static_cast<std::uintptr_t>(item.LastRow()[0]));
}

/// A component in another language that takes or gives long rows.
struct LongCase {
  const char* name;
  std::string component;  ///< as in `Pair`
  bool gives;             ///< gives a row to C++; else it takes one
};

/// Compares where a row lies for another language and for C++.
/// \param language  for the text
inline void CompareAddresses(Report& report, const LongCase& one, const char* language) {
  const std::string rows = R"(Type="bench.LongRows" Assembly="here">)";
  ReadyRun run(CompositionOf(one.gives ? Pair(one.component, rows) : Pair(rows, one.component)));
  run.Steps(10);
  const auto& long_rows = dynamic_cast<const LongRows&>(run.Component(one.gives ? 1 : 0));
  const double* const there = AddressIn(run.Component(one.gives ? 0 : 1), one.gives ? 2 : 1);
  const double* const here = one.gives ? long_rows.read : long_rows.written;
  report.Fact(one.name, there != nullptr && there == here,
              fmt::format("{} doubles at {} in {} and at {} in C++", kLong, static_cast<const void*>(there), language,
                          static_cast<const void*>(here)));
}

}  // namespace bench
