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

const KnownAnswers kRows{
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
       return Ask(Instants({10, 13}, {11, 5}), "linear", {{"extrapolation", "linear"}, {"relaxation", "0"}},
                  {{9, 9}, {14, 14}});
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
};

}  // namespace
}  // namespace openmi
