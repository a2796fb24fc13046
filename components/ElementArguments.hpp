#pragma once

#include <functional>
#include <memory>
#include <string>

#include "openmi/sdk/ArgumentList.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/files/ElementFileArguments.hpp"

namespace openmi {

/// The arguments that give a component the places of its values: `elements` (ids between commas), and those for a file.
///
/// All are optional.
class ElementArguments {
 public:
  /// Adds the arguments to those of a component.
  void AddTo(ArgumentList& arguments);

  /// Makes the element set: that of the file, or bare ids; null if neither is given.
  ///
  /// With a file and ids, the set has only the elements with these ids, in their order in the file.
  /// \param caption  of bare ids; a set from a file has the name of the file
  /// \param path_of  turns the path in the argument into one that can be opened
  /// \throws FormatError  as `ReadElementFile`
  /// \throws FileError  as `ReadElementFile`
  /// \throws ArgumentError  as `ReadElementFile`, or the file has no element with an id
  std::shared_ptr<const ElementSet> Elements(const std::string& caption,
                                             const std::function<std::string(const std::string&)>& path_of) const;

 private:
  Argument<std::string> ids_;
  ElementFileArguments source_;
};

}  // namespace openmi
