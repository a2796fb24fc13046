#include "composition/run/CompositionRun.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "composition/run/RunFiles.hpp"
#include "composition/run/RunReport.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "timespace/Iso8601.hpp"
#include "timespace/ReferenceSystems.hpp"

namespace openmi {
namespace {

constexpr std::size_t kMostRecordedValues = 4'000'000;  // per series; the results files hold everything

double MissingOf(const IBaseExchangeItem& item) {
  return item.ValueDefinition().MissingDataValue().Number().value_or(kNotANumber);
}

std::string ElementId(const IElementSet& elements, int index) {
  const IIdentifiable* id = elements.GetElementId(index);
  return id != nullptr && !id->Id().empty() ? id->Id() : fmt::format("{}", index);
}

ResultKind KindOf(ObserveAs as) {
  switch (as) {
    case ObserveAs::Mean:
      return ResultKind::Mean;
    case ObserveAs::Sum:
      return ResultKind::Sum;
    case ObserveAs::Minimum:
      return ResultKind::Minimum;
    case ObserveAs::Maximum:
      return ResultKind::Maximum;
    case ObserveAs::Instant:
      break;
  }
  return ResultKind::Instant;
}

}  // namespace

double RunProgress::Fraction() const {
  return to_mjd > from_mjd ? std::clamp((now_mjd - from_mjd) / (to_mjd - from_mjd), 0.0, 1.0) : 1.0;
}
double RunProgress::RealTimeFactor() const {
  return wall_seconds > 0.0 ? (now_mjd - from_mjd) * kSecondsPerDay / wall_seconds : 0.0;
}
double RunProgress::SecondsLeft() const {
  const double done = Fraction();
  return done > 0.0 ? wall_seconds * (1.0 - done) / done : std::numeric_limits<double>::infinity();
}

ResultSeries DescribeSeries(const ObserveSpec& spec, const ITimeSpaceOutput& output,
                            const std::vector<std::size_t>& elements) {
  ResultSeries series;
  series.id = spec.id.empty() ? spec.item.Text() : spec.id;
  series.caption = output.Caption();
  series.quantity = output.ValueDefinition().Caption();
  if (const auto* quantity = dynamic_cast<const IQuantity*>(&output.ValueDefinition())) {
    series.unit = quantity->Unit().Caption();
  }
  const bool spans = output.TimeSet() != nullptr && output.TimeSet()->HasDurations();
  series.kind = spec.every_days || spec.as != ObserveAs::Instant ? KindOf(spec.as)
                                                                 : (spans ? ResultKind::Mean : ResultKind::Instant);
  series.span_days = spec.every_days && spec.as != ObserveAs::Instant ? *spec.every_days : 0.0;
  if (series.id != spec.item.Text()) series.attributes.emplace_back("item", spec.item.Text());
  const auto* set = dynamic_cast<const IElementSet*>(output.SpatialDefinition());
  if (set == nullptr) return series;
  std::vector<std::size_t> chosen = elements;
  if (chosen.empty()) {
    for (int i = 0; i < set->ElementCount(); ++i) chosen.push_back(static_cast<std::size_t>(i));
  }
  const bool placed = set->ElementType() != ElementType::IdBased;
  series.is_longitude_latitude = placed && IsGeographic(set->SpatialReferenceSystemWkt());
  for (std::size_t element : chosen) {
    const int index = static_cast<int>(element);
    series.elements.push_back(ElementId(*set, index));
    if (!placed) continue;
    const int count = set->GetVertexCount(index);
    double x = 0.0;
    double y = 0.0;
    for (int vertex = 0; vertex < count; ++vertex) {
      x += set->GetVertexXCoordinate(index, vertex) / count;
      y += set->GetVertexYCoordinate(index, vertex) / count;
    }
    series.x.push_back(x);
    series.y.push_back(y);
  }
  return series;
}

/// Collects the rows of one side of a comparison.
class CompositionRun::Comparer {
 public:
  class Side final : public IRowListener {
   public:
    void OnRow(Stamp begin, Days duration, std::span<const double> row) override {
      is_span = duration.count > 0.0;
      times.push_back((begin + duration).mjd);
      values.insert(values.end(), row.begin(), row.end());
      width = row.size();
    }
    std::vector<double> times;
    std::vector<double> values;
    std::size_t width = 0;
    bool is_span = false;
    double missing = kNotANumber;
  };
  Side simulated;
  Side observed;
  const CompareSpec* spec = nullptr;
  LinearConversion to_simulated;
  std::string unit;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // elements: simulated, observed
  std::vector<std::string> elements;

