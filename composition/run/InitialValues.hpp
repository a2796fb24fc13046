#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "composition/run/Instance.hpp"
#include "timespace/IInitialValues.hpp"

namespace openmi {

class Composition;
class Link;

/// Lets initial values travel along the links of a composition before its components are prepared.
///
/// A component with IInitialValues gets, for each linked input, what the link answers at the start: through all of its
/// adaptors, and without letting any provider step. A link that has no answer there, or one in which something is
/// missing, leaves the input at its start value. Components that depend on each other go round, each after those
/// before it in the composition, until no value changes by more than the tolerance; a circle that does not settle so is
/// solved as an iterated loop is.
class InitialValues {
 public:
  /// \param composition  linked and valid; borrowed
  explicit InitialValues(Composition& composition) : composition_(composition) {}

  /// Whether a component takes initial values.
  static bool TakesPart(const Instance& instance);
  /// Gives a component that is made again while the run goes on, and not yet prepared, what its links say at its start.
  /// \param number     of its instance \param component  whose inputs are at the ends of the links
  void GiveTo(std::size_t number, IBaseLinkableComponent& component);
  /// Gives `members`, which are components of one circle of links, or a single one, their initial inputs. All that
  /// stands upstream of them is prepared, and none of them is. \param members  numbers of components that take part
  /// \throws ModelError  the values of a circle still move after the most rounds
  void Find(const std::vector<std::size_t>& members);

 private:
  struct Feed;
  struct Member;

  Member Enter(std::size_t number, IBaseLinkableComponent& component);
  /// Takes what the links say now. \param moving  gets what changed, for messages
  /// \returns whether a value is other than when the member showed its outputs last
  bool Take(Member& member, const std::vector<Member>& all, std::vector<std::string>& moving);
  static bool TakeNumbers(Member& member, Feed& feed, std::vector<double> row, std::vector<std::string>& moving);
  static bool TakeValues(Member& member, Feed& feed, std::vector<Value> values, std::vector<std::string>& moving);

  /// Lets a member show its outputs for its present inputs.
  static void Show(Member& member);
  /// Solves a circle that does not settle by going round, as an iterated loop is solved (quasi-Newton).
  /// \returns whether what the members get and give agrees after at most `rounds`
  static bool Solve(std::vector<Member>& all, int rounds);

  Composition& composition_;
  std::vector<std::vector<Link*>> links_to_;  // by component; made when first needed
};

}  // namespace openmi
