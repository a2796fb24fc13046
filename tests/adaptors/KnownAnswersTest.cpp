// Walks the registry of the standard factory: every adaptor has a question whose answer is known, and gives it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/adaptors/KnownAnswers.hpp"

namespace openmi {
namespace {

using testing::Chain;
using testing::KnownAnswer;
using testing::KnownAnswers;

TEST(KnownAnswers, EveryAdaptorHasOne) {
  const StandardAdaptors factory;
  for (const IIdentifiable* id : factory.AllIds()) {
    EXPECT_TRUE(
        std::ranges::any_of(KnownAnswers::All(), [&](const KnownAnswer& row) { return row.adaptor == id->Id(); }))
        << "expected a row for '" << id->Id()
        << "' in a table of known answers, found none; add one to tests/adaptors/*Answers.cpp";
  }
}

TEST(KnownAnswers, AreGiven) {
  for (const KnownAnswer& row : KnownAnswers::All()) {
    SCOPED_TRACE(row.adaptor + ": " + row.why);
    ASSERT_FALSE(row.expected.empty());
    Chain::Made().clear();
    std::vector<double> found;
    ASSERT_NO_THROW(found = row.ask());
    EXPECT_EQ(std::ranges::count(Chain::Made(), row.adaptor) > 0, true) << "the row does not ask its adaptor";
    ASSERT_EQ(found.size(), row.expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (std::isnan(row.expected[i])) {
        EXPECT_TRUE(std::isnan(found[i])) << "value " << i << " is " << found[i];
      } else {
        EXPECT_LE(std::abs(found[i] - row.expected[i]), row.tolerance)
            << "value " << i << ": expected " << row.expected[i] << ", found " << found[i];
      }
    }
  }
}

}  // namespace
}  // namespace openmi
