#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "composition/check/CheckComposition.hpp"
#include "composition/link/Composition.hpp"
#include "openmi/sdk/IStateAbility.hpp"
#include "timespace/items/AdaptedOutput.hpp"
#include "timespace/optional/IInitialValues.hpp"
#include "timespace/optional/ISteps.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {
namespace {

std::string MethodName(LoopMethod method) {
  constexpr std::array kNames{"the fixed point", "constant relaxation", "Aitken's relaxation", "Anderson acceleration",
                              "the interface quasi-Newton method"};
  return kNames.at(static_cast<std::size_t>(method));
}

/// Whether a file is a system structure, which has no word for Iterate and Trigger.
bool IsOfSystemStructure(const std::filesystem::path& file) {
  return file.extension() == ".ssd" || file.filename() == "OspSystemStructure.xml";
}

bool GivesInstants(const Link& link) {
  const ITimeSet* times = link.Source() != nullptr ? link.Source()->TimeSet() : nullptr;
  return times == nullptr || !times->HasDurations();
}

/// Whether there is a number to answer with when a question comes back along the link before the first step.
bool HasFirstValue(const Link& link, const IBaseLinkableComponent& provider) {
  const bool fills =
      std::ranges::any_of(link.Adaptors(), [](const auto& adaptor) { return TraitsOf(*adaptor).fills_missing; });
  if (fills || !GivesInstants(link)) return fills && GivesInstants(link);
  const auto* known = dynamic_cast<const IFirstValues*>(&provider);
  const auto outputs = provider.Outputs();
  const auto output =
      std::ranges::find(outputs, link.Spec().from.item, [](const IBaseOutput* one) { return one->Id(); });
  return known == nullptr || output == outputs.end() || known->HasFirstValue(**output);
}

void CheckIterate(Composition& composition, const IterateSpec& iterate, Problems& problems) {
  std::vector<std::size_t> members;
  for (const std::string& id : iterate.components) {
    if (const auto index = composition.IndexOf(id))
      members.push_back(*index);  // else the file's reader has reported it
  }
  if (members.empty() || members.size() != iterate.components.size()) return;
  // A link that could not be made, for what was reported of it or of a component, may be the one that closes the loop.
  const auto is_inside = [&](const LinkSpec& spec) {
    const auto is_named = [&](const ItemSpec& item) {
      return std::ranges::find(iterate.components, item.component) != iterate.components.end();
    };
    return is_named(spec.from) && is_named(spec.to);
  };
  const auto made = std::ranges::count_if(composition.Links(),
                                          [&](const Link& link) { return link.IsMade() && is_inside(link.Spec()); });
  if (made < std::ranges::count_if(composition.File().links, is_inside)) return;
  std::ranges::sort(members);
  const std::vector<std::vector<std::size_t>> loops = composition.Graph().Loops();
  const auto loop = std::ranges::find_if(loops, [&](const auto& one) {
    return std::ranges::any_of(members, [&](std::size_t member) { return std::ranges::binary_search(one, member); });
  });
  if (loop == loops.end()) {
    AddError(problems, composition.Place(iterate.line),
             fmt::format("expected the members of a loop of links in 'Components' of Iterate, found '{}' in no loop",
                         fmt::join(iterate.components, " ")),
             "remove Iterate, or add the link that closes the loop");
    return;
  }
  const std::string cycle = composition.LoopText(*loop);
  if (*loop != members) {
    std::vector<std::string> ids;
    for (const std::size_t member : *loop) ids.push_back(composition.Instances()[member].Id());
    AddError(problems, composition.Place(iterate.line),
             fmt::format("expected all components of the loop {} in 'Components' of Iterate, and no others; found '{}'",
                         cycle, fmt::join(iterate.components, " ")),
             fmt::format("write Components=\"{}\", in the order in which they should compute", fmt::join(ids, " ")));
    return;
  }
  for (const std::size_t member : members) {
    const Instance& instance = composition.Instances()[member];
    if (!instance.IsThere()) continue;
    const Where where = composition.Place(iterate.line, instance.Id());
    if (ManagedStates(instance.Component()) == nullptr) {
      AddError(
          problems, where,
          fmt::format("expected every component of the loop {} to keep states (IManageState), so that a step can be "
                      "repeated; found that '{}' does not{}",
                      cycle, instance.Id(), ReasonForNoStates(instance.Component())),
          "let it keep states, or remove Iterate: the loop then runs with the last values");
    }
    const auto* limit = dynamic_cast<const IStepLimit*>(&instance.Component());
    if (iterate.on_failure == LoopFailure::Shorten && (limit == nullptr || !limit->CanShortenSteps())) {
      AddError(
          problems, where,
          fmt::format("expected every component of the loop {} to allow a shorter step (IStepLimit), found that '{}' "
                      "does not",
                      cycle, instance.Id()),
          "write OnFailure=\"fail\" or \"warn\"");
    }
  }
  const auto is_in = [&](std::size_t member) { return std::ranges::binary_search(members, member); };
  for (const Link& link : composition.Links()) {
    if (!link.IsMade() || !is_in(link.FromInstance()) || !is_in(link.ToInstance())) continue;
    const auto* output = link.Proxy();
    if (link.End() != nullptr && output != nullptr && output->IsNumeric() && output->TimeSet() != nullptr) continue;
    AddError(problems, composition.Place(link.Spec().line, {}, fmt::format("link {}", link.Spec().Text())),
             fmt::format("expected numbers with times on the links of the iterated loop {}, found others", cycle),
             "only numbers can be compared from iteration to iteration; remove Iterate");
  }
  for (const ToleranceSpec& tolerance : iterate.tolerances) {
    const bool is_there = std::ranges::any_of(composition.Links(), [&](const Link& link) {
      return link.Spec().to.Text() == tolerance.item.Text() && is_in(link.FromInstance()) && is_in(link.ToInstance());
    });
    if (is_there || tolerance.item.item.empty()) continue;
    std::string inputs;
    for (const Link& link : composition.Links()) {
      if (is_in(link.FromInstance()) && is_in(link.ToInstance()))
        inputs += (inputs.empty() ? "" : ", ") + link.Spec().to.Text();
    }
    AddError(problems, composition.Place(tolerance.line, tolerance.item.component, tolerance.item.item),
             fmt::format("expected an input that a link of the loop {} ends at, found none", cycle),
             fmt::format("there are: {}", inputs));
  }
}

/// Whether the rows of the source arrive unchanged, at their own times.
bool BringsRowsOfSource(const Link& link) {
  return std::ranges::all_of(link.Adaptors(), [](const auto& adaptor) { return TraitsOf(*adaptor).keeps_rows; });
}

/// Whether a question that comes back round a loop of links is answered with the last value there.
bool IsInLoop(const Link& link, const std::vector<std::vector<std::size_t>>& loops) {
  return std::ranges::any_of(loops, [&](const std::vector<std::size_t>& loop) {
    return std::ranges::binary_search(loop, link.FromInstance()) && std::ranges::binary_search(loop, link.ToInstance());
  });
}

}  // namespace

