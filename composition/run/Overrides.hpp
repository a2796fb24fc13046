#pragma once

#include <span>
#include <string>
#include <vector>

#include "composition/run/Composition.hpp"

namespace openmi {

/// A fixed row in the place of what a link delivers.
struct OverrideInfo {
  const LinkSpec* link = nullptr;
  std::vector<double> row;  ///< shape [elements of the input], in its unit
};

/// "7", "1, 2, 3 and 97 more".
std::string RowText(std::span<const double> row);

/// Fixed values in the place of what links deliver, for an operator: set and freed between two passes of a run. They
/// stay over the absence of components, until they are freed.
class Overrides {
 public:
  /// \param composition  linked; borrowed
  explicit Overrides(Composition& composition) : composition_(composition) {}

  /// \param item  an input: what its link delivers; or an output: what each of its links delivers
  /// \param row   shape [elements of the input], in its unit; a single value stands for all elements
  /// \throws ArgumentError  there is no such item, or it has no link with times and places
  /// \throws RangeError     another number of values
  /// \throws TypeError      the input takes no numbers
  void Set(const ItemSpec& item, std::span<const double> row);
  /// Lets the links deliver again; does nothing where no override is set. \throws ArgumentError  as Set
  void Free(const ItemSpec& item);
  /// All that are set, in the order of the links.
  std::vector<OverrideInfo> All() const;

 private:
  std::vector<LinkEnd*> EndsOf(const ItemSpec& item) const;
  Composition& composition_;
};

}  // namespace openmi