  std::vector<RecordedComparison> Compare() const {
    std::vector<RecordedComparison> all;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      RecordedComparison one;
      one.spec = spec;
      one.element = elements[k];
      one.unit = unit;
      one.is_span = simulated.is_span;
      std::size_t j = 0;
      for (std::size_t i = 0; i < simulated.times.size(); ++i) {
        while (j < observed.times.size() && Before(Stamp{observed.times[j]}, Stamp{simulated.times[i]})) {
          ++one.unmatched;
          ++j;
        }
        const double s = simulated.values[i * simulated.width + pairs[k].first];
        one.times.push_back(simulated.times[i]);
        one.simulated.push_back(IsMissing(s, simulated.missing) ? kNotANumber : s);
        double o = kNotANumber;
        if (j < observed.times.size() && SameTime(Stamp{observed.times[j]}, Stamp{simulated.times[i]})) {
          o = observed.values[j * observed.width + pairs[k].second];
          o = IsMissing(o, observed.missing) ? kNotANumber : to_simulated(o);
          ++j;
        }
        one.observed.push_back(o);
      }
      one.unmatched += observed.times.size() - j;
      all.push_back(std::move(one));
    }
    return all;
  }
};

CompositionRun::CompositionRun(Composition& composition, Problems problems, RunOptions options)
    : composition_(composition), options_(std::move(options)) {
  record_.problems = std::move(problems);
  if (!composition.File().run) {
    throw FormatError({.file = composition.File().path.string()}, "expected a Run element, found none",
                      "add <Run From=\"...\" To=\"...\"/>");
  }
  run_ = *composition.File().run;
  record_.mode = options_.mode.value_or(run_.mode);
  record_.reached_mjd = run_.from_mjd;
}

CompositionRun::~CompositionRun() {
  for (auto& [stand_in, listener] : listening_) stand_in->RemoveListener(*listener);
  for (Link& link : composition_.Links()) {
    if (link.End() != nullptr) link.End()->SetListener(nullptr);
  }
}

void CompositionRun::AddObservers() {
  for (const ObserveSpec& spec : composition_.File().observes) {
    Problems ignored;
    ITimeSpaceOutput* output = composition_.FindOutput(spec.item, spec.line, ignored);
    if (output == nullptr) continue;  // the check said so
    std::vector<std::size_t> elements;
    const auto* set = dynamic_cast<const IElementSet*>(output->SpatialDefinition());
    for (const std::string& id : spec.elements) {
      for (int i = 0; set != nullptr && i < set->ElementCount(); ++i) {
        if (ElementId(*set, i) == id) elements.push_back(static_cast<std::size_t>(i));
      }
    }
    RecordedSeries recorded;
    recorded.spec = &spec;
    recorded.series = DescribeSeries(spec, *output, elements);
    const std::size_t number = record_.series.size();
    record_.series.push_back(std::move(recorded));
    auto observer = std::make_unique<Observer>(elements, spec.as, Days{spec.every_days.value_or(0.0)},
                                               Stamp{run_.from_mjd}, MissingOf(*output),
                                               [this, number](Stamp begin, Days duration, std::span<const double> row) {
                                                 WriteRow(number, begin, duration, row);
                                               });
    StandIn& stand_in = composition_.Instances()[*composition_.IndexOf(spec.item.component)].StandInFor(*output);
    stand_in.AddListener(*observer);
    listening_.emplace_back(&stand_in, observer.get());
    observers_.push_back(std::move(observer));
  }
  for (const CompareSpec& spec : composition_.File().compares) {
    Problems ignored;
    ITimeSpaceOutput* simulated = composition_.FindOutput(spec.simulated, spec.line, ignored);
    ITimeSpaceOutput* observed = composition_.FindOutput(spec.observed, spec.line, ignored);
    if (simulated == nullptr || observed == nullptr) continue;
    auto comparer = std::make_unique<Comparer>();
    comparer->spec = &spec;
    comparer->simulated.missing = MissingOf(*simulated);
    comparer->observed.missing = MissingOf(*observed);
    const auto& to = dynamic_cast<const IQuantity&>(simulated->ValueDefinition());
    const auto& from = dynamic_cast<const IQuantity&>(observed->ValueDefinition());
    comparer->to_simulated = ConversionBetween(from.Unit(), to.Unit());
    comparer->unit = to.Unit().Caption();
    const auto* set_s = dynamic_cast<const IElementSet*>(simulated->SpatialDefinition());
    const auto* set_o = dynamic_cast<const IElementSet*>(observed->SpatialDefinition());
    const int count_s = set_s != nullptr ? set_s->ElementCount() : 1;
    const int count_o = set_o != nullptr ? set_o->ElementCount() : 1;
    for (int i = 0; i < count_o; ++i) {
      int match = -1;
      if (set_s != nullptr && set_o != nullptr && set_o->GetElementId(i) != nullptr) {
        match = set_s->GetElementIndex(*set_o->GetElementId(i));
      }
      if (match < 0 && count_s == 1 && count_o == 1) match = 0;
      if (match < 0) continue;
      comparer->pairs.emplace_back(static_cast<std::size_t>(match), static_cast<std::size_t>(i));
      comparer->elements.push_back(set_o != nullptr ? ElementId(*set_o, i) : std::string());
    }
    for (auto [item, output, side] : {std::tuple{&spec.simulated, simulated, &comparer->simulated},
                                      std::tuple{&spec.observed, observed, &comparer->observed}}) {
      StandIn& stand_in = composition_.Instances()[*composition_.IndexOf(item->component)].StandInFor(*output);
      stand_in.AddListener(*side);
      listening_.emplace_back(&stand_in, side);
    }
    comparers_.push_back(std::move(comparer));
  }
}

