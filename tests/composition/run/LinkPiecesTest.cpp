// Amounts of both sides of a link, step by step: what is added up, what is cut, and what is kept.

#include <gtest/gtest.h>

#include <algorithm>

#include "composition/record/LinkPieces.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::testing {
namespace {

/// Steps of three quarters of an hour: whole numbers of them are exact as days.
constexpr Stamp At(double steps) {
  return Stamp{57357.0 + steps / 32.0};
}

constexpr int kSteps = 100'000;

TEST(LinkPieces, KeepNothingWhereBothSidesKeepStep) {
  LinkPieces pieces(At(0));
  for (int i = 0; i < kSteps; ++i) {
    pieces.Give({At(i), At(i + 1), 3.0, 2.0, false});
    pieces.Take({At(i), At(i + 1), 1.0, 0.0, false});
    ASSERT_EQ(pieces.Waiting(), 0U);
  }
  EXPECT_EQ(pieces.Sums().left, 3.0 * kSteps);
  EXPECT_EQ(pieces.Sums().within, 2.0 * kSteps);
  EXPECT_EQ(pieces.Sums().arrived, 1.0 * kSteps);
}

TEST(LinkPieces, KeepABoundedNumberOfStepsWhereTheConsumerStandsStill) {
  LinkPieces pieces(At(0));
  std::size_t most = 0;
  for (int i = 0; i < kSteps; ++i) {
    pieces.Give({At(i), At(i + 1), 1.0 + i % 3, 1.0, i == 50});
    most = std::max(most, pieces.Waiting());
  }
  EXPECT_LE(most, 1025U);
  StateWriter writer;
  pieces.SaveState(writer);
  EXPECT_LT(writer.Bytes().size(), 100'000U);
  EXPECT_FALSE(pieces.Sums().any);
  // Joined steps keep their amounts: only the joined step that a value is missing in counts on neither side.
  pieces.Take({At(kSteps - 300), At(kSteps), 600.0, 0.0, false});
  EXPECT_EQ(pieces.Sums().arrived, 0.0) << "the consumer's first step holds all that came since the warm-up";
}

TEST(LinkPieces, KeepABoundedNumberOfStepsWhereTheProviderHasEnded) {
  LinkPieces pieces(At(0));
  pieces.Give({At(0), At(2), 8.0, 8.0, false});
  std::size_t most = 0;
  for (int i = 0; i < kSteps; ++i) {
    pieces.Take({At(i), At(i + 1), 4.0, 0.0, i % 2 == 1});
    most = std::max(most, pieces.Waiting());
  }
  EXPECT_LE(most, 66U);
}

TEST(LinkPieces, WhatComesLateIsSetAgainstTheStepsItBelongsTo) {
  LinkPieces pieces(At(0));
  for (int i = 0; i < 200; ++i) pieces.Take({At(i), At(i + 1), 4.0, 0.0, false});
  for (int i = 0; i < 50; ++i) pieces.Give({At(4 * i), At(4 * i + 4), 16.0, 16.0, false});
  EXPECT_EQ(pieces.Waiting(), 0U);
  EXPECT_EQ(pieces.Sums().left, 800.0);
  EXPECT_EQ(pieces.Sums().arrived, 800.0);
}

TEST(LinkPieces, AStepIsCutAlikeOnBothSides) {
  LinkPieces pieces(At(10));
  for (int i = 0; i < 14; ++i) pieces.Give({At(i), At(i + 1), 1.0 * i, 1.0 * i, false});
  pieces.Take({At(0), At(7), 21.0, 0.0, false});
  EXPECT_FALSE(pieces.Sums().any);
  pieces.Take({At(7), At(14), 70.0, 0.0, false});
  EXPECT_NEAR(pieces.Sums().left, 40.0, 1e-9);
  EXPECT_NEAR(pieces.Sums().arrived, 40.0, 1e-9);
}

TEST(LinkPieces, WhatWasLeftOverCountsWithTheNextStep) {
  // The consumer omits an hour: what came in it was lost.
  LinkPieces pieces(At(0));
  for (int i = 0; i < 3; ++i) pieces.Give({At(i), At(i + 1), 5.0, 5.0, false});
  pieces.Take({At(0), At(1), 5.0, 0.0, false});
  pieces.Take({At(2), At(3), 5.0, 0.0, false});
  EXPECT_EQ(pieces.Sums().left, 15.0);
  EXPECT_EQ(pieces.Sums().arrived, 10.0);
}

TEST(LinkPieces, GoOnFromTheirState) {
  LinkPieces pieces(At(1));
  pieces.Give({At(0), At(3), 9.0, 6.0, false});
  pieces.Give({At(3), At(6), 3.0, 3.0, true});
  pieces.Take({At(0), At(2), 6.0, 0.0, false});
  StateWriter writer;
  pieces.SaveState(writer);
  LinkPieces other(At(1));
  StateReader reader(writer.Bytes());
  other.LoadState(reader);
  reader.RequireEnd();
  for (LinkPieces* one : {&pieces, &other}) {
    one->Take({At(2), At(3), 3.0, 0.0, false});
    one->Take({At(3), At(6), 3.0, 0.0, false});
    EXPECT_DOUBLE_EQ(one->Sums().left, 6.0);
    EXPECT_DOUBLE_EQ(one->Sums().within, 4.0);
    EXPECT_DOUBLE_EQ(one->Sums().arrived, 6.0);
  }
}

}  // namespace
}  // namespace openmi::testing
