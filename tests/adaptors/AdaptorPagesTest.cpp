// docs/adaptors.md and the pages below it state what the registry states: each adaptor with its purpose, its arguments,
// what it accepts and what it does to an amount.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "adaptors/base/AdaptorOffer.hpp"
#include "adaptors/base/IEffectOnAmount.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/adaptors/SpaceQuestions.hpp"
#include "tests/support/ReferencePage.hpp"

namespace openmi {
namespace {

using test::ArgumentRow;
using testing::Chain;
using testing::KnownAnswer;
using testing::KnownAnswers;

using ArgumentRows = std::vector<ArgumentRow>;

std::string TextOf(const EffectOnAmount& effect) {
  using What = EffectOnAmount::What;
  using Elements = EffectOnAmount::Elements;
  if (effect.what == What::Unknown) return "unknown (" + effect.reason + ")";
  std::string text = effect.what == What::Keeps        ? "kept"
                     : effect.what == What::Multiplies ? "multiplied by factors"
                                                       : "values per area become values of elements";
  if (effect.elements == Elements::One) text += ", of one element";
  if (effect.elements == Elements::Sum) text += ", as the sum of all elements";
  if (effect.has_amounts_of_spans) text += "; values are amounts of spans";
  return text;
}

/// What all adaptors say while the known answers are asked.
struct Statements {
  std::map<std::string, ArgumentRows> arguments;
  std::map<std::string, std::vector<std::string>> effects;

