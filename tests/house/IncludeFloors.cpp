#include "tests/house/IncludeFloors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <regex>
#include <string_view>

namespace openmi::house {
namespace fs = std::filesystem;

namespace {

struct Room {
  std::string_view folder;
  int floor;
};

// The first that fits decides, so a room inside another comes before it.
constexpr std::array kRooms = {
    Room{"openmi/standard", 2}, Room{"openmi", 3},     Room{"timespace", 4},
    Room{"adaptors", 5},        Room{"components", 5}, Room{"composition", 6},
    Room{"fmi-bridge", 7},      Room{"bmi-bridge", 7}, Room{"tools", 8},
};

// The rooms of fmi-bridge/ and the others there that each may use. What several protocols need has rooms that use no
// protocol.
struct BridgeRoom {
  std::string_view folder;
  std::string_view uses;  // folders, between blanks
};
constexpr std::array kBridgeRooms = {
    BridgeRoom{"archive", ""},
    BridgeRoom{"description", ""},
    BridgeRoom{"items", " description "},
    BridgeRoom{"outward", " archive description "},
    BridgeRoom{"fmi", " archive description items "},
    BridgeRoom{"ssp", " archive description fmi "},
    BridgeRoom{"fmu-export", " archive outward fmi "},
    BridgeRoom{"dcp", " archive description items outward "},
    BridgeRoom{"osmp", " archive description items outward fmi fmu-export "},
    BridgeRoom{"broker", " archive description items outward fmi fmu-export "},
};

constexpr std::array<std::string_view, 3> kOutside = {"tests", "bench", "examples"};

// ISO/IEC 14882:2020, tables 24 and 25, and <version>.
constexpr std::string_view kStandardLibrary =
    " algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex concepts "
    "condition_variable coroutine deque exception execution filesystem format forward_list fstream functional "
    "future initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map memory "
    "memory_resource mutex new numbers numeric optional ostream queue random ranges ratio regex scoped_allocator "
    "semaphore set shared_mutex source_location span sstream stack stdexcept stop_token streambuf string "
    "string_view syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set "
    "utility valarray variant vector version cassert cctype cerrno cfenv cfloat cinttypes climits clocale cmath "
    "csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype "
    // Vector instructions: part of the compiler like the library itself, and used behind a test of the processor.
    "emmintrin.h immintrin.h ";

bool IsStandardLibrary(const std::string& header) {
  return kStandardLibrary.find(" " + header + " ") != std::string_view::npos;
}

bool LiesIn(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

const Room* RoomOf(const fs::path& path) {
  const std::string text = path.generic_string();
  const auto* found = std::ranges::find_if(kRooms, [&](const Room& room) { return LiesIn(text, room.folder); });
  return found == kRooms.end() ? nullptr : found;
}

// The name of the room of fmi-bridge/ that a path lies in; empty for its own files and all other paths.
std::string BridgeRoomOf(const fs::path& path) {
  const std::string text = path.generic_string();
  constexpr std::string_view kBridge = "fmi-bridge/";
  const std::size_t end = text.find('/', kBridge.size());
  if (!text.starts_with(kBridge) || end == std::string::npos) return {};
  return text.substr(kBridge.size(), end - kBridge.size());
}

bool MayUse(const std::string& from, const std::string& to) {
  if (from.empty() || to.empty() || from == to) return true;
  const auto* room = std::ranges::find(kBridgeRooms, std::string_view(from), &BridgeRoom::folder);
  return room != kBridgeRooms.end() && room->uses.find(" " + to + " ") != std::string_view::npos;
}

bool IsOutside(const fs::path& path) {
  const std::string text = path.generic_string();
  return std::ranges::any_of(kOutside, [&](std::string_view folder) { return LiesIn(text, folder); });
}

bool IsSource(const fs::path& file) {
  static const std::set<std::string> endings = {".h", ".hpp", ".hh",  ".inl", ".ipp",
                                                ".c", ".cc",  ".cpp", ".cxx", ".in"};
  return endings.contains(file.extension().string());
}

// Where an include points to inside the tree: beside the including file, or from the root; empty when to neither.
fs::path Resolve(const fs::path& root, const IncludeLine& include) {
  const fs::path beside = (include.file.parent_path() / include.name).lexically_normal();
  if (include.is_quoted && fs::is_regular_file(root / beside)) {
    return beside;
  }
  const fs::path from_root = fs::path(include.name).lexically_normal();
  // A header that does not exist (yet, or is generated) is still judged by the room it names.
  if (fs::is_regular_file(root / from_root) || RoomOf(from_root) != nullptr || IsOutside(from_root)) {
    return from_root;
  }
  return {};
}

}  // namespace

std::optional<int> FloorOf(const fs::path& path) {
  const Room* room = RoomOf(path);
  return room == nullptr ? std::nullopt : std::optional(room->floor);
}

std::vector<IncludeLine> ReadIncludes(const fs::path& root) {
  static const std::regex pattern(R"(^\s*#\s*include(?:_next)?\s*(["<])([^">]+)[">])");
  std::vector<IncludeLine> includes;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator(); ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry->is_directory()) {
      if (name.starts_with('.') || (entry.depth() == 0 && (name.starts_with("build") || name == "results"))) {
        entry.disable_recursion_pending();
      }
      continue;
    }
    if (!entry->is_regular_file() || !IsSource(entry->path())) {
      continue;
    }
    std::ifstream stream(entry->path());
    std::string line;
    std::smatch match;
    for (int number = 1; std::getline(stream, line); ++number) {
      if (line.find("include") != std::string::npos && std::regex_search(line, match, pattern)) {
        includes.push_back({fs::relative(entry->path(), root), number, match[2], match[1] == "\""});
      }
    }
  }
  std::ranges::sort(includes, {}, [](const IncludeLine& include) { return std::pair(include.file, include.line); });
  return includes;
}

