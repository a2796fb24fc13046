#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <vector>

#include "fmi-bridge/dcp/slave/StateTable.hpp"

namespace openmi::dcp {
namespace {

using enum State;

constexpr std::array kStc{PduType::STC_register,  PduType::STC_deregister,   PduType::STC_prepare,
                          PduType::STC_configure, PduType::STC_initialize,   PduType::STC_run,
                          PduType::STC_do_step,   PduType::STC_send_outputs, PduType::STC_stop,
                          PduType::STC_reset};

std::vector<State> AllStates() {
  std::vector<State> states;
  for (std::uint8_t i = 0; i < kStates; ++i) states.push_back(static_cast<State>(i));
  return states;
}

/// Each state's requests, written down from the diagram, not from the table that is tested.
const std::map<State, std::map<PduType, State>> kDiagram{
    {ALIVE, {{PduType::STC_register, CONFIGURATION}}},
    {CONFIGURATION, {{PduType::STC_deregister, ALIVE}, {PduType::STC_prepare, PREPARING}}},
    {PREPARING, {{PduType::STC_stop, STOPPING}}},
    {PREPARED, {{PduType::STC_configure, CONFIGURING}, {PduType::STC_stop, STOPPING}}},
    {CONFIGURING, {{PduType::STC_stop, STOPPING}}},
    {CONFIGURED,
     {{PduType::STC_initialize, INITIALIZING}, {PduType::STC_run, SYNCHRONIZING}, {PduType::STC_stop, STOPPING}}},
    {INITIALIZING, {{PduType::STC_stop, STOPPING}}},
    {INITIALIZED, {{PduType::STC_send_outputs, SENDING_I}, {PduType::STC_stop, STOPPING}}},
    {SENDING_I, {{PduType::STC_stop, STOPPING}}},
    {SYNCHRONIZING, {{PduType::STC_do_step, COMPUTING}, {PduType::STC_stop, STOPPING}}},
    {SYNCHRONIZED, {{PduType::STC_do_step, COMPUTING}, {PduType::STC_run, RUNNING}, {PduType::STC_stop, STOPPING}}},
    {RUNNING, {{PduType::STC_do_step, COMPUTING}, {PduType::STC_stop, STOPPING}}},
    {COMPUTING, {{PduType::STC_stop, STOPPING}}},
    {COMPUTED, {{PduType::STC_send_outputs, SENDING_D}, {PduType::STC_stop, STOPPING}}},
    {SENDING_D, {{PduType::STC_stop, STOPPING}}},
    {STOPPING, {}},
    {STOPPED, {{PduType::STC_deregister, ALIVE}, {PduType::STC_reset, CONFIGURATION}}},
    {ERRORHANDLING, {}},
    {ERRORRESOLVED, {{PduType::STC_deregister, ALIVE}, {PduType::STC_reset, CONFIGURATION}}},
};

TEST(DcpStateTable, LeadsEveryRequestWhereTheDiagramSays) {
  for (const State state : AllStates()) {
    const auto& requests = kDiagram.at(state);
    for (const PduType request : kStc) {
      const auto expected = requests.find(request);
      EXPECT_EQ(After(state, request), expected == requests.end() ? std::nullopt : std::optional(expected->second))
          << NameOf(request) << " in " << NameOf(state);
      EXPECT_EQ(IsAllowed(state, request), expected != requests.end());
    }
  }
}

TEST(DcpStateTable, LeadsEverySignalWhereTheDiagramSays) {
  const std::map<std::pair<State, Signal>, State> diagram{
      {{PREPARING, Signal::prepared}, PREPARED},
      {{CONFIGURING, Signal::configured}, CONFIGURED},
      {{INITIALIZING, Signal::initialized}, INITIALIZED},
      {{SENDING_I, Signal::send_complete}, CONFIGURED},
      {{SYNCHRONIZING, Signal::synchronized}, SYNCHRONIZED},
      {{COMPUTING, Signal::step_done}, COMPUTED},
      {{SENDING_D, Signal::send_complete}, RUNNING},
      {{SYNCHRONIZING, Signal::stop}, STOPPING},
      {{SYNCHRONIZED, Signal::stop}, STOPPING},
      {{RUNNING, Signal::stop}, STOPPING},
      {{STOPPING, Signal::stopped}, STOPPED},
      {{ERRORHANDLING, Signal::resolved}, ERRORRESOLVED},
      {{ALIVE, Signal::exit}, ALIVE},
      {{ERRORHANDLING, Signal::exit}, ERRORHANDLING},
      {{ERRORRESOLVED, Signal::exit}, ERRORRESOLVED},
  };
  for (const State state : AllStates()) {
    for (int i = 0; i <= static_cast<int>(Signal::resolved); ++i) {
      const auto signal = static_cast<Signal>(i);
      std::optional<State> expected;
      if (const auto found = diagram.find({state, signal}); found != diagram.end()) expected = found->second;
      const bool is_normal = state != ALIVE && state != ERRORHANDLING && state != ERRORRESOLVED;
      if (signal == Signal::error && is_normal) expected = ERRORHANDLING;
      EXPECT_EQ(After(state, signal), expected) << static_cast<int>(signal) << " in " << NameOf(state);
    }
  }
  for (const State origin : {SYNCHRONIZING, SYNCHRONIZED, RUNNING}) {
    EXPECT_EQ(After(SENDING_D, Signal::send_complete, origin), origin);
  }
}

TEST(DcpStateTable, LetsConfigurationInOnlyInConfigurationAndDataOnlyAfterIt) {
  for (const State state : AllStates()) {
    for (int type = 0x20; type <= 0x2B; ++type)
      EXPECT_EQ(IsAllowed(state, static_cast<PduType>(type)), state == CONFIGURATION);
    EXPECT_TRUE(IsAllowed(state, PduType::INF_state));
    EXPECT_EQ(IsAllowed(state, PduType::INF_log), state != ALIVE);
    EXPECT_EQ(IsAllowed(state, PduType::INF_error), state == ERRORHANDLING || state == ERRORRESOLVED);
    EXPECT_EQ(IsAllowed(state, PduType::DAT_input_output), state >= CONFIGURED && state <= SENDING_D);
    EXPECT_EQ(IsAllowed(state, PduType::DAT_parameter), state >= CONFIGURED && state <= SENDING_D);
    EXPECT_FALSE(IsAllowed(state, PduType::RSP_ack));
    EXPECT_FALSE(IsAllowed(state, PduType::NTF_state_changed));
  }
  EXPECT_FALSE(IsAllowed(static_cast<State>(77), PduType::INF_state));
}

}  // namespace
}  // namespace openmi::dcp
