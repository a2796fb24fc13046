#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "composition/link/Composition.hpp"
#include "composition/record/Comparer.hpp"
#include "composition/record/ComponentMeter.hpp"
#include "composition/record/LinkMeter.hpp"
#include "composition/record/Observer.hpp"
#include "composition/record/RunRecord.hpp"

namespace openmi {

class StateReader;
class StateWriter;

/// All parts that record while a composition runs: observers, comparisons, and the meters of links and components.
class RunWatch final : public IExchangeListener {
 public:
  /// Receives each observed row.
  /// \param series  its index in RunRecord::series
  using Sink = std::function<void(std::size_t series, Stamp begin, Stamp end, std::span<const double> row)>;

  /// Describes the observed series in `record`, and listens from then on. To be constructed before Prepare, since
  /// components publish rows there.
  /// \param composition  borrowed
  /// \param record       borrowed
  /// \param sink         receives each observed row
  /// \param keep_figures  whether the record gets the figures of all rows of each series
  RunWatch(Composition& composition, RunRecord& record, Sink sink, bool keep_figures);
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;
  /// Stops listening.
  ~RunWatch() override;

  /// Reads the balances for the first time; to be called after Prepare.
  void Start();
  /// Sets whether observed rows are ignored: those published on the way to a state that is restored.
  void SetDeaf(bool deaf) { is_deaf_ = deaf; }
  bool HasComponentMeters() const { return !component_meters_.empty(); }
  /// Reads the balance of one component; does nothing if it states none.
  void Sample(std::size_t component);
  /// Reads all balances, since members of loops update from within each other, without a call of Sample.
  void SampleAll();
  /// Saves unfinished periods, meters and comparisons; not the recorded series.
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);
  /// Adds an observed row that was written before, for the report.
  void Record(std::size_t series, Stamp begin, Stamp end, std::span<const double> row);
  /// Writes the balances into `record` as they are `now`; to be called between two passes.
  void FillBalances(RunRecord& record, Stamp now);
  /// Writes balances and comparisons into the record, and a warning of observed items without a single number.
  void FillRecord();

  // IExchangeListener: the balances of components that are present are read.
  void OnLeaving(std::size_t component) override;
  void OnExchanged() override;

 private:
  void AddObserver(const ObserveSpec& spec);
  void AddComparer(const CompareSpec& spec);
  void AddMeters();
  void Listen(const ItemSpec& item, ITimeSpaceOutput& output, IRowListener& listener);
  void OnObserved(std::size_t series, Stamp begin, Days duration, std::span<const double> row);

  Composition& composition_;
  RunRecord& record_;
  Sink sink_;
  std::mutex sink_mutex_;
  bool keeps_figures_ = false;
  bool is_deaf_ = false;
  std::vector<std::unique_ptr<Observer>> observers_;
  std::vector<std::unique_ptr<Comparer>> comparers_;
  std::vector<std::unique_ptr<ProviderMeter>> provider_meters_;
  std::vector<std::unique_ptr<LinkMeter>> link_meters_;
  std::vector<std::pair<std::string, std::string>> not_balanced_;
  std::vector<std::pair<std::size_t, ComponentMeter>> component_meters_;
  std::vector<ComponentMeter*> meter_of_;  // shape [components]
  std::vector<std::pair<OutputProxy*, IRowListener*>> listening_;
};

}  // namespace openmi
