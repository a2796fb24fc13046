#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace openmi::growth {

/// What a run takes in memory, bytes.
struct Memory {
  long heap = 0;    ///< of the run's process, without the report's curves, which have a bound of their own
  long shared = 0;  ///< between it and other processes
  long others = 0;  ///< of the processes that it started
};

/// How a run went, and what it took after a tenth of its steps and after all.
struct Growth {
  std::string problem;  ///< empty: none
  Memory early;
  Memory late;
  double seconds = 0.0;  ///< of the processor
};

/// How many steps of a second are made: 100 000, or what OPENMI_GROWTH_STEPS says.
std::size_t Steps();

struct Options {
  std::string mode = "pull";
  std::string run = {};  ///< further attributes of `Run`
  std::size_t threads = 1;
  long slave = 0;             ///< a process that somebody else started, to be looked at too
  bool has_operator = false;  ///< somebody asks and overrides `pond.in` through the control desk
};

/// Runs a composition in a child process, for Steps() seconds from 2015-12-01.
/// \param body    the elements of the composition, but for `Run`
/// \param folder  of its own, where everything is written
Growth RunLong(const std::string& body, const std::filesystem::path& folder, const Options& options = {});

/// Expects that less than 1 MB is added after the first tenth.
void ExpectNone(const Growth& growth, const std::string& what);

/// The errors of a composition that is only loaded, linked and validated; empty: none.
std::string Refusal(const std::string& body, const std::filesystem::path& folder);

/// `<Argument Key= Value=/>`.
std::string ArgumentXml(const std::string& key, const std::string& value);
std::string AdaptorXml(const std::string& id, const std::string& arguments = {});
std::string Link(const std::string& from, const std::string& to, const std::string& adaptors = {},
                 const std::string& attributes = {});
/// \param attributes  further ones of the component
std::string ComponentXml(const std::string& id, const std::string& type, const std::string& assembly,
                         const std::string& arguments = {}, const std::string& attributes = {});
std::string Observe(const std::string& item, const std::string& attributes = {});

}  // namespace openmi::growth
