#include "composition/report/LinkSample.hpp"

#include "composition/proxy/InputProxy.hpp"
#include "composition/proxy/OutputProxy.hpp"
#include "composition/record/DescribeSeries.hpp"
#include "composition/report/SvgMap.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/run/RunLoop.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {
namespace {

LinkSample::End Describe(const ItemSpec& spec, const ITimeSpaceExchangeItem& item) {
  LinkSample::End end;
  end.item = spec.Text();
  end.unit = UnitText(item);
  const auto* elements = dynamic_cast<const IElementSet*>(item.SpatialDefinition());
  for (int i = 0; elements != nullptr && i < elements->ElementCount(); ++i) {
    const IIdentifiable* id = elements->GetElementId(i);
    end.elements.push_back(id != nullptr ? id->Id() : "#" + std::to_string(i));
    if (elements->ElementType() != ElementType::IdBased) end.places.push_back(DescribeElement(*elements, i));
  }
  end.is_geographic = elements != nullptr && IsGeographic(elements->SpatialReferenceSystemWkt());
  return end;
}

/// Listens at both ends, and stores what it receives.
class Listener final : public IRowListener, public IArrivalListener {
 public:
  explicit Listener(LinkSample& sample, double source_missing, double target_missing)
      : sample_(sample), source_missing_(source_missing), target_missing_(target_missing) {}

  void OnRow(Stamp begin, Days duration, std::span<const double> row) override {
    sample_.source.rows.push_back({begin, duration, {row.begin(), row.end()}});
    MarkMissing(sample_.source.rows.back().values, source_missing_);
  }

  void OnArrival(const ITimeSpaceValueSet& values, const ITimeSet& times) override {
    for (std::size_t i = 0; i < times.Times().size() && i < values.GetIndexCount({}); ++i) {
      const ITime& time = *times.Times()[i];
      const Stamp begin = Stamp{time.StampAsModifiedJulianDay()} - Hours(times.OffsetFromUtcInHours());
      const Days duration{time.DurationInDays()};
      auto& rows = sample_.target.rows;
      // In a loop of links a question may come again: the last answer counts.
      while (!rows.empty() && !Before(rows.back().begin + rows.back().duration, begin + duration)) rows.pop_back();
      std::vector<double> row;
      for (const Value& value : values.GetElementValuesForTime(static_cast<int>(i))) {
        row.push_back(value.Number().value_or(kNotANumber));
      }
      MarkMissing(row, target_missing_);
      rows.push_back({begin, duration, std::move(row)});
    }
  }

 private:
  static void MarkMissing(std::vector<double>& row, double missing) {
    for (double& value : row) value = IsMissing(value, missing) ? kNotANumber : value;
  }
  LinkSample& sample_;
  double source_missing_;
  double target_missing_;
};

/// Removes the listener and finishes the components in any case.
class Visit {
 public:
  Visit(Composition& composition, Link& link, OutputProxy& source, Listener& listener)
      : composition_(composition), link_(link), source_(source), listener_(listener) {
    source_.AddListener(listener_);
    link_.End()->SetListener(&listener_);
  }
  ~Visit() {
    source_.RemoveListener(listener_);
    link_.End()->SetListener(nullptr);
    Problems ignored;
    composition_.Finish(ignored);
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  Composition& composition_;
  Link& link_;
  OutputProxy& source_;
  Listener& listener_;
};

}  // namespace

LinkSample SampleLink(Composition& composition, Link& link, std::size_t answers) {
  auto* source = link.Proxy();
  if (source == nullptr || link.End() == nullptr || !source->IsNumeric()) {
    throw LinkError({.item = link.Spec().Text()}, "expected a link of numbers with times, found another kind",
                    "choose a link whose two items have times");
  }
  LinkSample sample;
  sample.source = Describe(link.Spec().from, *source);
  sample.target = Describe(link.Spec().to, *link.Target());
  for (const auto& adaptor : link.Adaptors()) {
    sample.adaptors.push_back(adaptor->Id());
    sample.maps_places = sample.maps_places || TraitsOf(*adaptor).maps_places;
  }
  Listener listener(sample, MissingOf(*source), MissingOf(*link.End()));
  const Visit visit(composition, link, *source, listener);
  PrepareComponents(composition);
  RunLoop loop(composition, composition.File().run ? composition.File().run->mode : RunMode::Pull);
  while (sample.target.rows.size() < answers && loop.Advance()) {
  }
  return sample;
}

}  // namespace openmi
