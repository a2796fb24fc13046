#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "composition/families/Families.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/run/Overrides.hpp"

namespace openmi {

/// One component as an operator sees it.
struct DeskComponent {
  std::string id;
  std::string family;    ///< its key
  std::string status;    ///< of the component ("Updated"), or "disengaged"
  double now_mjd = 0.0;  ///< end of its last step, UTC; NaN for one without times
  std::uint64_t steps = 0;
};

/// The last row of an item; of an overridden input the row in force.
struct DeskValues {
  std::string unit;
  double begin_mjd = 0.0;      ///< UTC; NaN where the item has no time now
  double duration_days = 0.0;  ///< 0 for an instant
  std::vector<double> values;  ///< shape [elements]; NaN where missing
  bool is_overridden = false;  ///< a fixed value is in force
  bool is_pending = false;     ///< it is, and the component gets it with its next step
  bool is_freed = false;       ///< it was until now: the component gets what the link delivers with its next step
};

/// What an operator, or a program that embeds a run, may do with it while it goes.
///
/// Calls are made at quiet moments: by the thread of the run between two passes, or through
/// CompositionRun::BetweenPasses. Pausing, resuming and ending are the run's own.
class RunDesk {
 public:
  /// \param run  borrowed
  explicit RunDesk(CompositionRun& run) : run_(run), overrides_(run.Model()) {}

  /// "component.item" in its parts. \throws ArgumentError  it is none
  static ItemSpec Cut(const std::string& item);

  std::vector<DeskComponent> Components() const;
  /// Empty before the run was begun.
  std::span<const Family> AllFamilies() const;
  /// The family of that name, or of that member. \throws ArgumentError, StateError
  const Family& FamilyOf(const std::string& name) const { return run_.TheFamilies().Find(name); }

  /// Changes an argument: one that the component takes up while it runs (ITunable), or one of a component whose family
  /// is out, which then begins with it.
  /// \throws ArgumentError  no such component or argument; it takes no changes now; no value for it
  void SetArgument(const std::string& component, const std::string& key, const std::string& value);

  /// The last row of "component.item": of an output, or what was last delivered to an input; where a fixed value is in
  /// force, that one, without a time until it was delivered.
  /// \throws ArgumentError  no such item, or no numbers
  DeskValues Values(const std::string& item) const;
  /// How many elements "component.item" has; 1 for one without a place. \throws ArgumentError  no such item
  std::size_t ElementCount(const std::string& item) const;
  /// What stands for an output, for whoever wants to hear its rows. \throws ArgumentError  no such output
  StandIn& StandInOf(const std::string& item) const;

  /// Delivers fixed values in place of what links do: to an input, or to all that take from an output; see Overrides.
  void Override(const std::string& item, std::span<const double> values);
  /// \throws ArgumentError  no such item, or nothing was overridden
  void Free(const std::string& item);

 private:
  struct Found {
    const ITimeSpaceExchangeItem* item = nullptr;
    const IBaseValueSet* values = nullptr;  // null: none yet
  };
  Instance& Find(const std::string& component) const;
  Found FindItem(const std::string& item) const;

  CompositionRun& run_;
  Overrides overrides_;
};

}  // namespace openmi
