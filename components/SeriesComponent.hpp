#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "components/ColumnSpec.hpp"
#include "components/ElementArguments.hpp"
#include "components/SeriesTimes.hpp"
#include "timespace/ElementVertex.hpp"
#include "timespace/StatefulComponent.hpp"

namespace openmi {

/// One column of a series, where it goes.
struct SeriesColumn {
  std::string item;
  std::string element;  ///< empty: an item with a single value without a place
  std::string unit;
  std::string caption;
  std::optional<ElementVertex> place = {};  ///< of the element: longitude and latitude in degrees
};

/// What was read from a file.
struct SeriesData {
  std::string path;
  std::vector<SeriesStamp> stamps;
  std::string place = "line";  ///< what the numbers of the stamps are: "line" or "row"
  std::vector<SeriesColumn> columns;
  std::vector<double> values;         ///< shape [stamps, columns]; NaN where missing
  std::vector<std::string> warnings;  ///< for Validate
  /// Where the file itself says that the values are over spans: how long each is; shape [stamps], which are their ends
  std::vector<Days> spans = {};
};

/// The base of components that give what a file holds: times, items, elements, and the stepping from row to row.
///
/// It steps on the rows of the file. Values stand for spans or instants as the argument `stamps` says; a span that
/// begins before the run or ends after it is given whole. Before the first row and after the last, missing values go
/// on. The time horizon of the outputs is that of the data. Arguments are in docs/ready-components.md.
class SeriesComponent : public StatefulSteppingComponent {
 protected:
  explicit SeriesComponent(std::string id);

  /// Reads the file named by FilePath().
  virtual SeriesData Read() = 0;

  std::string FilePath() const { return PathOf(file_.Value()); }
  const std::string& ShownPath() const { return shown_path_; }
  StampMeaning Meaning() const { return meaning_; }
  /// Whether the file has to say what its stamps mean.
  bool FileSaysMeaning() const { return stamps_.Value() == "auto"; }
  std::optional<Days> GivenStep() const { return given_step_; }
  /// The text of an optional argument; empty where it has none.
  static std::string TextOf(const Argument<std::string>& argument);
  /// The unit of the argument `unit` for a column without one.
  /// \throws ArgumentError  there is none
  std::string UnitOf(const ColumnSpec& column, const std::string& in_file) const;
  std::vector<ColumnSpec> Columns() const;
  [[noreturn]] void Refuse(const char* argument, const std::string& problem, const std::string& remedy) const;

  void SaveState(StateWriter&) const override {}  // rows follow from the time
  void LoadState(StateReader&) override {}

  ElementFileArguments elements_file_;
  Argument<std::string> file_, columns_, unit_, stamps_, step_, time_units_, epoch_;

 private:
  void Setup() final;
  void Start(Stamp begin) final;
  void Step(Stamp from, Stamp to) final;
  Stamp StepEnd(Stamp now) const final { return times_.At(times_.FirstAfter(now)); }
  bool OnValidate(std::vector<std::string>& messages) override;
  /// The times of data whose file says how long each span is.
  /// \throws FormatError  spans that overlap, or that leave gaps and differ in length
  void TakeSpans();
  void MakeItems();
  void Publish(std::int64_t row);

  /// One output and the columns it takes its elements from.
  struct Series {
    NumericOutput* output = nullptr;
    std::vector<std::size_t> columns;
  };
  /// A sentence on the values missing in the rows that are there; empty where none is.
  std::string Holes(const Series& series) const;
  /// A sentence on numbers that stand for no value in many files and were taken for values; empty where there are none.
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
