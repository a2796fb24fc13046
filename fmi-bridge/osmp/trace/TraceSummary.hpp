#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/trace/TraceReader.hpp"

namespace openmi::osi {

/// What a trace holds, gathered in one walk through it.
struct TraceSummary {
  /// An object that moves, over the whole trace.
  struct Track {
    int type = 0;
    std::uint64_t count = 0;   ///< of messages that it is in
    std::vector<double> x, y;  ///< m, of those that have a place; thinned out where they are very many
    std::uint64_t stride = 1;  ///< how many of them became one
    MovingObject last;
    double fastest = 0.0;  ///< m/s
  };
  /// Something that stands: its outline, or a line of a lane.
  struct Outline {
    std::string id;
    bool is_line = false;
    std::vector<double> x, y;  ///< m
  };

  std::string type;           ///< of the messages; empty: unknown
  bool is_type_told = false;  ///< by the name of the file or by whoever asks, and not by the content
  std::string named;          ///< the type that the file's name says, where the content says another
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::size_t smallest = 0;
  std::size_t largest = 0;
  std::uint64_t untimed = 0;    ///< messages without a time stamp
  std::uint64_t backwards = 0;  ///< whose time stamp is not after the one before
  std::optional<Timestamp> first;
  std::optional<Timestamp> last;
  double shortest_step = 0.0;  ///< s, between messages; 0: less than two with a time
  double longest_step = 0.0;
  std::map<InterfaceVersion, std::uint64_t> versions;
  std::size_t fewest_objects = 0;
  std::size_t most_objects = 0;
  std::map<std::uint64_t, Track> tracks;
  std::map<std::uint64_t, Outline> outlines;  ///< of the first message with them
  /// What is wrong with the file, behind the last whole message; empty: nothing.
  std::string problem;
};

/// \param type  of the messages; empty: by the first message, and where its fields do not tell, by the name of the file
/// \throws FileError    the file cannot be read
/// \throws FormatError  it is a trace in another format
/// \throws ArgumentError  OSI has no message `type`
TraceSummary Summarize(const std::string& file, const std::string& type = {});

/// The moving objects of a trace from above, with what stands: their tracks coloured by their largest speed.
std::string BirdsEyeSvg(const TraceSummary& summary);

}  // namespace openmi::osi
