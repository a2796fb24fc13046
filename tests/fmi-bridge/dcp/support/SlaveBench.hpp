#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "fmi-bridge/dcp/slave/SlaveMachine.hpp"
#include "tests/fmi-bridge/dcp/support/SmallSlave.hpp"

namespace openmi::dcp::test {

using enum PduType;
using enum State;

inline constexpr std::uint8_t kId = 7;

/// A machine, what it says, and short ways to ask it.
class SlaveBench final : public ISlaveOutlet {
 public:
  explicit SlaveBench(SlaveDescription described = SmallDescription())
      : description(std::move(described)), values(description), machine(description, values, *this) {}
  void Reply(ByteView pdu) override { said.push_back({true, {pdu.begin(), pdu.end()}}); }
  void Notify(ByteView pdu) override { said.push_back({false, {pdu.begin(), pdu.end()}}); }

  void Send(const Pdu& pdu) {
    said.clear();
    std::vector<std::byte> bytes(EncodedSize(pdu));
    ASSERT_EQ(Encode(pdu, bytes), bytes.size());
    machine.Receive(bytes, now);
  }
  /// What came back to the last PDU, a line each.
  std::vector<std::string> Said() const {
    std::vector<std::string> lines;
    for (const auto& [is_reply, bytes] : said) lines.push_back(Describe(ByteView(bytes)));
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

inline std::vector<std::byte> PayloadOf(double value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace openmi::dcp::test
