#include <algorithm>
#include <set>
#include <string>
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
    return std::pair(entry["group"].get<std::string>() == "ready", entry["name"].get<std::string>());
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

Json FindRuns(const fs::path& folder, const std::string& csv) {
  std::vector<std::pair<fs::file_time_type, Json>> runs;
  EachFile(folder, 3, [&](const fs::path& path) {
    if (path.filename() != csv) return true;
    std::error_code error;
    Json run = {{"folder", path.parent_path().lexically_relative(folder).generic_string()},
                {"csv", path.lexically_relative(folder).generic_string()}};
    const fs::path report = fs::path(path).replace_extension(".html");
    if (fs::exists(report, error)) run["report"] = report.lexically_relative(folder).generic_string();
    runs.emplace_back(fs::last_write_time(path, error), std::move(run));
    return runs.size() < 100;
  });
  std::ranges::stable_sort(runs, std::greater<>(), [](const auto& run) { return run.first; });
  Json list = Json::array();
  for (auto& [time, run] : runs) list.push_back(std::move(run));
  return list;
}

}  // namespace openmi
