// What a slave can be told: registration, configuration, data, logs.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/fmi-bridge/dcp/support/SlaveBench.hpp"

namespace openmi::dcp {
namespace {

using namespace test;

TEST(DcpSlaveMachine, ChecksRegistrationInTheOrderOfTheStandard) {
  SlaveBench slave;
  Uuid other = slave.description.uuid;
  other[3] ^= 1;
  StcRegister all_wrong{.state = RUNNING, .uuid = other, .mode = static_cast<OpMode>(9), .major = 2, .minor = 1};
  EXPECT_EQ(slave.Ask(all_wrong), ErrorCode::INVALID_STATE_ID);
  all_wrong.state = ALIVE;
  EXPECT_EQ(slave.Ask(all_wrong), ErrorCode::INVALID_UUID);
  all_wrong.uuid = slave.description.uuid;
  EXPECT_EQ(slave.Ask(all_wrong), ErrorCode::INVALID_OP_MODE);
  all_wrong.mode = OpMode::SRT;
  EXPECT_EQ(slave.Ask(all_wrong), ErrorCode::INVALID_MAJOR_VERSION);
  all_wrong.major = 1;
  EXPECT_EQ(slave.Ask(all_wrong), ErrorCode::INVALID_MINOR_VERSION);
  all_wrong.minor = 0;
  EXPECT_EQ(slave.Ask(all_wrong), ErrorCode::NONE);
  EXPECT_EQ(slave.machine.CurrentState(), CONFIGURATION);
  EXPECT_EQ(slave.machine.Mode(), OpMode::SRT);
}

TEST(DcpSlaveMachine, RefusesSettingsWithTheCodesOfTheStandard) {
  using enum ErrorCode;
  SlaveBench slave;
  ASSERT_EQ(slave.Register(), NONE);
  EXPECT_EQ(slave.Ask(CfgTimeRes{.numerator = 0, .denominator = 1}), INVALID_TIME_RESOLUTION);
  EXPECT_EQ(slave.Ask(CfgTimeRes{.numerator = 1, .denominator = 0}), INVALID_TIME_RESOLUTION);
  EXPECT_EQ(slave.Ask(CfgTimeRes{.numerator = 1, .denominator = 10}), INVALID_TIME_RESOLUTION);
  EXPECT_EQ(slave.Ask(CfgTimeRes{.numerator = 1, .denominator = 1000}), NONE);
  EXPECT_EQ(slave.Ask(CfgSteps{.steps = 0, .data_id = 2}), INVALID_STEPS);
  EXPECT_EQ(slave.Ask(CfgInput{.data_id = 1, .target_vr = 99}), INVALID_VALUE_REFERENCE);
  EXPECT_EQ(slave.Ask(CfgInput{.data_id = 1, .target_vr = 2}), INVALID_VALUE_REFERENCE);  // an output
  EXPECT_EQ(slave.Ask(CfgInput{.data_id = 1, .target_vr = 1, .source_type = DataType::int64}),
            INVALID_SOURCE_DATA_TYPE);
  EXPECT_EQ(slave.Ask(CfgInput{.data_id = 1, .target_vr = 1, .source_type = static_cast<DataType>(12)}),
            INVALID_SOURCE_DATA_TYPE);
  EXPECT_EQ(slave.Ask(CfgOutput{.data_id = 2, .source_vr = 1}), INVALID_VALUE_REFERENCE);
  EXPECT_EQ(slave.Ask(CfgSteps{.steps = 101, .data_id = 2}), NONE);  // no output there yet
  EXPECT_EQ(slave.Ask(CfgOutput{.data_id = 2, .source_vr = 2}), INVALID_STEPS);
  EXPECT_EQ(slave.Network(CFG_target_network_information, 2, 0), INVALID_NETWORK_INFORMATION);
  EXPECT_EQ(slave.Ask(CfgNetworkInformation{.protocol = TransportProtocol::USB2}), INVALID_TRANSPORT_PROTOCOL);
  EXPECT_EQ(slave.Ask(CfgParameter{.parameter_vr = 1, .value = PayloadOf(1.0)}), INVALID_VALUE_REFERENCE);
  EXPECT_EQ(slave.Ask(CfgParameter{.parameter_vr = 3, .source_type = DataType::string}), INVALID_SOURCE_DATA_TYPE);
  EXPECT_EQ(slave.Ask(CfgParameter{.parameter_vr = 3}), INVALID_LENGTH);
  EXPECT_EQ(slave.Ask(CfgParameter{.parameter_vr = 3, .value = PayloadOf(-1.0)}), PROTOCOL_ERROR_PROPERTY_VIOLATED);
  EXPECT_EQ(slave.values.At(2).Number(), 2.0);
  EXPECT_EQ(slave.Ask(CfgTunableParameter{.parameter_vr = 9}), INVALID_VALUE_REFERENCE);  // fixed
  EXPECT_EQ(slave.Ask(CfgTunableParameter{.parameter_vr = 3, .source_type = DataType::int64}),
            INVALID_SOURCE_DATA_TYPE);
  EXPECT_EQ(slave.Ask(CfgLogging{.category = 2}), INVALID_LOG_CATEGORY);
  EXPECT_EQ(slave.Ask(CfgLogging{.category = 1, .level = static_cast<LogLevel>(5)}), INVALID_LOG_LEVEL);
  EXPECT_EQ(slave.Ask(CfgLogging{.category = 1, .mode = static_cast<LogMode>(3)}), INVALID_LOG_MODE);
  EXPECT_EQ(slave.Ask(CfgScope{.scope = static_cast<Scope>(3)}), INVALID_SCOPE);
  std::vector<std::byte> text(4 + 9);
  text[0] = std::byte{9};
  EXPECT_EQ(slave.Ask(CfgParameter{.parameter_vr = 9, .source_type = DataType::string, .value = text}),
            INVALID_PAYLOAD);
  text[0] = std::byte{8};
  EXPECT_EQ(slave.Ask(CfgParameter{.parameter_vr = 9, .source_type = DataType::string, .value = text}), INVALID_LENGTH);
}

TEST(DcpSlaveMachine, SaysWhatIsMissingBeforeItPrepares) {
  using enum ErrorCode;
  SlaveDescription description = SmallDescription();
  description.resolutions[0].is_fixed = false;
  SlaveBench slave(description);
  ASSERT_EQ(slave.Register(OpMode::SRT), NONE);
  const auto next = [&](ErrorCode expected, auto pdu) {
    EXPECT_EQ(slave.Stc(STC_prepare), expected) << NameOf(expected);
    EXPECT_EQ(slave.Ask(pdu), NONE);
  };
  ASSERT_EQ(slave.Ask(CfgInput{.data_id = 1, .position = 1, .target_vr = 1}), NONE);
  ASSERT_EQ(slave.Ask(CfgOutput{.data_id = 2, .position = 1, .source_vr = 2}), NONE);
  ASSERT_EQ(slave.Ask(CfgTunableParameter{.param_id = 3, .position = 1, .parameter_vr = 3}), NONE);
  next(INCOMPLETE_CONFIG_GAP_INPUT_POS, CfgInput{.data_id = 1, .position = 0, .target_vr = 1});
  next(INCOMPLETE_CONFIG_GAP_OUTPUT_POS, CfgOutput{.data_id = 2, .position = 0, .source_vr = 2});
  next(INCOMPLETE_CONFIG_GAP_TUNABLE_POS, CfgTunableParameter{.param_id = 3, .position = 0, .parameter_vr = 3});
  CfgNetworkInformation place{.type = CFG_source_network_information, .id = 1, .port = 9, .address = 0x7F000001};
  next(INCOMPLETE_CONFIG_NW_INFO_INPUT, place);
  place.type = CFG_target_network_information, place.id = 2;
  next(INCOMPLETE_CONFIG_NW_INFO_OUTPUT, place);
  place.type = CFG_param_network_information, place.id = 3;
  next(INCOMPLETE_CONFIG_NW_INFO_TUNABLE, place);
  next(INCOMPLETE_CONFIG_STEPS, CfgSteps{.steps = 1, .data_id = 2});
  next(INCOMPLETE_CONFIG_TIME_RESOLUTION, CfgTimeRes{.numerator = 1, .denominator = 1000});
  EXPECT_EQ(slave.Ask(CfgScope{.data_id = 1}), NONE);
  next(INCOMPLETE_CONFIG_SCOPE, CfgScope{.data_id = 2});
  ASSERT_EQ(slave.Ask(CfgOutput{.data_id = 2, .position = 2, .source_vr = 5}), NONE);
  next(NONE, InfPlain{.type = INF_state});
  slave.machine.Fail(PROTOCOL_ERROR_GENERIC);
  slave.machine.Raise(Signal::resolved);
  ASSERT_EQ(slave.Stc(STC_reset), NONE);
  EXPECT_EQ(slave.machine.CurrentState(), CONFIGURATION);
  EXPECT_EQ(slave.Stc(STC_prepare), INCOMPLETE_CONFIG_TIME_RESOLUTION);  // nothing is left of it
}

TEST(DcpSlaveMachine, RefusesDataThatItsTransportCannotCarry) {
  SlaveDescription description = SmallDescription();
  description.transports.udp->max_pdu_size = 60'008;  // 5 and 4 and 60 000 are one byte more
  SlaveBench slave(description);
  slave.Configure();
  ASSERT_EQ(slave.Ask(CfgInput{.data_id = 9, .target_vr = 4, .source_type = DataType::string}), ErrorCode::NONE);
  ASSERT_EQ(slave.Network(CFG_source_network_information, 9), ErrorCode::NONE);
  ASSERT_EQ(slave.Ask(CfgScope{.data_id = 9}), ErrorCode::NONE);
  EXPECT_EQ(slave.Stc(STC_prepare), ErrorCode::NOT_SUPPORTED_PDU_SIZE);
}

TEST(DcpSlaveMachine, TakesDataInItsStatesAndNeverOldOverNew) {
  SlaveBench slave;
  slave.WalkTo(PREPARED);
  const auto send = [&](std::uint16_t sequence, double value, std::uint16_t id = 1) {
    const std::vector<std::byte> payload = PayloadOf(value);
    slave.Send(Dat{.sequence = sequence, .id = id, .payload = payload});
  };
  send(0, 1.0);
  EXPECT_EQ(slave.values.At(0).Number(), 0.0);  // too early
  ASSERT_EQ(slave.Stc(STC_configure), ErrorCode::NONE);
  slave.machine.Raise(Signal::configured);
  send(10, 2.0);
  EXPECT_EQ(slave.values.At(0).Number(), 2.0);
  send(9, 3.0);   // late
  send(10, 4.0);  // twice
  send(11, 5.0, 8);
  EXPECT_EQ(slave.values.At(0).Number(), 2.0);
  slave.Send(Dat{.sequence = 11, .id = 1, .payload = {}});
  EXPECT_EQ(slave.values.At(0).Number(), 2.0);
  send(14, 6.0);
  EXPECT_EQ(slave.values.At(0).Number(), 6.0);
  const auto& group = slave.machine.Configuration().Inputs().at(1);
  EXPECT_EQ(slave.machine.Total().late, 1u);
  EXPECT_EQ(slave.machine.Total().repeated, 1u);
  EXPECT_EQ(group.malformed, 1u);
  const std::vector<std::byte> payload = PayloadOf(9.0);
  slave.Send(Dat{.type = DAT_parameter, .sequence = 0, .id = 1, .payload = payload});
  EXPECT_EQ(slave.values.At(2).Number(), 9.0);
  ASSERT_EQ(slave.Stc(STC_stop), ErrorCode::NONE);
  send(15, 7.0);
  EXPECT_EQ(slave.values.At(0).Number(), 6.0);
}

TEST(DcpSlaveMachine, FailsWhenMoreDataAreMissedThanItCanBear) {
  SlaveDescription description = SmallDescription();
  description.variables[0].max_consecutive_missed_pdus = 2;
  SlaveBench slave(description);
  slave.WalkTo(RUNNING);
  const std::vector<std::byte> payload = PayloadOf(1.0);
  slave.Send(Dat{.sequence = 1, .id = 1, .payload = payload});
  slave.Send(Dat{.sequence = 4, .id = 1, .payload = payload});  // two are missing
  EXPECT_EQ(slave.machine.CurrentState(), RUNNING);
  slave.Send(Dat{.sequence = 8, .id = 1, .payload = payload});  // three
  EXPECT_EQ(slave.machine.CurrentState(), ERRORHANDLING);
  slave.machine.Raise(Signal::resolved);
  ASSERT_EQ(slave.Ask(InfPlain{.type = INF_error}), ErrorCode::NONE);
  EXPECT_NE(slave.Said()[0].find("PROTOCOL_ERROR_PROPERTY_VIOLATED"), std::string::npos);
}

// In soft real time a served slave goes on with the last values; in hard real time it does not.
TEST(DcpSlaveMachine, BearsLossesInSoftRealTimeWhereItIsAskedTo) {
  for (const OpMode mode : {OpMode::SRT, OpMode::HRT}) {
    SlaveDescription description = SmallDescription();
    description.variables[0].max_consecutive_missed_pdus = 0;
    SlaveBench slave(description);
    slave.machine.BearLossInSoftRealTime();
    slave.WalkTo(RUNNING, mode);
    const std::vector<std::byte> payload = PayloadOf(1.0);
    for (const std::uint16_t number : std::initializer_list<std::uint16_t>{1, 2, 2, 1, 5}) {
      slave.Send(Dat{.sequence = number, .id = 1, .payload = payload});
    }
    EXPECT_EQ(slave.machine.CurrentState(), mode == OpMode::SRT ? RUNNING : ERRORHANDLING);
    EXPECT_EQ(slave.machine.Total().missed, 2u);
    EXPECT_EQ(slave.machine.Total().repeated, 1u);
    EXPECT_EQ(slave.machine.Total().late, 1u);
  }
}

TEST(DcpSlaveMachine, GivesArraysTheSizeOfTheirStructuralParameter) {
  SlaveBench slave;
  ASSERT_EQ(slave.Register(), ErrorCode::NONE);
  const std::uint32_t five = 5;
  const std::uint32_t zero = 0;
  const auto set = [&](const std::uint32_t& size) {
    return slave.Ask(
        CfgParameter{.parameter_vr = 8, .source_type = DataType::uint32, .value = std::as_bytes(std::span(&size, 1))});
  };
  ASSERT_EQ(slave.Ask(CfgInput{.data_id = 1, .target_vr = 6}), ErrorCode::NONE);
  EXPECT_EQ(set(five), ErrorCode::NONE);
  EXPECT_EQ(slave.values.At(5).Elements(), 5u);
  EXPECT_EQ(slave.values.At(6).Elements(), 5u);
  EXPECT_EQ(slave.machine.Configuration().Inputs().at(1).layout.PayloadSize(), 40u);
  EXPECT_NE(set(zero), ErrorCode::NONE);
  const std::uint32_t huge = 0xFFFFFFFF;
  EXPECT_NE(set(huge), ErrorCode::NONE);
  EXPECT_EQ(slave.values.At(5).Elements(), 5u);
  ASSERT_EQ(slave.Ask(CfgClear{}), ErrorCode::NONE);
  EXPECT_EQ(slave.values.At(5).Elements(), 3u);
}

TEST(DcpSlaveMachine, KeepsLogsUntilTheyAreAskedForOrSendsThem) {
  SlaveBench slave;
  ASSERT_EQ(slave.Register(), ErrorCode::NONE);
  const std::vector<std::byte> argument = PayloadOf(1.5);
  slave.machine.Log(1, argument, 42);  // no mode yet: not kept
  ASSERT_EQ(slave.Ask(CfgLogging{.category = 0, .level = LogLevel::Information, .mode = LogMode::OnRequest}),
            ErrorCode::NONE);
  for (int i = 0; i < 3; ++i) slave.machine.Log(1, argument, 42 + i);
  ASSERT_EQ(slave.Ask(InfLog{.category = 1, .max_entries = 2}), ErrorCode::NONE);
  EXPECT_EQ(slave.said[0].second.size(), 4 + 2 * (8 + 1 + 8u));
  ASSERT_EQ(slave.Ask(InfLog{.category = 0, .max_entries = 9}), ErrorCode::NONE);
  EXPECT_EQ(slave.said[0].second.size(), 4 + 1 * (8 + 1 + 8u));
  EXPECT_EQ(slave.Ask(InfLog{.category = 3, .max_entries = 9}), ErrorCode::INVALID_LOG_CATEGORY);
  ASSERT_EQ(slave.Ask(CfgLogging{.category = 1, .level = LogLevel::Information, .mode = LogMode::OnNotification}),
            ErrorCode::NONE);
  slave.said.clear();
  slave.machine.Log(1, argument, 50);
  ASSERT_EQ(slave.said.size(), 1u);
  EXPECT_EQ(slave.Said()[0].rfind("NTF_log from 7 time 50 template 1", 0), 0u);
}

TEST(DcpSlaveMachine, RefusesWhatItsDescriptionDoesNotOffer) {
  SlaveDescription description = SmallDescription();
  description.capabilities = {};
  SlaveBench slave(description);
  ASSERT_EQ(slave.Register(), ErrorCode::NONE);
  EXPECT_EQ(slave.Ask(CfgClear{}), ErrorCode::NOT_SUPPORTED_PDU);
  EXPECT_EQ(slave.Ask(CfgLogging{}), ErrorCode::NOT_SUPPORTED_PDU);
  EXPECT_EQ(slave.Ask(InfLog{}), ErrorCode::NOT_SUPPORTED_PDU);
  EXPECT_EQ(slave.Stc(STC_reset), ErrorCode::NOT_SUPPORTED_PDU);
  EXPECT_EQ(slave.Stc(STC_prepare), ErrorCode::NONE);
}

}  // namespace
}  // namespace openmi::dcp
