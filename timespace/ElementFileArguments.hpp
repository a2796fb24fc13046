#pragma once

#include <functional>
#include <span>
#include <string>

#include "openmi/sdk/ArgumentList.hpp"
#include "timespace/ElementSet.hpp"

namespace openmi {

/// The arguments that name a file of elements: `elements-file` (whatever `ReadElementFile` reads), `id-property`,
/// `elements-place` and `elements-system`. All are optional.
class ElementFileArguments {
 public:
  using Adder = std::function<Argument<std::string>(std::string, const ArgumentOptions<std::string>&)>;
  /// \param add  adds one argument to those of a component or an adaptor
  /// \param use  what the elements are for, a few words
  void AddTo(const Adder& add, const std::string& use);
  void AddTo(ArgumentList& arguments, const std::string& use);
  bool IsGiven() const;
  /// What the arguments are, in one text: the same text, the same elements.
  std::string Key() const;

  /// The elements of the file.
  /// \param path_of  from the path as it was given to one that can be opened
  /// \pre    IsGiven()
  /// \throws FormatError, FileError, ArgumentError  as ReadElementFile
  ElementSet Read(const std::string& caption, const std::function<std::string(const std::string&)>& path_of) const;

  /// Those of the given ids, in their order in the file.
  /// \throws FormatError  an id is no element
  ElementSet Chosen(const ElementSet& all, std::span<const std::string> wanted) const;

 private:
  Argument<std::string> file_, id_property_, place_, system_;
};

}  // namespace openmi
