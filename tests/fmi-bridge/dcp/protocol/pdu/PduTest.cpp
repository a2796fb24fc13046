#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "fmi-bridge/dcp/protocol/pdu/Pdu.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {
namespace {

using enum PduType;

std::vector<std::byte> BytesOf(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

std::vector<std::byte> Encoded(const Pdu& pdu) {
  std::vector<std::byte> bytes(EncodedSize(pdu));
  EXPECT_EQ(Encode(pdu, bytes), bytes.size());
  return bytes;
}

const std::vector<std::byte> kPayload = BytesOf({1, 2, 3, 4, 5});

/// One of every type, each field with a value of its own.
std::vector<Pdu> OneOfEach() {
  Uuid uuid;
  for (std::size_t i = 0; i < uuid.size(); ++i) uuid[i] = static_cast<std::uint8_t>(0xA0 + i);
  std::vector<Pdu> all;
  for (const PduType type :
       {STC_deregister, STC_prepare, STC_configure, STC_initialize, STC_send_outputs, STC_stop, STC_reset}) {
    all.push_back(StcPlain{.type = type, .sequence = 0x1234, .receiver = 7, .state = State::RUNNING});
  }
  all.push_back(StcRegister{.sequence = 1, .receiver = 2, .state = State::ALIVE, .uuid = uuid, .mode = OpMode::SRT});
  all.push_back(StcRun{.sequence = 3, .receiver = 4, .state = State::SYNCHRONIZED, .time = -0x0102030405060708});
  all.push_back(StcDoStep{.sequence = 5, .receiver = 6, .state = State::RUNNING, .steps = 0xDEADBEEF});
  all.push_back(CfgTimeRes{.sequence = 7, .receiver = 8, .numerator = 9, .denominator = 10});
  all.push_back(CfgSteps{.sequence = 11, .receiver = 12, .steps = 13, .data_id = 14});
  all.push_back(CfgInput{.sequence = 1, .receiver = 2, .data_id = 3, .position = 4, .target_vr = 5});
  all.push_back(CfgOutput{.sequence = 1, .receiver = 2, .data_id = 3, .position = 4, .source_vr = 0xF000000000000005});
  all.push_back(CfgClear{.sequence = 1, .receiver = 2});
  for (const PduType type :
       {CFG_target_network_information, CFG_source_network_information, CFG_param_network_information}) {
    for (const TransportProtocol protocol : {TransportProtocol::UDP_IPv4, TransportProtocol::TCP_IPv4}) {
      all.push_back(CfgNetworkInformation{.type = type,
                                          .sequence = 1,
                                          .receiver = 2,
                                          .id = 3,
                                          .protocol = protocol,
                                          .port = 8080,
                                          .address = 0x7F000001});
    }
  }
  all.push_back(CfgNetworkInformation{.protocol = TransportProtocol::Bluetooth, .rest = kPayload});
  all.push_back(CfgParameter{.sequence = 1, .receiver = 2, .parameter_vr = 3, .value = kPayload});
  all.push_back(CfgTunableParameter{.sequence = 1, .receiver = 2, .param_id = 3, .position = 4, .parameter_vr = 5});
  all.push_back(CfgLogging{.sequence = 1, .receiver = 2, .category = 3, .level = LogLevel::Debug});
  all.push_back(CfgScope{.sequence = 1, .receiver = 2, .data_id = 3, .scope = Scope::Run});
  for (const PduType type : {INF_state, INF_error})
    all.push_back(InfPlain{.type = type, .sequence = 65535, .receiver = 255});
  all.push_back(InfLog{.sequence = 1, .receiver = 2, .category = 3, .max_entries = 4});
  all.push_back(RspAck{.sequence = 1, .sender = 2});
  all.push_back(RspNack{.sequence = 1, .sender = 2, .expected_sequence = 3, .error = ErrorCode::INVALID_UUID});
  all.push_back(RspStateAck{.sequence = 1, .sender = 2, .state = State::SENDING_D});
  all.push_back(RspErrorAck{.sequence = 1, .sender = 2, .error = ErrorCode::PROTOCOL_ERROR_HEARTBEAT_MISSED});
  all.push_back(RspLogAck{.sequence = 1, .sender = 2, .entries = kPayload});
  all.push_back(NtfStateChanged{.sender = 1, .state = State::ERRORRESOLVED});
  all.push_back(NtfLog{.sender = 1, .time = 2, .log_template = 3, .arguments = kPayload});
  for (const PduType type : {DAT_input_output, DAT_parameter}) {
    all.push_back(Dat{.type = type, .sequence = 0xFFFF, .id = 0x0102, .payload = kPayload});
  }
  return all;
}

bool HasTail(PduType type) {
  return type == CFG_parameter || type == RSP_log_ack || type == NTF_log || type == DAT_input_output ||
         type == DAT_parameter;
}

TEST(DcpPdu, EveryKindComesBackAsItWas) {
  std::vector<PduType> seen;
  for (const Pdu& pdu : OneOfEach()) {
    const std::vector<std::byte> bytes = Encoded(pdu);
    const Decoded decoded = Decode(bytes);
    ASSERT_EQ(decoded.fault, DecodeFault::None) << Describe(pdu);
    EXPECT_EQ(TypeOf(decoded.pdu), TypeOf(pdu));
    EXPECT_EQ(Encoded(decoded.pdu), bytes) << Describe(pdu);
    EXPECT_EQ(Describe(decoded.pdu), Describe(pdu));
    seen.push_back(TypeOf(pdu));
  }
  for (int type = 0; type < 256; ++type) {
    const auto known = static_cast<PduType>(type);
    EXPECT_EQ(std::ranges::find(seen, known) != seen.end(), IsKnown(known)) << type;
  }
}

TEST(DcpPdu, BytesStandWhereTheStandardPutsThem) {
  EXPECT_EQ(Encoded(StcPlain{.type = STC_stop, .sequence = 0x0102, .receiver = 3, .state = State::RUNNING}),
            BytesOf({0x09, 0x02, 0x01, 3, 0x0B}));
  EXPECT_EQ(Encoded(StcRun{.sequence = 1, .receiver = 2, .state = State::CONFIGURED, .time = 0x0102}),
            BytesOf({0x06, 1, 0, 2, 5, 2, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(Encoded(CfgSteps{.sequence = 1, .receiver = 2, .steps = 3, .data_id = 4}),
            BytesOf({0x21, 1, 0, 2, 3, 0, 0, 0, 4, 0}));
  EXPECT_EQ(Encoded(CfgInput{.sequence = 1, .receiver = 2, .data_id = 3, .position = 4, .target_vr = 5}),
            BytesOf({0x22, 1, 0, 2, 3, 0, 4, 0, 5, 0, 0, 0, 0, 0, 0, 0, 9}));
  EXPECT_EQ(Encoded(CfgNetworkInformation{.type = CFG_target_network_information,
                                          .sequence = 1,
                                          .receiver = 2,
                                          .id = 3,
                                          .protocol = TransportProtocol::TCP_IPv4,
                                          .port = 0x1F90,
                                          .address = 0x7F000001}),
            BytesOf({0x25, 1, 0, 2, 3, 0, 4, 0x90, 0x1F, 1, 0, 0, 0x7F}));
  EXPECT_EQ(Encoded(RspNack{.sequence = 1, .sender = 2, .expected_sequence = 3, .error = ErrorCode::INVALID_LENGTH}),
            BytesOf({0xB1, 1, 0, 2, 3, 0, 0x01, 0x20}));
  EXPECT_EQ(Encoded(NtfLog{.sender = 1, .time = 2, .log_template = 3, .arguments = BytesOf({4})}),
            BytesOf({0xE1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 3, 4}));
  EXPECT_EQ(Encoded(Dat{.sequence = 1, .id = 2, .payload = BytesOf({9})}), BytesOf({0xF0, 1, 0, 2, 0, 9}));
  EXPECT_EQ(EncodedSize(StcRegister{}), 24u);
  EXPECT_EQ(EncodedSize(CfgTunableParameter{}), 17u);
}

TEST(DcpPdu, OneByteLessOrMoreIsAWrongLength) {
  for (const Pdu& pdu : OneOfEach()) {
    std::vector<std::byte> bytes = Encoded(pdu);
    if (std::holds_alternative<CfgNetworkInformation>(pdu) &&
        std::get<CfgNetworkInformation>(pdu).protocol == TransportProtocol::Bluetooth) {
      continue;  // what follows is of any length
    }
    const std::size_t fixed = bytes.size() - (HasTail(TypeOf(pdu)) ? kPayload.size() : 0);
    for (std::size_t size = 0; size < fixed; ++size) {
      EXPECT_NE(Decode(ByteView(bytes).first(size)).fault, DecodeFault::None) << Describe(pdu) << " cut to " << size;
    }
    bytes.push_back({});
    EXPECT_EQ(Decode(bytes).fault, HasTail(TypeOf(pdu)) ? DecodeFault::None : DecodeFault::WrongLength)
        << Describe(pdu);
  }
}

TEST(DcpPdu, WhatDoesNotFitIsNotWritten) {
  for (const Pdu& pdu : OneOfEach()) {
    std::vector<std::byte> bytes(EncodedSize(pdu) - 1, std::byte{0x55});
    EXPECT_EQ(Encode(pdu, bytes), 0u) << Describe(pdu);
    EXPECT_TRUE(std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0x55}; }));
  }
}

TEST(DcpPdu, AnyBytesAreAPduOrAFaultAndCanBeDescribed) {
  std::mt19937 random(20261122);
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::byte> bytes(random() % 40);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    const Decoded decoded = Decode(bytes);
    EXPECT_FALSE(Describe(ByteView(bytes)).empty());
    if (decoded.fault == DecodeFault::None) {
      EXPECT_EQ(Encoded(decoded.pdu), bytes);
    }
  }
}

TEST(DcpPdu, IsDescribedInOneLineForAPerson) {
  EXPECT_EQ(Describe(StcRun{.sequence = 17, .receiver = 3, .state = State::CONFIGURED, .time = 0}),
            "STC_run seq 17 to 3 state CONFIGURED time 0");
  EXPECT_EQ(Describe(RspNack{.sequence = 4, .sender = 1, .expected_sequence = 5, .error = ErrorCode::INVALID_UUID}),
            "RSP_nack seq 4 from 1 error 0x2011 INVALID_UUID expected seq 5");
  EXPECT_EQ(Describe(Dat{.sequence = 2, .id = 9, .payload = BytesOf({1, 255})}),
            "DAT_input_output seq 2 data 9 2 bytes: 01 ff");
  EXPECT_EQ(Describe(ByteView(BytesOf({0x77, 1}))), "unknown type 0x77: 2 bytes: 77 01");
}

TEST(DcpCodes, UuidsGoToTextAndBack) {
  const std::string text = "b5279485-720d-4542-9f29-bee4d9a75ef9";
  EXPECT_EQ(ToText(UuidFromText(text)), text);
  EXPECT_EQ(UuidFromText(text)[0], 0xB5);
  EXPECT_EQ(UuidFromText(text)[15], 0xF9);
  for (const char* bad : {"", "b5279485-720d-4542-9f29-bee4d9a75ef", "b5279485x720d-4542-9f29-bee4d9a75ef9",
                          "g5279485-720d-4542-9f29-bee4d9a75ef9"}) {
    EXPECT_THROW(UuidFromText(bad), FormatError) << bad;
  }
}

TEST(DcpCodes, OnlyWideningThatLosesNothingIsAllowed) {
  // Rows: from; columns: to. Source: DCP 1.0, table of allowed conversions.
  constexpr std::array<const char*, kDataTypes> table{"111101111100",  // uint8
                                                      "011100111100", "001100010100", "000100000000",
                                                      "000011111100",  // int8
                                                      "000001111100", "000000110100", "000000010000",
                                                      "000000001100",  // float32
                                                      "000000000100", "000000000010", "000000000001"};
  for (std::size_t from = 0; from < kDataTypes; ++from) {
    for (std::size_t to = 0; to < kDataTypes; ++to) {
      EXPECT_EQ(CanConvert(static_cast<DataType>(from), static_cast<DataType>(to)), table[from][to] == '1')
          << NameOf(static_cast<DataType>(from)) << " to " << NameOf(static_cast<DataType>(to));
    }
  }
}

}  // namespace
}  // namespace openmi::dcp
