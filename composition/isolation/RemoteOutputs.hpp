#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "composition/isolation/IsolatedValues.hpp"
#include "composition/isolation/RemoteAdaptors.hpp"
#include "composition/isolation/RowPath.hpp"
#include "timespace/items/NumericOutput.hpp"

namespace openmi {

/// The outputs of a component in another process. They show rows and bytes where the worker wrote them, in the memory
/// that both processes share.
///
/// If they share none, rows that no one reads in this process stay with the worker. If a component in another worker
/// takes them, they are sent there.
class RemoteOutputs final : public IRowFetcher {
 public:
  /// Fetches values that are no rows of numbers from the worker.
  /// \param output  its number
  /// \param time    no value: the latest
  using FetchValues =
      std::function<std::unique_ptr<ITimeSpaceValueSet>(std::int64_t output, std::optional<Stamp> time)>;
  /// \param owner   the component, in this process; borrowed
  /// \param process  its worker; borrowed
  /// \param talk     for outputs that are asked
  RemoteOutputs(IBaseLinkableComponent& owner, IsolatedProcess& process, FetchValues fetch, WorkerTalk talk);
  ~RemoteOutputs() override;
  RemoteOutputs(const RemoteOutputs&) = delete;
  RemoteOutputs& operator=(const RemoteOutputs&) = delete;

  std::span<IBaseOutput* const> Items() const { return items_; }
  /// Whether one of them is asked, and tells no times.
  bool AreAsked() const { return are_asked_; }
  /// Makes the outputs anew.
  void ReadItems(StateReader& reader);
  /// Adds an input in a worker that takes the rows of an output.
  /// \param route  its other members are set here
  /// \returns false if the output is another one, or has no rows
  bool AddRoute(const IBaseOutput& output, const std::shared_ptr<RowRoute>& route);
  /// Makes the ways to the workers that take rows.
  void MakePaths();
  /// Decides where new rows go. To be called before a request with which the component may compute.
  void ChooseWays();
  /// Writes the earliest time that each output may still be asked for, and where its rows go.
  void WriteNeeds(StateWriter& request);
  /// Fetches rows that stayed with the worker. Those of an output that are fetched often come here from then on.
  void Fetch(const RowHistory& rows) override;
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
    std::vector<std::weak_ptr<RowRoute>> routes;
    int fetches = 0;                  // how often it was read here by someone who did not say so before
    bool goes_to_run = true;          // whether new rows come here
    std::vector<std::int64_t> sinks;  // where they are sent
    bool has_news = false;            // about these
  };
  void ChooseWay(Out& output);
  void CloseRoutes();
  bool ReadRows(StateReader& reader, NumericOutput& output);
  void ReadBytes(StateReader& reader, IsolatedValuesOutput* output);
  void ReadRowTimes(StateReader& reader, IsolatedValuesOutput* output);

  IBaseLinkableComponent& owner_;
  IsolatedProcess& process_;
  FetchValues fetch_;
  WorkerTalk talk_;
  std::vector<Out> outputs_;
  bool are_asked_ = false;
  std::vector<IBaseOutput*> items_;
  std::vector<std::shared_ptr<RowRoute>> routes_;  // buffers of one call
  std::vector<std::int64_t> sinks_;
  std::vector<NumericOutput*> fresh_;
  std::vector<ShownRow> shown_;
};

}  // namespace openmi
