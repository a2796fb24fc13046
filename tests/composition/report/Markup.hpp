#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace openmi {

/// What an XML reader (libxml2) makes of a text.
struct MarkupCheck {
  bool is_well_formed = false;
  std::string problem;  ///< of the reader, where not well formed
};

MarkupCheck CheckMarkup(const std::string& text);

inline void ExpectWellFormed(const std::string& text) {
  const MarkupCheck check = CheckMarkup(text);
  EXPECT_TRUE(check.is_well_formed) << check.problem;
}

/// How many nodes the XPath `expression` finds; namespaces are ignored. \throws std::runtime_error  no such expression
std::size_t CountNodes(const std::string& text, const std::string& expression);

/// The text of all nodes that the XPath `expression` finds, one after the other.
std::string TextOf(const std::string& text, const std::string& expression);

}  // namespace openmi
