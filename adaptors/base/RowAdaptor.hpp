#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/Missing.hpp"
#include "timespace/items/AdaptedOutput.hpp"

namespace openmi {

/// The base of adapted outputs that make one row from one row, at any time: units, elements, linear operations.
///
/// When a consumer asks, the adaptor asks its adaptee and maps the answer into a row for that consumer. When an adaptor
/// after it reads rows (a time adaptor), it maps each new row once, when the row is published, and keeps it.
class RowAdaptor : public AdaptedOutput, public IHistoryProvider {
 public:
  using AdaptedOutput::AdaptedOutput;

  void Initialize() override;
  AdaptorTraits Traits() const override { return {.keeps_rows = true}; }
  const RowHistory* UseHistory() override;
  Advance AdvanceTo(Stamp time) override { return AdapteeProvider()->AdvanceTo(time); }
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;

 protected:
  /// Maps one row.
  /// \param in  shape [elements of the adaptee]; unit of the adaptee
  /// \param duration  length of the time asked for; 0 for a stamp
  /// \param out  shape [OutWidth()]; unit of this output; disjoint from `in`
  virtual void Map(std::span<const double> in, Days duration, std::span<double> out) = 0;
  /// The number of values in a mapped row. Asked before each `Map`.
  virtual std::size_t OutWidth(std::size_t in_width) { return in_width; }
  /// The value that means "no value" in the adaptee's rows and in this output's rows.
  double Missing() const { return missing_; }

  void OnRefresh() override;
  const ITimeSpaceValueSet& Compute(const Question& question, Answer& answer) override;

 private:
  void MapNewRows();
  const RowHistory* source_ = nullptr;  // set once a consumer reads the rows of this adaptor
  RowHistory mapped_;
  std::uint64_t next_ = 0;
  double missing_ = kNotANumber;
};

}  // namespace openmi
