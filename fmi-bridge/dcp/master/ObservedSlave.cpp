#include "fmi-bridge/dcp/master/ObservedSlave.hpp"

#include <fmt/format.h>

#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {

bool ObservedSlave::IsSilentFor(Clock::duration time) {
  const auto now = Clock::now();
  if (!std::exchange(is_silent_, true)) silent_since_ = now;
  return now - silent_since_ >= time;
}

void ObservedSlave::Fail(const std::string& expected, const std::string& found, const std::string& remedy) const {
  const std::string where = is_gone_ && is_registered_ ? fmt::format(" (last seen in {})", NameOf(state_)) : "";
  throw ModelError({.file = description_.file, .component = options_.component},
                   fmt::format("expected {} of the slave '{}' at {}{}, found {}", expected, description_.name,
                               ToText(options_.slave), where, found),
                   remedy);
}

void ObservedSlave::RequireHere(const std::string& expected) const {
  if (!is_gone_) return;
  Fail(expected, has_hung_up_ ? "that its connection ended" : "that it had not answered before either",
       "see that it runs");
}

}  // namespace openmi::dcp
