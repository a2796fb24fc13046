#include "fmi-bridge/fmi/StructuredName.hpp"

#include <cstddef>

namespace openmi::fmi {

namespace {

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
bool IsNonDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Removes parts from the start of a name.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}
  bool IsAtEnd() const { return rest_.empty(); }
  bool Take(std::string_view piece) {
    if (!rest_.starts_with(piece)) return false;
    rest_.remove_prefix(piece.size());
    return true;
  }
  bool TakeNumber() {
    std::size_t size = 0;
    while (size < rest_.size() && IsDigit(rest_[size])) ++size;
    rest_.remove_prefix(size);
    return size > 0;
  }
  bool TakePart() {
    if (!(rest_.starts_with('\'') ? TakeQuoted() : TakePlain())) return false;
    if (!Take("[")) return true;
    do {
      if (!TakeNumber()) return false;
    } while (Take(","));
    return Take("]");
  }
  bool TakePath() {
    do {
      if (!TakePart()) return false;
    } while (Take("."));
    return true;
  }

 private:
  bool TakePlain() {
    std::size_t size = 0;
    while (size < rest_.size() && (IsNonDigit(rest_[size]) || (size > 0 && IsDigit(rest_[size])))) ++size;
    rest_.remove_prefix(size);
    return size > 0;
  }
  bool TakeQuoted() {
    std::size_t at = 1;
    for (; at < rest_.size() && rest_[at] != '\''; ++at) {
      if (rest_[at] == '\\') ++at;
    }
    if (at >= rest_.size() || at == 1) return false;
    rest_.remove_prefix(at + 1);
    return true;
  }
  std::string_view rest_;
};

}  // namespace

bool IsStructuredName(std::string_view name) {
  Scanner scanner(name);
  if (scanner.Take("der(")) {
    if (!scanner.TakePath()) return false;
    if (scanner.Take(",")) {
      while (scanner.Take(" ")) {
      }
      if (!scanner.TakeNumber()) return false;
    }
    return scanner.Take(")") && scanner.IsAtEnd();
  }
  return scanner.TakePath() && scanner.IsAtEnd();
}

}  // namespace openmi::fmi
