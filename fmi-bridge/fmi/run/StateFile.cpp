#include "fmi-bridge/fmi/run/StateFile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>

#include "composition/results/FileHash.hpp"
#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/ReadableFile.hpp"
#include "openmi/sdk/Utf8.hpp"

namespace openmi::fmi {
namespace {

constexpr std::string_view kFirstLine = "openmi FMU state 2\n";
constexpr std::string_view kHash = "sha256 ";

std::string HashOf(std::string_view head, std::string_view bytes) {
  Sha256 hash;
  hash.Add(head);
  hash.Add(bytes);
  return hash.Finish();
}

/// Reads the lines of the head.
class Head {
 public:
  Head(std::string_view content, const Where& where) : rest_(content), where_(where) {}

  [[noreturn]] void Refuse(const std::string& expected, const std::string& found) const {
    throw FormatError(where_, fmt::format("expected {}, found {}", expected, found),
                      "write the file again, at the end of a run of this FMU");
  }
  /// The value of the next line, which must have this name.
  std::string Next(std::string_view name) {
    const std::size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, std::min(end, kLongestLine));
    if (end > kLongestLine || !line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ' ') {
      Refuse(fmt::format("a line '{} ...' in the state of an FMU", name),
             line.empty() ? "none" : Quoted(PrintableText(line)));
    }
    rest_.remove_prefix(end + 1);
    return std::string(line.substr(name.size() + 1));
  }
  std::size_t NextSize(std::string_view name) {
    const std::string text = Next(name);
    const std::optional<std::uint64_t> size = described::ParseUnsigned(text);
    if (!size) Refuse(fmt::format("a number of bytes in the line '{} ...'", name), Quoted(PrintableText(text)));
    return *size;
  }
  void Skip(std::string_view text, const char* what) {
    if (!rest_.starts_with(text)) {
      Refuse(what, rest_.empty() ? "none"
                                 : Quoted(PrintableText(rest_.substr(0, std::min<std::size_t>(rest_.find('\n'), 40)))));
    }
    rest_.remove_prefix(text.size());
  }
  std::string_view Rest() const { return rest_; }

 private:
  static constexpr std::size_t kLongestLine = 4096;
  std::string_view rest_;
  const Where& where_;
};

}  // namespace

std::string EncodeStateFile(const StateFile& state) {
  const std::string head = fmt::format(
      "{}token {}\nmodel {}\nfmi {}\nkind {}\nplatform {}\nmode {}\ntime {}\nfmu-bytes {}\nimporter-bytes {}\n",
      kFirstLine, state.token, state.model, state.version, state.kind, state.platform, state.mode, state.time,
      state.fmu.size(), state.importer.size());
  const std::string bytes = state.fmu + state.importer;
  return fmt::format("{}{}{}\n\n{}", head, kHash, HashOf(head, bytes), bytes);
}

StateFile DecodeStateFile(std::string_view content, const Where& where) {
  Head head(content, where);
  head.Skip(kFirstLine, "the state of an FMU, which begins with 'openmi FMU state 2'");
  StateFile state;
  state.token = head.Next("token");
  state.model = head.Next("model");
  state.version = head.Next("fmi");
  state.kind = head.Next("kind");
  state.platform = head.Next("platform");
  const std::size_t mode = head.NextSize("mode");
  if (mode > static_cast<std::size_t>(Instance::Mode::ClockActivation))
    head.Refuse("a known mode", std::to_string(mode));
  state.mode = static_cast<int>(mode);
  const std::string time = head.Next("time");
  const std::optional<double> seconds = described::ParseDouble(time);
  if (!seconds || !std::isfinite(*seconds)) head.Refuse("a finite time", Quoted(PrintableText(time)));
  state.time = *seconds;
  const std::size_t fmu = head.NextSize("fmu-bytes");
  const std::size_t importer = head.NextSize("importer-bytes");
  const std::string_view lines = content.substr(0, content.size() - head.Rest().size());
  const std::string hash = head.Next("sha256");
  head.Skip("\n", "an empty line after the head of the state of an FMU");
  const std::string_view bytes = head.Rest();
  if (fmu > bytes.size() || importer != bytes.size() - fmu) {
    head.Refuse(fmt::format("{} and {} bytes after the head", fmu, importer), std::to_string(bytes.size()));
  }
  if (hash != HashOf(lines, bytes)) head.Refuse("the SHA-256 of its content", "another: the file is damaged");
  state.fmu = bytes.substr(0, fmu);
  state.importer = bytes.substr(fmu);
  return state;
}

StateFile StateFileOf(const ModelDescription& description, InterfaceKind kind) {
  constexpr std::size_t kMost = 2000;
  StateFile state;
  state.token = PrintableText(description.token.substr(0, kMost));
  state.model = PrintableText(std::string_view(description.model_name).substr(0, kMost));
  state.version = description.version_text;
  state.kind = kWaysToRun.NameOf(kind);
  state.platform = PlatformFolders(description.version)[0];
  return state;
}

StateFile ReadStateFile(const std::string& path, const std::string& shown, const StateFile& like) {
  const Where where{.file = path};
  StateFile state = DecodeStateFile(ReadWholeFile(path, shown, "the state of an FMU"), where);
  const auto require = [&where](const char* what, const std::string& expected, const std::string& found) {
    if (expected == found) return;
    throw FormatError(where,
                      fmt::format("expected the state of an FMU with the {} {}, found {}", what, Quoted(expected),
                                  Quoted(PrintableText(found))),
                      "name a file that the same FMU wrote, run in the same way");
  };
  require("token", like.token, state.token);
  if (like.token.empty()) require("model name", like.model, state.model);
  require("FMI version", like.version, state.version);
  require("kind", like.kind, state.kind);
  require("platform", like.platform, state.platform);
  return state;
}

void WriteStateFile(const std::string& path, const StateFile& state) {
  const std::string part = path + ".part";
  std::ofstream file(part, std::ios::binary | std::ios::trunc);
  const std::string content = EncodeStateFile(state);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (file && std::rename(part.c_str(), path.c_str()) == 0) return;
  const std::string reason = std::strerror(errno);
  std::remove(part.c_str());
  throw FileError({.file = path}, "expected a file for the state of the FMU that can be written, found: " + reason);
}

}  // namespace openmi::fmi
