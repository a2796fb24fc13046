#pragma once

#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/Argument.hpp"
#include "timespace/ResultsFolder.hpp"

namespace openmi::items {

/// The text of an argument; empty where it has none.
inline std::string TextOf(const Argument<std::string>& argument) {
  return argument.HasValue() ? argument.Value() : std::string();
}
/// The path of the file that an argument names for writing; empty where it names none.
/// \param path_of  gives the path of a name, beside the OMI file
template <class PathOf>
std::string WrittenPath(const Argument<std::string>& argument, const ResultsFolder& folder, const PathOf& path_of) {
  const std::string name = TextOf(argument);
  return name.empty() ? name : folder.PathOf(name, path_of(name));
}

/// The text of an argument that holds the value of a variable.
///
/// One number for each element, separated by spaces, commas or semicolons; a single number is used for all elements.
class ArgumentText {
 public:
  /// \param variable  name of the variable in messages
  ArgumentText(std::string variable, std::string text) : variable_(std::move(variable)), text_(std::move(text)) {}

  /// \returns one part for each element
  /// \throws ArgumentError  the number of parts is neither 1 nor `elements`
  std::vector<std::string> Parts(std::size_t elements) const;
  /// \throws ArgumentError  the part is not a number
  double Number(const std::string& part) const;
  /// The bytes that the whole text contains in hexadecimal digits.
  /// \throws ArgumentError  the text is not hexadecimal
  std::string Bytes() const;
  /// \throws ArgumentError  always
  [[noreturn]] void Refuse(const std::string& expected, const std::string& found) const;

 private:
  std::string variable_;
  std::string text_;
};

}  // namespace openmi::items
