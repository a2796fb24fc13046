#pragma once

#include <functional>
#include <memory>
#include <string>

#include "openmi/sdk/ArgumentList.hpp"
#include "timespace/ElementSet.hpp"

namespace openmi {

/// The three arguments by which a component is told where its values are: `elements` (ids between commas),
/// `elements-file` (GeoJSON) and `id-property`. All are optional.
class ElementArguments {
 public:
  void AddTo(ArgumentList& arguments);

  /// The element set they name: the features of the file, or bare ids; null where neither is given.
  /// With a file and ids, only the features of these ids are taken, in their order in the file.
  /// \param path_of  from the path as it was given to one that can be opened
  /// \throws FormatError, FileError  as ReadGeoJson; an id is no feature
  std::shared_ptr<const ElementSet> Elements(const std::string& caption,
                                             const std::function<std::string(const std::string&)>& path_of) const;

 private:
  Argument<std::string> ids_, file_, id_property_;
};

}  // namespace openmi