void CheckLoops(Composition& composition, Problems& problems) {
  for (const IterateSpec& iterate : composition.File().iterates) CheckIterate(composition, iterate, problems);
  const std::vector<std::vector<std::size_t>> loops = composition.Graph().Loops();
  for (const auto& loop : loops) {
    const auto is_in = [&loop](std::size_t member) { return std::ranges::binary_search(loop, member); };
    const auto has_first_value = [&](const Link& link) {
      return is_in(link.FromInstance()) && is_in(link.ToInstance()) &&
             HasFirstValue(link, composition.Instances()[link.FromInstance()].Component());
    };
    const auto iterate = std::ranges::find_if(composition.File().iterates, [&](const IterateSpec& spec) {
      return std::ranges::any_of(spec.components, [&](const std::string& id) {
        const auto index = composition.IndexOf(id);
        return index && is_in(*index);
      });
    });
    if (iterate != composition.File().iterates.end()) {
      AddNote(problems, composition.Place(iterate->line),
              fmt::format(
                  "loop of links: {}; iterated to convergence in each step, {} by {}, at most {} times",
                  composition.LoopText(loop),
                  iterate->order == LoopOrder::Jacobi ? "all at once (Jacobi)" : "one after the other (Gauss-Seidel)",
                  MethodName(iterate->method), iterate->max_iterations));
      if (!std::ranges::any_of(composition.Links(), has_first_value)) {
        AddNote(problems, composition.Place(iterate->line),
                fmt::format("no output of the loop {} has a value before the first step: its iterations begin with 0",
                            composition.LoopText(loop)));
      }
      continue;
    }
    std::string lines;
    for (const Link& link : composition.Links()) {
      if (link.Spec().loop == LoopAnswer::Extrapolate && is_in(link.FromInstance()) && is_in(link.ToInstance())) {
        lines += (lines.empty() ? "" : ", ") + link.Spec().Text();
      }
    }
    std::vector<std::string> ids;
    for (const std::size_t member : loop) ids.push_back(composition.Instances()[member].Id());
    const std::string iterate_all = fmt::format("<Iterate Components=\"{}\"/>", fmt::join(ids, " "));
    const bool is_of_others = IsOfSystemStructure(composition.File().path);
    AddNote(
        problems, composition.Place(0),
        fmt::format("loop of links: {}; when a request comes back to the component that began it, the answer is "
                    "the last available value: that of the previous step{}",
                    composition.LoopText(loop),
                    lines.empty() ? "" : fmt::format("; on {} it is a straight line through the last two", lines)),
        is_of_others
            ? fmt::format("to compute all of them for the same time, make a composition of it (openmi new composition) "
                          "and write {} there; to break the loop, remove one of its connections",
                          iterate_all)
            : fmt::format("to compute all of them for the same time, write {}; to choose which of them is asked first, "
                          "name it as Trigger of Run; to break the loop, remove one of its links",
                          iterate_all));
    const bool is_all_spans = std::ranges::none_of(composition.Links(), [&](const Link& link) {
      return is_in(link.FromInstance()) && is_in(link.ToInstance()) && GivesInstants(link);
    });
    if (is_all_spans) {
      AddWarning(problems, composition.Place(0),
                 fmt::format("expected a link of the loop {} to carry instants, found spans on all: before the first "
                             "step there is no value to answer with, unless a component publishes one in Start",
                             composition.LoopText(loop)),
                 "let one output of the loop give instants");
    } else if (!std::ranges::any_of(composition.Links(), has_first_value)) {
      AddWarning(problems, composition.Place(0),
                 fmt::format("expected a link of the loop {} to carry a value before the first step, found that it is "
                             "missing on all: missing values then stay missing all the way round",
                             composition.LoopText(loop)),
                 "put 'fill-missing' on the link that leads back, or iterate the loop");
    }
  }
  for (const Link& link : composition.Links()) {
    if (link.Spec().loop != LoopAnswer::Extrapolate) continue;
    const auto loop = std::ranges::find_if(loops, [&](const auto& members) {
      return std::ranges::binary_search(members, link.FromInstance()) &&
             std::ranges::binary_search(members, link.ToInstance());
    });
    const Where where = composition.Place(link.Spec().line, {}, fmt::format("link {}", link.Spec().Text()));
    if (loop == loops.end()) {
      AddWarning(problems, where, "expected Loop=\"extrapolate\" on a link of a loop, found one that is in none",
                 "remove Loop; no question comes back along this link");
      continue;
    }
    const bool has_time_adaptor =
        std::ranges::any_of(link.Adaptors(), [](const auto& adaptor) { return TraitsOf(*adaptor).blends_rows; });
    if (has_time_adaptor) {
      AddWarning(
          problems, where,
          "expected Loop=\"extrapolate\" on a link without a time adaptor, found one: for times between rows, and "
          "for spans made of instants, the adaptor extrapolates by its own argument 'relaxation'",
          "set relaxation=0 on the adaptor, too");
    }
  }
}

void CheckSteps(Composition& composition, Problems& problems) {
  const std::vector<std::vector<std::size_t>> loops = composition.Graph().Loops();
  for (const Link& link : composition.Links()) {
    const auto* source = link.Proxy();
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
          fmt::format("expected spans of one length on both sides, found that {} makes steps of {} and {} asks for "
                      "spans of {}: the run stops at the first span that does not exist",
                      link.Spec().from.component, FormatIsoDuration(gives), link.Spec().to.component,
                      FormatIsoDuration(asks)),
          "put 'mean-over-span' on the link, for amounts 'sum-over-span' (coarser) or 'disaggregate' (finer), or "
          "give both components one time-step");
    } else if (!given->HasDurations() && !asked->HasDurations() && Before(to->NextTime(), from->NextTime())) {
      AddWarning(problems, where,
                 fmt::format("expected values at the times asked for, found that {} makes steps of {} and {} asks "
                             "every {}: the run stops at the first time that does not exist",
                             link.Spec().from.component, FormatIsoDuration(gives), link.Spec().to.component,
                             FormatIsoDuration(asks)),
                 "put 'linear' or 'previous' on the link, or give both components one time-step");
    }
  }
}

}  // namespace openmi
