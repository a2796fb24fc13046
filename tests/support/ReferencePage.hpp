#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "openmi/sdk/ArgumentItem.hpp"

namespace openmi::test {

/// A page of docs/ with parts that the code states. Such a part stands between a line `<!-- code: NAME -->` and the
/// next line `<!-- end -->`. A test compares it with the code; with OPENMI_WRITE_DOCS=1 in the environment it writes
/// the part.
class ReferencePage {
 public:
  /// \param name  relative to docs/
  explicit ReferencePage(const std::string& name) : path_(std::string(OPENMI_SOURCE_DIR) + "/docs/" + name) {
    std::ifstream stream(path_);
    text_.assign(std::istreambuf_iterator<char>(stream), {});
  }

  void Expect(const std::string& part, const std::string& text) {
    const std::string mark = "<!-- code: " + part + " -->\n";
    const std::size_t found = text_.find(mark);
    ASSERT_NE(found, std::string::npos) << "expected the line " << mark << "in " << path_ << ", and below it the line "
                                        << "<!-- end -->";
    const std::size_t begin = found + mark.size();
    const std::size_t end = text_.find("<!-- end -->", begin);
    ASSERT_NE(end, std::string::npos) << "expected <!-- end --> below " << mark << "in " << path_;
    if (std::getenv("OPENMI_WRITE_DOCS") != nullptr) {
      text_.replace(begin, end - begin, text);
      std::ofstream(path_) << text_;
    } else {
      EXPECT_EQ(text_.substr(begin, end - begin), text)
          << path_ << ": run this test with OPENMI_WRITE_DOCS=1 to write it";
    }
  }

  bool Has(const std::string& text) const { return text_.find(text) != std::string::npos; }

 private:
  std::string path_;
  std::string text_;
};

/// What an argument states about itself, as a row of a table.
struct ArgumentRow {
  std::string id, type, standard, meaning;

  explicit ArgumentRow(const IArgument& argument) : id(argument.Id()), meaning(argument.Caption()) {
    const auto text_of = [](const Value& value) {
      const auto number = value.Number();
      const auto* text = value.As<std::string>();
      return number ? fmt::format("{:g}", *number) : text != nullptr ? *text : std::string();
    };
    const ValueKind kind = argument.ValueType().kind;
    type = kind == ValueKind::Double    ? "number"
           : kind == ValueKind::Integer ? "whole number"
           : kind == ValueKind::Boolean ? "`true`, `false`"
                                        : "text";
    if (const auto possible = argument.PossibleValues()) {
      type.clear();
      for (const Value& value : *possible) type += (type.empty() ? "`" : ", `") + text_of(value) + "`";
    }
    if (const auto* own = dynamic_cast<const ArgumentItem*>(&argument)) {
      if (!own->Unit().empty() && own->Unit() != "1") type += ", " + own->Unit();
      const auto low = own->Minimum().Number();
      const auto high = own->Maximum().Number();
      const bool is_bounded = high && *high < std::numeric_limits<int>::max();
      if (low && *low < 1e-100 && *low > 0.0) {
        type += ", above 0";
      } else if (low) {
        type += fmt::format(", {} {:g}", is_bounded ? "from" : "at least", *low);
      }
      if (is_bounded) type += fmt::format("{} {:g}", low ? " to" : ", at most", *high);
    }
    if (!argument.Description().empty()) meaning += "; " + argument.Description();
    const Value value = argument.DefaultValue();
    standard = kind == ValueKind::Boolean && !value.IsEmpty() ? (*value.As<bool>() ? "`true`" : "`false`")
               : !text_of(value).empty()                      ? "`" + text_of(value) + "`"
               : value.IsEmpty() && !argument.IsOptional()    ? "needed"
                                                              : "";
  }

  bool operator==(const ArgumentRow&) const = default;
};

inline std::string ArgumentTable(const std::vector<ArgumentRow>& rows) {
  if (rows.empty()) return "";
  std::string table = "| argument | type | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const ArgumentRow& row : rows)
    table += fmt::format("| `{}` | {} | {} | {} |\n", row.id, row.type, row.standard, row.meaning);
  return table;
}

}  // namespace openmi::test
