#pragma once

#include <string>
#include <vector>

#include "fmi-bridge/fmi/FmuExtras.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// One side of a connection of terminals.
struct TerminalEnd {
  std::string component;  ///< for messages
  const ModelDescription& model;
  const Terminal& terminal;
};

/// A link between members of two terminals.
struct TerminalLink {
  Index first = kNowhere;    ///< the variable of the first end
  Index second = kNowhere;   ///< that of the second end
  bool is_reversed = false;  ///< the values go from the second end to the first
  bool is_negated = false;   ///< the input gets the output with the opposite sign: what flows in here flows out there
};

/// The links that a connection of two terminals means.
///
/// Members of `plug` and `bus` terminals belong together by their names, those of `sequence` terminals by their order.
/// In terminals of buses (`org.fmi-ls-bus.transceiver`), Tx_Data and Rx_Data, Tx_Clock and Rx_Clock belong together.
/// A `plug` and a terminal of a bus need all their members, a `sequence` as many as the other end has. Terminals inside
/// are matched in the same way. Of each pair one variable must be an output and the other an input.
/// \throws ArgumentError  the terminals do not match
///
/// Source: FMI 3.0, section 2.4.9, predefined matching rules and kinds of variables; FMI layered standard for
/// buses 1.0, bus terminal.
std::vector<TerminalLink> MatchTerminals(const TerminalEnd& first, const TerminalEnd& second);

/// A terminal by its path: "shaft", or "shaft.sensor" for one inside another.
/// \throws ArgumentError  there is none
const Terminal& FindTerminal(const std::vector<Terminal>& terminals, const std::string& path,
                             const std::string& component);

}  // namespace openmi::fmi
