#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "composition/isolation/RowArena.hpp"
#include "composition/run/StandIn.hpp"
#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "timespace/BytesValueSet.hpp"
#include "timespace/IHistoryProvider.hpp"
#include "timespace/TimeSet.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"

namespace openmi {

/// What stands for all consumers in the other process: says from when on rows are needed, and asks for values at a
/// time.
class RemoteConsumer final : public InputOf<ITimeSpaceInput>, public IDemand {
 public:
  explicit RemoteConsumer(const ITimeSpaceOutput& output)
      : InputOf("consumers in the other process", nullptr, nullptr), output_(output) {}
  const ITimeSpaceValueSet* Values() const override { return nullptr; }
  void SetValues(const IBaseValueSet*) override {}
  const openmi::ITimeSet* TimeSet() const override { return is_asking_ ? &asked_ : nullptr; }
  const ISpatialDefinition* SpatialDefinition() const override { return output_.SpatialDefinition(); }
  const IValueDefinition& ValueDefinition() const override { return output_.ValueDefinition(); }
  Stamp EarliestNeeded() const override { return earliest_; }
  void SetEarliestNeeded(Stamp earliest) { earliest_ = earliest; }
  void Ask(Stamp time) {
    asked_.SetSingle(time);
    is_asking_ = true;
  }

 private:
  const ITimeSpaceOutput& output_;
  Stamp earliest_ = kFarPast;
  openmi::TimeSet asked_;
  bool is_asking_ = false;
};

/// An output of a component in this process, shown to another one: its rows in shared memory, and which of them the
/// other side has heard of.
class HostedOutput {
 public:
  HostedOutput(ITimeSpaceOutput& output, RowArena& arena);
  ~HostedOutput();

  ITimeSpaceOutput& Output() { return output_; }
  /// Whether values are rows of numbers at times; others are fetched by Values.
  bool HasRows() const { return has_rows_; }
  void SetEarliestNeeded(Stamp earliest) { consumer_.SetEarliestNeeded(earliest); }
  /// Of an output without rows: the values at a time that it has reached.
  const IBaseValueSet& ValuesAt(Stamp time) {
    consumer_.Ask(time);
    return output_.GetValues(consumer_);
  }
  /// Writes the rows there are, if they are others than at the last call.
  void WriteRows(StateWriter& writer);
  /// Writes where the one value of bytes lies in shared memory, for outputs of such; the one before stays there.
  void WriteBytes(StateWriter& writer);
  /// The component went back to a state that it kept: its rows are written anew, whatever their number.
  /// \param time  where it is now; the far future if it does not tell
  void OnRestored(Stamp time);
  /// Writes the places, if they are others than at the last call, or have another version.
  void WriteSpatialNews(StateWriter& writer);

 private:
  std::size_t OffsetOf(std::span<const double> row, std::uint64_t number);

  ITimeSpaceOutput& output_;
  RowArena& arena_;
  bool has_rows_;
  std::unique_ptr<StandIn> stand_in_;
  RemoteConsumer consumer_;
  std::uint64_t told_trimmed_ = 0;
  std::size_t told_count_ = 0;
  std::shared_ptr<const ISpatialDefinition> told_places_;
  int told_version_ = 0;
  struct Copy {
    double* row;
    std::size_t size;
    std::uint64_t number;
  };
  std::vector<Copy> copies_;  // of rows that do not live in shared memory
  CastByType<const IBytesRows, const ITimeSpaceValueSet> bytes_door_;
  bool has_bytes_ = false;
  std::array<std::span<double>, 2> bytes_;  // in turn
  std::size_t current_ = 0;
};

}  // namespace openmi
