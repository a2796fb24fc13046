#include <limits>
#include <vector>

#include "composition/loops/Convergence.hpp"

namespace openmi {
namespace {

using Vector = std::vector<double>;
const double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(LoopConvergence, TakesTheWiderOfTheTwoTolerances) {
  const Vector x{100.0, -200.0};
  const Vector y{100.5, -200.0};
  EXPECT_TRUE(MeasureItem(x, y, {.absolute = 0.5}).IsSmall());
  EXPECT_FALSE(MeasureItem(x, y, {.absolute = 0.4}).IsSmall());
  EXPECT_TRUE(MeasureItem(x, y, {.absolute = 0.4, .relative = 0.0025}).IsSmall());
  EXPECT_FALSE(MeasureItem(x, y, {.relative = 0.0024}).IsSmall());
  EXPECT_EQ(MeasureItem(x, y, {}).largest, 0.5);
}

TEST(LoopConvergence, IsNotReachedByWhatIsNoNumber) {
  EXPECT_FALSE(MeasureItem(Vector{1.0}, Vector{kNaN}, {.absolute = 1e9}).IsSmall());
  EXPECT_FALSE(MeasureItem(Vector{kNaN}, Vector{1.0}, {.absolute = 1e9}).IsSmall());
  EXPECT_FALSE(MeasureItem(Vector{1.0}, Vector{std::numeric_limits<double>::infinity()}, {.relative = 1.0}).IsSmall());
  EXPECT_TRUE(MeasureItem(Vector{kNaN, 1.0}, Vector{kNaN, 1.0}, {}).IsSmall());  // missing in both
}

TEST(LoopConvergence, KnowsTheSizeOfAnItem) {
  EXPECT_EQ(SizeOfItem(Vector{-4.0, 2.0, kNaN}), 4.0);
  EXPECT_EQ(SizeOfItem(Vector{0.0, 0.0}), 0.0);
  EXPECT_EQ(SizeOfItem(Vector{}), 0.0);
}

}  // namespace
}  // namespace openmi
