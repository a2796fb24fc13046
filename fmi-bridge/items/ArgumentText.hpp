#pragma once

#include <string>
#include <vector>

namespace openmi::items {

/// The text of an argument that holds the value of a variable: one number an element, between blanks, commas or
/// semicolons; one number alone stands for all elements.
class ArgumentText {
 public:
  /// \param variable  its name for messages
  ArgumentText(std::string variable, std::string text) : variable_(std::move(variable)), text_(std::move(text)) {}

  const std::string& Whole() const { return text_; }
  /// \returns one part an element
  /// \throws ArgumentError  another number of them than elements
  std::vector<std::string> Parts(std::size_t elements) const;
  /// \throws ArgumentError  the part is no number
  double Number(const std::string& part) const;
  /// The bytes that the whole text writes in hexadecimal digits.
  /// \throws ArgumentError  it does not
  std::string Bytes() const;
  /// \throws ArgumentError  always
  [[noreturn]] void Refuse(const std::string& expected, const std::string& found) const;

 private:
  std::string variable_;
  std::string text_;
};

}  // namespace openmi::items
