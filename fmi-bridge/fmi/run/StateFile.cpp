#include "fmi-bridge/fmi/run/StateFile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "composition/results/FileHash.hpp"
#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/fmi/run/Clocks.hpp"
#include "fmi-bridge/fmi/run/StepEnds.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/ReadableFile.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "openmi/system/ChildTrial.hpp"

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

/// The file that is renamed when it is complete.
std::string PartOf(const std::string& path) {
  return path + ".part";
}

[[noreturn]] void RefuseFile(const std::string& path, const std::string& reason) {
  throw FileError({.file = path}, "expected a file for the state of the FMU that can be written, found: " + reason);
}

/// Since the complete file takes the place of what has its name: a device would be gone.
void RefuseOtherThanFile(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) RefuseFile(path, std::strerror(EISDIR));
  if (std::filesystem::is_other(path, error)) RefuseFile(path, "no file, but a device or the like");
}

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

StateFile StateFileOf(const ModelDescription& description, InterfaceKind kind, bool is_for_windows) {
  constexpr std::size_t kMost = 2000;
  StateFile state;
  state.token = PrintableText(description.token.substr(0, kMost));
  state.model = PrintableText(std::string_view(description.model_name).substr(0, kMost));
  state.version = description.version_text;
  state.kind = kWaysToRun.NameOf(kind);
  state.platform = (is_for_windows ? WindowsFolders : PlatformFolders)(description.version)[0];
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
  RefuseOtherThanFile(path);
  const std::string part = PartOf(path);
  std::ofstream file(part, std::ios::binary | std::ios::trunc);
  const std::string content = EncodeStateFile(state);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (file && std::rename(part.c_str(), path.c_str()) == 0) return;
  const std::string reason = std::strerror(errno);
  std::remove(part.c_str());
  RefuseFile(path, reason);
}

void ExpectWritableState(const std::string& path) {
  RefuseOtherThanFile(path);
  if (!std::ofstream(PartOf(path), std::ios::binary | std::ios::trunc)) RefuseFile(path, std::strerror(errno));
  std::remove(PartOf(path).c_str());
}

void ExpectStart(const StateFile& state, std::optional<double> start, const Where& where, const std::string& remedy) {
  if (!start || std::abs(*start - state.time) <= 1e-6 + LastBits(state.time)) return;
  throw ArgumentError(where, fmt::format("expected a state at the start time {}, found one at {}", *start, state.time),
                      remedy);
}

void ExpectStateAsBytes(const ModelDescription& description, InterfaceKind kind, Where where) {
  const auto& offers = description.Of(kind);
  if (!offers || offers->can_serialize_state) return;  // where there is no such kind, that is the problem
  throw ArgumentError(std::move(where), "expected an FMU whose state can be kept as bytes, found one that cannot",
                      "use an FMU whose description has canSerializeFMUState=\"true\"");
}

void KeepState(StateFile& state, Instance& instance, IStepper& stepper, const std::function<void(StateWriter&)>& more) {
  const auto text_of = [](ByteView bytes) {
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  StateHandle memory(instance);
  memory.Keep();
  state.mode = static_cast<int>(instance.CurrentMode());
  state.fmu = text_of(instance.Serialize(memory.Get()));
  StateWriter writer;
  stepper.Save(writer);
  more(writer);
  state.importer = text_of(writer.Bytes());
}

void SaveNoItems(StateWriter& writer) {
  for (int list = 0; list < 3; ++list) writer.Write(std::int64_t{0});
}

void LoadImporter(const StateFile& state, IStepper& stepper, const Where& where,
                  const std::function<void(StateReader&)>& more) {
  try {
    StateReader reader(std::as_bytes(std::span(state.importer)));
    stepper.Load(reader);
    more(reader);
  } catch (const Error& error) {
    throw FormatError(where, error.Problem(), "write the file again, at the end of a run of this FMU");
  }
  const double next = stepper.ItsClocks().Next();
  if (next >= state.time - ToleranceWithin(state.time)) return;
  throw FormatError(where, fmt::format("expected clocks that tick after the time {} of the state, found one at {}",
                                       state.time, next));
}

void TryStateInChild(Instance& instance, ByteView bytes, Instance::Mode mode, const std::function<void()>& read,
                     const Where& where, const std::string& remedy) {
  const ChildTrial trial = TryInChild(
      [&] {
        instance.Silence();
        RestoreInstance(instance, bytes, mode);
        read();
      },
      kLongestTrial);
  // An FMU with a process of its own, as ours are: a crash would be there.
  if (trial.good || trial.found.find(kServesNoCopy) != std::string::npos) return;
  throw StateError(where, fmt::format("expected a state that the FMU takes in a child process, found {}", trial.found),
                   remedy);
}

void RestoreInstance(Instance& instance, ByteView bytes, Instance::Mode mode) {
  const StateHandle state(instance, instance.Deserialize(bytes));
  instance.SetState(state.Get(), mode);
}

}  // namespace openmi::fmi