  Statements() {
    Chain::Watch() = [this](const IBaseAdaptedOutput& adaptor) {
      ArgumentRows& rows = arguments[adaptor.Id()];
      const bool is_first = rows.empty();
      for (const IArgument* argument : adaptor.Arguments()) {
        const ArgumentRow row(*argument);
        if (is_first) rows.push_back(row);
        const auto known = std::ranges::find(rows, row.id, &ArgumentRow::id);
        if (known->standard != row.standard) known->standard = "as the link needs";
      }
    };
    Chain::Answered() = [this](Chain& chain) {
      for (const auto& adaptor : chain.adaptors) {
        const auto* effect = dynamic_cast<const IEffectOnAmount*>(adaptor.get());
        std::vector<std::string>& known = effects[adaptor->Id()];
        const std::string text = effect != nullptr ? TextOf(effect->StateEffect()) : "unknown";
        if (std::ranges::find(known, text) == known.end()) known.push_back(text);
      }
    };
    for (const KnownAnswer& row : KnownAnswers::All()) row.ask();
    Chain::Watch() = {};
    Chain::Answered() = {};
  }
};

/// The rows that at least half of the adaptors of a module have.
ArgumentRows Common(std::span<const AdaptorOffer> offers, const Statements& all) {
  ArgumentRows common;
  for (const AdaptorOffer& offer : offers) {
    for (const ArgumentRow& row : all.arguments.at(offer.id.Id())) {
      const auto count = std::ranges::count_if(offers, [&](const AdaptorOffer& other) {
        return std::ranges::count(all.arguments.at(other.id.Id()), row) > 0;
      });
      if (2 * static_cast<std::size_t>(count) > offers.size() && std::ranges::count(common, row) == 0)
        common.push_back(row);
    }
  }
  return common;
}

/// A kind of elements or of times, as a provider and as a consumer that asks for them.
struct End {
  std::string name;
  std::unique_ptr<Chain> chain;
  std::unique_ptr<ProbeInput> probe;
};

std::vector<End> KindsOfElements() {
  using Places = std::vector<ElementVertex>;
  const auto make = [](ElementType type, bool with_m = false) {
    ElementSetBuilder set("set", type, kLocalMetresWkt);
    if (type != ElementType::IdBased) set.WithZ();
    if (with_m) set.WithM();
    for (int i = 0; i < 4; ++i) {
      const std::string id = "e" + std::to_string(i);
      const double x = 2.0 * i;
      if (type == ElementType::IdBased) set.AddId(id);
      if (type == ElementType::Point) set.AddPoint(id, {x, 1.0 * (i % 2), 0.0, x});
      if (type == ElementType::PolyLine) set.AddPolyLine(id, Places{{x, 0, 0, x}, {x + 1, 1, 0, x + 1}});
      if (type == ElementType::Polygon) set.AddPolygon(id, Places{{x, 0}, {x + 1, 0}, {x, 1}});
      if (type == ElementType::Polyhedron) {
        set.AddPolyhedron(id, Places{{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}, {x, 0, 1}},
                          {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}});
      }
    }
    return std::make_shared<ElementSet>(set.Build());
  };
  std::vector<End> kinds;
  const auto add = [&](const std::string& name, const std::shared_ptr<const ElementSet>& set) {
    const std::size_t count = set ? set->ElementCount() : 1;
    kinds.push_back({name, std::make_unique<Chain>(testing::Twice(std::vector<double>(count)), "mm h-1", set),
                     std::make_unique<ProbeInput>("t", "mm h-1", set)});
  };
  add("one value without a place", nullptr);
  add("elements with ids only", make(ElementType::IdBased));
  add("points", make(ElementType::Point));
  add("points with M", make(ElementType::Point, true));
  add("polylines", make(ElementType::PolyLine));
  add("polylines with M", make(ElementType::PolyLine, true));
  add("polygons", make(ElementType::Polygon));
  add("polyhedra", make(ElementType::Polyhedron));
  return kinds;
}

std::vector<End> KindsOfTimes() {
  std::vector<End> kinds;
  kinds.push_back({"instants", std::make_unique<Chain>(testing::Instants({0, 1}, {1, 2}), "mm"), nullptr});
  kinds.push_back({"spans", std::make_unique<Chain>(testing::Spans({0, 1}, {1}), "mm"), nullptr});
  for (End& kind : kinds) {
    kind.probe = std::make_unique<ProbeInput>("t", "mm");
    kind.chain->Prepare();
    // What a probe asked last is what it asks for.
    if (kind.name == "spans") {
      kind.probe->Ask(kind.chain->Output(), testing::At(0), testing::At(1));
    } else {
      kind.probe->Ask(kind.chain->Output(), testing::At(0));
    }
  }
  return kinds;
}

/// Kinds in fewer words.
std::string Names(std::vector<std::string> kinds) {
  const auto has = [&](const std::string& kind) { return std::ranges::count(kinds, kind) > 0; };
  const auto say = [&](const std::vector<std::string>& several, const std::string& name) {
    if (!std::ranges::all_of(several, has)) return;
    const auto first =
        std::ranges::find_if(kinds, [&](const std::string& kind) { return std::ranges::count(several, kind) > 0; });
    *first = name;
    std::erase_if(kinds,
                  [&](const std::string& kind) { return kind != name && std::ranges::count(several, kind) > 0; });
  };
  say({"points", "points with M"}, "points");
  say({"polylines", "polylines with M"}, "polylines");
  say({"points", "polylines", "polygons", "polyhedra"}, "elements with places");
  say({"elements with ids only", "elements with places"}, "any elements");
  say({"instants", "spans"}, "instants or spans");
  return fmt::format("{}", fmt::join(kinds, ", "));
}

/// "from a, b to c": each group of sources with the targets that they reach.
std::string Accepted(const AdaptorOffer& offer, const std::vector<End>& kinds) {
  std::map<std::vector<std::string>, std::vector<std::string>> sources_of;
  std::vector<std::vector<std::string>> order;
  for (const End& from : kinds) {
    std::vector<std::string> targets;
    for (const End& to : kinds) {
      if (offer.rate(from.chain->Output(), to.probe.get()) != Suitability::None) targets.push_back(to.name);
    }
    if (targets.empty()) continue;
    if (!sources_of.contains(targets)) order.push_back(targets);
    sources_of[targets].push_back(from.name);
  }
  std::string text;
  for (const auto& targets : order) {
    text += fmt::format("{}{} to {}", text.empty() ? "" : "; ", Names(sources_of[targets]), Names(targets));
  }
  return text;
}

struct Module {
  std::string page;
  std::span<const AdaptorOffer> offers;
  std::vector<End> kinds;  // empty: what is accepted is said in words
};

std::vector<Module> Modules() {
  std::vector<Module> modules;
  modules.push_back({"space", SpaceOffers(), KindsOfElements()});
  modules.push_back({"time", TimeOffers(), KindsOfTimes()});
  modules.push_back({"values", ValueOffers(), {}});
  return modules;
}

std::string PageOf(const Module& module, const std::string& id) {
  const bool of_categories = module.page == "values" && id.find("categories") != std::string::npos;
  return of_categories ? "categories" : module.page;
}

TEST(AdaptorPages, SayWhatTheRegistrySays) {
  const Statements all;
  test::ReferencePage list("adaptors.md");
  for (const Module& module : Modules()) {
    const ArgumentRows common = module.page == "values" ? ArgumentRows{} : Common(module.offers, all);
    std::string lines = "| adaptor | what it gives |\n| --- | --- |\n";
    std::vector<std::string> without;
    for (const AdaptorOffer& offer : module.offers) {
      const std::string id = offer.id.Id();
      const std::string page = PageOf(module, id);
      lines += fmt::format("| [`{0}`](adaptors/{1}.md#{0}) | {2} |\n", id, page, offer.id.Description());
      ArgumentRows own;
      for (const ArgumentRow& row : all.arguments.at(id)) {
        if (std::ranges::count(common, row) == 0) own.push_back(row);
      }
      if (own.size() == all.arguments.at(id).size() && !common.empty()) without.push_back("`" + id + "`");
      std::string text = fmt::format("**{}**: {}.\n\n", offer.id.Caption(), offer.id.Description());
      if (!own.empty()) text += test::ArgumentTable(own) + "\n";
      if (!module.kinds.empty()) text += "From " + Accepted(offer, module.kinds) + ". ";
      text += fmt::format("Effect on an amount: {}.\n\n", fmt::join(all.effects.at(id), "; or "));
      test::ReferencePage("adaptors/" + page + ".md").Expect(id, text);
    }
    list.Expect(module.page, lines);
    if (common.empty()) continue;
    std::string text = test::ArgumentTable(common);
    if (!without.empty()) text += fmt::format("\nNot of {}.\n", fmt::join(without, ", "));
    test::ReferencePage("adaptors/" + module.page + ".md").Expect("common", text);
  }
}

TEST(AdaptorPages, EveryArgumentIsExplained) {
  for (const auto& [id, rows] : Statements().arguments) {
    for (const ArgumentRow& row : rows) {
      EXPECT_FALSE(row.meaning.empty()) << id << ' ' << row.id;
      EXPECT_NE(row.meaning, row.id) << id << ": say what it means";
    }
  }
}

}  // namespace
}  // namespace openmi
