#include "composition/record/RunWatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>

#include "composition/record/DescribeSeries.hpp"
#include "timespace/elements/ElementCopies.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {
namespace {

constexpr std::size_t kMostRecordedValues = 4'000'000;  // per series; the results files hold everything

/// Warns of observed items of which rows came and every value is missing: a run that computed nothing looks like one
/// that went well.
void WarnOfMissing(const std::filesystem::path& file, RunRecord& record) {
  constexpr std::size_t kMostNames = 10;
  const ObserveSpec* first = nullptr;
  std::string others;
  std::size_t count = 0;
  for (const RecordedSeries& series : record.series) {
    if (series.has_number || (series.times.empty() && series.is_whole)) continue;
    if (first == nullptr) {
      first = series.spec;
    } else if (++count <= kMostNames) {
      others += fmt::format("{}{} (line {})", others.empty() ? "" : ", ", series.spec->item.Text(), series.spec->line);
    }
  }
  if (first == nullptr) return;
  if (count > kMostNames) others += fmt::format(" and {} more", count - kMostNames);
  AddWarning(record.problems,
             {.file = file.string(), .line = first->line, .component = first->item.component, .item = first->item.item},
             "expected a number among the observed values, found that all are missing" +
                 (others.empty() ? others : "; so are those of " + others),
             "check the inputs of the component and its computation");
}

/// Takes the places of an earlier series where they are the same, so that there is one copy of them.
void SharePlaces(std::span<const RecordedSeries> earlier, ResultSeries& series) {
  for (const RecordedSeries& other : earlier) {
    if (series.places == nullptr || other.series.places == nullptr) continue;
    if (HaveSameGeometry(*other.series.places, *series.places)) series.places = other.series.places;
  }
}

}  // namespace

RunWatch::RunWatch(Composition& composition, RunRecord& record, Sink sink, bool keep_figures)
    : composition_(composition), record_(record), sink_(std::move(sink)), keeps_figures_(keep_figures) {
  for (const ObserveSpec& spec : composition_.File().observes) AddObserver(spec);
  for (const CompareSpec& spec : composition_.File().compares) AddComparer(spec);
  AddMeters();
  composition_.AddListener(*this);
}

RunWatch::~RunWatch() {
  composition_.RemoveListener(*this);
  for (auto& [proxy, listener] : listening_) proxy->RemoveListener(*listener);
  for (Link& link : composition_.Links()) {
    if (link.End() != nullptr) link.End()->SetListener(nullptr);
  }
}

void RunWatch::Listen(const ItemSpec& item, ITimeSpaceOutput& output, IRowListener& listener) {
  OutputProxy& proxy = composition_.Instances()[*composition_.IndexOf(item.component)].ProxyFor(output);
  proxy.AddListener(listener);
  listening_.emplace_back(&proxy, &listener);
}

void RunWatch::AddObserver(const ObserveSpec& spec) {
  Problems ignored;
  ITimeSpaceOutput* output = composition_.FindOutput(spec.item, spec.line, ignored);
  if (output == nullptr) return;                   // reported by the check
  if (!HoldsNumbers(output->ValueDefinition())) {  // reported by the check; its proxy serves operators and the absence
                                                   // of its family
    composition_.Instances()[*composition_.IndexOf(spec.item.component)].ProxyFor(*output);
    return;
  }
  std::vector<std::size_t> elements;
  const auto* set = dynamic_cast<const IElementSet*>(output->SpatialDefinition());
  for (const std::string& id : spec.elements) {
    const int found = set != nullptr ? FindElement(*set, id) : -1;
    if (found >= 0) elements.push_back(static_cast<std::size_t>(found));
  }
  RecordedSeries recorded;
  recorded.spec = &spec;
  recorded.series = DescribeSeries(spec, *output, elements);
  SharePlaces(record_.series, recorded.series);
  if (keeps_figures_) recorded.figures.emplace(recorded.series.Width());
  const std::size_t number = record_.series.size();
  record_.series.push_back(std::move(recorded));
  auto observer = std::make_unique<Observer>(elements, spec.as, spec.every.value_or(Days()),
                                             *composition_.File().run->from, MissingOf(*output),
                                             [this, number](Stamp begin, Days duration, std::span<const double> row) {
                                               OnObserved(number, begin, duration, row);
                                             });
  Listen(spec.item, *output, *observer);
  observers_.push_back(std::move(observer));
}

void RunWatch::AddComparer(const CompareSpec& spec) {
  Problems ignored;
  ITimeSpaceOutput* simulated = composition_.FindOutput(spec.simulated, spec.line, ignored);
  ITimeSpaceOutput* observed = composition_.FindOutput(spec.observed, spec.line, ignored);
  if (simulated == nullptr || observed == nullptr) return;
  auto comparer = std::make_unique<Comparer>(spec, *simulated, *observed);
  Listen(spec.simulated, *simulated, comparer->Simulated());
  Listen(spec.observed, *observed, comparer->Observed());
  comparers_.push_back(std::move(comparer));
}

