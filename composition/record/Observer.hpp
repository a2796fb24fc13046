#pragma once

#include <functional>
#include <span>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/proxy/OutputProxy.hpp"

namespace openmi {

class StateReader;
class StateWriter;

/// Makes observed rows from an item's rows: one for each row, or one for each period of equal length from the start of
/// the run.
///
/// Over a period, the mean is weighted with time, the sum takes amounts in proportion to time, minimum and maximum take
/// every row that touches the period, and the instant is the value that holds at the period's end. A value at an
/// instant holds from the time of the row before it. An element that is missing in part of a period is missing in its
/// mean and sum.
class Observer final : public IRowListener {
 public:
  using Sink = std::function<void(Stamp begin, Days duration, std::span<const double> row)>;

  /// \param elements  indices into the item's rows; empty: all
  /// \param as        what a row of a period holds; see above
  /// \param every     length of a period; 0: each row as it is
  /// \param begin     start of the first period, UTC
  /// \param missing   the item's missing value; `sink` receives NaN instead
  /// \param sink      receives each observed row
  Observer(std::vector<std::size_t> elements, ObserveAs as, Days every, Stamp begin, double missing, Sink sink);

  void OnRow(Stamp begin, Days duration, std::span<const double> row) override;
  /// Saves the unfinished period.
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 private:
  void Select(std::span<const double> row);
  void Add(Stamp from, Stamp to, double share);
  void Restart();
  void Emit();

  std::vector<std::size_t> elements_;
  ObserveAs as_;
  Days every_;
  double missing_;
  Sink sink_;
  std::vector<double> row_;    // the present row, selected elements, NaN where missing
  std::vector<double> value_;  // of the present period
  Stamp period_begin_;
  std::int64_t period_ = 0;
  Stamp first_begin_;
  Stamp last_;            // the end of the last row
  double covered_ = 0.0;  // of the present period, seconds
  bool any_ = false;
};

}  // namespace openmi
