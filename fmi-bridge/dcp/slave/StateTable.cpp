#include "fmi-bridge/dcp/slave/StateTable.hpp"

#include <array>

namespace openmi::dcp {
namespace {

using enum State;

template <class Trigger>
struct Transition {
  States from;
  Trigger trigger;
  State to;
};

constexpr std::array kRequests{
    Transition<PduType>{States(ALIVE), PduType::STC_register, CONFIGURATION},
    Transition<PduType>{States(CONFIGURATION, STOPPED, ERRORRESOLVED), PduType::STC_deregister, ALIVE},
    Transition<PduType>{States(CONFIGURATION), PduType::STC_prepare, PREPARING},
    Transition<PduType>{States(PREPARED), PduType::STC_configure, CONFIGURING},
    Transition<PduType>{States(CONFIGURED), PduType::STC_initialize, INITIALIZING},
    Transition<PduType>{States(INITIALIZED), PduType::STC_send_outputs, SENDING_I},
    Transition<PduType>{States(CONFIGURED), PduType::STC_run, SYNCHRONIZING},
    Transition<PduType>{States(SYNCHRONIZED), PduType::STC_run, RUNNING},
    Transition<PduType>{kRun, PduType::STC_do_step, COMPUTING},
    Transition<PduType>{States(COMPUTED), PduType::STC_send_outputs, SENDING_D},
    Transition<PduType>{kStoppable, PduType::STC_stop, STOPPING},
    Transition<PduType>{States(STOPPED, ERRORRESOLVED), PduType::STC_reset, CONFIGURATION},
};

// SENDING_D is missing: it leads back to the state in which the step began.
constexpr std::array kSignals{
    Transition<Signal>{States(PREPARING), Signal::prepared, PREPARED},
    Transition<Signal>{States(CONFIGURING), Signal::configured, CONFIGURED},
    Transition<Signal>{States(INITIALIZING), Signal::initialized, INITIALIZED},
    Transition<Signal>{States(SENDING_I), Signal::send_complete, CONFIGURED},
    Transition<Signal>{States(SYNCHRONIZING), Signal::synchronized, SYNCHRONIZED},
    Transition<Signal>{States(COMPUTING), Signal::step_done, COMPUTED},
    Transition<Signal>{kRun, Signal::stop, STOPPING},
    Transition<Signal>{States(STOPPING), Signal::stopped, STOPPED},
    Transition<Signal>{kNormalOperation, Signal::error, ERRORHANDLING},
    Transition<Signal>{States(ERRORHANDLING), Signal::resolved, ERRORRESOLVED},
};

constexpr States kExits(ALIVE, ERRORHANDLING, ERRORRESOLVED);
constexpr States kTakesData = States::Range(CONFIGURED, SENDING_D);

struct Permission {
  States states;
  PduType from;
  PduType to;  // included
};
// PDUs other than STC; an STC is allowed where it leads to a state.
constexpr std::array kPermissions{
    Permission{kAnyState, PduType::INF_state, PduType::INF_state},
    Permission{kError, PduType::INF_error, PduType::INF_error},
    Permission{kNormalOperation | kError, PduType::INF_log, PduType::INF_log},
    Permission{States(CONFIGURATION), PduType::CFG_time_res, PduType::CFG_scope},
    Permission{kTakesData, PduType::DAT_input_output, PduType::DAT_parameter},
};

}  // namespace

std::optional<State> After(State state, PduType request) {
  for (const auto& transition : kRequests) {
    if (transition.trigger == request && transition.from.Has(state)) return transition.to;
  }
  return std::nullopt;
}

std::optional<State> After(State state, Signal signal, State origin) {
  if (signal == Signal::exit) return kExits.Has(state) ? std::optional(state) : std::nullopt;
  if (signal == Signal::send_complete && state == SENDING_D) {
    return kRun.Has(origin) ? std::optional(origin) : std::nullopt;
  }
  for (const auto& transition : kSignals) {
    if (transition.trigger == signal && transition.from.Has(state)) return transition.to;
  }
  return std::nullopt;
}

bool IsAllowed(State state, PduType received) {
  for (const Permission& permission : kPermissions) {
    if (received >= permission.from && received <= permission.to) return permission.states.Has(state);
  }
  return After(state, received).has_value();
}

bool IsSupported(OpMode mode, PduType received) {
  return received != PduType::STC_do_step || mode == OpMode::NRT;
}

std::optional<PduType> RequestUnderWay(State state) {
  switch (state) {
    case PREPARING:
      return PduType::STC_prepare;
    case CONFIGURING:
      return PduType::STC_configure;
    case INITIALIZING:
      return PduType::STC_initialize;
    case SENDING_I:
    case SENDING_D:
      return PduType::STC_send_outputs;
    case SYNCHRONIZING:
      return PduType::STC_run;
    case COMPUTING:
      return PduType::STC_do_step;
    case STOPPING:
      return PduType::STC_stop;
    default:
      return std::nullopt;
  }
}

}  // namespace openmi::dcp