void CompositionRun::AddMeters() {
  for (Link& link : composition_.Links()) {
    if (link.Source() == nullptr || link.End() == nullptr) continue;
    auto* stand_in = dynamic_cast<StandIn*>(link.Source());
    if (stand_in == nullptr) continue;
    if (auto meter = LinkMeter::For(link, *stand_in)) {
      listening_.emplace_back(stand_in, meter.get());
      link_meters_.push_back(std::move(meter));
    }
  }
  const Stamp begin{run_.from_mjd + run_.warm_up_days};
  for (std::size_t i = 0; i < composition_.Instances().size(); ++i) {
    const Instance& instance = composition_.Instances()[i];
    if (instance.balance != nullptr) component_meters_.emplace_back(i, ComponentMeter(*instance.balance, begin));
  }
}

void CompositionRun::WriteRow(std::size_t series, Stamp begin, Days duration, std::span<const double> row) {
  RecordedSeries& recorded = record_.series[series];
  const Stamp end = begin + duration;
  if (files_ && !files_failed_) {
    try {
      files_->Append(series, begin.mjd, end.mjd, row);
    } catch (...) {
      files_failed_ = std::current_exception();  // not the fault of the component that publishes: it goes on
    }
  }
  if (recorded.values.size() + row.size() > kMostRecordedValues) {
    recorded.is_whole = false;
    return;
  }
  recorded.times.push_back(end.mjd);
  recorded.values.insert(recorded.values.end(), row.begin(), row.end());
}

void CompositionRun::Commit(Stamp until) {
  if (files_failed_) std::rethrow_exception(files_failed_);
  try {
    if (files_) files_->Commit(until.mjd);
  } catch (...) {
    files_failed_ = std::current_exception();
    throw;
  }
}

std::string CompositionRun::FailedComponent() const {
  // A failure travels downstream with the pull: the first to have failed stands furthest up.
  for (std::size_t number : composition_.Graph().UpstreamFirst()) {
    const Instance& instance = composition_.Instances()[number];
    if (instance.IsThere() && instance.Component().Status() == LinkableComponentStatus::Failed) return instance.Id();
  }
  return loop_ && loop_->Failed() < composition_.Instances().size() ? composition_.Instances()[loop_->Failed()].Id()
                                                                    : std::string();
}

