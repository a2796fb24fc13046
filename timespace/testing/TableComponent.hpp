#pragma once

#include <memory>
#include <string>
#include <vector>

#include "timespace/StatefulComponent.hpp"

namespace openmi {

/// One row of a TableComponent: an instant, or a span that starts at `begin`.
struct TableRow {
  Stamp begin;
  std::vector<double> values;  ///< shape [elements]
  Days duration = {};          ///< above 0 in all rows, or 0 in all
};

/// A provider that gives the rows of a table, one with each update; for tests of consumers.
///
/// Its only output is `values`. The run covers the rows, unless arguments say otherwise. The first instant is available
/// after `Prepare`, the first span after the first update. Spans follow each other without gaps. The component can keep
/// its state and can run again.
///
/// ```cpp
/// TableComponent rain({{Stamp{60000}, {1.0}, Hours(1)}, {Stamp{60000} + Hours(1), {3.0}, Hours(1)}}, "mm h-1");
/// ```
class TableComponent final : public StatefulSteppingComponent {
 public:
  /// \param rows   at least one, ascending
  /// \param where  the elements; null: one value without a place
  /// \throws RangeError  rows do not follow each other, or differ in length or kind
  explicit TableComponent(std::vector<TableRow> rows, const std::string& unit = "1",
                          std::shared_ptr<const ISpatialDefinition> where = nullptr, std::string id = "table");

  NumericOutput& Output() const { return output_.Item(); }
  /// The number of steps it computed.
  int Updates() const { return updates_; }

 private:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  Stamp StepEnd(Stamp now) const override;
  void SaveState(StateWriter&) const override {}
  void LoadState(StateReader&) override {}
  Stamp EndOf(std::size_t row) const { return rows_[row].begin + rows_[row].duration; }
  void Write(std::size_t row);

  std::vector<TableRow> rows_;
  ArrayOutput output_;
  int updates_ = 0;
};

}  // namespace openmi
