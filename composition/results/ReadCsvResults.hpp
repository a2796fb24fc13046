#pragma once

#include <filesystem>

#include "composition/results/ResultTable.hpp"

namespace openmi {

/// Reads a table of comma-separated values; see `ReadResults`. Times without a zone are UTC.
ResultTable ReadCsvResults(const std::filesystem::path& path);

}  // namespace openmi
