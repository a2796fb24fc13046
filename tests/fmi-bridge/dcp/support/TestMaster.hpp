#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fmi-bridge/dcp/support/RunningSlave.hpp"

namespace openmi::dcp::test {

/// The least that a master needs: asks, and waits for what comes back. It keeps what it did not wait for.
class TestMaster {
 public:
  static constexpr std::uint8_t kId = 1;

  TestMaster(TransportProtocol protocol, Endpoint slave, Uuid uuid)
      : transport(protocol == TransportProtocol::UDP_IPv4 ? MakeUdpTransport() : MakeTcpTransport()),
        slave_(slave),
        uuid_(uuid),
        protocol_(protocol) {
    // With TCP the slave connects to a listener of the master for its data; with UDP there is one port for all.
    data_socket = transport->Open({.address = kLoopback, .port = 0});
    control_socket = transport->Connect(data_socket, slave, Deadline());
  }

  static Transport::Clock::time_point Deadline() { return Transport::Clock::now() + std::chrono::seconds(20); }

  void SendBytes(ByteView bytes) { transport->Send(control_socket, slave_, bytes); }
  template <class P>
  void Send(P pdu) {
    if constexpr (requires { pdu.receiver; }) {
      pdu.sequence = ++sequence;
      pdu.receiver = kId;
    }
    std::vector<std::byte> bytes(EncodedSize(pdu));
    ASSERT_EQ(Encode(pdu, bytes), bytes.size());
    SendBytes(bytes);
  }
  /// Waits for a PDU of a kind.
  /// \returns its bytes, empty when none comes
  std::vector<std::byte> Await(PduType type) {
    const auto is_it = [&](const std::vector<std::byte>& bytes) { return static_cast<PduType>(bytes[0]) == type; };
    const auto kept = std::ranges::find_if(kept_, is_it);
    if (kept != kept_.end()) {
      std::vector<std::byte> found = *kept;
      kept_.erase(kept);
      return found;
    }
    const auto deadline = Deadline();
    Arrival arrival;
    while (transport->Receive(arrival, deadline)) {
      if (arrival.is_end || arrival.pdu.empty()) {
        is_cut = true;
        continue;
      }
      std::vector<std::byte> bytes(arrival.pdu.begin(), arrival.pdu.end());
      if (is_it(bytes)) return bytes;
      kept_.push_back(std::move(bytes));
    }
    return {};
  }
  /// Sets a parameter that is a text.
  void SetText(ValueReference parameter, std::string_view value) {
    TypedValue text(DataType::string);
    ASSERT_TRUE(text.SetText(value));
    std::vector<std::byte> bytes(text.EncodedSize());
    ASSERT_EQ(text.Encode(bytes), bytes.size());
    ASSERT_EQ(Ask(CfgParameter{.parameter_vr = parameter, .source_type = DataType::string, .value = bytes}),
              ErrorCode::NONE);
  }
  /// Asks for something and gives the error of a refusal.
  template <class P>
  ErrorCode Ask(P pdu) {
    Send(pdu);
    const auto deadline = Deadline();
    while (Transport::Clock::now() < deadline) {
      for (auto one = kept_.begin(); one != kept_.end(); ++one) {
        const Pdu answer = Decode(*one).pdu;
        const auto* nack = std::get_if<RspNack>(&answer);
        const auto* ack = std::get_if<RspAck>(&answer);
        if (!(nack != nullptr && nack->sequence == sequence) && !(ack != nullptr && ack->sequence == sequence))
          continue;
        const ErrorCode error = nack != nullptr ? nack->error : ErrorCode::NONE;
        kept_.erase(one);
        return error;
      }
      Arrival arrival;
      if (transport->Receive(arrival, deadline) && !arrival.is_end) {
        kept_.emplace_back(arrival.pdu.begin(), arrival.pdu.end());
      }
    }
    return static_cast<ErrorCode>(0xFFFF);
  }
  void AwaitState(State state) {
    while (true) {
      const std::vector<std::byte> bytes = Await(PduType::NTF_state_changed);
      ASSERT_FALSE(bytes.empty()) << "no notification of " << NameOf(state);
      last_state = std::get<NtfStateChanged>(Decode(bytes).pdu).state;
      if (last_state == state) return;
    }
  }
  /// STC_run and STC_do_step too, at once and with one step.
  void Stc(PduType type, State from, State until) {
    ErrorCode error = ErrorCode::NONE;
    if (type == PduType::STC_run) {
      error = Ask(StcRun{.state = from});
    } else if (type == PduType::STC_do_step) {
      error = Ask(StcDoStep{.state = from, .steps = 1});
    } else {
      error = Ask(StcPlain{.type = type, .state = from});
    }
    ASSERT_EQ(error, ErrorCode::NONE) << NameOf(type) << ": " << NameOf(error);
    AwaitState(until);
  }
  ErrorCode Register(OpMode mode = OpMode::NRT) { return Ask(StcRegister{.uuid = uuid_, .mode = mode}); }
  ErrorCode Network(PduType type, std::uint16_t id, Endpoint at) {
    return Ask(
        CfgNetworkInformation{.type = type, .id = id, .protocol = protocol_, .port = at.port, .address = at.address});
  }
  /// Input of `in` by data 1 at the slave's `port`, output `out` by data 2 to this master.
  void Configure(OpMode mode, std::uint64_t in, std::uint64_t out, DataType type, std::uint16_t port,
                 std::uint32_t steps = 1, Scope scope = Scope::InitializationAndRun) {
    ASSERT_EQ(Register(mode), ErrorCode::NONE);
    AwaitState(State::CONFIGURATION);
    ConfigureRegistered(in, out, type, port, steps, scope);
  }
  /// The same where it has registered.
  void ConfigureRegistered(std::uint64_t in, std::uint64_t out, DataType type, std::uint16_t port,
                           std::uint32_t steps = 1, Scope scope = Scope::InitializationAndRun) {
    ASSERT_EQ(Ask(CfgScope{.data_id = 1}), ErrorCode::NONE);
    ASSERT_EQ(Ask(CfgScope{.data_id = 2, .scope = scope}), ErrorCode::NONE);
    ASSERT_EQ(Ask(CfgInput{.data_id = 1, .target_vr = in, .source_type = type}), ErrorCode::NONE);
    ASSERT_EQ(Ask(CfgOutput{.data_id = 2, .source_vr = out}), ErrorCode::NONE);
    ASSERT_EQ(Ask(CfgSteps{.steps = steps, .data_id = 2}), ErrorCode::NONE);
    ASSERT_EQ(Network(PduType::CFG_source_network_information, 1, {.address = kLoopback, .port = port}),
              ErrorCode::NONE);
    ASSERT_EQ(Network(PduType::CFG_target_network_information, 2, transport->Local(data_socket)), ErrorCode::NONE);
    input_port_ = port;
  }
  void Prepare() {
    Stc(PduType::STC_prepare, State::CONFIGURATION, State::PREPARED);
    Endpoint to = slave_;
    to.port = input_port_;
    input_socket = to == slave_ ? control_socket : transport->Connect(data_socket, to, Deadline());
    input_at = to;
    Stc(PduType::STC_configure, State::PREPARED, State::CONFIGURED);
  }
  void Start() {
    Stc(PduType::STC_run, State::CONFIGURED, State::SYNCHRONIZED);
    Stc(PduType::STC_run, State::SYNCHRONIZED, State::RUNNING);
  }
  void SendData(const TypedValue& value, std::uint16_t number_of_data) {
    std::vector<std::byte> payload(value.EncodedSize());
    ASSERT_EQ(value.Encode(payload), payload.size());
    const Dat pdu{.sequence = number_of_data, .id = 1, .payload = payload};
    std::vector<std::byte> bytes(EncodedSize(pdu));
    ASSERT_EQ(Encode(pdu, bytes), bytes.size());
    ASSERT_TRUE(transport->Send(input_socket, input_at, bytes));
  }
  void SendNumber(double number, std::uint16_t number_of_data) {
    TypedValue value;
    value.SetNumber(number);
    SendData(value, number_of_data);
  }
  /// The next data, as `value`.
  void AwaitData(TypedValue& value) {
    const std::vector<std::byte> bytes = Await(PduType::DAT_input_output);
    ASSERT_FALSE(bytes.empty()) << "no data";
    const Decoded decoded = Decode(bytes);
    const Dat& data = std::get<Dat>(decoded.pdu);
    EXPECT_EQ(data.id, 2);
    data_sequence = data.sequence;
    ASSERT_EQ(value.Measure(value.Type(), data.payload), data.payload.size());
    value.Take(value.Type(), data.payload);
  }
  double AwaitNumber() {
    TypedValue value;
    AwaitData(value);
    return value.Number();
  }

  std::unique_ptr<Transport> transport;
  SocketId control_socket = 0;
  SocketId data_socket = 0;
  SocketId input_socket = 0;
  Endpoint input_at;
  std::uint16_t sequence = 65'500;  // so that every session goes over the wrap
  std::uint16_t data_sequence = 0;
  State last_state = State::ALIVE;
  bool is_cut = false;

 private:
  Endpoint slave_;
  Uuid uuid_;
  TransportProtocol protocol_;
  std::uint16_t input_port_ = 0;
  std::deque<std::vector<std::byte>> kept_;
};

}  // namespace openmi::dcp::test
