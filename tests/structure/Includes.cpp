#include "tests/structure/Includes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <regex>
#include <sstream>
#include <string_view>

namespace openmi::structure {
namespace fs = std::filesystem;

namespace {

struct Layer {
  std::string_view folder;
  int number;
};

// The first that fits decides, so a folder inside another comes before it.
constexpr std::array kLayers = {
    Layer{"openmi/standard", 2}, Layer{"openmi", 3},        Layer{"timespace", 4},     Layer{"adaptors", 5},
    Layer{"components", 5},      Layer{"composition", 6},   Layer{"study", 7},         Layer{"fmi-bridge", 7},
    Layer{"bmi-bridge", 7},      Layer{"python-bridge", 7}, Layer{"dotnet-bridge", 7}, Layer{"tools", 8},
    Layer{"python", 8},          Layer{"studio", 7},
};

// The modules of a layer, and the other modules of that layer that each may use. What lies directly in the folder of
// the layer puts its modules together, so it may use all of them and none uses it. A layer that is not listed has no
// modules.
struct Module {
  std::string_view folder;
  std::string_view
      uses;         // names of modules, between blanks; '.' in front: what lies directly in the folder of the layer
  int highest = 0;  // layer that it may use, where that is not the one below
};
constexpr std::array kModules = {
    Module{"timespace/standard", ""},
    Module{"timespace/state", ""},
    Module{"timespace/times", " standard "},
    Module{"timespace/elements", " standard state "},
    Module{"timespace/values", " standard state times "},
    Module{"timespace/optional", " standard times values "},
    Module{"timespace/items", " optional standard state times values "},
    Module{"timespace/files", " elements standard "},
    Module{"timespace/c", " . elements items optional standard state times values "},
    Module{"timespace/testing", " . items optional standard times values "},

    Module{"adaptors/base", ""},
    Module{"adaptors/c", " base "},
    Module{"adaptors/kernels", ""},
    Module{"adaptors/space", " base kernels "},
    Module{"adaptors/time", " base kernels "},
    Module{"adaptors/values", " base kernels "},

    Module{"composition/channel", ""},
    Module{"composition/model", ""},
    Module{"composition/measures", ""},
    Module{"composition/results", ""},
    Module{"composition/threads", ""},
    Module{"composition/proxy", " model threads "},
    Module{"composition/hosts", ""},
    Module{"composition/isolation", " channel hosts model proxy threads "},
    Module{"composition/joined", " hosts isolation model proxy threads "},
    Module{"composition/state", " results "},
    Module{"composition/link", " hosts isolation joined model proxy threads "},
    Module{"composition/loops", " link model proxy threads "},
    Module{"composition/record", " link loops model proxy results "},
    Module{"composition/families", " link loops proxy state "},
    Module{"composition/check", " link model record results state "},
    Module{"composition/run", " families isolation link loops model record results state threads "},
    Module{"composition/report", " link measures proxy record results run "},
    Module{"composition/control", " families run "},
    Module{"composition/embed", " check control link proxy report run state "},
    Module{"composition/conformance", ""},
    Module{"composition/import", " model "},

    Module{"study/model", ""},
    Module{"study/design", " model "},
    Module{"study/search", " design model "},
    Module{"study/run", " design model search "},
    Module{"study/results", " model run "},
    Module{"study/report", " design model results run "},

    Module{"studio/edit", ""},
    Module{"studio/server", ""},

    Module{"fmi-bridge/common", ""},
    Module{"fmi-bridge/fmi", " common "},
    Module{"fmi-bridge/dcp/protocol", " common ", 3},
    Module{"fmi-bridge/dcp/slave", " dcp/protocol ", 3},
    Module{"fmi-bridge/dcp/master", " common dcp/protocol dcp/slave "},
    Module{"fmi-bridge/export", " common dcp/protocol dcp/slave fmi "},
    Module{"fmi-bridge/osmp", " common fmi "},
    Module{"fmi-bridge/broker", " common export fmi "},
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

const Layer* LayerNamed(const fs::path& path) {
  const std::string text = path.generic_string();
  const auto* found = std::ranges::find_if(kLayers, [&](const Layer& layer) { return LiesIn(text, layer.folder); });
  return found == kLayers.end() ? nullptr : found;
}

const Module* ModuleOf(const fs::path& path) {
  const std::string text = path.generic_string();
  const auto* found = std::ranges::find_if(kModules, [&](const Module& module) { return LiesIn(text, module.folder); });
  return found == kModules.end() ? nullptr : found;
}

// The name of a module without its layer: "dcp/slave".
std::string_view NameOf(const Module& module) {
  return module.folder.substr(module.folder.find('/') + 1);
}

// The highest layer, below its own, that a module may use.
int HighestFor(const Module& module) {
  return module.highest != 0 ? module.highest : LayerNamed(fs::path(module.folder) / "x")->number - 1;
}

bool HasModules(std::string_view layer) {
  return std::ranges::any_of(kModules, [&](const Module& module) { return LiesIn(module.folder, layer); });
}

// Why a file of a layer may not include another one of it; empty: it may.
std::string ObjectionWithin(const Layer& layer, const fs::path& from, const fs::path& to) {
  if (!HasModules(layer.folder)) return {};
  const Module* here = ModuleOf(from);
  const Module* there = ModuleOf(to);
  const auto is_directly_in_layer = [&](const fs::path& path) { return path.parent_path() == fs::path(layer.folder); };
  if (here == there || (here == nullptr && is_directly_in_layer(from))) return {};
  if (here == nullptr) return "which no module contains; list the folder in tests/structure/Includes.cpp";
  const bool is_on_top = here->uses.starts_with(" . ");
  if (there == nullptr && is_on_top && is_directly_in_layer(to)) return {};
  if (there == nullptr) return "which is no part of a module; move what both need to a module below";
  if (here->uses.find(fmt::format(" {} ", NameOf(*there))) != std::string_view::npos) return {};
  return fmt::format("a module that '{}' may not use; move what both need to a module below", NameOf(*here));
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
  // A header that does not exist (yet, or is generated) is still judged by the layer it names.
  if (fs::is_regular_file(root / from_root) || LayerNamed(from_root) != nullptr || IsOutside(from_root)) {
    return from_root;
  }
  return {};
}

}  // namespace

std::optional<int> LayerOf(const fs::path& path) {
  const Layer* layer = LayerNamed(path);
  return layer == nullptr ? std::nullopt : std::optional(layer->number);
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
    const Layer* from = LayerNamed(include.file);
    const fs::path target = Resolve(root, include);
    if (from == nullptr || target.empty()) {
      continue;
    }
    const std::string where =
        fmt::format("{}:{}: includes {}", include.file.generic_string(), include.line, target.generic_string());
    const Layer* to = LayerNamed(target);
    if (to == nullptr) {
      if (IsOutside(target)) {
        offences.push_back({include, fmt::format("{}, which is in no layer; move what is needed to a layer", where)});
      }
    } else if (to->number > from->number) {
      offences.push_back(
          {include, fmt::format("{}, which lies above (layer {} uses layer {}); move it down, or let layer {} "
                                "register what layer {} needs",
                                where, from->number, to->number, to->number, from->number)});
    } else if (to->number == from->number && to != from) {
      offences.push_back({include, fmt::format("{}, another folder of layer {}; move what both need to a layer below",
                                               where, from->number)});
    } else if (const Module* module = ModuleOf(include.file);
               to != from && module != nullptr && to->number > HighestFor(*module)) {
      offences.push_back({include, fmt::format("{}, which lies above layer {}, the highest that '{}' may use, because "
                                               "others link it without the rest; move what is needed down",
                                               where, HighestFor(*module), NameOf(*module))});
    } else if (to == from) {
      if (const std::string objection = ObjectionWithin(*from, include.file, target); !objection.empty()) {
        offences.push_back({include, fmt::format("{}, {}", where, objection)});
      }
    }
  }
  return offences;
}

std::vector<ModuleRule> ModuleRules() {
  std::vector<ModuleRule> rules;
  for (const Module& module : kModules) {
    std::vector<std::string> names;
    std::istringstream words{std::string(module.uses)};
    for (std::string word; words >> word;) names.push_back(word == "." ? "what lies directly in it" : "`" + word + "`");
    std::string of_layer = "no other module of this layer";
    if (!names.empty()) {
      const std::string last = names.back();
      names.pop_back();
      of_layer = fmt::format("of this layer {}{}{}", fmt::join(names, ", "), names.empty() ? "" : " and ", last);
    }
    rules.push_back(
        {module.folder, fmt::format("**May include** layers 2 to {}, and {}.", HighestFor(module), of_layer)});
  }
  return rules;
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

}  // namespace openmi::structure