std::vector<Offence> FindUpwardIncludes(const fs::path& root) {
  std::vector<Offence> offences;
  for (const IncludeLine& include : ReadIncludes(root)) {
    const Room* from = RoomOf(include.file);
    const fs::path target = Resolve(root, include);
    if (from == nullptr || target.empty()) {
      continue;
    }
    const std::string where =
        fmt::format("{}:{}: includes {}", include.file.generic_string(), include.line, target.generic_string());
    const Room* to = RoomOf(target);
    if (to == nullptr) {
      if (IsOutside(target)) {
        offences.push_back(
            {include, fmt::format("{}, which is no part of the house; move what is needed to a floor", where)});
      }
    } else if (to->floor > from->floor) {
      offences.push_back(
          {include, fmt::format("{}, which lies above (floor {} uses floor {}); move it down, or let floor {} "
                                "register what floor {} needs",
                                where, from->floor, to->floor, to->floor, from->floor)});
    } else if (to->floor == from->floor && to != from) {
      offences.push_back({include, fmt::format("{}, another room of floor {}; move what both need to a floor below",
                                               where, from->floor)});
    } else if (!MayUse(BridgeRoomOf(include.file), BridgeRoomOf(target))) {
      offences.push_back(
          {include, fmt::format("{}, a room of the bridge that '{}' must not know; move what both need to "
                                "a room that uses no other",
                                where, BridgeRoomOf(include.file))});
    }
  }
  return offences;
}

std::vector<Offence> FindForeignIncludes(const fs::path& root, const std::set<fs::path>& public_headers) {
  std::vector<Offence> offences;
  for (const IncludeLine& include : ReadIncludes(root)) {
    if (!public_headers.contains(include.file)) {
      continue;
    }
    const std::string where =
        fmt::format("{}:{}: public header includes {}", include.file.generic_string(), include.line, include.name);
    if (!include.is_quoted) {
      const bool is_of_c = include.file.extension() == ".h" && include.name.ends_with(".h");  // of C, for C
      if (!is_of_c && !IsStandardLibrary(include.name)) {
        offences.push_back(
            {include, fmt::format("{}, which is not of the C++ standard library; include it in a source file", where)});
      }
    } else if (!public_headers.contains(Resolve(root, include))) {
      offences.push_back(
          {include, fmt::format("{}, which is not installed; list it in the file set of its folder, or include "
                                "it in a source file",
                                where)});
    }
  }
  return offences;
}

}  // namespace openmi::house
