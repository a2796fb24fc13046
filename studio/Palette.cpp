#include <algorithm>
#include <chrono>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "studio/Contents.hpp"

namespace openmi {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostEntries = 500;
constexpr std::size_t kMostLooked = 20'000;  // files
constexpr int kDeepest = 4;
constexpr std::string_view kResultsHead = "# OpenMI results,";  // of a CSV
constexpr std::size_t kReportHead = std::size_t{256} << 10;     // bytes of a report that hold its style and its state

// Calls `visit` with the files below a folder until it returns false.
void EachFile(const fs::path& folder, int deepest, const std::function<bool(const fs::path&)>& visit) {
  std::error_code error;
  std::size_t looked = 0;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
  for (const fs::recursive_directory_iterator end; !error && entry != end && ++looked < kMostLooked;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (entry->is_directory(ignored)) {
      if (name.starts_with('.') || name == "node_modules" || entry.depth() >= deepest)
        entry.disable_recursion_pending();
    } else if (entry->is_regular_file(ignored) && !name.starts_with('.') && !visit(entry->path())) {
      return;
    }
  }
}

/// The bytes of a file of at most 64 MB; none of a larger one.
std::string BytesOf(const fs::path& path) {
  std::error_code error;
  if (const auto size = fs::file_size(path, error); error || size > (std::uintmax_t{64} << 20)) return {};
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string FirstBytes(const fs::path& path, std::size_t most) {
  std::string bytes(most, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(bytes.data(), static_cast<std::streamsize>(most));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

/// Whether the bytes of a shared library name the functions by which one of the flavours of BMI is handed over.
/// Plug-ins of the SDK, such as the bridge to BMI, name them too and are none.
bool LooksLikeBmi(const std::string& bytes) {
  if (!bytes.starts_with("\x7f"
                         "ELF")) {
    return false;
  }
  const auto names = [&bytes](std::string_view symbol) {
    return bytes.find(std::string(1, '\0') + std::string(symbol)) != std::string::npos;
  };
  if (names("openmi_component_library_v1")) return false;
  return names("register_bmi") || names("bmi_model_create") || names("bmi_new") ||
         (names("get_component_name") && names("initialize") && names("finalize"));
}

/// The classes of a file in Python that are components, by their first lines.
std::vector<std::string> ComponentClasses(const std::string& text) {
  static const std::regex kClass(R"((?:^|\n)class\s+([A-Za-z_]\w*)\s*\([^)\n]*\bSteppingComponent\b)");
  std::vector<std::string> names;
  for (std::sregex_iterator one(text.begin(), text.end(), kClass), end; one != end; ++one) names.push_back((*one)[1]);
  return names;
}

/// Whether a file in Python has a class with the functions of BMI.
bool HasBmiClass(const std::string& text) {
  return text.find("def get_component_name(") != std::string::npos && text.find("def update(") != std::string::npos &&
         text.find("def get_value") != std::string::npos;
}

Json Entry(const std::string& name, const char* group, const std::string& where, Json attributes, Json arguments) {
  return {{"name", name},
          {"group", group},
          {"where", where},
          {"attributes", std::move(attributes)},
          {"arguments", std::move(arguments)}};
}

}  // namespace

Json FindPalette(const fs::path& folder) {
  std::vector<Json> entries;
  std::set<std::string> ready;
  for (const std::string& own : LibrarySearch::OwnFolders()) {
    std::error_code error;
    for (fs::directory_iterator entry(own, error), end; !error && entry != end; entry.increment(error)) {
      if (entry->path().extension() != ".omi") continue;
      Problems problems;
      const OmiFile omi = ReadOmiFile(entry->path(), &problems);
      const std::string name = entry->path().stem().string();
      if (omi.type.empty() || omi.assembly.empty() || !ready.insert(name).second) continue;
      Json arguments = Json::array();
      for (const OmiArgument& argument : omi.arguments) arguments.push_back({argument.key, argument.value});
      entries.push_back(Entry(name, "ready", "comes with the SDK", {{"Type", omi.type}, {"Assembly", omi.assembly}},
                              std::move(arguments)));
      entries.back()["omi"] = entry->path().string();
    }
  }
  EachFile(folder, kDeepest, [&](const fs::path& path) {
    const std::string where = path.lexically_relative(folder).generic_string();
    if (path.extension() == ".omi") {
      entries.push_back(
          Entry(path.stem().string(), "folder", where, Json::array({Json::array({"Omi", where})}), Json::array()));
    } else if (path.extension() == ".fmu") {
      entries.push_back(Entry(path.stem().string(), "fmu", where,
                              {{"Type", "openmi.fmi.Fmu"}, {"Assembly", "openmi-fmi-bridge"}},
                              Json::array({Json::array({"fmu", where})})));
    } else if (path.extension() == ".so" || path.extension() == ".py") {
      const bool is_library = path.extension() == ".so";
      const std::string bytes = BytesOf(path);
      const std::vector<std::string> classes = is_library ? std::vector<std::string>() : ComponentClasses(bytes);
      for (const std::string& name : classes) {
        entries.push_back(Entry(name, "python", where, {{"Type", name}, {"Assembly", where}}, Json::array()));
      }
      if (is_library ? LooksLikeBmi(bytes) : classes.empty() && HasBmiClass(bytes)) {
        const std::string stem = path.stem().string();
        entries.push_back(Entry(stem.starts_with("lib") ? stem.substr(3) : stem, "bmi", where,
                                {{"Type", "openmi.bmi.Model"}, {"Assembly", "openmi-bmi-bridge"}},
                                Json::array({Json::array({"library", where})})));
      }
    }
    return entries.size() < kMostEntries;
  });
  for (Json& entry : entries) {
    if (!entry["attributes"].is_object()) continue;
    Json pairs = Json::array();
    for (const auto& [key, value] : entry["attributes"].items()) pairs.push_back({key, value});
    entry["attributes"] = std::move(pairs);
  }
  std::ranges::stable_sort(entries, {}, [](const Json& entry) {
    const std::string group = entry["group"];
    return std::tuple(group == "ready", group == "folder" ? "" : group, entry["name"].get<std::string>());
  });
  return entries;
}

Json FindData(const fs::path& folder) {
  constexpr std::size_t kMostFiles = 1000;
  Json files = Json::array();
  EachFile(folder, kDeepest, [&](const fs::path& path) {
    const std::string where = path.lexically_relative(folder).generic_string();
    if (path.extension() != ".omi" && !where.starts_with("results/")) files.push_back(where);
    return files.size() < kMostFiles;
  });
  return files;
}

Json FindRuns(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, Json>> runs;
  EachFile(folder, 3, [&](const fs::path& path) {
    if (path.extension() != ".csv" || !FirstBytes(path, kResultsHead.size()).starts_with(kResultsHead)) return true;
    const auto relative = [&folder](const fs::path& file) { return file.lexically_relative(folder).generic_string(); };
    const auto written = [](const fs::path& file) {
      std::error_code error;
      return fs::last_write_time(file, error);
    };
    Json run = {{"folder", relative(path.parent_path())}, {"csv", relative(path)}};
    const auto since_1970 = std::chrono::file_clock::to_sys(written(path)).time_since_epoch();
    run["time"] = std::chrono::duration_cast<std::chrono::seconds>(since_1970).count();
    // A report of the same name, else the newest one.
    fs::path report;
    bool is_complete = true;
    std::error_code error;
    for (fs::directory_iterator entry(path.parent_path(), error), end; !error && entry != end; entry.increment(error)) {
      const fs::path& file = entry->path();
      if (file.extension() == ".checkpoint") run["checkpoint"] = relative(file);
      if (file.extension() != ".html" || (!report.empty() && report.stem() == path.stem())) continue;
      if (!report.empty() && file.stem() != path.stem() && written(file) < written(report)) continue;
      const std::string head = FirstBytes(file, kReportHead);
      const bool is_early = head.find(">run ended early<") != std::string::npos;
      if (!is_early && head.find(">run completed<") == std::string::npos) continue;  // no report of a run
      report = file;
      is_complete = !is_early;
    }
    if (!report.empty()) run["report"] = relative(report);
    // A run that reached its end may keep a checkpoint, for instance after a freeze; a report of an earlier run says
    // nothing of a later one.
    const bool is_told = !report.empty() && written(report) >= written(path);
    if (!is_complete || (run.contains("checkpoint") && !is_told)) run["is_incomplete"] = true;
    runs.emplace_back(written(path), std::move(run));
    return runs.size() < 100;
  });
  std::ranges::stable_sort(runs, std::greater<>(), [](const auto& run) { return run.first; });
  Json list = Json::array();
  for (auto& [time, run] : runs) list.push_back(std::move(run));
  return list;
}

Json FindStudies(const fs::path& folder) {
  constexpr std::string_view kEnding = "-members.csv";
  std::vector<std::pair<fs::file_time_type, Json>> studies;
  EachFile(folder, 3, [&](const fs::path& path) {
    const std::string name = path.filename().string();
    if (!name.ends_with(kEnding)) return true;
    const std::string id = name.substr(0, name.size() - kEnding.size());
    Json study = {{"id", id}, {"members", path.lexically_relative(folder).generic_string()}};
    std::error_code error;
    for (const auto& [key, ending] : {std::pair("report", ".html"), std::pair("best", "-best.xml")}) {
      const fs::path file = path.parent_path() / (id + ending);
      if (fs::exists(file, error)) study[key] = file.lexically_relative(folder).generic_string();
    }
    studies.emplace_back(fs::last_write_time(path, error), std::move(study));
    return studies.size() < 100;
  });
  std::ranges::stable_sort(studies, std::greater<>(), [](const auto& study) { return study.first; });
  Json list = Json::array();
  for (auto& [time, study] : studies) list.push_back(std::move(study));
  return list;
}

}  // namespace openmi
