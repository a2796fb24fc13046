#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "composition/link/Instance.hpp"
#include "timespace/optional/IInitialValues.hpp"

namespace openmi {

class Composition;
class Link;

/// Passes initial values along the links of a composition before its components are prepared.
///
/// For each linked input, a component with IInitialValues gets the answer of the link at the start. The question passes
/// through all adaptors of the link, and no provider steps for it. If a link has no answer there, or one with a missing
/// value, the input keeps its start value.
///
/// If components depend on each other in a loop, the values are passed round it, in the order of the composition,
/// until no value changes by more than the tolerance. A loop that does not settle in this way is solved as an
/// iterated loop is.
class InitialValues {
 public:
  /// \param composition  linked and valid; borrowed
  explicit InitialValues(Composition& composition) : composition_(composition) {}

  /// Whether a component takes initial values.
  static bool TakesPart(const Instance& instance);
  /// Passes initial values to a component that is made again while the run continues, and that is not yet prepared.
  /// \param number     index of its instance
  /// \param component  its inputs are at the ends of the links
  void GiveTo(std::size_t number, IBaseLinkableComponent& component);
  /// Finds the initial inputs of `members`. Everything upstream of them is prepared, and none of them is.
  /// \param members  indices of components that take part: those of one loop of links, or a single one
  /// \throws ModelError  the values of a loop still change after the largest number of rounds
  void Find(const std::vector<std::size_t>& members);

 private:
  struct Feed;
  struct Member;

  Member Enter(std::size_t number, IBaseLinkableComponent& component);
  /// Reads what the links give now.
  /// \param moving  receives what changed, for messages
  /// \returns whether a value differs from the one for which the member last computed its outputs
  bool Take(Member& member, const std::vector<Member>& all, std::vector<std::string>& moving);
  static bool TakeNumbers(Member& member, Feed& feed, std::vector<double> row, std::vector<std::string>& moving);
  static bool TakeValues(Member& member, Feed& feed, std::vector<Value> values, std::vector<std::string>& moving);

  /// Makes a member compute its outputs for its present inputs.
  static void Show(Member& member);
  /// Solves a loop that does not settle by passing values round, as an iterated loop is solved (quasi-Newton).
  /// \returns whether what the members get and give agrees after at most `rounds`
  static bool Solve(std::vector<Member>& all, int rounds);

  Composition& composition_;
  std::vector<std::vector<Link*>> links_to_;  // by component; made when first needed
};

}  // namespace openmi
