#pragma once

#include <cstdint>
#include <string>

#include "adaptors/TimeAdaptor.hpp"

namespace openmi {

/// The base of time adaptors that make rows of their own out of the adaptee's, in their order: running totals, regular
/// steps, filled gaps. Questions are answered from the rows made, linear in time; other time adaptors may stand on it.
///
/// Rows are made as they come, or as soon as what they need has come. Rows that the adaptee takes back (a state was
/// restored) are taken back here, too, and made again.
class DerivedSeries : public TimeAdaptor {
 public:
  DerivedSeries(std::string id, IBaseOutput& adaptee) : TimeAdaptor(std::move(id), adaptee, TemporalMethod::Linear) {}

  void Initialize() override;
  bool ShowsRows() const override { return true; }
  const RowHistory* UseHistory() override { return &made_; }
  Advance AdvanceTo(Stamp time) override { return Reach(time); }
  /// The rows made and how far the adaptee's were taken; a derived class adds what it knows beside.
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;

 protected:
  /// Makes rows from what has come since the last call: source rows from `Next()` on, which it counts with `Took()`.
  /// \param ended  nothing more will come
  virtual void MakeRows(const RowHistory& source, RowHistory& made, bool ended) = 0;
  /// Forgets what it knows of times after `time`: the adaptee took rows back. The rows made are trimmed already.
  virtual void TakeBack(Stamp time) = 0;
  /// The begin of the earliest source row that rows not yet made may need; the far future if none.
  virtual Stamp SourceNeeded() const { return kFarFuture; }

  const RowHistory& Rows() const override { return made_; }
  Advance Reach(Stamp time) override;
  void OnRefresh() override { Make(false); }
  Stamp NeededFor(Stamp time) const override;

  /// Makes what rows can be made. \param ended  nothing more will come
  void Make(bool ended);
  /// The index in `source` of the first row not taken yet; its Count() if there is none.
  std::size_t Next(const RowHistory& source) const;
  void Took(const RowHistory& source, std::size_t row) { next_ = source.Trimmed() + row + 1; }

 private:
  void MakeLast();
  RowHistory made_;
  std::uint64_t next_ = 0;
  std::uint64_t seen_ = 0;
  Stamp latest_seen_ = kFarPast;
};

}  // namespace openmi
