// States, sequence numbers, steps and supervision of the slave machine.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/fmi-bridge/dcp/support/SlaveBench.hpp"

namespace openmi::dcp {
namespace {

using namespace test;

TEST(DcpSlaveMachine, AcknowledgesThenNotifiesThroughAWholeNonRealTimeStep) {
  SlaveBench slave;
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
    SlaveBench slave;
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
      SlaveBench slave;
      slave.WalkTo(state);
      const ErrorCode expected = RequestUnderWay(state) == type
                                     ? ErrorCode::PROTOCOL_ERROR_STATE_TRANSITION_IN_PROGRESS
                                     : ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE;
      EXPECT_EQ(slave.Stc(type), expected) << NameOf(type) << " in " << NameOf(state);
      EXPECT_EQ(slave.machine.CurrentState(), state);
    }
    SlaveBench slave;
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

TEST(DcpSlaveMachine, KeepsItsCountOfSequenceNumbersOverTheWrap) {
  SlaveBench slave;
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
  SlaveBench slave;
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

TEST(DcpSlaveMachine, ChecksRunAndStepRequests) {
  using enum ErrorCode;
  SlaveBench slave;
  slave.WalkTo(CONFIGURED, OpMode::SRT);
  EXPECT_EQ(slave.Ask(StcRun{.state = RUNNING}), INVALID_STATE_ID);
  EXPECT_EQ(slave.Ask(StcRun{.state = CONFIGURED, .time = 999'999}), INVALID_START_TIME);
  EXPECT_EQ(slave.Ask(StcRun{.state = CONFIGURED, .time = 1'000'000}), NONE);
  EXPECT_EQ(slave.machine.StartTime(), 1'000'000);
  EXPECT_EQ(slave.Ask(StcDoStep{.state = SYNCHRONIZING}), NOT_SUPPORTED_PDU);
  SlaveBench other;
  other.WalkTo(RUNNING);
  EXPECT_EQ(other.Ask(StcDoStep{.state = ALIVE, .steps = 0}), INVALID_STATE_ID);
  EXPECT_EQ(other.Ask(StcDoStep{.steps = 0}), INVALID_STEPS);
  EXPECT_EQ(other.Ask(StcDoStep{.steps = 1001}), INVALID_STEPS);
  SlaveDescription same_steps = SmallDescription();
  same_steps.capabilities.can_handle_variable_steps = false;
  SlaveBench third(same_steps);
  third.WalkTo(SENDING_D);
  third.machine.Raise(Signal::send_complete);
  EXPECT_EQ(third.Ask(StcDoStep{.steps = 2}), NOT_SUPPORTED_VARIABLE_STEPS);
  EXPECT_EQ(third.Ask(StcDoStep{.steps = 1}), NONE);
}

TEST(DcpSlaveMachine, MissesTheHeartbeatAndHealsWhenItIsReset) {
  SlaveDescription description = SmallDescription();
  description.capabilities.can_monitor_heartbeat = true;
  description.heartbeat = Heartbeat{.numerator = 1, .denominator = 2};
  SlaveBench slave(description);
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
  EXPECT_EQ(slave.machine.CurrentState(), CONFIGURATION);  // the interval started anew
}

// By default a served slave supervises those who give a heartbeat, and none who never heard of it.
TEST(DcpSlaveMachine, SupervisesOnlyWhoBeatsWhereItIsToldTo) {
  SlaveDescription described = SmallDescription();
  described.capabilities.can_monitor_heartbeat = true;
  described.heartbeat = Heartbeat{.numerator = 10, .denominator = 1};
  const auto ask_after = [](SlaveBench& slave, int seconds, bool for_state) {
    slave.now.clock += std::chrono::seconds(seconds);
    if (for_state) {
      EXPECT_EQ(slave.Ask(InfPlain{.type = INF_state}), ErrorCode::NONE);
    } else {
      slave.Ask(StcDoStep{.steps = 1001});  // more than it takes at once
    }
  };
  const auto is_given_up_after = [](SlaveBench& slave, int seconds) {
    slave.machine.CheckHeartbeat(slave.now.clock + std::chrono::seconds(seconds));
    return slave.machine.LastError() == ErrorCode::PROTOCOL_ERROR_HEARTBEAT_MISSED;
  };
  for (const bool is_reported : {true, false}) {
    SlaveBench silent(described), rare(described), beating(described);
    for (SlaveBench* one : {&silent, &rare, &beating}) {
      if (is_reported) one->machine.SuperviseOnlyWhoBeats();
      one->WalkTo(RUNNING);
    }
    ask_after(rare, 1, true);
    ask_after(rare, 11, true);
    ask_after(beating, 3, true);
    ask_after(beating, 3, true);
    ask_after(beating, 7, false);
    EXPECT_EQ(is_given_up_after(silent, 1000), !is_reported);
    EXPECT_EQ(is_given_up_after(rare, 1000), !is_reported);
    EXPECT_EQ(is_given_up_after(beating, 9), !is_reported);  // any request is a sign of life where it was not asked for
    EXPECT_TRUE(is_given_up_after(beating, 11));
  }
}

TEST(DcpSlaveMachine, BearsWithNumbersThatBeginAnewOnlyWhereToldTo) {
  for (const bool is_lenient : {false, true}) {
    SlaveBench slave;
    if (is_lenient) slave.machine.AllowRestartedNumbers();
    slave.sequence = 0xFFFE;
    ASSERT_EQ(slave.Register(), ErrorCode::NONE);  // 0xFFFF, so that 0 comes after it
    ASSERT_EQ(slave.Ask(CfgScope{.data_id = 1}), ErrorCode::NONE);
    ASSERT_EQ(slave.Ask(CfgClear{}), ErrorCode::NONE);
    slave.sequence = 0xFFFF;
    EXPECT_EQ(slave.Ask(CfgScope{.data_id = 2}), is_lenient ? ErrorCode::NONE : ErrorCode::INVALID_SEQUENCE_ID);
    slave.sequence = 0xFFFF;  // once only
    EXPECT_EQ(slave.Ask(CfgScope{.data_id = 2}), ErrorCode::INVALID_SEQUENCE_ID);
    slave.sequence = is_lenient ? 0 : 1;
    EXPECT_EQ(slave.Ask(CfgScope{.data_id = 2}), ErrorCode::NONE);
  }
}

TEST(DcpSlaveMachine, TellsAStrangerItsStateAndNothingElse) {
  SlaveBench slave;
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
    SlaveBench slave;
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
