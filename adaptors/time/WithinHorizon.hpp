#pragma once

#include <string>

#include "adaptors/time/DerivedSeries.hpp"

namespace openmi {

/// The rows of an adaptee that lie, at least in part, within the time horizon of its output: those from its data.
///
/// A series continues before and after its data with missing rows. A time adaptor after this one does not see them, so
/// that `extrapolation` has rows to start from. The composition inserts this adaptor before a time adaptor with
/// `extrapolation` = `hold`, `linear` or `relaxed`. The adaptee advances as far as it is asked to.
class WithinHorizon final : public DerivedSeries {
 public:
  WithinHorizon(const std::string& id, IBaseOutput& adaptee) : DerivedSeries(id, adaptee) {}
  /// \returns `Ended` for a time after the horizon
  Advance AdvanceTo(Stamp time) override { return Reach(time); }

 protected:
  void OnInitialize() override;
  void MakeRows(const RowHistory& source, RowHistory& made, bool ended) override;
  void TakeBack(Stamp) override {}  // the rows made are its only memory
  Advance Reach(Stamp time) override;

 private:
  Stamp begin_ = kFarPast;
  Stamp end_ = kFarFuture;
};

}  // namespace openmi
