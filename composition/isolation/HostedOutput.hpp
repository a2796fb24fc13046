#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>

#include "composition/isolation/RowArena.hpp"
#include "composition/isolation/RowPeers.hpp"
#include "composition/proxy/OutputProxy.hpp"
#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/times/TimeSet.hpp"
#include "timespace/values/BytesValueSet.hpp"

namespace openmi {

/// Represents all consumers in the other process: states from which time on rows are needed, and asks for values at a
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

/// An output of a component in this process, shown to another process. Its rows are in shared memory; the class keeps
/// track of which of them the other process already knows.
class HostedOutput {
 public:
  HostedOutput(ITimeSpaceOutput& output, RowArena& arena);
  ~HostedOutput();

  ITimeSpaceOutput& Output() { return output_; }
  /// Whether values are rows of numbers at times; other values are fetched by Values.
  bool HasRows() const { return has_rows_; }
  void SetEarliestNeeded(Stamp earliest) { consumer_.SetEarliestNeeded(earliest); }
  /// For an output without rows: the values at a time that it has reached.
  const IBaseValueSet& ValuesAt(Stamp time) {
    consumer_.Ask(time);
    return output_.GetValues(consumer_);
  }
  /// Writes the present rows if they changed since the last call.
  void WriteRows(StateWriter& writer);
  /// Reads which ways new rows take.
  void ReadWays(StateReader& reader);
  /// Sends rows to other workers that do not have them. To be called after WriteRows.
  void SendRows(RowPeers& peers);
  /// For an output of bytes: writes where its one value is in shared memory. The value before stays there.
  void WriteBytes(StateWriter& writer);
  /// For an output of other values than numbers: writes the times of its rows (IRowTimes) after OnRestored, since the
  /// other process saw no step that led to them.
  void WriteRowTimes(StateWriter& writer);
  /// Writes all rows again at the next call, since the component went back to a state that it kept.
  /// \param time  where it is now (UTC); the far future if it does not report that
  void OnRestored(Stamp time);
  /// Writes the spatial definition if it, or its version, changed since the last call.
  void WriteSpatialNews(StateWriter& writer);

 private:
  std::size_t OffsetOf(std::span<const double> row, std::uint64_t number);

  ITimeSpaceOutput& output_;
  RowArena& arena_;
  bool has_rows_;
  std::unique_ptr<OutputProxy> proxy_;
  RemoteConsumer consumer_;
  bool goes_to_run_ = true;
  bool is_restored_ = false;
  std::map<std::size_t, std::uint64_t> takers_;  // by sink: the number of the first row that it does not have
  std::uint64_t reported_trimmed_ = 0;
  std::size_t reported_count_ = 0;
  std::shared_ptr<const ISpatialDefinition> reported_places_;
  int reported_version_ = 0;
  struct Copy {
    double* row;
    std::size_t size;
    std::uint64_t number;
  };
  std::vector<Copy> copies_;  // of rows that are not stored in shared memory
  CastByType<const IBytesRows, const ITimeSpaceValueSet> bytes_rows_;
  bool has_bytes_ = false;
  std::array<std::span<double>, 2> bytes_;  // used in turn
  std::size_t current_ = 0;
};

}  // namespace openmi
