#pragma once

#include <functional>
#include <span>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/run/IRowListener.hpp"

namespace openmi {

class StateReader;
class StateWriter;

/// Makes observed rows of an item's rows: at each row, or over periods of equal length from the begin of the run.
///
/// Over a period: the mean is weighted with time, the sum takes amounts pro rata, minimum and maximum take every row
/// that touches the period, the instant is the value that holds at the period's end. A value at an instant holds from
/// the row before it. An element missing in part of a period is missing in its mean and sum.
class Observer final : public IRowListener {
 public:
  using Sink = std::function<void(Stamp begin, Days duration, std::span<const double> row)>;

  /// \param elements  indices into the item's rows; empty: all
  /// \param every     length of a period; 0: each row as it is
  /// \param begin     of the first period
  /// \param missing   the item's value for "no value"; NaN in what is passed on
  Observer(std::vector<std::size_t> elements, ObserveAs as, Days every, Stamp begin, double missing, Sink sink);

  void OnRow(Stamp begin, Days duration, std::span<const double> row) override;
  /// The period under way.
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
  std::vector<double> row_;    // the row under way, selected, NaN for missing
  std::vector<double> value_;  // of the period under way
  Stamp period_begin_;
  std::int64_t period_ = 0;
  Stamp first_begin_;
  Stamp last_;            // the end of the last row
  double covered_ = 0.0;  // of the period under way, seconds
  bool any_ = false;
};

}  // namespace openmi
