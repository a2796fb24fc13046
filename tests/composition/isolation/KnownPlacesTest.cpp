// Element sets cross a connection once, however many items share it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "composition/isolation/KnownPlaces.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

ElementSet Cells(int count, double at = 0.0) {
  ElementSetBuilder cells("cells", ElementType::Polygon, kLocalMetresWkt);
  for (int i = 0; i < count; ++i) {
    const double x = at + 10.0 * i;
    cells.AddPolygon(std::to_string(i), {{x, 0.0}, {x + 10.0, 0.0}, {x + 10.0, 5.0}});
  }
  return cells.Build();
}

std::size_t BytesOf(const ElementSet& set) {
  StateWriter writer;
  WriteElementSet(writer, set);
  return writer.Bytes().size();
}

/// The two ends of a connection.
struct Ends {
  /// Sends sets in one message. \returns what the other side reads
  static std::vector<std::shared_ptr<const ElementSet>> Send(KnownPlaces& from, KnownPlaces& to,
                                                             const std::vector<const ElementSet*>& sets,
                                                             std::size_t& bytes) {
    StateWriter letter;
    for (const ElementSet* set : sets) from.Write(letter, *set);
    from.Settle(true);
    bytes = letter.Bytes().size();
    StateReader reader(letter.Bytes());
    std::vector<std::shared_ptr<const ElementSet>> read;
    for (std::size_t i = 0; i < sets.size(); ++i) read.push_back(to.Read(reader));
    EXPECT_TRUE(reader.AtEnd());
    return read;
  }
  KnownPlaces run{false};
  KnownPlaces worker{true};
};

TEST(KnownPlaces, CrossOnceInEitherDirection) {
  Ends ends;
  const ElementSet cells = Cells(50);
  const ElementSet equal = Cells(50);
  const ElementSet other = Cells(50, 1.0);
  const std::size_t whole = BytesOf(cells);
  std::size_t bytes = 0;
  auto read = Ends::Send(ends.worker, ends.run, {&cells, &cells, &equal, &other, &equal}, bytes);
  EXPECT_EQ(read[0], read[1]);
  EXPECT_EQ(read[0], read[2]) << "equal elements are one set";
  EXPECT_EQ(read[2], read[4]);
  EXPECT_NE(read[0], read[3]);
  EXPECT_EQ(read[3]->GetVertexXCoordinate(0, 0), 1.0);
  EXPECT_LT(bytes, 2 * whole + 400);
  read = Ends::Send(ends.worker, ends.run, {&equal}, bytes);
  EXPECT_LT(bytes, 64U);
  EXPECT_EQ(read[0]->ElementCount(), 50);
  // The run names what came from the worker, which has it.
  read = Ends::Send(ends.run, ends.worker, {read[0].get()}, bytes);
  EXPECT_LT(bytes, 64U);
  EXPECT_EQ(read[0]->GetVertexXCoordinate(49, 0), 490.0);
  // What the run sent stays with it alone: the worker sends it whole, once.
  const ElementSet third = Cells(50, 2.0);
  Ends::Send(ends.run, ends.worker, {&third, &third}, bytes);
  EXPECT_LT(bytes, whole + 100);
  Ends::Send(ends.worker, ends.run, {&third}, bytes);
  EXPECT_GT(bytes, whole);
  Ends::Send(ends.worker, ends.run, {&third}, bytes);
  EXPECT_LT(bytes, 64U);
}

TEST(KnownPlaces, OfAMessageThatWasNotSentAreSentAgain) {
  Ends ends;
  const ElementSet cells = Cells(50);
  StateWriter lost;
  ends.worker.Write(lost, cells);
  ends.worker.Settle(false);
  std::size_t bytes = 0;
  EXPECT_EQ(Ends::Send(ends.worker, ends.run, {&cells}, bytes)[0]->ElementCount(), 50);
  EXPECT_GT(bytes, BytesOf(cells));
}

TEST(KnownPlaces, BeyondTheMostAreSentWhole) {
  Ends ends;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < KnownPlaces::kMost + 3; ++i) {
    const ElementSet cells = Cells(5, static_cast<double>(i));
    Ends::Send(ends.worker, ends.run, {&cells}, bytes);
    Ends::Send(ends.worker, ends.run, {&cells}, bytes);
    EXPECT_EQ(bytes < 64, i < KnownPlaces::kMost) << i;
  }
}

TEST(KnownPlaces, RefuseNamesOfNothing) {
  KnownPlaces run(false);
  const auto read = [&run](std::int64_t form, std::size_t size) {
    StateWriter letter;
    letter.Write(form);
    letter.Write(ByteView(Bytes(size)));
    StateReader reader(letter.Bytes());
    static_cast<void>(run.Read(reader));
  };
  EXPECT_THAT([&] { read(2, 32); }, ThrowsMessage<FormatError>(HasSubstr("the name of some that crossed before")));
  EXPECT_THAT([&] { read(2, 3); }, ThrowsMessage<FormatError>(HasSubstr("the name of some that crossed before")));
  EXPECT_THAT([&] { read(7, 32); }, ThrowsMessage<FormatError>(HasSubstr("found something else")));
  EXPECT_THROW(read(0, 40), FormatError);
  EXPECT_THROW(read(1, 400), FormatError);
}

}  // namespace
}  // namespace openmi::testing