void CompositionRun::Loop() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  Clock::time_point told = begin;
  const auto tell = [&](Clock::time_point now) {
    if (!options_.progress) return;
    const std::chrono::duration<double> passed = now - begin;
    options_.progress({run_.from_mjd, run_.to_mjd, std::min(record_.reached_mjd, run_.to_mjd), passed.count()});
  };
  std::vector<ComponentMeter*> meter_of(composition_.Instances().size(), nullptr);
  for (auto& [number, meter] : component_meters_) {
    meter_of[number] = &meter;
    meter.Sample(Stamp{run_.from_mjd});
  }
  loop_ = std::make_unique<RunLoop>(composition_, record_.mode);
  if (!component_meters_.empty()) {
    // Members of loops update from within each other, so all are sampled after each update made here.
    loop_->SetAfterUpdate([&](std::size_t number) {
      if (meter_of[number] != nullptr) meter_of[number]->Sample(composition_.Instances()[number].CurrentTime());
    });
  }
  Commit(Stamp{run_.from_mjd});
  while (loop_->Advance()) {
    ++record_.passes;
    // What was pulled from within another component's update was not seen above.
    for (auto& [number, meter] : component_meters_) meter.Sample(composition_.Instances()[number].CurrentTime());
    const Stamp now = loop_->CurrentTime();
    record_.reached_mjd = std::min(now.mjd, run_.to_mjd);
    Commit(now);
    const Clock::time_point wall = Clock::now();
    if (wall - told > std::chrono::duration<double>(options_.progress_seconds)) {
      told = wall;
      tell(wall);
    }
  }
  for (auto& [number, meter] : component_meters_) meter.Sample(composition_.Instances()[number].CurrentTime());
  record_.is_complete = !Before(loop_->CurrentTime(), Stamp{run_.to_mjd});
  if (record_.is_complete) record_.reached_mjd = run_.to_mjd;
  record_.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  tell(Clock::now());
}

void CompositionRun::FillRecord() {
  const Stamp from{run_.from_mjd + run_.warm_up_days};
  for (const auto& meter : link_meters_) {
    record_.links.emplace_back(meter->Spec().Text(), meter->Between(from, meter->ArrivedUntil()));
  }
  for (const auto& [number, meter] : component_meters_) {
    record_.components.emplace_back(composition_.Instances()[number].Id(), meter.Figures());
  }
  for (const auto& comparer : comparers_) {
    for (RecordedComparison& one : comparer->Compare()) record_.comparisons.push_back(std::move(one));
  }
  if (!loop_) return;
  for (std::size_t i = 0; i < composition_.Instances().size(); ++i) {
    const Instance& instance = composition_.Instances()[i];
    record_.timings.push_back(
        {instance.Id(), loop_->Times().Seconds(i), instance.steps != nullptr ? instance.steps->StepCount() : 0});
  }
}

RunRecord CompositionRun::Run() {
  AddObservers();
  if (options_.write_results || options_.write_report) {
    files_ = std::make_unique<RunFiles>(composition_.File(), options_, record_.series);
  }
  AddMeters();
  try {
    composition_.Prepare();
    Loop();
    if (!record_.is_complete) {
      AddError(record_.problems, {.file = composition_.File().path.string(), .line = run_.line},
               fmt::format("expected the run to reach {}, found it stopped at {}", FormatIsoTime(run_.to_mjd),
                           FormatIsoTime(record_.reached_mjd)),
               "a component ended early; look at its end-time and its data");
    }
  } catch (const Error& error) {
    if (files_failed_) {
      composition_.Finish(record_.problems);
      throw;
    }
    Where where = error.Place();
    if (where.component.empty()) where.component = FailedComponent();
    AddError(record_.problems, where, error.Problem(), error.Remedy());
  } catch (const std::exception& error) {
    const Where where{.component = FailedComponent()};
    AddError(record_.problems, where, fmt::format("expected the model to compute, found '{}'", error.what()),
             "see the component's own manual; results until then are kept");
  }
  FillRecord();
  if (files_) record_.files = files_->Close();
  if (options_.write_report) {
    WriteRunReport(composition_, record_, options_, files_->ReportPath());
    record_.files.push_back(files_->ReportPath().string());
  }
  composition_.Finish(record_.problems);
  return std::move(record_);
}

}  // namespace openmi
