#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/Problem.hpp"
#include "study/model/Member.hpp"

namespace openmi {

/// The members of a study with a Design: how many there are, and the values of each.
///
/// A point of a sampled design is computed when it is asked for, or kept where that is not possible: 8 bytes a number.
class Design {
 public:
  /// \param study     read without errors; borrowed
  /// \param problems  receives what is wrong with the table: columns without a target, rows of another length
  /// \throws FileError, FormatError  the table cannot be read
  Design(const StudyFile& study, Problems& problems);

  std::uint64_t Count() const { return count_; }
  /// \param member  from 0
  MemberValues Values(std::uint64_t member) const { return values_(member); }

 private:
  void ReadTable(Problems& problems);
  void MakeGrid();

  const StudyFile& study_;
  std::uint64_t count_ = 0;
  std::function<MemberValues(std::uint64_t)> values_;
};

/// A Latin hypercube: in each dimension, each of the `count` equal parts of [0, 1) holds one point.
/// \returns points row by row, shape [count * dimensions]
///
/// Source: [McKay1979].
std::vector<double> LatinHypercube(std::uint64_t count, std::size_t dimensions, std::uint64_t seed);

/// The first points of a Sobol sequence, shifted digit by digit by random numbers of the seed.
///
/// The first point, which is zero in all dimensions, counts: so the first 2^m points fill each part of 2^-m once. Seed
/// 0 shifts nothing.
/// \returns points row by row, each number in [0, 1); shape [count * dimensions]
/// \throws RangeError  the sequence has no table for so many dimensions
///
/// Source: [JoeKuo2008]; digital shift after [LEcuyer2002].
std::vector<double> SobolPoints(std::uint64_t count, std::size_t dimensions, std::uint64_t seed);

/// The points of Saltelli's design: for each base point A, B and, for each dimension, A with that number of B.
/// \returns points row by row, shape [base * (dimensions + 2) * dimensions]
///
/// Source: [Saltelli2010].
std::vector<double> SaltelliPoints(std::uint64_t base, std::size_t dimensions, std::uint64_t seed);

}  // namespace openmi
