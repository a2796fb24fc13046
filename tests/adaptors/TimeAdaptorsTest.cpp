#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "tests/adaptors/Chain.hpp"

namespace openmi {
namespace {

using namespace openmi::testing;  // NOLINT: the whole vocabulary of chains
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

struct Vector {
  double begin, end, relaxation, expected;
};

void ExpectVectors(const std::vector<TableRow>& rows, const std::string& id, const std::vector<Vector>& vectors) {
  for (const Vector& vector : vectors) {
    Chain chain(rows);
    chain.Add(id).Set("extrapolation", "linear").Set("relaxation", std::to_string(vector.relaxation));
    ToTheEnd(chain);
    const double found = vector.begin == vector.end ? chain.Ask(vector.begin) : chain.Ask(vector.begin, vector.end);
    EXPECT_NEAR(found, vector.expected, kClose)
        << id << ' ' << vector.begin << " to " << vector.end << " r " << vector.relaxation;
  }
}

TEST(TimeAdaptors, TheReferenceBuffersVectors) {
  ExpectVectors(Spans({10, 12, 14}, {11, 13}), "mean-over-span",
                {{7, 8, 0, 7.5},
                 {9, 10, 0, 9.5},
                 {14, 15, 0, 14.5},
                 {16, 17, 0, 16.5},
                 {7, 8, 1, 11},
                 {16, 17, 1, 13},
                 {7, 8, 0.5, 9.25}});
  ExpectVectors(Spans({10, 12, 16}, {11, 14}), "mean-over-span", {{7, 8, 0, 7.5}, {18, 19, 0, 18.5}});
  ExpectVectors(
      Spans({10, 12, 14, 16, 22, 30, 32}, {1, 2, 3, 4, 5, 6}), "mean-over-span",
      {{9, 13, 1, 1.25}, {12, 16, 1, 2.5}, {28, 36, 1, 5.75}, {7, 8, 0, -0.75}, {9, 11, 0, 0.625}, {31, 33, 0, 6.15}});
  ExpectVectors(Instants({2, 4, 7, 11, 13, 15}, {2, 4, 4, 6, 4, 3}), "mean-over-span",
                {{3, 3.5, 1, 3.25},
                 {3, 9, 1, 24.5 / 6},
                 {3, 14, 1, 49.25 / 11},
                 {13, 17, 1, 3.25},
                 {13, 17, 0, 3.0},
                 {1, 5, 1, 3}});
  ExpectVectors(Instants({10, 13}, {11, 5}), "linear", {{9, 9, 0, 13}, {14, 14, 0, 3}, {11, 11, 0, 9}, {9, 9, 1, 11}});
}

TEST(TimeAdaptors, EveryMethodOnInstants) {
  const std::vector<double> hours{0, 2, 3}, values{10, 20, 14};
  const auto ask = [&](const char* id, double hour) {
    Chain chain(Instants(hours, values));
    return ToTheEnd(chain.Add(id)).Ask(hour);
  };
  EXPECT_NEAR(ask("linear", 0.5), 12.5, kClose);
  EXPECT_NEAR(ask("linear", 2.5), 17.0, kClose);
  EXPECT_EQ(ask("previous", 1.9), 10.0);
  EXPECT_EQ(ask("previous", 2.0), 20.0);
  EXPECT_EQ(ask("next", 0.1), 20.0);
  EXPECT_EQ(ask("next", 2.0), 20.0);
  EXPECT_EQ(ask("nearest-in-time", 0.9), 10.0);
  EXPECT_EQ(ask("nearest-in-time", 1.1), 20.0);
}

TEST(TimeAdaptors, SumsOverSpans) {
  Chain amounts(Spans({0, 1, 2, 4}, {3, 5, 8}), "mm");
  ToTheEnd(amounts.Add("sum-over-span"));
  EXPECT_NEAR(amounts.Ask(0, 4), 16, kClose);
  EXPECT_NEAR(amounts.Ask(0.5, 3), 1.5 + 5 + 4, kClose);
  EXPECT_NEAR(amounts.Ask(2, 3), 4, kClose);
  Chain stamped(Instants({0, 1, 2, 3}, {100, 3, 5, 8}), "mm");
  ToTheEnd(stamped.Add("sum-over-span"));
  EXPECT_NEAR(stamped.Ask(0, 2), 8, kClose);  // what is stamped at the end of a step belongs to it
  EXPECT_NEAR(stamped.Ask(1, 3), 13, kClose);
}

TEST(TimeAdaptors, OutsideTheRows) {
  const auto chain = [](const std::string& outside, const std::string& relaxation) {
    auto made = std::make_unique<Chain>(Instants({10, 13}, {11, 5}));
    made->Add("linear").Set("extrapolation", outside).Set("relaxation", relaxation);
    ToTheEnd(*made);
    return made;
  };
  EXPECT_THAT([&] { chain("error", "1")->Ask(14); },
              ThrowsMessage<RangeError>(AllOf(HasSubstr("linear"), HasSubstr("extrapolation"))));
  EXPECT_THAT([&] { chain("error", "1")->Ask(9); }, ::testing::Throws<RangeError>());
  EXPECT_NO_THROW(chain("error", "1")->Ask(13));
  EXPECT_TRUE(std::isnan(chain("missing", "1")->Ask(14)));
  EXPECT_TRUE(std::isnan(chain("missing", "0")->Ask(9)));
  EXPECT_EQ(chain("hold", "0")->Ask(14), 5.0);  // whatever the relaxation
  EXPECT_EQ(chain("hold", "0")->Ask(9), 11.0);
  EXPECT_NEAR(chain("linear", "0")->Ask(14), 3.0, kClose);
  EXPECT_NEAR(chain("linear", "0.5")->Ask(14), 4.0, kClose);
  EXPECT_THAT([&] { chain("guess", "1"); }, ThrowsMessage<ArgumentError>(HasSubstr("guess")));
  EXPECT_THAT([&] { chain("linear", "1.5"); }, ::testing::Throws<ArgumentError>());
}

TEST(TimeAdaptors, MissingValuesStayMissing) {
  Chain chain(Instants({0, 1, 2, 3}, {1, std::nan(""), 5, 7}));
  ToTheEnd(chain.Add("linear"));
  EXPECT_TRUE(std::isnan(chain.Ask(0.5)));
  EXPECT_TRUE(std::isnan(chain.Ask(1.5)));
  EXPECT_EQ(chain.Ask(2), 5.0);
  EXPECT_NEAR(chain.Ask(2.5), 6.0, kClose);
}

TEST(TimeAdaptors, StandOnALinearOneAndOnNoOther) {
  for (const char* id : {"previous", "next", "nearest-in-time", "mean-over-span", "sum-over-span"}) {
    Chain chain(Instants({0, 1}, {1, 2}));
    chain.Add(id);
    EXPECT_THAT([&] { chain.Add("linear"); },
                ThrowsMessage<LinkError>(HasSubstr("leave one of the two time adaptors away")))
        << id;
    EXPECT_THAT(Texts(chain.factory.GetAvailableAdaptedOutputIds(chain.Last(), nullptr)), Not(Contains("linear")));
  }
  Chain chain(Instants({0, 1, 2}, {1, 2, 9}));
  ToTheEnd(chain.Add("linear").Add("linear-operation").Set("a", "10").Add("mean-over-span"));
  EXPECT_NEAR(chain.Ask(0, 2), 35.0, kClose);
}

TEST(TimeAdaptors, ProvidersAreMadeToStepJustFarEnough) {
  Chain chain(Instants({0, 6, 12, 18}, {0, 6, 12, 18}));
  chain.Add("linear").Prepare();
  EXPECT_EQ(chain.table.Updates(), 0);
  EXPECT_NEAR(chain.Ask(1), 1, kClose);
  EXPECT_EQ(chain.table.Updates(), 1);
  EXPECT_NEAR(chain.Ask(6), 6, kClose);
  EXPECT_EQ(chain.table.Updates(), 1);
  EXPECT_NEAR(chain.Ask(13), 13, kClose);
  EXPECT_EQ(chain.table.Updates(), 3);
}

}  // namespace
}  // namespace openmi
