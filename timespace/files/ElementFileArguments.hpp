#pragma once

#include <functional>
#include <span>
#include <string>

#include "openmi/sdk/ArgumentList.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace openmi {

/// The arguments that name a file of elements.
///
/// They are `elements-file` (any file that `ReadElementFile` reads), `id-property`, `elements-place` and
/// `elements-system`. All are optional.
class ElementFileArguments {
 public:
  /// Declares the arguments.
  /// \param use  what the elements are for, in a few words
  void AddTo(ArgumentList& arguments, const std::string& use);
  /// Whether `elements-file` has a value.
  bool IsGiven() const;
  /// The values of all arguments as one text. Equal texts mean equal elements.
  std::string Key() const;

  /// The elements of the file; their caption is its name without the ending: "reaches" for "data/reaches.geojson".
  /// \param path_of  converts the path as given to a path that can be opened
  /// \pre  IsGiven()
  /// \throws FormatError    as `ReadElementFile`
  /// \throws FileError      as `ReadElementFile`
  /// \throws ArgumentError  as `ReadElementFile`
  ElementSet Read(const std::function<std::string(const std::string&)>& path_of) const;

  /// The elements with the given ids, in their order in the file.
  /// \throws FormatError  an id is not the id of an element
  ElementSet Chosen(const ElementSet& all, std::span<const std::string> wanted) const;

 private:
  Argument<std::string> file_, id_property_, place_, system_;
};

}  // namespace openmi
