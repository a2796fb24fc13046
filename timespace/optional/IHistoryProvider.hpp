#pragma once

#include "timespace/times/Stamp.hpp"
#include "timespace/times/TimeSet.hpp"
#include "timespace/values/RowHistory.hpp"

namespace openmi {

/// How far a provider advanced.
enum class Advance {
  Reached,  ///< the requested time is available
  Busy,     ///< the component itself waits for a provider (a loop of links): answer with the best available row
  Held,     ///< the component is disengaged from the run: its last row was repeated and is valid for any time
  Ended     ///< the component will not reach the time: it is done, failed, or cannot step
};

/// An output that keeps its rows and gives access to them, so that adaptors read without copying.
///
/// Optional interface.
class IHistoryProvider {
 public:
  virtual ~IHistoryProvider() = default;

  /// The history of the rows; null if the output has none, such as an adaptor whose answers depend on the query.
  ///
  /// The call also informs the output that its rows are needed. The history lives as long as the output.
  virtual const RowHistory* UseHistory() = 0;

  /// Updates the component until a row ends at `time` or later.
  virtual Advance AdvanceTo(Stamp time) = 0;

  /// Lends the output a history for its rows: the output moves its rows there and writes there from now on.
  ///
  /// Rows that are already in the lent history stay when they end before the first row of the output, or are equal to
  /// its rows. The others are dropped.
  /// \param rows  borrowed until the next call; null: take back the newest row into a history of the output itself
  /// \returns whether the output supports this; if not, nothing changes
  virtual bool KeepRowsIn(RowHistory* rows) {
    static_cast<void>(rows);
    return false;
  }
};

/// An output that states from when on its values change.
///
/// Optional interface, of outputs whose values are not numbers. A consumer that needs each value once asks for the
/// times stated here, also when the component of the output is already further.
class IRowTimes {
 public:
  virtual ~IRowTimes() = default;
  /// The time (UTC) of the first row after `time` that is kept; the far future if there is none yet.
  virtual Stamp NextRow(Stamp time) const = 0;
};

/// A consumer or adapted output that knows the earliest time for which it may still ask.
///
/// Optional interface.
class IDemand {
 public:
  virtual ~IDemand() = default;
  /// The earliest time, UTC; the far future when it will ask for nothing.
  virtual Stamp EarliestNeeded() const = 0;
  /// The object that answers for this one: itself, unless it only passes on the demand of another.
  virtual const IDemand& Source() const { return *this; }
  /// Whether it reads the values of rows. False if it only tells another process where they are.
  virtual bool ReadsRows() const { return true; }
  /// The set in which this consumer always puts the times of its queries while it is registered.
  ///
  /// Null: the provider must read its `TimeSet()` at each query.
  virtual const TimeSet* AskedTimes() const { return nullptr; }
};

/// An adapted output that may need values of its adaptee at later times than the time of a query.
///
/// Optional interface, the counterpart of IDemand, which says how far back rows are needed. The run advances the
/// providers so far before it pulls.
class ILookAhead {
 public:
  virtual ~ILookAhead() = default;
  /// The time that the adaptee must have reached for an answer for `time`.
  ///
  /// The result may be too late; it may be too early when the time is not known.
  /// \param step  the length of the provider's steps, as far as it is known; 0: not known
  virtual Stamp ReachFor(Stamp time, Days step) const = 0;
};

}  // namespace openmi
