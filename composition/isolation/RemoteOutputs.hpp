#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "composition/isolation/IsolatedValues.hpp"
#include "composition/isolation/RemoteAdaptors.hpp"
#include "composition/isolation/RowArena.hpp"
#include "timespace/items/NumericOutput.hpp"

namespace openmi {

/// The outputs of a component in another process. They show rows and bytes where the worker wrote them, in the memory
/// that both processes share.
class RemoteOutputs {
 public:
  /// Fetches values that are no rows of numbers from the worker.
  /// \param output  its number
  /// \param time    no value: the latest
  using Fetch = std::function<std::unique_ptr<ITimeSpaceValueSet>(std::int64_t output, std::optional<Stamp> time)>;
  /// \param owner   the component, in this process; borrowed
  /// \param window  the shared memory of its worker; borrowed
  /// \param talk    for outputs that are asked
  RemoteOutputs(IBaseLinkableComponent& owner, RowWindow& window, Fetch fetch, WorkerTalk talk)
      : owner_(owner), window_(window), fetch_(std::move(fetch)), talk_(std::move(talk)) {}

  std::span<IBaseOutput* const> Items() const { return items_; }
  /// Whether one of them is asked, and tells no times.
  bool AreAsked() const { return are_asked_; }
  /// Makes the outputs anew.
  void ReadItems(StateReader& reader);
  /// Writes the earliest time that each output may still be asked for.
  void WriteNeeds(StateWriter& request) const;
  /// Shows what the worker published since the last request, and notifies adapted outputs and listeners.
  /// \param now           where the component is
  /// \param is_preparing  whether adapted outputs are initialized first
  void Read(StateReader reader, Stamp now, bool is_preparing);
  /// Shows the values that the component computed from initial values.
  void ReadInitial(StateReader& reader, Stamp now);

 private:
  struct Out {
    std::unique_ptr<NumericOutput> rows;  // one of the three
    std::unique_ptr<IsolatedValuesOutput> values;
    std::unique_ptr<AskedOutput> asked;
  };
  bool ReadRows(StateReader& reader, NumericOutput& output);
  void ReadBytes(StateReader& reader, IsolatedValuesOutput* output);

  IBaseLinkableComponent& owner_;
  RowWindow& window_;
  Fetch fetch_;
  WorkerTalk talk_;
  std::vector<Out> outputs_;
  bool are_asked_ = false;
  std::vector<IBaseOutput*> items_;
  std::vector<NumericOutput*> fresh_;  // buffers of one call
  std::vector<ShownRow> shown_;
};

}  // namespace openmi
