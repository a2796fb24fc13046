#include "fmi-bridge/broker/recording/RecordingLine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "fmi-bridge/common/description/DescriptionText.hpp"

namespace openmi::broker {
namespace {

constexpr std::string_view kReceived = R"({"received":")";
constexpr std::string_view kId = R"(,"id":")";
constexpr std::string_view kBody = R"(,"body":)";
constexpr std::string_view kBytes = R"(,"bytes":")";

bool Skip(std::string_view& text, std::string_view begin) {
  if (!text.starts_with(begin)) return false;
  text.remove_prefix(begin.size());
  return true;
}

/// Whether a text is printable ASCII that needs no escape.
bool IsPlain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

bool FromHex(std::string_view digits, std::string& bytes) {
  std::optional<std::string> read = described::BytesOfHex(digits);
  if (read) bytes = std::move(*read);
  return read.has_value();
}

void AppendHex(std::string_view bytes, std::string& text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
}

}  // namespace

std::string_view RecordingCodec::Encode(const RecordingLine& line) {
  text_ = kReceived;
  text_ += FormatWallTime(line.received);
  text_ += '"';
  if (!line.id.empty()) {
    // Another id is written as "hex:" and digits, and so is one that starts with "hex:".
    text_ += kId;
    if (IsPlain(line.id) && !line.id.starts_with("hex:")) {
      text_ += line.id;
    } else {
      text_ += "hex:";
      AppendHex(line.id, text_);
    }
    text_ += '"';
  }
  const bool is_object = line.body.starts_with('{') && line.body.ends_with('}') &&
                         line.body.find_first_of(std::string_view("\n\r\0", 3)) == std::string_view::npos;
  if (is_object) {
    text_ += kBody;
    text_ += line.body;
    text_ += '}';
  } else {
    text_ += kBytes;
    AppendHex(line.body, text_);
    text_ += "\"}";
  }
  return text_;
}

RecordingLine RecordingCodec::Decode(std::string_view text) {
  const RecordingLine plain{.received = 0, .id = {}, .body = text};
  std::string_view rest = text;
  if (!Skip(rest, kReceived)) return plain;
  RecordingLine line;
  const std::size_t end = rest.find('"');
  if (end == std::string_view::npos) return plain;
  const auto received = ParseWallTime(rest.substr(0, end));
  if (!received) return plain;
  line.received = *received;
  rest.remove_prefix(end + 1);
  if (Skip(rest, kId)) {
    const std::size_t id_end = rest.find('"');
    if (id_end == std::string_view::npos) return plain;
    line.id = rest.substr(0, id_end);
    if (line.id.starts_with("hex:")) {
      if (!FromHex(line.id.substr(4), id_)) return plain;
      line.id = id_;
    }
    rest.remove_prefix(id_end + 1);
  }
  if (Skip(rest, kBody) && rest.ends_with('}')) {
    line.body = rest.substr(0, rest.size() - 1);
    return line;
  }
  if (Skip(rest, kBytes) && rest.ends_with("\"}") && FromHex(rest.substr(0, rest.size() - 2), bytes_)) {
    line.body = bytes_;
    return line;
  }
  return plain;
}

}  // namespace openmi::broker
