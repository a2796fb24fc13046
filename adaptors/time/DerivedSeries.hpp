#pragma once

#include <cstdint>
#include <string>

#include "adaptors/time/TimeAdaptor.hpp"

namespace openmi {

/// The base of time adaptors that make new rows from the adaptee's, in their order: running totals, regular steps,
/// filled gaps.
///
/// Questions are answered from the new rows, linear in time. Other time adaptors may follow. Rows are made as soon as
/// the adaptee has the rows they need. If the adaptee takes rows back (a state was restored), the new rows are taken
/// back too and made again.
class DerivedSeries : public TimeAdaptor {
 public:
  DerivedSeries(const std::string& id, IBaseOutput& adaptee) : TimeAdaptor(id, adaptee, TemporalMethod::Linear) {}

  void Initialize() override;
  bool ShowsRows() const override { return true; }
  const RowHistory* UseHistory() override { return &made_; }
  Advance AdvanceTo(Stamp time) override { return Reach(time); }
  /// Saves the rows made and the number of the adaptee's rows taken. A derived class adds what it remembers beside
  /// them.
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;

 protected:
  /// Makes rows from what has come since the last call.
  ///
  /// It takes source rows from `Next()` on and counts them with `Took()`.
  /// \param source  the adaptee's rows
  /// \param made  gets the new rows
  /// \param ended  the adaptee has no more rows
  virtual void MakeRows(const RowHistory& source, RowHistory& made, bool ended) = 0;
  /// Forgets times after `time`, because the adaptee took rows back. The rows made are already trimmed.
  virtual void TakeBack(Stamp time) = 0;
  /// The start of the earliest source row that rows not yet made may need; the far future if there is none.
  virtual Stamp SourceNeeded() const { return kFarFuture; }

  const RowHistory& Rows() const override { return made_; }
  Advance Reach(Stamp time) override;
  void OnRefresh() override { Make(false); }
  Stamp NeededFor(Stamp time) const override;

  /// Makes all rows that can be made.
  /// \param ended  the adaptee has no more rows
  void Make(bool ended);
  /// The index in `source` of the first row not taken yet; `Count()` if there is none.
  std::size_t Next(const RowHistory& source) const;
  /// Counts the source rows up to `row` as taken.
  void Took(const RowHistory& source, std::size_t row) { next_ = source.Trimmed() + row + 1; }

 private:
  void MakeLast();
  RowHistory made_;
  std::uint64_t next_ = 0;
  std::uint64_t seen_ = 0;
  Stamp latest_seen_ = kFarPast;
};

}  // namespace openmi
