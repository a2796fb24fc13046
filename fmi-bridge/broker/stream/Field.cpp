#include "fmi-bridge/broker/stream/Field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi::broker {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"real", "integer", "boolean", "string"};

class FieldScan {
 public:
  explicit FieldScan(std::string_view text) : text_(text) {}

  bool AtEnd() {
    Skip();
    return at_ == text_.size();
  }
  bool Take(char wanted) {
    Skip();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  /// Reads a name up to one of the marks; in quotes it may contain them.
  std::string Name() {
    Skip();
    if (Take('"')) return std::string(Until("\"", true));
    return std::string(Trimmed(Until(",=:[", false)));
  }
  std::string Unit() { return std::string(Trimmed(Until("]", true))); }
  [[noreturn]] void Refuse(std::string_view expected) const {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with(',')) {
      throw FormatError({}, fmt::format("expected {} at place {} of the fields, found a comma", expected, at_ + 1),
                        "remove the comma, or name the field before it");
    }
    throw FormatError(
        {}, fmt::format("expected {} at place {} of the fields, found '{}'", expected, at_ + 1, rest.substr(0, 40)),
        "write `level[m], pose.x=x[m], running:boolean, mode:string`");
  }

 private:
  void Skip() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  }
  std::string_view Until(std::string_view marks, bool must_end) {
    const std::size_t end = text_.find_first_of(marks, at_);
    if (end == std::string_view::npos && must_end) Refuse(fmt::format("a closing {}", marks));
    const std::string_view found = text_.substr(at_, end == std::string_view::npos ? end : end - at_);
    at_ = end == std::string_view::npos ? text_.size() : end + (must_end ? 1 : 0);
    return found;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string_view NameOf(FieldType type) {
  return kNames[static_cast<std::size_t>(type)];
}

std::vector<Field> ParseFields(std::string_view text) {
  std::vector<Field> fields;
  FieldScan scan(text);
  while (!scan.AtEnd()) {
    Field field;
    field.name = scan.Name();
    field.source = field.name;
    if (scan.Take('=')) field.name = scan.Name();
    if (field.name.empty() || field.source.empty()) scan.Refuse("a name");
    if (scan.Take(':')) {
      const std::string type = scan.Name();
      const auto* known = std::ranges::find(kNames, type);
      if (known == kNames.end()) scan.Refuse(fmt::format("real, integer, boolean or string in place of '{}'", type));
      field.type = static_cast<FieldType>(known - kNames.begin());
    }
    if (scan.Take('[')) field.unit = scan.Unit();
    if (!scan.AtEnd() && !scan.Take(',')) scan.Refuse("a comma");
    for (const Field& other : fields) {
      if (other.name != field.name && other.source != field.source) continue;
      throw FormatError({},
                        fmt::format("expected each field once, found '{}={}' beside '{}={}'", field.source, field.name,
                                    other.source, other.name),
                        "remove one of them");
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

}  // namespace openmi::broker
