#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "fmi-bridge/broker/component/Stream.hpp"

/// What was seen of a stream, as docs/broker.md writes it.
struct Seen {
  std::map<std::string, std::vector<std::string>> values;  // of each output, at the begin and after each step
  std::map<std::string, std::uint64_t> counts;             // those that are not 0
  bool fails = false;

  friend bool operator==(const Seen&, const Seen&) = default;
  friend void PrintTo(const Seen& seen, std::ostream* stream);
};

/// A row of the table of docs/broker.md.
struct Case {
  std::string name;
  std::vector<std::string> bodies;
  std::vector<std::pair<std::string, std::string>> settings;
  Seen seen;

  friend void PrintTo(const Case& one, std::ostream* stream) { *stream << one.name; }
};

using Settings = std::vector<std::pair<std::string, std::string>>;

std::vector<Case> ReadCases();
/// `0.5 a=2 s="x"` as a body; what begins otherwise is one already.
std::string BodyOf(const std::string& message);
/// "2019-01-04T16:41:24Z" and so many seconds.
std::string TimeAt(double seconds);

/// Runs a stream with the settings of the case and those given, for as many steps as the case tells.
Seen RunCase(const Case& one, const Settings& settings);
/// What the outputs show now: `-` where they are missing.
std::string Shown(openmi::IBaseOutput& output);
