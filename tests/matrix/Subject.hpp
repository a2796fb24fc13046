#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace openmi::matrix {

/// What a composition or a way of running it can be; the first value is the plain one.
struct Dimension {
  const char* name;
  std::vector<const char*> values;
};

/// What may change the results: how the run is driven, loops, elements, values, adaptors, components, missing values,
/// steps of the provider, and a family that is out for a while.
const std::vector<Dimension>& SubjectDimensions();
/// What must not change them: threads, isolation, groups and parts of populations on hosts, a family exchanged for the
/// same code, a kill and a resume, being a member of a study.
const std::vector<Dimension>& MannerDimensions();

/// One value of each dimension, by its place.
using Choice = std::vector<std::size_t>;

/// A subject and the manners it is run in.
struct Cell {
  Choice subject;
  Choice manner;
  bool operator==(const Cell&) const = default;
};

/// The names of a cell's values: "drive=pull loop=none ...; threads=2", those of the plain run left out where `brief`.
std::string TextOf(const Cell& cell, bool brief);

/// One pair of values, by names, in the order of the dimensions: "loop=lagged isolation=process".
std::vector<std::string> PairsOf(const Cell& cell);
/// Every pair of values of two subject dimensions, or of a subject and a manner that is not plain.
std::vector<std::string> AllPairs();

/// A member of the family that is out for a while; empty where none is.
std::string LeftOutFamily(const Cell& cell);
/// A member of the family that is exchanged for the same code; empty where none is.
std::string ExchangedFamily(const Cell& cell);
/// A number that belongs to the cell, for what is chosen at random.
std::size_t NumberOf(const Cell& cell);
std::size_t ThreadsOf(const Cell& cell);
/// Whether its groups are on hosts of their own.
bool IsOnHosts(const Cell& cell);
/// Whether the run is killed once and resumed.
bool IsResumed(const Cell& cell);

/// Whether it is run as a member of a study: after another member, in the same process.
bool IsMember(const Cell& cell);
/// Makes plain what needs an operator, a run that is resumed by itself or hosts, where the cell is a member of a study;
/// and gives a cell whose populations are in parts a population.
void MakeSound(Cell& cell);

/// Whether the rows are those of the plain run within the tolerance of a solver only: model exchange that begins anew
/// from a state that was kept, whose solver loses its history.
bool IsWithinTolerance(const Cell& cell);

/// Writes the composition of a cell, with the files it reads.
/// \param folder  where
/// \param port    of the DCP slave, where the cell has one
/// \returns the path of the composition
std::filesystem::path Write(const Cell& cell, const std::filesystem::path& folder, int port);

/// Where an FMU writes its state at the end of the run, in the folder of results.
inline constexpr const char* kEndState = "mid.state";

/// Whether the cell has a DCP slave, which is to be started beside the run.
bool HasSlave(const Cell& cell);

}  // namespace openmi::matrix
