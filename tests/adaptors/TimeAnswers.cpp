// Known answers of the adaptors in time.

#include <cmath>

#include "tests/adaptors/KnownAnswers.hpp"

namespace openmi {
namespace {

using namespace openmi::testing;  // NOLINT: the whole vocabulary of chains

struct Question {
  double begin, end;  // hours; equal for a stamp
};

/// The answers of one adaptor on one table of rows that has come to its end.
std::vector<double> Ask(const std::vector<TableRow>& rows, const std::string& id,
                        const std::vector<std::pair<std::string, std::string>>& arguments,
                        const std::vector<Question>& questions) {
  Chain chain(rows);
  chain.Add(id);
  for (const auto& [key, value] : arguments) chain.Set(key, value);
  ToTheEnd(chain);
  std::vector<double> found;
  for (const Question& one : questions) {
    found.push_back(one.begin == one.end ? chain.Ask(one.begin) : chain.Ask(one.begin, one.end));
  }
  return found;
}

const KnownAnswers kTimeRows{
    {"linear",
     "straight lines by hand",
     {12.5, 17, 20},
     kClose,
     [] {
       return Ask(Instants({0, 2, 3}, {10, 20, 14}), "linear", {}, {{0.5, 0.5}, {2.5, 2.5}, {2, 2}});
     }},
    {"linear",
     "the reference buffer's stamps, r = 0",
     {13, 3},
     kClose,
     [] {
       return Ask(Instants({10, 13}, {11, 5}), "linear", {{"extrapolation", "linear"}}, {{9, 9}, {14, 14}});
     }},
    {"previous",
     "steps by hand",
     {10, 20, 20},
     0,
     [] {
       return Ask(Instants({0, 2, 3}, {10, 20, 14}), "previous", {}, {{1.9, 1.9}, {2, 2}, {2.9, 2.9}});
     }},
    {"next",
     "steps by hand",
     {20, 20, 14},
     0,
     [] {
       return Ask(Instants({0, 2, 3}, {10, 20, 14}), "next", {}, {{0.1, 0.1}, {2, 2}, {2.1, 2.1}});
     }},
    {"nearest-in-time",
     "half-way the later one",
     {10, 20, 20},
     0,
     [] {
       return Ask(Instants({0, 2, 3}, {10, 20, 14}), "nearest-in-time", {}, {{0.9, 0.9}, {1, 1}, {1.1, 1.1}});
     }},
    {"mean-over-span",
     "the reference buffer's spans, r = 1",
     {1.25, 2.5, 5.75},
     kClose,
     [] {
       return Ask(Spans({10, 12, 14, 16, 22, 30, 32}, {1, 2, 3, 4, 5, 6}), "mean-over-span",
                  {{"extrapolation", "hold"}}, {{9, 13}, {12, 16}, {28, 36}});
     }},
    {"mean-over-span",
     "the reference buffer's stamps",
     {3.25, 24.5 / 6, 49.25 / 11},
     kClose,
     [] {
       return Ask(Instants({2, 4, 7, 11, 13, 15}, {2, 4, 4, 6, 4, 3}), "mean-over-span", {},
                  {{3, 3.5}, {3, 9}, {3, 14}});
     }},
    {"sum-over-span",
     "pro rata by hand",
     {16, 10.5, 4},
     kClose,
     [] {
       return Ask(Spans({0, 1, 2, 4}, {3, 5, 8}), "sum-over-span", {}, {{0, 4}, {0.5, 3}, {2, 3}});
     }},
    // Slopes of the cubic by hand: 37/3, 0, 0, 0, 8.
    {"cubic",
     "slopes by hand, extremes and rims",
     {10 + 5 + 37.0 / 12, 17, 14, 16, 20},
     kClose,
     [] {
       return Ask(Instants({0, 2, 3, 5, 6}, {10, 20, 14, 14, 20}), "cubic", {},
                  {{1, 1}, {2.5, 2.5}, {4, 4}, {5.5, 5.5}, {6, 6}});
     }},
    // 9/7 at both ends of the middle step.
    {"cubic",
     "inner slopes and the exact integral by hand",
     {3, 1.625 + 27.0 / 112, 3, 1.75 + 9.0 / 56},
     kClose,
     [] {
       return Ask(Instants({0, 1, 3, 4}, {0, 1, 5, 6}), "cubic", {}, {{2, 2}, {1.5, 1.5}, {1, 3}, {1, 2}});
     }},
    {"cubic",
     "means of spans are kept",
     {5, 5.4375},
     kClose,
     [] {
       return Ask(Spans({0, 1, 2, 4, 5}, {3, 5, 4, 1}), "cubic", {}, {{1, 2}, {1.5, 1.5}});
     }},
    {"disaggregate",
     "slopes 3.75 and 4.5 by hand",
     {2.40625, 2.59375, 17},
     kClose,
     [] {
       return Ask(Spans({0, 1, 2, 4, 5}, {3, 5, 8, 1}), "disaggregate", {}, {{1, 1.5}, {1.5, 2}, {0, 5}});
     }},
    {"minimum-over-span",
     "the line at the rim, rows inside",
     {11, 4, 2},
     kClose,
     [] {
       return Ask(Instants({0, 1, 2}, {20, 2, 10}), "minimum-over-span", {}, {{0.1, 0.5}, {1.25, 1.75}, {0, 2}});
     }},
    {"maximum-over-span",
     "the line at the rim, rows inside",
     {18.2, 8, 20},
     kClose,
     [] {
       return Ask(Instants({0, 1, 2}, {20, 2, 10}), "maximum-over-span", {}, {{0.1, 0.5}, {1.25, 1.75}, {0, 2}});
     }},
    {"maximum-over-span",
     "rows over spans, touched ones left out",
     {3, 5, 8},
     0,
     [] {
       return Ask(Spans({0, 1, 2, 4}, {3, 5, 8}), "maximum-over-span", {}, {{0, 1}, {0.5, 1.5}, {0, 4}});
     }},
    {"integral-over-span",
     "rate times seconds",
     {3600 * (0.5 * 3 + 5)},
     1e-3,
     [] {
       return Ask(Spans({0, 1, 2, 4}, {3, 5, 8}), "integral-over-span", {}, {{0.5, 2}});
     }},
    {"accumulate",
     "rate times seconds since the first row",
     {0, 3600 * 3, 3600 * 4, 3600 * 5, 3600 * 8},
     1e-3,
     [] {
       return Ask(Spans({0, 1, 3}, {3, 2.5}), "accumulate", {}, {{0, 0}, {1, 1}, {1.4, 1.4}, {1.8, 1.8}, {3, 3}});
     }},
    {"accumulate",
     "trapezia between instants",
     {0, 3600 * 4, 3600 * 12},
     1e-3,
     [] {
       return Ask(Instants({0, 2, 4}, {1, 3, 5}), "accumulate", {}, {{0, 0}, {2, 2}, {4, 4}});
     }},
    {"accumulate",
     "amounts at the ends of steps",
     {0, 3, 8},
     kClose,
     [] {
       return Ask(Instants({0, 2, 4}, {1, 3, 5}), "accumulate", {{"of", "amount"}}, {{0, 0}, {2, 2}, {4, 4}});
     }},
    {"resample",
     "means of the hours",
     {1.25, 3, 3},
     kClose,
     [] {
       return Ask(Instants({0, 0.5, 2.5}, {1, 1, 5}), "resample", {{"step", "PT1H"}}, {{0, 0.25}, {1, 2}, {1.5, 1.5}});
     }},
    {"delay",
     "an hour and a half ago",
     {10, 15},
     kClose,
     [] {
       return Ask(Instants({0, 2, 3}, {10, 20, 14}), "delay", {{"delay", "PT1H30M"}}, {{1.5, 1.5}, {2.5, 2.5}});
     }},
    {"fill-gaps",
     "a line across the gap",
     {1, 3, 5, 7},
     kClose,
     [] {
       return Ask(Instants({0, 1, 2, 3}, {1, NAN, 5, 7}), "fill-gaps", {}, {{0, 0}, {1, 1}, {2, 2}, {3, 3}});
     }},
    {"fill-gaps",
     "the previous value in the gap",
     {1, 1, 5},
     kClose,
     [] {
       return Ask(Instants({0, 1, 2}, {1, NAN, 5}), "fill-gaps", {{"by", "previous"}}, {{0, 0}, {1, 1}, {2, 2}});
     }},
};

}  // namespace
}  // namespace openmi
