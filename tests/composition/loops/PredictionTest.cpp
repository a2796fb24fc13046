#include <vector>

#include "composition/loops/Prediction.hpp"

namespace openmi {
namespace {

double GuessAt(LoopGuess guess, double time, int steps = 5) {
  Prediction prediction(guess);
  const auto parabola = [](double t) { return 3.0 - 2.0 * t + 0.5 * t * t; };
  for (int i = 0; i < steps; ++i) {
    const double t = 0.5 * i * i;  // steps of different lengths
    prediction.Add(t, std::vector<double>{parabola(t), 7.0});
  }
  std::vector<double> out(prediction.Size());
  prediction.At(time, out);
  if (!out.empty()) {
    EXPECT_NEAR(out[1], 7.0, 1e-12);
  }
  return out.empty() ? 0.0 : out[0];
}

TEST(LoopPrediction, IsExactForPolynomialsOfItsOrder) {
  EXPECT_DOUBLE_EQ(GuessAt(LoopGuess::Last, 12.0), 19.0);                                 // at 8
  EXPECT_DOUBLE_EQ(GuessAt(LoopGuess::Linear, 12.0), 19.0 + 4.0 * (19.0 - 4.125) / 3.5);  // through 4.5 and 8
  EXPECT_NEAR(GuessAt(LoopGuess::Quadratic, 12.0), 3.0 - 24.0 + 72.0, 1e-11);
}

TEST(LoopPrediction, WorksWithWhatThereIs) {
  EXPECT_DOUBLE_EQ(GuessAt(LoopGuess::Quadratic, 9.0, 1), 3.0);
  EXPECT_NEAR(GuessAt(LoopGuess::Quadratic, 9.0, 2), 3.0 + 9.0 * (2.125 - 3.0) / 0.5, 1e-12);
  Prediction none(LoopGuess::Linear);
  EXPECT_TRUE(none.IsEmpty());
  EXPECT_EQ(none.Size(), 0U);
}

TEST(LoopPrediction, BeginsAnewWhenTheNumberOfValuesChanges) {
  Prediction prediction(LoopGuess::Linear);
  prediction.Add(0.0, std::vector<double>{1.0});
  prediction.Add(1.0, std::vector<double>{2.0, 3.0});
  std::vector<double> out(prediction.Size());
  prediction.At(5.0, out);
  EXPECT_EQ(out, (std::vector<double>{2.0, 3.0}));
}

}  // namespace
}  // namespace openmi
