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
  std::string family;        ///< key of its family
  std::string group;         ///< if it was placed on a host; else empty. Those of a population in parts, with blanks
  std::string host;          ///< as the run was told; empty: the process of the run, or one beside it
  std::string status;        ///< of the component ("Updated"), or "disengaged"
  std::optional<Stamp> now;  ///< end of its last step, UTC; nothing for one without times
  std::uint64_t steps = 0;
};

/// The last row of an item; for an overridden input, the row in force.
struct DeskValues {
  std::string unit;
  std::optional<Stamp> begin;  ///< UTC; nothing where the item has no time now
  Days duration;               ///< 0 for an instant
  std::vector<double> values;  ///< shape [elements]; NaN where missing
  bool is_overridden = false;  ///< a fixed value is in force
  bool is_pending = false;     ///< the fixed value is in force, and the component gets it with its next step
  bool is_freed = false;  ///< the fixed value was freed: the component gets what the link delivers with its next step
};

/// What an operator, or a program that embeds a run, may do with a run in progress.
///
/// All calls are made between two passes: by the thread of the run, or through CompositionRun::BetweenPasses.
/// CompositionRun itself pauses, resumes and ends a run.
class RunDesk {
 public:
  /// \param run  borrowed
  explicit RunDesk(CompositionRun& run) : run_(run), overrides_(run.Model()) {}

  /// Splits "component.item" into its parts.
  /// \throws ArgumentError  `item` does not have this form
  static ItemSpec Cut(const std::string& item);

  std::vector<DeskComponent> Components() const;
  /// Empty before the run was started.
  std::span<const Family> AllFamilies() const;
  /// The family of that name, or of that member.
  /// \throws ArgumentError  there is no such family
  /// \throws StateError     the run was not started
  const Family& FamilyOf(const std::string& name) const { return run_.TheFamilies().Find(name); }

  /// Changes an argument: one that the component accepts while it runs (ITunable), or one of a component whose family
  /// is disengaged, which then starts with the new value.
  /// \throws ArgumentError  there is no such component or argument, it accepts no changes now, or the value is invalid
  void SetArgument(const std::string& component, const std::string& key, const std::string& value);

  /// The last row of "component.item": of an output, or what was last delivered to an input. If a fixed value is in
  /// force, the fixed value; it has no time until it was delivered.
  /// \throws ArgumentError  there is no such item, or it has no numbers
  DeskValues Values(const std::string& item) const;
  /// The values alone, which takes less time.
  std::vector<double> Row(const std::string& item) const;
  /// The number of elements of "component.item"; 1 for an item without elements.
  /// \throws ArgumentError  there is no such item
  std::size_t ElementCount(const std::string& item) const;
  /// The ids of its elements; empty for an item without elements.
  /// \throws ArgumentError  there is no such item
  std::vector<std::string> ElementIds(const std::string& item) const;
  /// The proxy of an output, for listeners to its rows.
  /// \throws ArgumentError  there is no such output
  OutputProxy& ProxyOf(const std::string& item) const;

  /// Delivers fixed values in place of what links deliver: to an input, or to all inputs that take from an output.
  /// \param item    "component.item"
  /// \param values  see Overrides::Set
  /// \throws ArgumentError, RangeError, TypeError  see Overrides::Set
  void Override(const std::string& item, std::span<const double> values);
  /// Makes the links deliver their own values again.
  /// \throws ArgumentError  there is no such item, or nothing was overridden
  void Free(const std::string& item);

 private:
  struct Found {
    const ITimeSpaceExchangeItem* item = nullptr;
    const IBaseValueSet* values = nullptr;  // null: none yet
    bool is_output = false;
  };
  Instance& Find(const std::string& component) const;
  Found FindItem(const std::string& item) const;

  CompositionRun& run_;
  Overrides overrides_;
};

}  // namespace openmi
