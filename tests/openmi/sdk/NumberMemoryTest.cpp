#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "openmi/sdk/NumberMemory.hpp"

namespace openmi {
namespace {

static_assert(NumberTypeOf<double>() == NumberType::Float64);
static_assert(NumberTypeOf<float>() == NumberType::Float32);
static_assert(NumberTypeOf<std::int8_t>() == NumberType::Int8);
static_assert(NumberTypeOf<std::uint16_t>() == NumberType::UInt16);
static_assert(NumberTypeOf<long>() == NumberType::Int64);
static_assert(NumberTypeOf<bool>() == NumberType::Bool);
static_assert(IntegerType(4, false) == NumberType::UInt32);

TEST(NumberMemory, HasTheSizeOfEachType) {
  for (const auto& [type, size] : {std::pair(NumberType::Float64, 8U),
                                   {NumberType::Float32, 4U},
                                   {NumberType::Int8, 1U},
                                   {NumberType::Int16, 2U},
                                   {NumberType::UInt32, 4U},
                                   {NumberType::UInt64, 8U},
                                   {NumberType::Bool, 1U}}) {
    EXPECT_EQ(SizeOf(type), size);
    EXPECT_EQ(NumberMemory(type, 3).Bytes().size(), 3 * size);
  }
}

TEST(NumberMemory, RoundsHalvesAwayFromZero) {
  EXPECT_EQ(Rounded<std::int32_t>(2.5), 3);
  EXPECT_EQ(Rounded<std::int32_t>(-2.5), -3);
  EXPECT_EQ(Rounded<float>(0.5), 0.5F);
}

TEST(NumberMemory, RefusesWhatATypeCannotHold) {
  EXPECT_EQ(Rounded<std::uint8_t>(255.4), 255);
  EXPECT_FALSE(Rounded<std::uint8_t>(255.5));
  EXPECT_FALSE(Rounded<std::uint8_t>(-0.5 - 1e-9));
  EXPECT_FALSE(Rounded<std::int64_t>(0x1p63));
  EXPECT_EQ(Rounded<std::int64_t>(-0x1p63), std::numeric_limits<std::int64_t>::min());
  EXPECT_FALSE(Rounded<std::uint64_t>(0x1p64));
  EXPECT_FALSE(Rounded<std::int16_t>(std::nan("")));
  EXPECT_TRUE(std::isnan(*Rounded<double>(std::nan(""))));
}

TEST(NumberMemory, WritesUpToTheFirstThatDoesNotFit) {
  std::int8_t values[] = {9, 9, 9};
  const double given[] = {1.0, 200.0, 3.0};
  EXPECT_EQ(WriteNumbers(NumberType::Int8, given, values), 1U);
  EXPECT_EQ(std::vector<int>(std::begin(values), std::end(values)), (std::vector<int>{1, 9, 9}));
}

TEST(NumberMemory, KeepsWhatItHasWhereANumberIsRefused) {
  NumberMemory memory(NumberType::UInt16, 2);
  ASSERT_TRUE(memory.SetNumber(1, 7.0));
  EXPECT_FALSE(memory.SetNumber(1, -1.0));
  std::vector<double> row(2);
  memory.Numbers(0, row);
  EXPECT_EQ(row, (std::vector<double>{0.0, 7.0}));
}

TEST(NumberMemory, WrapsIntegersAndKeepsTheirBits) {
  NumberMemory memory(NumberType::UInt64, 1);
  memory.SetInteger(0, -1);
  EXPECT_EQ(memory.As<std::uint64_t>()[0], std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(memory.Integer(0), -1);
  EXPECT_EQ(memory.Number(0), 0x1p64);
}

}  // namespace
}  // namespace openmi
