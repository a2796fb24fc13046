#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "fmi-bridge/dcp/protocol/pdu/DataPdu.hpp"

namespace openmi::dcp {
namespace {

TEST(DcpTypedValue, KeepsEachNumericTypeToItsLimits) {
  for (std::uint8_t type = 0; type < 10; ++type) {
    TypedValue value(static_cast<DataType>(type), 3);
    value.SetNumber(7.0, 1);
    EXPECT_EQ(value.Number(0), 0.0);
    EXPECT_EQ(value.Number(1), 7.0);
    EXPECT_EQ(value.EncodedSize(), 3 * SizeOf(value.Type()));
  }
  TypedValue small(DataType::int8);
  small.SetNumber(1e9);
  EXPECT_EQ(small.Number(), 127.0);
  small.SetNumber(-1e9);
  EXPECT_EQ(small.Number(), -128.0);
  small.SetNumber(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(small.Number(), 0.0);
  small.SetNumber(-2.6);
  EXPECT_EQ(small.Integer(), -3);
  TypedValue large(DataType::uint64);
  large.SetNumber(1e30);
  EXPECT_EQ(large.As<std::uint64_t>()[0], std::numeric_limits<std::uint64_t>::max());
  large.SetNumber(-1.0);
  EXPECT_EQ(large.As<std::uint64_t>()[0], 0u);
  TypedValue exact(DataType::int64);
  exact.SetInteger((std::int64_t{1} << 60) + 1);
  EXPECT_EQ(exact.Integer(), (std::int64_t{1} << 60) + 1);
}

TEST(DcpDataLayout, CarriesNumbersArraysStringsAndBinariesTightly) {
  std::array<TypedValue, 4> sent{TypedValue(DataType::uint8), TypedValue(DataType::float64, 6),
                                 TypedValue(DataType::string, 1, 20), TypedValue(DataType::binary, 1, 8)};
  std::array<TypedValue, 4> taken = sent;
  sent[0].SetNumber(200);
  sent[1].SetNumbers(std::array{1.0, 2.0, 3.0, 4.0, 5.0, -6.5});
  ASSERT_TRUE(sent[2].SetText("Grüße"));
  ASSERT_TRUE(sent[3].SetText(std::string_view("\0\1\2", 3)));
  EXPECT_FALSE(sent[3].SetText("123456789"));
  DataLayout out, in;
  for (std::uint16_t i = 0; i < 4; ++i) {
    out.Put(i, {.value_reference = i, .wire_type = sent[i].Type(), .value = &sent[i]});
    in.Put(i, {.value_reference = i, .wire_type = sent[i].Type(), .value = &taken[i]});
  }
  EXPECT_EQ(out.PayloadSize(), 1 + 48 + 4 + 7 + 4 + 3u);
  EXPECT_EQ(out.LargestPayload(), 1 + 48 + 24 + 12u);
  std::vector<std::byte> bytes(100);
  bytes.resize(EncodeData(PduType::DAT_input_output, 9, 3, out, bytes));
  const Decoded decoded = Decode(bytes);
  ASSERT_EQ(decoded.fault, DecodeFault::None);
  const Dat& dat = std::get<Dat>(decoded.pdu);
  EXPECT_EQ(dat.sequence, 9);
  EXPECT_EQ(dat.id, 3);
  ASSERT_TRUE(in.DecodePayload(dat.payload));
  EXPECT_EQ(taken[0].Number(), 200);
  EXPECT_EQ(taken[1].Number(5), -6.5);
  EXPECT_EQ(taken[2].Text(), "Grüße");
  EXPECT_EQ(taken[3].Text(), std::string_view("\0\1\2", 3));
  for (std::size_t room = 0; room < bytes.size(); ++room) {
    std::vector<std::byte> small(room);
    EXPECT_EQ(EncodeData(PduType::DAT_input_output, 9, 3, out, small), 0u);
  }
}

TEST(DcpDataLayout, TakesAllOfAPayloadOrNothing) {
  TypedValue number(DataType::float64);
  TypedValue text(DataType::string, 1, 4);
  number.SetNumber(1.0);
  DataLayout in;
  in.Put(0, {.wire_type = DataType::float32, .value = &number});
  in.Put(1, {.wire_type = DataType::string, .value = &text});
  std::vector<std::byte> payload(4 + 4 + 4);
  const float two = 2.0F;
  std::memcpy(payload.data(), &two, 4);
  const auto with_length = [&](std::uint32_t length) {
    std::memcpy(payload.data() + 4, &length, 4);
    return in.DecodePayload(payload);
  };
  EXPECT_FALSE(with_length(3));           // a byte is left over
  EXPECT_FALSE(with_length(5));           // longer than allowed
  EXPECT_FALSE(with_length(0xFFFFFFFF));  // beyond the end
  EXPECT_FALSE(in.DecodePayload({}));
  EXPECT_EQ(number.Number(), 1.0);
  EXPECT_EQ(text.Text(), "");
  EXPECT_TRUE(with_length(4));
  EXPECT_EQ(number.Number(), 2.0);  // float32 from the sender
  EXPECT_EQ(text.Text().size(), 4u);
}

TEST(DcpDataLayout, NamesTheFirstGap) {
  TypedValue value;
  DataLayout layout;
  EXPECT_FALSE(layout.Gap());
  layout.Put(2, {.value = &value});
  EXPECT_EQ(layout.Gap(), 0);
  layout.Put(0, {.value = &value});
  EXPECT_EQ(layout.Gap(), 1);
  layout.Put(1, {.value = &value});
  EXPECT_FALSE(layout.Gap());
  TypedValue endless(DataType::string);
  layout.Put(3, {.wire_type = DataType::string, .value = &endless});
  EXPECT_FALSE(layout.LargestPayload());
}

TEST(DcpSequenceWatch, TellsLostDuplicatedAndLateOnesApartOverTheWrap) {
  using enum SequenceWatch::Verdict;
  SequenceWatch watch;
  EXPECT_EQ(watch.See(65'533), First);
  EXPECT_EQ(watch.See(65'534), Next);
  EXPECT_EQ(watch.See(65'534), Duplicate);
  EXPECT_EQ(watch.See(65'535), Next);
  EXPECT_EQ(watch.See(0), Next);
  EXPECT_EQ(watch.See(3), Gap);
  EXPECT_EQ(watch.Missed(), 2);
  EXPECT_EQ(watch.See(1), Late);
  EXPECT_EQ(watch.See(65'535), Late);
  EXPECT_EQ(watch.See(4), Next);
}

TEST(DcpSequenceWatch, SeesEveryNumberOfTwoRoundsAsTheNext) {
  SequenceWatch watch;
  std::uint16_t sequence = 40'000;
  watch.See(sequence);
  for (int i = 0; i < 2 * 65'536; ++i) ASSERT_EQ(watch.See(++sequence), SequenceWatch::Verdict::Next);
}

}  // namespace
}  // namespace openmi::dcp
