#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "fmi-bridge/dcp/slave/SlaveMachine.hpp"
#include "tests/fmi-bridge/dcp/support/SmallSlave.hpp"

namespace openmi::dcp {
namespace {

using enum PduType;
using enum State;
using test::SmallDescription;

constexpr std::uint8_t kId = 7;

/// A machine, what it says, and short ways to ask it.
class Bench final : public ISlaveOutlet {
 public:
  explicit Bench(SlaveDescription described = SmallDescription())
      : description(std::move(described)), values(description), machine(description, values, *this) {}
  void Reply(Bytes pdu) override { said.push_back({true, {pdu.begin(), pdu.end()}}); }
  void Notify(Bytes pdu) override { said.push_back({false, {pdu.begin(), pdu.end()}}); }

  void Send(const Pdu& pdu) {
    said.clear();
    std::vector<std::byte> bytes(EncodedSize(pdu));
    ASSERT_EQ(Encode(pdu, bytes), bytes.size());
    machine.Receive(bytes, now);
  }
  /// What came back to the last PDU, a line each.
  std::vector<std::string> Said() const {
    std::vector<std::string> lines;
    for (const auto& [is_reply, bytes] : said) lines.push_back(Describe(Bytes(bytes)));
    return lines;
  }
  /// The error code of the refusal; NONE for an ack or another response; 0xFFFF for silence.
  ErrorCode Answer() const {
    for (const auto& [is_reply, bytes] : said) {
      if (!is_reply) continue;
      const Pdu pdu = Decode(bytes).pdu;
      const auto* nack = std::get_if<RspNack>(&pdu);
      return nack == nullptr ? ErrorCode::NONE : nack->error;
    }
    return static_cast<ErrorCode>(0xFFFF);
  }
  template <class P>
  ErrorCode Ask(P pdu) {
    pdu.sequence = ++sequence;
    pdu.receiver = kId;
    Send(pdu);
    return Answer();
  }
  ErrorCode Stc(PduType type) { return Ask(StcPlain{.type = type, .state = machine.CurrentState()}); }
  ErrorCode Register(OpMode mode = OpMode::NRT) { return Ask(StcRegister{.uuid = description.uuid, .mode = mode}); }
  ErrorCode Network(PduType type, std::uint16_t id, std::uint16_t port = 5000) {
    return Ask(CfgNetworkInformation{.type = type, .id = id, .port = port, .address = 0x7F000001});
  }
  /// u by data 1, y by data 2, gain by parameters 1.
  void Configure(OpMode mode = OpMode::NRT) {
    ASSERT_EQ(Register(mode), ErrorCode::NONE);
    ASSERT_EQ(Ask(CfgInput{.data_id = 1, .target_vr = 1}), ErrorCode::NONE);
    ASSERT_EQ(Ask(CfgOutput{.data_id = 2, .source_vr = 2}), ErrorCode::NONE);
    ASSERT_EQ(Ask(CfgTunableParameter{.param_id = 1, .parameter_vr = 3}), ErrorCode::NONE);
    ASSERT_EQ(Network(CFG_source_network_information, 1), ErrorCode::NONE);
    ASSERT_EQ(Network(CFG_target_network_information, 2), ErrorCode::NONE);
    ASSERT_EQ(Network(CFG_param_network_information, 1), ErrorCode::NONE);
    ASSERT_EQ(Ask(CfgSteps{.steps = 1, .data_id = 2}), ErrorCode::NONE);
    ASSERT_EQ(Ask(CfgScope{.data_id = 1}), ErrorCode::NONE);
    ASSERT_EQ(Ask(CfgScope{.data_id = 2}), ErrorCode::NONE);
  }
  /// Walks on to a state by the shortest way.
  void WalkTo(State state, OpMode mode = OpMode::NRT) {
    if (state == ALIVE) return;
    Configure(mode);
    if (state == CONFIGURATION) return;
    if (state == ERRORHANDLING || state == ERRORRESOLVED) {
      machine.Fail(ErrorCode::PROTOCOL_ERROR_GENERIC);
      if (state == ERRORRESOLVED) machine.Raise(Signal::resolved);
      return;
    }
    const auto stop = [&] { return machine.CurrentState() == state; };
    ASSERT_EQ(Stc(STC_prepare), ErrorCode::NONE);
    if (stop()) return;
    machine.Raise(Signal::prepared);
    if (stop()) return;
    ASSERT_EQ(Stc(STC_configure), ErrorCode::NONE);
    if (stop()) return;
    machine.Raise(Signal::configured);
    if (stop()) return;
    if (state == STOPPING || state == STOPPED) {
      ASSERT_EQ(Stc(STC_stop), ErrorCode::NONE);
      if (state == STOPPED) machine.Raise(Signal::stopped);
      return;
    }
    if (state <= SENDING_I) {
      ASSERT_EQ(Stc(STC_initialize), ErrorCode::NONE);
      if (stop()) return;
      machine.Raise(Signal::initialized);
      if (stop()) return;
      ASSERT_EQ(Stc(STC_send_outputs), ErrorCode::NONE);
      return;
    }
    ASSERT_EQ(Ask(StcRun{.state = CONFIGURED}), ErrorCode::NONE);
    if (stop()) return;
    machine.Raise(Signal::synchronized);
    if (stop()) return;
    ASSERT_EQ(Ask(StcRun{.state = SYNCHRONIZED}), ErrorCode::NONE);
    if (stop()) return;
    ASSERT_EQ(Ask(StcDoStep{.steps = 1}), ErrorCode::NONE);
    if (stop()) return;
    machine.Raise(Signal::step_done);
    if (stop()) return;
    ASSERT_EQ(Stc(STC_send_outputs), ErrorCode::NONE);
  }

