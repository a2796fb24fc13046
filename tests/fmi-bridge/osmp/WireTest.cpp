#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/wire/CommonMessages.hpp"

namespace {

using namespace openmi::osi;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::byte> BytesOf(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

std::vector<std::byte> Copy(Message message) {
  return {message.begin(), message.end()};
}

std::string RefusalOf(Message message) {
  try {
    RequireFields(message);
  } catch (const WireError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FieldReader, ReadsWhatTheEncodingOfProtobufSays) {
  // 1: 150; 2: "testing"; 16: 1.5 (two bytes of tag); 3: float 0.5; 4: -1
  const auto bytes = BytesOf({0x08, 0x96, 0x01, 0x12, 0x07, 't',  'e',  's',  't',  'i',  'n',  'g', 0x81,
                              0x01, 0,    0,    0,    0,    0,    0,    0xF8, 0x3F, 0x1D, 0,    0,   0,
                              0x3F, 0x20, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01});
  FieldReader field(bytes);
  int number = 0;
  ASSERT_TRUE(field.Next());
  EXPECT_TRUE(field.Is(1, WireType::Varint) && field.Read(number));
  EXPECT_EQ(number, 150);
  std::string_view text;
  ASSERT_TRUE(field.Next());
  EXPECT_TRUE(field.Is(2, WireType::Length) && field.Read(text));
  EXPECT_EQ(text, "testing");
  EXPECT_EQ(field.Whole().size(), 9U);
  double real = 0.0;
  ASSERT_TRUE(field.Next());
  EXPECT_TRUE(field.Is(16, WireType::Fixed64) && field.Read(real));
  EXPECT_EQ(real, 1.5);
  float small = 0.0F;
  ASSERT_TRUE(field.Next());
  EXPECT_TRUE(field.Is(3, WireType::Fixed32) && field.Read(small));
  EXPECT_EQ(small, 0.5F);
  ASSERT_TRUE(field.Next());
  EXPECT_TRUE(field.Read(number));
  EXPECT_EQ(number, -1);
  EXPECT_FALSE(field.Read(real)) << "of another wire type";
  EXPECT_FALSE(field.Next());
}

TEST(FieldReader, ReadsRepeatedNumbersPackedAndUnpacked) {
  const auto bytes = BytesOf({0x0A, 0x04, 0x01, 0x96, 0x01, 0x03, 0x08, 0x05});
  std::vector<int> numbers;
  for (FieldReader field(bytes); field.Next();) field.Each<int>([&](int value) { numbers.push_back(value); });
  EXPECT_THAT(numbers, ElementsAre(1, 150, 3, 5));

  const auto doubles = BytesOf({0x0A, 0x08, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F, 0x09, 0, 0, 0, 0, 0, 0, 0, 0x40});
  std::vector<double> reals;
  for (FieldReader field(doubles); field.Next();) field.Each<double>([&](double value) { reals.push_back(value); });
  EXPECT_THAT(reals, ElementsAre(1.5, 2.0));
}

TEST(FieldReader, StepsOverGroupsThatOthersWrite) {
  const auto bytes =
      BytesOf({0x0B, 0x08, 0x01, 0x13, 0x0A, 0x01, 0xFF, 0x14, 0x0C, 0x10, 0x07});  // 1 {1:1, 2 {..}}, 2: 7
  FieldReader field(bytes);
  ASSERT_TRUE(field.Next());
  EXPECT_TRUE(field.Is(1, WireType::GroupBegin));
  EXPECT_EQ(field.Whole().size(), 9U);
  int number = 0;
  ASSERT_TRUE(field.Next());
  EXPECT_TRUE(field.Read(number));
  EXPECT_EQ(number, 7);
}

TEST(FieldReader, RefusesBytesThatAreNoMessageAndSaysWhere) {
  EXPECT_THAT(RefusalOf(BytesOf({0x08, 0x96})), AllOf(HasSubstr("byte 2"), HasSubstr("end of the message")));
  EXPECT_THAT(RefusalOf(BytesOf({0x0A, 0x05, 0x00})),
              AllOf(HasSubstr("1 bytes that are left"), HasSubstr("field 1 announcing 5")));
  EXPECT_THAT(RefusalOf(BytesOf({0x09, 0, 0, 0})), HasSubstr("number of fixed size"));
  EXPECT_THAT(RefusalOf(BytesOf({0x0D, 0, 0, 0})), HasSubstr("number of fixed size"));
  EXPECT_THAT(RefusalOf(BytesOf({0x00, 0x01})), HasSubstr("field number"));
  EXPECT_THAT(RefusalOf(BytesOf({0x0C})), HasSubstr("end of a group"));
  EXPECT_THAT(RefusalOf(BytesOf({0x0E})), HasSubstr("bad type"));
  EXPECT_THAT(RefusalOf(BytesOf({0x0B, 0x14})), HasSubstr("found another's"));
  EXPECT_THAT(RefusalOf(BytesOf({0x0B, 0x08, 0x01})), HasSubstr("end of a group"));
  EXPECT_THAT(RefusalOf(BytesOf({0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01})),
              HasSubstr("at most 10 bytes"));
  EXPECT_THAT(RefusalOf(std::vector<std::byte>(200, std::byte{0x0B})), HasSubstr("100 deep"));
  // A length of 2 GiB and one of 2^64 - 1, in a message of a few bytes.
  EXPECT_THAT(RefusalOf(BytesOf({0x0A, 0x80, 0x80, 0x80, 0x80, 0x08})), HasSubstr("announcing 2147483648"));
  EXPECT_THAT(RefusalOf(BytesOf({0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01})),
              HasSubstr("announcing 18446744073709551615"));
  std::byte one{};
  EXPECT_THROW(FieldReader(Message(&one, kLargestMessage + 1)), WireError) << "and never looks into it";
}

TEST(FieldReader, NeverReadsOutsideWhatever) {
  std::mt19937_64 random(20261122);
  std::size_t accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::byte> bytes(random() % 40);  // on the heap, so that the sanitizer sees a step too far
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() % 3 == 0 ? random() : random() % 32);
    try {
      RequireFields(bytes);
      ++accepted;
    } catch (const WireError&) {
    }
  }
  EXPECT_GT(accepted, 100U);
  EXPECT_LT(accepted, 19'900U);
}

// A random message: what was written is what is read, however deep it is and however long its parts are.
TEST(MessageWriter, WhatItWritesIsReadBack) {
  std::mt19937_64 random(7);
  MessageWriter writer;
  for (int round = 0; round < 100; ++round) {
    std::string written;
    std::string read;
    writer.Clear();
    const std::function<void(int)> write = [&](int depth) {
      const auto fields = depth < 2 ? 8 : random() % 6;
      for (std::uint64_t i = 0; i < fields; ++i) {
        const auto number = static_cast<std::uint32_t>(1 + random() % (random() % 4 == 0 ? 3000 : 15));
        written += std::to_string(number) + ":";
        const std::uint64_t bits = random() >> random() % 64;
        switch (random() % 4) {
          case 0:
            writer.Unsigned(number, bits);
            written += std::to_string(bits) + " ";
            break;
          case 1:
            writer.Double(number, static_cast<double>(bits));
            written += std::to_string(static_cast<double>(bits)) + " ";
            break;
          case 2: {
            const std::string text = "'" + std::string(random() % (random() % 8 == 0 ? 20'000 : 150), 'a') + "'";
            writer.Text(number, text);
            written += text + " ";
            break;
          }
          default:
            if (depth == 12) {
              writer.Float(number, 1.0F);
              written += "1f ";
              break;
            }
            writer.Begin(number);
            written += "{ ";
            write(depth + 1);
            writer.End();
            written += "} ";
        }
      }
    };
    write(0);
    const std::function<void(Message)> walk = [&](Message message) {
      for (FieldReader field(message); field.Next();) {
        read += std::to_string(field.Number()) + ":";
        std::uint64_t bits = 0;
        double real = 0.0;
        std::string_view text;
        if (field.Read(bits)) {
          read += std::to_string(bits) + " ";
        } else if (field.Read(real)) {
          read += std::to_string(real) + " ";
        } else if (field.Read(text) && text.size() > 1 && text.front() == '\'' && text.back() == '\'') {
          read += std::string(text) + " ";
        } else if (field.Type() == WireType::Length) {
          read += "{ ";
          walk(field.Content());
          read += "} ";
        } else {
          read += "1f ";
        }
      }
    };
    walk(writer.Written());
    ASSERT_EQ(read, written) << "round " << round;
  }
}

TEST(MessageWriter, WritesNoBiggerLengthThanNeededAlthoughItGuesses) {
  MessageWriter writer;
  for (int size : {1, 200, 20'000, 200, 1, 0}) {
    writer.Clear();
    writer.Begin(5);
    writer.Text(1, std::string(static_cast<std::size_t>(size), 'x'));
    writer.End();
    const std::size_t inner = 1 + (size < 128 ? 1 : size < 16'384 ? 2 : 3) + static_cast<std::size_t>(size);
    EXPECT_EQ(writer.Written().size(), 1 + (inner < 128 ? 1U : inner < 16'384 ? 2U : 3U) + inner);
  }
}

TEST(MessageWriter, KeepsUnknownFieldsWhenItForwards) {
  MessageWriter writer;
  writer.Unsigned(1, 5);
  writer.Text(99, "of a later release");
  writer.Double(2, 2.0);
  const auto original = Copy(writer.Written());
  writer.Clear();
  for (FieldReader field(original); field.Next();) {
    if (field.Number() == 2) {
      writer.Double(2, 3.0);
    } else {
      writer.Copy(field.Whole());
    }
  }
  MessageWriter expected;
  expected.Unsigned(1, 5);
  expected.Text(99, "of a later release");
  expected.Double(2, 3.0);
  EXPECT_EQ(Copy(writer.Written()), Copy(expected.Written()));
}

TEST(MessageWriter, KeepsItsBuffer) {
  MessageWriter writer;
  writer.Text(1, std::string(1000, 'x'));
  const std::byte* buffer = writer.Written().data();
  writer.Clear();
  writer.Text(1, std::string(990, 'y'));
  EXPECT_EQ(writer.Written().data(), buffer);
}

TEST(MessageWriter, RefusesWhatCannotBeAMessage) {
  MessageWriter writer;
  EXPECT_THROW(writer.End(), WireError);
  writer.Begin(1);
  EXPECT_THROW(writer.Written(), WireError);
  for (int depth = 1; depth < kDeepestNesting; ++depth) writer.Begin(1);
  EXPECT_THROW(writer.Begin(1), WireError);
  writer.Clear();
  std::byte one{};
  EXPECT_THROW(writer.Length(1, Message(&one, kLargestMessage + 1)), WireError);
  EXPECT_THROW(writer.Copy(Message(&one, kLargestMessage + 1)), WireError);
  EXPECT_THROW(writer.Reserve(kLargestMessage + 1), WireError);
}

TEST(CommonMessages, SplitTimesIntoWholeNanoseconds) {
  EXPECT_EQ(TimestampOf(0.02), (Timestamp{0, 20'000'000}));
  EXPECT_EQ(TimestampOf(0.06), (Timestamp{0, 60'000'000}));
  EXPECT_EQ(TimestampOf(1.9999999996), (Timestamp{2, 0}));
  EXPECT_EQ(TimestampOf(-0.25), (Timestamp{-1, 750'000'000}));
  for (int step = 0; step < 1000; ++step) {
    EXPECT_EQ(TimestampOf(step * 0.02).nanos % 20'000'000, 0U);
  }
}

TEST(CommonMessages, ReadWhatTheyWriteAndLeaveOutWhatIsNotSet) {
  MovingObject object;
  object.id = 12;
  object.type = 2;
  object.base.position = {1.0, 2.0, kUnset};
  object.base.velocity = {0.0, -3.0, 0.5};
  MessageWriter writer;
  WriteHead(writer, {3, 7, 0}, TimestampOf(1.5));
  Write(writer, field::ground_truth::kMovingObject, object);
  const MessageHead head = ReadHead(writer.Written());
  EXPECT_EQ(head.version, (InterfaceVersion{3, 7, 0}));
  EXPECT_EQ(head.time, (Timestamp{1, 500'000'000}));
  MovingObject read;
  for (FieldReader field(writer.Written()); field.Next();) {
    if (field.Number() == field::ground_truth::kMovingObject) read = ReadAs<MovingObject>(field.Content());
  }
  EXPECT_EQ(read.id, 12U);
  EXPECT_EQ(read.type, 2);
  EXPECT_EQ(read.base.position.a, 1.0);
  EXPECT_EQ(read.base.position.b, 2.0);
  EXPECT_TRUE(std::isnan(read.base.position.c));
  EXPECT_EQ(read.base.velocity.b, -3.0);
  EXPECT_FALSE(read.base.orientation.IsSet());
}

// Half of a message may stand in one field and half in the next of the same number.
TEST(CommonMessages, MergeMessagesThatStandTwice) {
  MessageWriter writer;
  Base first;
  first.position = {1.0, 2.0, 3.0};
  Base second;
  second.position = {kUnset, 5.0, kUnset};
  Write(writer, field::moving_object::kBase, first);
  Write(writer, field::moving_object::kBase, second);
  const auto object = ReadAs<MovingObject>(writer.Written());
  EXPECT_EQ(object.base.position.a, 1.0);
  EXPECT_EQ(object.base.position.b, 5.0);
  EXPECT_EQ(object.base.position.c, 3.0);
}

}  // namespace
