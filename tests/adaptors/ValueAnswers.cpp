// Known answers of the adaptors of values and units.

#include <cmath>

#include "tests/adaptors/KnownAnswers.hpp"

namespace openmi {
namespace {

using namespace openmi::testing;  // NOLINT: the whole vocabulary of chains

using Arguments = std::vector<std::pair<std::string, std::string>>;

/// The answer of one adaptor on a row of values, one for each element.
std::vector<double> Ask(const std::vector<double>& values, const std::string& unit, const std::string& id,
                        const Arguments& arguments = {}) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < values.size(); ++i) ids.push_back("e" + std::to_string(i));
  Chain chain(Twice(values), unit, Ids(ids));
  chain.Add(id);
  for (const auto& [key, value] : arguments) chain.Set(key, value);
  return chain.Prepare().Row(0);
}

/// Categories by time and element, as a component of others would give them: a table turned into categories first.
std::vector<double> ThereAndBack(const std::vector<double>& values, const std::string& limits,
                                 const std::string& numbers) {
  Chain chain(Twice(values), "m", Ids({"a", "b", "c", "d"}));
  chain.Add("numbers-to-categories").Set("table", limits).Add("categories-to-numbers").Set("table", numbers);
  return chain.Prepare().Row(0);
}

const KnownAnswers kValueRows{
    {"expression",
     "powers and roots by hand",
     {0.5 * 4 + 2, 0.5 * 9 + 3, NAN, NAN},
     1e-14,
     [] {
       return Ask({4, 9, -4, NAN}, "m", "expression", {{"formula", "0.5 * x + sqrt(x)"}});
     }},
    {"clip",
     "bounds by hand",
     {1, 2.5, 3, NAN},
     0,
     [] {
       return Ask({-5, 2.5, 8, NAN}, "m", "clip", {{"minimum", "1"}, {"maximum", "3"}});
     }},
    {"clip",
     "one bound",
     {0, 8},
     0,
     [] {
       return Ask({-5, 8}, "m", "clip", {{"minimum", "0"}});
     }},
    {"threshold",
     "from 2 on",
     {-1, 5, 5, NAN},
     0,
     [] {
       return Ask({1.9, 2, 3, NAN}, "m", "threshold", {{"threshold", "2"}, {"above", "5"}, {"below", "-1"}});
     }},
    {"categories-to-numbers",
     "by table and by place",
     {10, 20, NAN, 20},
     0,
     [] {
       return ThereAndBack({0.1, 0.5, NAN, 0.9}, "dry=0; wet=0.5", "wet=20; dry=10");
     }},
    {"categories-to-numbers",
     "by place",
     {0, 1, NAN, 1},
     0,
     [] {
       return ThereAndBack({0.1, 0.5, -0.1, 0.9}, "dry=0; wet=0.5", "");
     }},
    {"numbers-to-categories",
     "lower limits",
     {1, 2, 0, 0},
     0,
     [] {
       return ThereAndBack({1, 2, 0.99, 0}, "low=0; middle=1; high=2", "");
     }},

    {"unit-conversion",
     "20 degC are 293.15 K",
     {293.15, 273.15},
     1e-12,
     [] {
       return Ask({20, 0}, "degC", "unit-conversion", {{"unit", "K"}});
     }},
    {"unit-conversion",
     "36 mm/h are 1e-5 m/s",
     {1e-5},
     1e-18,
     [] {
       return Ask({36}, "mm h-1", "unit-conversion", {{"unit", "m s-1"}});
     }},
    {"linear-operation",
     "2 x - 0.5 by hand",
     {5.5, -0.5, NAN},
     0,
     [] {
       return Ask({3, 0, NAN}, "m", "linear-operation", {{"a", "2"}, {"b", "-0.5"}});
     }},
    {"fill-missing",
     "7 for what is missing",
     {7, 4},
     0,
     [] {
       return Ask({NAN, 4}, "m", "fill-missing", {{"value", "7"}});
     }},
    {"one-value",
     "element, sum, mean and extremes by hand; missing makes all but an element missing",
     {5, 12, 4, 3, 5, 5, NAN},
     1e-15,
     [] {
       std::vector<double> all;
       const auto add = [&all](const std::vector<double>& values, const Arguments& arguments) {
         const std::vector<double> one = Ask(values, "m3", "one-value", arguments);
         all.insert(all.end(), one.begin(), one.end());
       };
       add({4, 3, 5}, {{"of", "element"}, {"element", "e2"}});
       for (const char* of : {"sum", "mean", "minimum", "maximum"}) add({4, 3, 5}, {{"of", of}});
       add({4, NAN, 5}, {{"of", "element"}, {"element", "e2"}});
       add({4, NAN, 5}, {{"of", "mean"}});
       return all;
     }},
    {"density",
     "2 kg of water are 2 litres",
     {0.002, 0.004},
     1e-15,
     [] {
       return Ask({2, 4}, "kg", "density");
     }},
    {"divide-by-span",
     "7.2 in an hour, 3.6 in two",
     {7.2 / 3600, 3.6 / 7200},
     1e-12,
     [] {
       Chain chain(Spans({0, 1, 3}, {7.2, 3.6}), "mm");
       chain.Add("divide-by-span").Prepare();
       return std::vector{chain.Ask(0, 1), chain.Ask(1, 3)};
     }},
    {"multiply-by-span",
     "5 per second for two hours",
     {36000},
     1e-4,
     [] {
       Chain chain(Spans({0, 1, 3}, {2, 5}), "m3 s-1");
       chain.Add("multiply-by-span").Prepare();
       return std::vector{chain.Ask(1, 3)};
     }},
};

}  // namespace
}  // namespace openmi