  SlaveDescription description;
  SlaveValues values;
  SlaveMachine machine;
  SlaveMachine::Moment now{.clock = SlaveMachine::Clock::now(), .unix_seconds = 1'000'000};
  std::vector<std::pair<bool, std::vector<std::byte>>> said;
  std::uint16_t sequence = 100;
};

std::vector<std::byte> PayloadOf(double value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

TEST(DcpSlaveMachine, AcknowledgesThenNotifiesThroughAWholeNonRealTimeStep) {
  Bench slave;
  slave.WalkTo(RUNNING);
  ASSERT_EQ(slave.Ask(StcDoStep{.steps = 5}), ErrorCode::NONE);
  EXPECT_EQ(slave.Said(), (std::vector<std::string>{"RSP_ack seq " + std::to_string(slave.sequence) + " from 7",
                                                    "NTF_state_changed from 7 state COMPUTING"}));
  EXPECT_EQ(slave.machine.Steps(), 5u);
  EXPECT_TRUE(slave.machine.Raise(Signal::step_done));
  ASSERT_EQ(slave.Stc(STC_send_outputs), ErrorCode::NONE);
  EXPECT_EQ(slave.machine.CurrentState(), SENDING_D);
  EXPECT_TRUE(slave.machine.Raise(Signal::send_complete));
  EXPECT_EQ(slave.machine.CurrentState(), RUNNING);
}

TEST(DcpSlaveMachine, CanBeWalkedToEachOfTheNineteenStates) {
  for (std::uint8_t i = 0; i < kStates; ++i) {
    Bench slave;
    slave.WalkTo(static_cast<State>(i));
    EXPECT_EQ(slave.machine.CurrentState(), static_cast<State>(i)) << NameOf(static_cast<State>(i));
  }
}

TEST(DcpSlaveMachine, RefusesEveryRequestThatItsStateDoesNotAllow) {
  for (std::uint8_t i = 1; i < kStates; ++i) {
    const auto state = static_cast<State>(i);
    for (const PduType type :
         {STC_deregister, STC_prepare, STC_configure, STC_initialize, STC_send_outputs, STC_stop, STC_reset}) {
      if (IsAllowed(state, type)) continue;
      Bench slave;
      slave.WalkTo(state);
      const ErrorCode expected = RequestUnderWay(state) == type
                                     ? ErrorCode::PROTOCOL_ERROR_STATE_TRANSITION_IN_PROGRESS
                                     : ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE;
      EXPECT_EQ(slave.Stc(type), expected) << NameOf(type) << " in " << NameOf(state);
      EXPECT_EQ(slave.machine.CurrentState(), state);
    }
    Bench slave;
    slave.WalkTo(state);
    EXPECT_EQ(slave.Ask(InfPlain{.type = INF_state}), ErrorCode::NONE);
    EXPECT_EQ(slave.Said()[0],
              "RSP_state_ack seq " + std::to_string(slave.sequence) + " from 7 state " + std::string(NameOf(state)));
    if (state != CONFIGURATION) {
      EXPECT_EQ(slave.Ask(CfgClear{}), ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE);
    }
    const ErrorCode expected =
        kError.Has(state) ? ErrorCode::NONE : ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE;
    EXPECT_EQ(slave.Ask(InfPlain{.type = INF_error}), expected);
  }
}

TEST(DcpSlaveMachine, ChecksRegistrationInTheOrderOfTheStandard) {
  Bench slave;
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

TEST(DcpSlaveMachine, KeepsItsCountOfSequenceNumbersOverTheWrap) {
  Bench slave;
  slave.sequence = 65'533;
  ASSERT_EQ(slave.Register(), ErrorCode::NONE);  // 65 534
  EXPECT_EQ(slave.Ask(InfPlain{.type = INF_state}), ErrorCode::NONE);
  EXPECT_EQ(slave.Ask(InfPlain{.type = INF_state}), ErrorCode::NONE);
  EXPECT_EQ(slave.sequence, 0);
  slave.sequence = 5;
  EXPECT_EQ(slave.Ask(InfPlain{.type = INF_state}), ErrorCode::INVALID_SEQUENCE_ID);
  EXPECT_EQ(slave.Said()[0], "RSP_nack seq 6 from 7 error 0x2013 INVALID_SEQUENCE_ID expected seq 1");
  slave.sequence = 0;
  for (int i = 0; i < 70'000; ++i) ASSERT_EQ(slave.Ask(InfPlain{.type = INF_state}), ErrorCode::NONE) << i;
}

TEST(DcpSlaveMachine, DropsWhatIsNotForIt) {
  Bench slave;
  ASSERT_EQ(slave.Register(), ErrorCode::NONE);
  const auto is_dropped = [&](const Pdu& pdu) {
    slave.Send(pdu);
    return slave.said.empty();
  };
  EXPECT_TRUE(is_dropped(InfPlain{.sequence = 102, .receiver = 8}));
  EXPECT_TRUE(is_dropped(InfPlain{.sequence = 102, .receiver = 0}));
  EXPECT_TRUE(is_dropped(RspAck{.sequence = 102, .sender = 7}));
  EXPECT_TRUE(is_dropped(NtfStateChanged{.sender = 7}));
  slave.machine.Receive({}, slave.now);
  const std::byte unknown[] = {std::byte{0x33}, std::byte{0}, std::byte{0}, std::byte{7}};
  slave.machine.Receive(unknown, slave.now);
  EXPECT_TRUE(slave.said.empty());
  EXPECT_EQ(slave.machine.Total().dropped, 6u);
  const std::byte too_long[] = {std::byte{0x80}, std::byte{102}, std::byte{0}, std::byte{7}, std::byte{1}};
  slave.machine.Receive(too_long, slave.now);
  EXPECT_EQ(slave.Answer(), ErrorCode::INVALID_LENGTH);
}

TEST(DcpSlaveMachine, RefusesSettingsWithTheCodesOfTheStandard) {
  using enum ErrorCode;
  Bench slave;
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
  Bench slave(description);
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
  Bench slave(description);
  slave.Configure();
  ASSERT_EQ(slave.Ask(CfgInput{.data_id = 9, .target_vr = 4, .source_type = DataType::string}), ErrorCode::NONE);
  ASSERT_EQ(slave.Network(CFG_source_network_information, 9), ErrorCode::NONE);
  ASSERT_EQ(slave.Ask(CfgScope{.data_id = 9}), ErrorCode::NONE);
  EXPECT_EQ(slave.Stc(STC_prepare), ErrorCode::NOT_SUPPORTED_PDU_SIZE);
}

TEST(DcpSlaveMachine, ChecksRunAndStepRequests) {
  using enum ErrorCode;
  Bench slave;
  slave.WalkTo(CONFIGURED, OpMode::SRT);
  EXPECT_EQ(slave.Ask(StcRun{.state = RUNNING}), INVALID_STATE_ID);
  EXPECT_EQ(slave.Ask(StcRun{.state = CONFIGURED, .time = 999'999}), INVALID_START_TIME);
  EXPECT_EQ(slave.Ask(StcRun{.state = CONFIGURED, .time = 1'000'000}), NONE);
  EXPECT_EQ(slave.machine.StartTime(), 1'000'000);
  EXPECT_EQ(slave.Ask(StcDoStep{.state = SYNCHRONIZING}), NOT_SUPPORTED_PDU);
  Bench other;
  other.WalkTo(RUNNING);
  EXPECT_EQ(other.Ask(StcDoStep{.state = ALIVE, .steps = 0}), INVALID_STATE_ID);
  EXPECT_EQ(other.Ask(StcDoStep{.steps = 0}), INVALID_STEPS);
  EXPECT_EQ(other.Ask(StcDoStep{.steps = 1001}), INVALID_STEPS);
  SlaveDescription same_steps = SmallDescription();
  same_steps.capabilities.can_handle_variable_steps = false;
  Bench third(same_steps);
  third.WalkTo(SENDING_D);
  third.machine.Raise(Signal::send_complete);
  EXPECT_EQ(third.Ask(StcDoStep{.steps = 2}), NOT_SUPPORTED_VARIABLE_STEPS);
  EXPECT_EQ(third.Ask(StcDoStep{.steps = 1}), NONE);
}

TEST(DcpSlaveMachine, TakesDataInItsStatesAndNeverOldOverNew) {
  Bench slave;
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
  EXPECT_EQ(group.watch.Total().late, 1u);
  EXPECT_EQ(group.watch.Total().duplicated, 1u);
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
  Bench slave(description);
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

TEST(DcpSlaveMachine, MissesTheHeartbeatAndHealsWhenItIsReset) {
  SlaveDescription description = SmallDescription();
  description.capabilities.can_monitor_heartbeat = true;
  description.heartbeat = Heartbeat{.numerator = 1, .denominator = 2};
  Bench slave(description);
  EXPECT_FALSE(slave.machine.HeartbeatDeadline());
  slave.WalkTo(RUNNING);
  slave.now.clock += std::chrono::milliseconds(499);
  slave.machine.CheckHeartbeat(slave.now.clock);
  EXPECT_EQ(slave.machine.CurrentState(), RUNNING);
  ASSERT_EQ(slave.Ask(InfPlain{.type = INF_state}), ErrorCode::NONE);
  slave.now.clock += std::chrono::milliseconds(499);
  slave.machine.CheckHeartbeat(slave.now.clock);
  EXPECT_EQ(slave.machine.CurrentState(), RUNNING);
  slave.now.clock += std::chrono::milliseconds(2);
  slave.machine.CheckHeartbeat(slave.now.clock);
  EXPECT_EQ(slave.machine.CurrentState(), ERRORHANDLING);
  EXPECT_EQ(slave.machine.LastError(), ErrorCode::PROTOCOL_ERROR_HEARTBEAT_MISSED);
  slave.machine.Raise(Signal::resolved);
  slave.values.At(2).SetNumber(77.0);
  ASSERT_EQ(slave.Stc(STC_reset), ErrorCode::NONE);
  EXPECT_EQ(slave.machine.CurrentState(), CONFIGURATION);
  EXPECT_EQ(slave.machine.LastError(), ErrorCode::NONE);
  EXPECT_EQ(slave.values.At(2).Number(), 2.0);
  EXPECT_TRUE(slave.machine.Configuration().Inputs().empty());
  slave.machine.CheckHeartbeat(slave.now.clock);
  EXPECT_EQ(slave.machine.CurrentState(), CONFIGURATION);  // the interval began anew
}

TEST(DcpSlaveMachine, GivesArraysTheSizeOfTheirStructuralParameter) {
  Bench slave;
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
  Bench slave;
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
  Bench slave(description);
  ASSERT_EQ(slave.Register(), ErrorCode::NONE);
  EXPECT_EQ(slave.Ask(CfgClear{}), ErrorCode::NOT_SUPPORTED_PDU);
  EXPECT_EQ(slave.Ask(CfgLogging{}), ErrorCode::NOT_SUPPORTED_PDU);
  EXPECT_EQ(slave.Ask(InfLog{}), ErrorCode::NOT_SUPPORTED_PDU);
  EXPECT_EQ(slave.Stc(STC_reset), ErrorCode::NOT_SUPPORTED_PDU);
  EXPECT_EQ(slave.Stc(STC_prepare), ErrorCode::NONE);
}

TEST(DcpSlaveMachine, TellsAStrangerItsStateAndNothingElse) {
  Bench slave;
  slave.WalkTo(RUNNING);
  const auto stranger = [&](const Pdu& pdu) {
    slave.said.clear();
    std::vector<std::byte> bytes(EncodedSize(pdu));
    ASSERT_EQ(Encode(pdu, bytes), bytes.size());
    slave.machine.ReceiveFromStranger(bytes);
  };
  stranger(InfPlain{.type = INF_state, .sequence = 1, .receiver = 3});
  EXPECT_EQ(slave.Said(), std::vector<std::string>{"RSP_state_ack seq 1 from 3 state RUNNING"});
  stranger(StcRegister{.sequence = 1, .receiver = 3, .uuid = slave.description.uuid});
  EXPECT_EQ(slave.Answer(), ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE);
  stranger(StcPlain{
      .type = STC_stop, .sequence = static_cast<std::uint16_t>(slave.sequence + 1), .receiver = kId, .state = RUNNING});
  EXPECT_TRUE(slave.said.empty());
  EXPECT_EQ(slave.Ask(InfPlain{.type = INF_state}), ErrorCode::NONE);  // the count goes on
}

TEST(DcpSlaveMachine, StaysInOneOfItsStatesWhateverComes) {
  std::mt19937 random(6);
  for (int round = 0; round < 300; ++round) {
    Bench slave;
    slave.WalkTo(static_cast<State>(random() % kStates));
    for (int i = 0; i < 200; ++i) {
      std::vector<std::byte> bytes(random() % 40);
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
      if (bytes.size() >= 4 && random() % 4 != 0) {
        constexpr std::uint8_t kTypes[] = {0x01, 0x03, 0x09, 0x20, 0x22, 0x25, 0x27, 0x2A, 0x80, 0x82, 0xF0, 0xF1};
        bytes[0] = static_cast<std::byte>(kTypes[random() % std::size(kTypes)]);
        if (bytes[0] < std::byte{0xF0}) {
          const auto next = static_cast<std::uint16_t>(slave.sequence + 1);
          std::memcpy(&bytes[1], &next, 2);
          bytes[3] = std::byte{kId};
          if (slave.machine.IsNextRequest(bytes)) ++slave.sequence;
        }
      }
      slave.machine.Receive(bytes, slave.now);
      ASSERT_TRUE(IsState(static_cast<std::uint8_t>(slave.machine.CurrentState())));
    }
  }
}

}  // namespace
}  // namespace openmi::dcp
