#pragma once

#include <string>
#include <utility>
#include <vector>

namespace openmi::items {

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
