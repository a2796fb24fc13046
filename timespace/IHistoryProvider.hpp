#pragma once

#include "timespace/RowHistory.hpp"
#include "timespace/Stamp.hpp"
#include "timespace/TimeSet.hpp"

namespace openmi {

/// How far a provider came when it was asked to advance.
enum class Advance {
  Reached,  ///< the asked time is there
  Busy,     ///< the component is already waiting for somebody (a loop of links): answer with the best there is
  Held,     ///< the component is taken out of the run: its last row was repeated, and holds for any time
  Ended     ///< the component will not get there: it is done, failed, or cannot step
};

/// An output that keeps its rows and shows them: the door through which adaptors read without copying.
class IHistoryProvider {
 public:
  virtual ~IHistoryProvider() = default;

  /// The rows kept; null if the output cannot show any (an adaptor whose answers depend on the question). Asking tells
  /// the output that its rows are wanted. The history lives as long as the output.
  virtual const RowHistory* UseHistory() = 0;

  /// Makes the component step until a row ends at `time` or later.
  virtual Advance AdvanceTo(Stamp time) = 0;

  /// Lends the output a place for its rows: from now on it writes there, and what it has moves there. Rows that end
  /// when its own first row does, or later, give way, but for those that are the same; earlier ones stay.
  /// \param rows  borrowed until the next call; null: take back, into a history of the output's own, the newest row
  /// \returns whether the output can do that; if not, nothing changes
  virtual bool KeepRowsIn(RowHistory* rows) {
    static_cast<void>(rows);
    return false;
  }
};

/// A consumer or adapted output that knows the earliest time it may still ask for.
class IDemand {
 public:
  virtual ~IDemand() = default;
  /// UTC; the far future when it will ask for nothing.
  virtual Stamp EarliestNeeded() const = 0;
  /// Who is to be asked in its place: itself, unless it only passes on what another says.
  virtual const IDemand& Source() const { return *this; }
  /// The one set in which it always puts the times it asks for, as long as it is registered; null where its TimeSet()
  /// has to be read at each question.
  virtual const TimeSet* AskedTimes() const { return nullptr; }
};

}  // namespace openmi
