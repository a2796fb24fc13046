#include "fmi-bridge/fmi/ssp/SourceUri.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::ssp {

namespace fs = std::filesystem;

namespace {

constexpr const char* kInside = "put the file into the package and name it relative to the description";

[[noreturn]] void Refuse(std::string_view uri, std::string_view found) {
  throw FormatError({}, fmt::format("expected a source inside the package, found {}, {}", Quoted(uri), found), kInside);
}

std::string Decoded(std::string_view uri) {
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      text += uri[i];
      continue;
    }
    unsigned value = 0;
    const char* begin = uri.data() + i + 1;
    const char* end = uri.data() + std::min(i + 3, uri.size());
    const auto [stop, error] = std::from_chars(begin, end, value, 16);
    if (end - begin != 2 || error != std::errc() || stop != end || value == 0) Refuse(uri, "where %XX is no character");
    text += static_cast<char>(value);
    i += 2;
  }
  return text;
}

}  // namespace

fs::path FileInside(const fs::path& root, const fs::path& base, std::string_view uri) {
  if (uri.empty()) Refuse(uri, "which is empty");
  const std::size_t mark = uri.find_first_of(":/?#");
  if (mark != std::string_view::npos && uri[mark] == ':') Refuse(uri, "which has a scheme; nothing is fetched");
  if (uri.find_first_of("?#") != std::string_view::npos) Refuse(uri, "which has a query or a fragment");
  const std::string name = Decoded(uri);
  if (name.front() == '/') Refuse(uri, "which is absolute");
  if (name.find('\\') != std::string::npos) Refuse(uri, "which holds a backslash");
  if (std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20; })) {
    Refuse(uri, "which holds a control character");
  }
  std::error_code problem;
  const fs::path normal = (fs::canonical(base, problem) / name).lexically_normal();
  const auto leads_out = [&](const fs::path& path) {
    const fs::path relative = path.lexically_relative(root);
    return relative.empty() || *relative.begin() == "..";
  };
  if (leads_out(normal)) Refuse(uri, "which leads out of it");
  const fs::path file = fs::canonical(normal, problem);
  if (problem) {
    throw FileError({}, fmt::format("expected the file {} in the package, found none", Quoted(uri)), kInside);
  }
  if (leads_out(file)) Refuse(uri, "which leads out of it by a link");
  return file;
}

}  // namespace openmi::ssp
