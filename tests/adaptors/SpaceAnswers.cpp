// Known answers of the adaptors in space.

#include "tests/adaptors/KnownAnswers.hpp"

namespace openmi {
namespace {

using namespace openmi::testing;  // NOLINT: the whole vocabulary of chains

/// The answer of one adaptor from elements to others.
std::vector<double> Ask(const std::vector<double>& values, std::shared_ptr<const ISpatialDefinition> from,
                        const std::string& id, std::shared_ptr<const ISpatialDefinition> to) {
  Chain chain(Twice(values), "mm h-1", std::move(from));
  ProbeInput target("t", "mm h-1", std::move(to));
  return chain.Add(id, &target).Prepare().Row(0);
}

std::shared_ptr<const ElementSet> Points(const std::vector<ElementVertex>& places) {
  ElementSetBuilder points("points", ElementType::Point, kLocalMetresWkt);
  for (std::size_t i = 0; i < places.size(); ++i) points.AddPoint("p" + std::to_string(i), places[i]);
  return std::make_shared<const ElementSet>(points.Build());
}

const std::vector<TestBox> kTwo{{"a", 0, 0, 2, 1}, {"b", 2, 0, 3, 1}};
const std::vector<TestBox> kOther{{"t", 0, 0, 2.5, 1}, {"u", 2.5, 0, 4.5, 1}};

const KnownAnswers kRows{
    {"by-id",
     "ids by hand",
     {3, 1},
     0,
     [] {
       return Ask({1, 2, 3}, Ids({"a", "b", "c"}), "by-id", Ids({"c", "a"}));
     }},
    {"nearest",
     "equally near ones share",
     {1, 5, 3},
     0,
     [] {
       return Ask({1, 5}, Points({{0, 0}, {10, 0}}), "nearest", Points({{2, 1}, {9, 3}, {5, 7}}));
     }},
    {"area-weighted-mean",
     "common areas by hand",
     {4, 8},
     1e-12,
     [] {
       return Ask({3, 8}, Boxes(kTwo), "area-weighted-mean", Boxes(kOther));
     }},
    {"area-weighted-sum",
     "what is not covered counts as zero",
     {4, 2},
     1e-12,
     [] {
       return Ask({3, 8}, Boxes(kTwo), "area-weighted-sum", Boxes(kOther));
     }},
    {"times-element-area",
     "areas 2 and 1",
     {6, 8},
     1e-12,
     [] {
       Chain chain(Twice({3, 8}), "m", Boxes(kTwo));
       return chain.Add("times-element-area").Prepare().Row(0);
     }},
};

}  // namespace
}  // namespace openmi
