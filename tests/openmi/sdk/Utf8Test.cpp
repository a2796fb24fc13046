#include <gtest/gtest.h>

#include "openmi/sdk/Utf8.hpp"

namespace openmi {
namespace {

TEST(NextUtf8, TellsCodeAndLength) {
  const std::string text = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x8C\x8A\xFF";
  const char32_t codes[] = {'a', 0xE4, 0x20AC, 0x1F30A, 0xFFFD};
  std::size_t at = 0;
  for (const char32_t code : codes) {
    const Utf8Character character = NextUtf8(text, at);
    EXPECT_EQ(character.code, code);
    EXPECT_EQ(character.is_valid, code != 0xFFFD);
    at += character.length;
  }
  EXPECT_EQ(at, text.size());
}

TEST(FindInvalidUtf8, FollowsTheTableOfUnicode) {
  EXPECT_EQ(FindInvalidUtf8("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x8C\x8A"), std::string_view::npos);
  EXPECT_EQ(FindInvalidUtf8("ab\xC0\x80"), 2U);        // overlong
  EXPECT_EQ(FindInvalidUtf8("\xED\xA0\x80"), 0U);      // surrogate
  EXPECT_EQ(FindInvalidUtf8("\xF4\x90\x80\x80"), 0U);  // above U+10FFFF
  EXPECT_EQ(FindInvalidUtf8("\xE0\x9F\xBF"), 0U);      // overlong
  EXPECT_EQ(FindInvalidUtf8("\xF0\x8F\xBF\xBF"), 0U);  // overlong
  EXPECT_EQ(FindInvalidUtf8("x\xE2\x82"), 1U);         // cut short
}

TEST(PrintableText, IsFitForATerminal) {
  EXPECT_EQ(PrintableText("Z\xC3\xBCrich"), "Z\xC3\xBCrich");
  EXPECT_EQ(PrintableText("\x1b[31mred\x7F\ttab\nline"), " [31mred  tab line");
  EXPECT_EQ(PrintableText("two\nlines\r", true), "two\nlines ");
  EXPECT_EQ(PrintableText("c1:\xC2\x9B!"), "c1: !") << "a control sequence introducer in two bytes";
  EXPECT_EQ(PrintableText("bad \xFF\xED\xA0\x80"), "bad ????");
}

}  // namespace
}  // namespace openmi
