#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/trace/TraceReader.hpp"

namespace openmi::osi {

/// The content of a trace, collected in one pass.
struct TraceSummary {
  /// A moving object over the whole trace.
  struct Track {
    int type = 0;
    std::uint64_t count = 0;   ///< of the messages that contain the object
    std::vector<double> x, y;  ///< m, of the messages with a position; thinned out when there are very many
    std::uint64_t stride = 1;  ///< every how many messages a position is kept
    MovingObject last;
    double fastest = 0.0;  ///< m/s
  };
  /// The outline of a stationary object, or a lane boundary.
  struct Outline {
    std::string id;
    bool is_line = false;
    std::vector<double> x, y;  ///< m
  };

  std::string type;               ///< of the messages; empty: unknown
  bool is_type_reported = false;  ///< `type` is from the file's name or the caller, not from the content
  std::string named;              ///< the type in the file's name, where the content is of another type
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::size_t smallest = 0;
  std::size_t largest = 0;
  std::uint64_t untimed = 0;    ///< messages without a time stamp
  std::uint64_t backwards = 0;  ///< messages whose time stamp is not later than that of the message before
  std::optional<Timestamp> first;
  std::optional<Timestamp> last;
  double shortest_step = 0.0;  ///< s, between messages; 0: fewer than two with a time stamp
  double longest_step = 0.0;
  std::map<InterfaceVersion, std::uint64_t> versions;
  std::size_t fewest_objects = 0;
  std::size_t most_objects = 0;
  std::map<std::uint64_t, Track> tracks;
  std::map<std::uint64_t, Outline> outlines;  ///< of the first message that has any
  /// What is wrong with the file after the last complete message; empty: nothing.
  std::string problem;
};

/// Reads a whole trace.
/// \param type  of the messages; empty: found in the first message, or in the file's name where its fields are not
///   clear
/// \param channel  topic of a channel of an .mcap file; empty: the only one of OSI, or of `type`
/// \throws FileError    the file cannot be read
/// \throws FormatError  the file is a trace in another format
/// \throws ArgumentError  OSI has no message `type`, or the file no such channel
TraceSummary Summarize(const std::string& file, const std::string& type = {}, const std::string& channel = {});

/// A map of the trace as SVG: stationary objects, and the tracks of moving objects coloured by their largest speed.
std::string BirdsEyeSvg(const TraceSummary& summary);

}  // namespace openmi::osi
