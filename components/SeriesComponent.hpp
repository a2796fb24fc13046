#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "components/ColumnSpec.hpp"
#include "components/ElementArguments.hpp"
#include "components/SeriesTimes.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/elements/ElementVertex.hpp"

namespace openmi {

/// One column of a series and its destination.
struct SeriesColumn {
  std::string item;
  std::string element;  ///< empty: the item has a single value without a place
  std::string unit;
  std::string caption;
  std::optional<ElementVertex> place = {};  ///< place of the element: longitude and latitude, degrees
};

/// The contents of a file.
struct SeriesData {
  std::string path;
  std::vector<SeriesStamp> stamps;
  std::string place = "line";  ///< what the numbers of stamps count: "line" or "row"
  std::vector<SeriesColumn> columns;
  std::vector<double> values;         ///< shape [stamps, columns]; NaN where missing
  std::vector<std::string> warnings;  ///< reported by `Validate`
  /// If the file states that values are over spans: the length of each span; shape [stamps], which are the ends
  std::vector<Days> spans = {};
};

/// The base of components that give the contents of a file: times, items, elements, and steps from row to row.
///
/// It steps along the rows of the file. Values belong to spans or instants, as the argument `stamps` states. A span
/// that starts before the run or ends after it is given whole. Before the first row and after the last one, values are
/// missing. The time horizon of the outputs is that of the data. docs/ready-components.md lists the arguments.
class SeriesComponent : public StatefulSteppingComponent {
 protected:
  explicit SeriesComponent(std::string id);

  /// Reads the file at `FilePath()`.
  virtual SeriesData Read() = 0;

  /// The path of the file, from the argument.
  std::string FilePath() const { return PathOf(file_.Value()); }
  /// The path of the file as messages show it.
  const std::string& ShownPath() const { return shown_path_; }
  /// The meaning of the stamps, from the argument `stamps`.
  StampMeaning Meaning() const { return meaning_; }
  /// Whether the argument `stamps` leaves the meaning of the stamps to the file.
  bool FileSaysMeaning() const { return stamps_.Value() == "auto"; }
  /// The value of the argument for the step; nothing: the step is found from the stamps.
  std::optional<Days> GivenStep() const { return given_step_; }
  /// The unit of a column: its own, that in the file, or that of the argument `unit`.
  /// \throws ArgumentError  there is none
  /// \throws UnitError  the unit in the file or in the argument `columns` is no unit
  std::string UnitOf(const ColumnSpec& column, const std::string& in_file) const;
  /// The columns to read, from the argument `columns`.
  std::vector<ColumnSpec> Columns() const;
  /// Throws ArgumentError for an argument.
  [[noreturn]] void Refuse(const char* argument, const std::string& problem, const std::string& remedy) const;

  void SaveState(StateWriter&) const override {}  // the time determines the rows
  void LoadState(StateReader&) override {}

  ElementFileArguments elements_file_;
  Argument<std::string> file_, columns_, unit_, stamps_, step_, time_units_, epoch_;

 private:
  void Setup() final;
  void Start(Stamp begin) final;
  void Step(Stamp from, Stamp to) final;
  Stamp StepEnd(Stamp now) const final { return times_.At(times_.FirstAfter(now)); }
  bool OnValidate(std::vector<std::string>& messages) override;
  /// Takes the times of data whose file states the length of each span.
  /// \throws FormatError  spans overlap, or they leave gaps and differ in length
  void TakeSpans();
  void MakeItems();
  void Publish(std::int64_t row);

  /// One output and the columns that hold its elements.
  struct Series {
    NumericOutput* output = nullptr;
    std::vector<std::size_t> columns;
  };
  /// A sentence on the values missing within the rows of the file; empty if there are none.
  std::string Holes(const Series& series) const;
  /// A sentence on numbers that mean "no value" in many files but were read as values; empty if there are none.
  std::string Suspects(const Series& series) const;
  Series MakeItem(const std::string& id, const std::vector<std::size_t>& columns);

  std::string shown_path_;
  StampMeaning meaning_ = StampMeaning::Instant;
  std::optional<Days> given_step_;
  SeriesData data_;
  SeriesTimes times_;
  std::vector<Series> series_;
};

}  // namespace openmi
