#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "studio/server/WebServer.hpp"

namespace openmi {

/// The components that can be put into a composition in `folder`: those that come with the SDK, and the OMI files,
/// FMUs, BMI libraries and components in Python below the folder. No code of any of them is run.
///
/// An entry has `name`, `group` (`ready`, `folder`, `fmu`, `bmi`, `python`), `where`, and what a component element
/// needs: `attributes` and `arguments` as pairs; `omi` is the file of one that comes with the SDK. At most 500 are
/// listed, down to four folders deep; hidden folders are left out.
nlohmann::ordered_json FindPalette(const std::filesystem::path& folder);

/// The files below `folder` that an argument may name, relative to it: at most 1 000, down to four folders deep;
/// results, components and hidden ones are left out.
nlohmann::ordered_json FindData(const std::filesystem::path& folder);

/// The results of runs below `folder`, whatever their files are called: each CSV of results with its `folder`, the
/// newest first. Where they are there, `report` is the page of the run, and `checkpoint` the file from which it can go
/// on. `time` is when it was written, in seconds since 1970, UTC; `is_incomplete` is set for a run that did not reach
/// its end.
nlohmann::ordered_json FindRuns(const std::filesystem::path& folder);

/// The results of studies below `folder`: those with a table of members, the newest first. Each has `id`, `members` (a
/// CSV), and `report` and `best` (the composition with the lowest cost) where they are there.
nlohmann::ordered_json FindStudies(const std::filesystem::path& folder);

/// A file of the page: the page, its style and its scripts, which the build embeds.
/// \returns false: there is none of that path
bool PageFile(std::string_view path, WebContent& content);

/// A file in the folder of the composition, such as results and reports, of at most 256 MB. Pages among them are kept
/// apart from ours.
/// \returns false: it cannot be read
bool FolderFile(const std::filesystem::path& file, WebContent& content);

}  // namespace openmi