void RunWatch::AddMeters() {
  const RunSpec& run = *composition_.File().run;
  const Stamp begin = *run.from + run.warm_up;
  std::unordered_map<OutputProxy*, ProviderMeter*> providers;
  for (Link& link : composition_.Links()) {
    auto* proxy = link.Proxy();
    if (proxy == nullptr || link.End() == nullptr || !proxy->IsNumeric()) continue;
    AmountPath path(link, *proxy);
    if (!path.IsConserved()) {
      if (!path.Doubt().empty()) not_balanced_.emplace_back(link.Spec().Text(), path.Doubt());
      continue;
    }
    ProviderMeter*& provider = providers[proxy];
    if (provider == nullptr) provider = provider_meters_.emplace_back(std::make_unique<ProviderMeter>(*proxy)).get();
    auto meter = std::make_unique<LinkMeter>(link, std::move(path), *provider, begin);
    if (!meter->NotBalanced().empty()) {
      not_balanced_.emplace_back(link.Spec().Text(), meter->NotBalanced());
      continue;
    }
    link_meters_.push_back(std::move(meter));
  }
  for (const auto& [proxy, provider] : providers) {
    if (provider->IsEmpty()) continue;
    proxy->AddListener(*provider);
    listening_.emplace_back(proxy, provider);
  }
  for (std::size_t i = 0; i < composition_.Instances().size(); ++i) {
    const Instance& instance = composition_.Instances()[i];
    if (instance.balance == nullptr || instance.balance->BalanceUnit().empty()) continue;
    component_meters_.emplace_back(i, ComponentMeter(*instance.balance, begin));
  }
  meter_of_.assign(composition_.Instances().size(), nullptr);
  for (auto& [number, meter] : component_meters_) meter_of_[number] = &meter;
}

void RunWatch::OnObserved(std::size_t series, Stamp begin, Days duration, std::span<const double> row) {
  if (is_deaf_) return;
  const Stamp end = begin + duration;
  {
    const std::lock_guard lock(sink_mutex_);  // rows of series of other components may arrive meanwhile
    sink_(series, begin, end, row);
  }
  Record(series, begin, end, row);
}

void RunWatch::Record(std::size_t series, Stamp begin, Stamp end, std::span<const double> row) {
  RecordedSeries& recorded = record_.series[series];
  if (!recorded.has_number) {
    recorded.has_number = !std::ranges::all_of(row, [](double value) { return std::isnan(value); });
  }
  if (recorded.figures) recorded.figures->Add(begin.mjd, end.mjd, row);
  if (recorded.values.size() + row.size() > kMostRecordedValues) {
    recorded.is_whole = false;
    return;
  }
  recorded.begins.push_back(begin.mjd);
  recorded.times.push_back(end.mjd);
  recorded.values.insert(recorded.values.end(), row.begin(), row.end());
}

void RunWatch::Start() {
  for (auto& [number, meter] : component_meters_) {
    RunOn(composition_.Instances()[number].thread,
          [&meter = meter, this] { meter.Sample(*composition_.File().run->from); });
  }
}

void RunWatch::Sample(std::size_t component) {
  if (meter_of_[component] == nullptr) return;
  const Instance& instance = composition_.Instances()[component];
  RunOn(instance.thread, [&] { meter_of_[component]->Sample(instance.CurrentTime()); });
}

void RunWatch::SampleAll() {
  for (const auto& [number, meter] : component_meters_) Sample(number);
}

void RunWatch::OnLeaving(std::size_t component) {
  for (const auto& meter : link_meters_) meter->ForgetTypes();
  if (meter_of_[component] == nullptr) return;
  Sample(component);
  meter_of_[component]->Follow(nullptr);
}

void RunWatch::OnExchanged() {
  for (auto& [number, meter] : component_meters_) {
    const Instance& instance = composition_.Instances()[number];
    if (!meter.IsFollowing()) RunOn(instance.thread, [&meter = meter, &instance] { meter.Follow(instance.balance); });
  }
}

void RunWatch::SaveState(StateWriter& writer) const {
  for (const auto& observer : observers_) observer->SaveState(writer);
  for (const auto& comparer : comparers_) comparer->SaveState(writer);
  for (const auto& meter : provider_meters_) {
    meter->Settle();
    meter->SaveState(writer);
  }
  for (const auto& meter : link_meters_) meter->SaveState(writer);
  for (const auto& [number, meter] : component_meters_) meter.SaveState(writer);
}

void RunWatch::LoadState(StateReader& reader) {
  for (const auto& observer : observers_) observer->LoadState(reader);
  for (const auto& comparer : comparers_) comparer->LoadState(reader);
  for (const auto& meter : provider_meters_) meter->LoadState(reader);
  for (const auto& meter : link_meters_) meter->LoadState(reader);
  for (auto& [number, meter] : component_meters_) meter.LoadState(reader);
}

void RunWatch::FillBalances(RunRecord& record, Stamp now) {
  record.not_balanced = not_balanced_;
  for (const auto& meter : provider_meters_) meter->Settle();
  for (const auto& meter : link_meters_) {
    const std::string link = meter->Spec().Text();
    if (meter->NotBalanced().empty()) {
      record.links.emplace_back(link, meter->Figures());
    } else {
      record.not_balanced.emplace_back(link, meter->NotBalanced());
    }
  }
  for (const auto& [number, meter] : component_meters_) {
    const Instance& instance = composition_.Instances()[number];
    RunOn(meter.IsFollowing() ? instance.thread : nullptr, [&record, &meter = meter, &instance, now] {
      record.components.emplace_back(instance.Id(), meter.Figures(now));
    });
  }
}

void RunWatch::FillRecord() {
  FillBalances(record_, record_.reached);
  for (const auto& comparer : comparers_) {
    for (RecordedComparison& one : comparer->Compare()) record_.comparisons.push_back(std::move(one));
  }
  WarnOfMissing(composition_.File().path, record_);
}

}  // namespace openmi
