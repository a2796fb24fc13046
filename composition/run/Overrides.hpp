#pragma once

#include <span>
#include <string>
#include <vector>

#include "composition/link/Composition.hpp"

namespace openmi {

/// A fixed row that replaces what a link delivers.
struct OverrideInfo {
  const LinkSpec* link = nullptr;
  std::vector<double> row;  ///< shape [elements of the input], in its unit
};

/// Values as text, with the number of those that are not shown: "7", "1, 2, 3 and 97 more".
std::string RowText(std::span<const double> row);

/// Fixed values, set by an operator, that replace what links deliver. They are set and freed between two passes of a
/// run. They stay in force while components are absent, until they are freed.
class Overrides {
 public:
  /// \param composition  linked; borrowed
  explicit Overrides(Composition& composition) : composition_(composition) {}

  /// Replaces what links deliver by a fixed row.
  /// \param item  an input: what its link delivers; or an output: what each of its links delivers
  /// \param row   shape [elements of the input], in its unit; a single value holds for all elements
  /// \throws ArgumentError  there is no such item, or it has no link with times and elements
  /// \throws RangeError     wrong number of values
  /// \throws TypeError      the input takes no numbers
  void Set(const ItemSpec& item, std::span<const double> row);
  /// Makes the links deliver their own values again; does nothing where no override is set.
  /// \throws ArgumentError  see Set
  void Free(const ItemSpec& item);
  /// All overrides that are set, in the order of the links.
  std::vector<OverrideInfo> All() const;

 private:
  bool IsInput(const ItemSpec& item) const;
  std::vector<InputProxy*> EndsOf(const ItemSpec& item) const;
  Composition& composition_;
};

}  // namespace openmi
