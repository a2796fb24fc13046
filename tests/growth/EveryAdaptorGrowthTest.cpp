// Every adaptor of the registry on links of long runs, from instants and from spans, for instants and for spans.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "adaptors/StandardAdaptors.hpp"
#include "adaptors/base/AdaptorOffer.hpp"
#include "tests/growth/GrowthRun.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::growth {
namespace {

constexpr const char* kParts = OPENMI_TEST_PLUGINS "/libgrowth_parts.so";

/// One link: arguments of both ends but for times, and the adaptors between them.
struct Form {
  std::string source;
  std::string target;
  std::string adaptors;
};

/// Several links, each between a source, which others may share, and a sink of its own.
class Links {
 public:
  void Add(const Form& form) {
    const auto [found, is_new] = sources_.try_emplace(form.source, fmt::format("s{}", sources_.size()));
    if (is_new) components_ += ComponentXml(found->second, "growth.Source", kParts, form.source);
    const std::string sink = fmt::format("k{}", count_++);
    components_ += ComponentXml(sink, "growth.Sink", kParts, form.target);
    links_ += growth::Link(found->second + ".q", sink + ".q", form.adaptors);
  }
  std::string Text() const { return components_ + links_; }

 private:
  std::map<std::string, std::string> sources_;
  std::string components_, links_;
  std::size_t count_ = 0;
};

std::string Both(const std::string& unit, const std::string& elements) {
  return ArgumentXml("unit", unit) + ArgumentXml("elements", elements);
}

struct Need {
  std::string arguments = {};
  std::string from = "m3 s-1";
  std::string to = "m3 s-1";
  std::string before = {};  ///< adaptors in front of it; a time adaptor stands behind, where that is not enough
  std::string after = {};
};

/// What an adaptor needs to be linked, where that is not nothing.
Need NeedOf(const std::string& id, bool asks_spans, const std::string& weights) {
  const std::string table = ArgumentXml("table", "dry=0; moist=3; wet=5");
  if (id == "expression")
    return {.arguments = ArgumentXml("formula", "x^2 + 1") + ArgumentXml("unit", "kg"), .to = "kg"};
  if (id == "unit-conversion") return {.arguments = ArgumentXml("unit", "L s-1"), .to = "L s-1"};
  if (id == "linear-operation") return {.arguments = ArgumentXml("a", "3") + ArgumentXml("b", "-1")};
  if (id == "clip") return {.arguments = ArgumentXml("minimum", "2") + ArgumentXml("maximum", "3")};
  if (id == "threshold") return {.arguments = ArgumentXml("threshold", "2"), .to = "1"};
  if (id == "density") return {.arguments = ArgumentXml("density", "800"), .from = "kg s-1"};
  if (id == "delay") return {.arguments = ArgumentXml("delay", "PT10S") + ArgumentXml("extrapolation", "hold")};
  if (id == "resample")
    return {.arguments = ArgumentXml("step", "PT7S") + ArgumentXml("origin", "2015-12-01T00:00Z") +
                         ArgumentXml("as", asks_spans ? "mean" : "instant")};
  if (id == "accumulate" || id == "integral-over-span") return {.to = "m3"};
  if (id == "sum-over-span" || id == "disaggregate") return {.from = "m3", .to = "m3"};
  if (id == "divide-by-span") return {.from = "m3", .before = AdaptorXml("sum-over-span")};
  if (id == "multiply-by-span") return {.to = "m3", .before = AdaptorXml("mean-over-span")};
  if (id == "numbers-to-categories")
    return {.arguments = table, .to = "1", .after = AdaptorXml("categories-to-numbers", table)};
  if (id == "categories-to-numbers")
    return {.arguments = table, .to = "1", .before = AdaptorXml("numbers-to-categories", table)};
  if (id == "weights-from-file") return {.arguments = ArgumentXml("file", weights), .from = "m", .to = "m"};
  if (id == "kriging" || id == "kriging-variance") {
    return {.arguments = ArgumentXml("range", "20"), .from = "m", .to = id == "kriging" ? "m" : "m2"};
  }
  if (id == "inverse-distance") return {.arguments = ArgumentXml("neighbours", "0"), .from = "m", .to = "m"};
  if (id == "times-element-area") return {.from = "m", .to = "m3", .after = AdaptorXml("by-id")};
  if (id == "one-value") return {.arguments = ArgumentXml("of", "mean"), .from = "m", .to = "m"};
  return {};
}

/// The first of several ways to link an adaptor that the check takes; nothing where there is none.
std::vector<Form> FormsOf(const std::string& id, bool spans, bool asks_spans, const std::set<std::string>& of_places,
                          const std::string& weights) {
  if (id == "disaggregate" && !spans) return {};  // amounts at instants are not spread
  const Need need = NeedOf(id, asks_spans, weights);
  const std::string gives = spans ? ArgumentXml("gives", "span") : std::string();
  const std::string asks = asks_spans ? ArgumentXml("asks", "span") : std::string();
  const std::string in_time = asks_spans ? AdaptorXml("mean-over-span") : AdaptorXml("linear");
  const std::string itself = need.before + AdaptorXml(id, need.arguments) + need.after;
  std::vector<Form> forms;
  if (!of_places.contains(id)) {
    const bool is_categories = id.find("categories") != std::string::npos;
    for (const std::string& adaptors : {itself + in_time, in_time + itself, itself}) {
      if (is_categories && adaptors == itself + in_time) continue;  // categories are not between two times
      if (id == "resample" && adaptors != itself + in_time) continue;
      forms.push_back({Both(need.from, "none") + gives, Both(need.to, "none") + asks, adaptors});
    }
    return forms;
  }
  constexpr std::array kKinds{"points", "polygons", "lines", "points-m", "lines-m"};
  for (const char* from : kKinds) {
    for (const char* to : kKinds) {
      const std::string target = id == "one-value" ? "none" : to;
      const std::string unit_from = need.from == "m3 s-1" ? "m" : need.from;
      const std::string unit_to = need.to == "m3 s-1" ? "m" : need.to;
      forms.push_back({Both(unit_from, from) + gives, Both(unit_to, target) + asks, itself + in_time});
    }
  }
  return forms;
}

std::string LinkedBy(const Form& form) {
  Links links;
  links.Add(form);
  return links.Text();
}

/// Links of all adaptors of places, or of all others, that the check takes; each at least once.
std::string EveryLink(bool places, const ScratchFolder& folder) {
  std::set<std::string> of_places;
  for (const AdaptorOffer& offer : SpaceOffers()) of_places.insert(offer.id.Id());
  const std::string weights = folder / "weights.nc";
  if (places) {  // of the nearest source, for the adaptor that reads a file
    const Growth made =
        RunLong(LinkedBy({Both("m", "points"), Both("m", "points"),
                          AdaptorXml("nearest", ArgumentXml("write-weights", weights)) + AdaptorXml("linear")}),
                folder.Path() / "weights");
    EXPECT_TRUE(made.problem.empty()) << made.problem;
  }
  StandardAdaptors factory;
  Links links;
  for (const IIdentifiable* one : factory.AllIds()) {
    const std::string id = one->Id();
    if (of_places.contains(id) != places) continue;
    std::string refused;
    bool is_linked = false;
    for (const bool spans : {false, true}) {
      for (const bool asks_spans : {false, true}) {
        for (const Form& form : FormsOf(id, spans, asks_spans, of_places, weights)) {
          const std::string refusal = Refusal(LinkedBy(form), folder.Path() / "probe");
          if (!refusal.empty()) {
            refused = refusal;
            continue;
          }
          links.Add(form);
          is_linked = true;
          break;
        }
      }
    }
    EXPECT_TRUE(is_linked) << id << ": a new adaptor needs what it takes to link it here; " << refused;
  }
  return links.Text();
}

TEST(Growth, OfNoAdaptorOfTimesAndValues) {
  const ScratchFolder folder("growth");
  ExpectNone(RunLong(EveryLink(false, folder), folder.Path() / "run", {.mode = "step"}),
             "adaptors of times and values");
}

TEST(Growth, OfNoAdaptorOfPlaces) {
  const ScratchFolder folder("growth");
  ExpectNone(RunLong(EveryLink(true, folder), folder.Path() / "run"), "adaptors of places");
}

}  // namespace
}  // namespace openmi::growth
