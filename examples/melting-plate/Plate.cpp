// The solver of plate.c as a component on several ranks.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/optional/IUsesCommunicator.hpp"

extern "C" {
#include "plate.h"
}

namespace {

class Plate final : public openmi::StatefulSteppingComponent, public openmi::IUsesCommunicator {
 public:
  Plate() : StatefulSteppingComponent("plate", "PT1H") {
    columns_ = AddArgument<int>("columns", {.caption = "cells from west to east", .value = 24, .minimum = 1});
    rows_ = AddArgument<int>("rows", {.caption = "cells from south to north", .value = 16, .minimum = 1});
    size_ = AddArgument<double>("cell-size", {.caption = "side of a cell", .unit = "m", .value = 50.0, .minimum = 1.0});
    conductivity_ = AddArgument<double>(
        "conductivity", {.caption = "conductivity of the plate times its thickness", .unit = "W K-1", .value = 9e4});
    exchange_ = AddArgument<double>(
        "exchange", {.caption = "heat from the plate to the ice above", .unit = "W m-2 K-1", .value = 40.0});
    SetThreadSafe(false);
  }
  void SetCommunicator(const openmi::Communicator& communicator) override { communicator_ = communicator; }

 private:
  void Setup() override {
    if (!communicator_) {
      throw openmi::ArgumentError({.component = Caption()}, "expected a communicator, found none",
                                  "write Ranks=\"1\", or more, on the component");
    }
    const int columns = columns_.Value();
    const double size = size_.Value();
    if (plate_setup(communicator_->handle, columns, rows_.Value(), size, conductivity_.Value(), exchange_.Value()) !=
        0) {
      throw openmi::ArgumentError({.component = Caption(), .item = "rows"},
                                  "expected at least one row of cells for each rank, found fewer", "use fewer ranks");
    }
    int first = 0;
    int count = 0;
    plate_rows(&first, &count);
    openmi::ElementSetBuilder cells("cells", openmi::ElementType::Polygon, openmi::kLocalMetresWkt);
    for (int row = first; row < first + count; ++row) {
      for (int column = 0; column < columns; ++column) {
        const double x = column * size;
        const double y = row * size;
        cells.AddPolygon(std::to_string(row * columns + column + 1),
                         {{x, y}, {x + size, y}, {x + size, y + size}, {x, y + size}});
      }
    }
    const auto where = std::make_shared<const openmi::ElementSet>(cells.Build());
    heating_ = AddInput("heating", "W m-2", where, {.asks = openmi::InputTime::Span, .default_value = 0.0});
    temperature_ = AddOutput("temperature", "degC", where);
    melt_ = AddOutput("melt", "mm h-1", where, {.gives = openmi::OutputTime::Span});
  }
  void Step(openmi::Stamp from, openmi::Stamp to) override {
    plate_step((to - from).count * 86400.0, heating_.Values().data());
    Copy(plate_temperature(), temperature_);
    Copy(plate_melt(), melt_);
  }
  void End() override { plate_end(); }
  void SaveState(openmi::StateWriter& writer) const override {
    writer.Write(std::span<const double>(plate_temperature(), heating_.Item().ElementCount()));
  }
  void LoadState(openmi::StateReader& reader) override {
    const std::vector<double> kept = reader.ReadDoubles();
    if (kept.size() != heating_.Item().ElementCount()) {
      throw openmi::FormatError({.component = Caption()}, "expected one temperature for each cell, found others");
    }
    std::ranges::copy(kept, plate_temperature());
  }
  static void Copy(const double* from, openmi::ArrayOutput& to) {
    const std::span<double> row = to.Next();
    std::copy_n(from, row.size(), row.begin());
  }

  openmi::Argument<int> columns_;
  openmi::Argument<int> rows_;
  openmi::Argument<double> size_;
  openmi::Argument<double> conductivity_;
  openmi::Argument<double> exchange_;
  std::optional<openmi::Communicator> communicator_;
  openmi::ArrayInput heating_;
  openmi::ArrayOutput temperature_;
  openmi::ArrayOutput melt_;
};

}  // namespace

OPENMI_EXPORT_COMPONENT(Plate)
