#include <fmt/format.h>

#include <algorithm>

#include "adaptors/base/RowAdaptor.hpp"
#include "composition/check/LinkChecks.hpp"
#include "composition/link/Composition.hpp"
#include "timespace/Iso8601.hpp"
#include "timespace/TimeSet.hpp"

namespace openmi {
namespace {

/// Whether the rows of the source arrive unchanged, at their own times.
bool BringsRowsOfSource(const Link& link) {
  return std::ranges::all_of(
      link.Adaptors(), [](const auto& adaptor) { return dynamic_cast<const RowAdaptor*>(adaptor.get()) != nullptr; });
}

/// Whether a question that comes back round a loop of links is answered with the last value there.
bool IsInLoop(const Link& link, const std::vector<std::vector<std::size_t>>& loops) {
  return std::ranges::any_of(loops, [&](const std::vector<std::size_t>& loop) {
    return std::ranges::binary_search(loop, link.FromInstance()) && std::ranges::binary_search(loop, link.ToInstance());
  });
}

}  // namespace

void CheckSteps(Composition& composition, Problems& problems) {
  const std::vector<std::vector<std::size_t>> loops = composition.Graph().Loops();
  for (const Link& link : composition.Links()) {
    const auto* source = dynamic_cast<const OutputProxy*>(link.Source());
    if (source == nullptr || link.End() == nullptr || source->IsTimeless() || !BringsRowsOfSource(link)) continue;
    if (!source->IsNumeric()) continue;  // the value before holds
    const ITimeSet* given = source->TimeSet();
    const ITimeSet* asked = link.Target()->TimeSet();
    const ISteps* from = composition.Instances()[link.FromInstance()].steps;
    const ISteps* to = composition.Instances()[link.ToInstance()].steps;
    if (given == nullptr || asked == nullptr || from == nullptr || to == nullptr) continue;
    const Stamp begin = from->CurrentTime();
    const bool both_begin =
        Before(begin, from->NextTime()) && SameTime(begin, to->CurrentTime()) && Before(begin, to->NextTime());
    if (!both_begin || IsInLoop(link, loops)) continue;
    const Days gives = from->NextTime() - begin;
    const Days asks = to->NextTime() - begin;
    const Where where = composition.Place(link.Spec().line, {}, fmt::format("link {}", link.Spec().Text()));
    if (given->HasDurations() && asked->HasDurations() && !SameTime(from->NextTime(), to->NextTime())) {
      AddWarning(
          problems, where,
          fmt::format("expected spans of one length on both sides, found {} steps over {} and {} asks for {}: "
                      "the run stops at a span that is not there",
                      link.Spec().from.component, FormatIsoDuration(gives.count), link.Spec().to.component,
                      FormatIsoDuration(asks.count)),
          "put 'mean-over-span' on the link, for amounts 'sum-over-span' (coarser) or 'disaggregate' (finer), or "
          "give both components one time-step");
    } else if (!given->HasDurations() && !asked->HasDurations() && Before(to->NextTime(), from->NextTime())) {
      AddWarning(problems, where,
                 fmt::format("expected values at the times asked for, found {} steps by {} and {} asks every {}: the "
                             "run stops at a time that is not there",
                             link.Spec().from.component, FormatIsoDuration(gives.count), link.Spec().to.component,
                             FormatIsoDuration(asks.count)),
                 "put 'linear' or 'previous' on the link, or give both components one time-step");
    }
  }
}

}  // namespace openmi
