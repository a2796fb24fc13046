#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/Missing.hpp"
#include "timespace/AdaptedOutput.hpp"

namespace openmi {

/// The base of adapted outputs that make one row of one row, whatever the time: units, places, linear operations.
///
/// Asked directly, it passes the question on and maps the answer into the asking consumer's own row. When something
/// above it wants to read rows (a time adaptor), it maps each new row once, as it is published, and keeps it.
class RowAdaptor : public AdaptedOutput, public IHistoryProvider {
 public:
  using AdaptedOutput::AdaptedOutput;

  void Initialize() override;
  /// What a composer should know of what Check found, one sentence each. Call after it.
  virtual std::vector<std::string> Notes() const { return {}; }
  /// What of it may well be a mistake, one sentence each. Call after Check.
  virtual std::vector<std::string> Warnings() const { return {}; }
  const RowHistory* UseHistory() override;
  Advance AdvanceTo(Stamp time) override { return AdapteeDoor()->AdvanceTo(time); }
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;

 protected:
  /// Maps one row.
  /// \param in        shape [elements of the adaptee], its unit
  /// \param duration  of the asked time; 0 for a stamp
  /// \param out       shape [OutWidth()], this output's unit; disjoint from `in`
  virtual void Map(std::span<const double> in, Days duration, std::span<double> out) = 0;
  /// How many values a mapped row has. Asked before each Map.
  virtual std::size_t OutWidth(std::size_t in_width) { return in_width; }
  /// What stands for "no value" in the adaptee's rows, and in this output's.
  double Missing() const { return missing_; }

  void OnRefresh() override;
  void Compute(const IBaseExchangeItem& query, Answer& answer) override;
  bool WantsHistory() const override { return false; }

 private:
  void MapNewRows();
  const RowHistory* source_ = nullptr;  // set when somebody reads our rows
  RowHistory mapped_;
  std::uint64_t next_ = 0;
  double missing_ = kNotANumber;
};

}  // namespace openmi
