#pragma once

#include <functional>
#include <memory>
#include <string>

#include "openmi/sdk/ArgumentList.hpp"
#include "timespace/ElementFileArguments.hpp"
#include "timespace/ElementSet.hpp"

namespace openmi {

/// The arguments by which a component is told where its values are: `elements` (ids between commas), and those of a
/// file. All are optional.
class ElementArguments {
 public:
  void AddTo(ArgumentList& arguments);

  /// The element set they name: that of the file, or bare ids; null where neither is given. With a file and ids, only
  /// the elements of these ids are taken, in their order in the file.
  /// \param path_of  from the path as it was given to one that can be opened
  /// \throws FormatError, FileError, ArgumentError  as ReadElementFile; an id is no element
  std::shared_ptr<const ElementSet> Elements(const std::string& caption,
                                             const std::function<std::string(const std::string&)>& path_of) const;

 private:
  Argument<std::string> ids_;
  ElementFileArguments source_;
};

}  // namespace openmi
