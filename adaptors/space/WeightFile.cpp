#include "adaptors/space/WeightFile.hpp"

#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "openmi/sdk/Error.hpp"
#include "timespace/files/NetcdfFile.hpp"

namespace openmi {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr std::size_t kMostUnlisted = 10'000'000;  // elements that a file without lists of them may claim

/// The names in one form of files.
struct Names {
  const char* elements[2];  // numbers of sources and targets
  const char* links;
  const char* address[2];
  const char* weights;
  const char* rank[2];
  const char* dimensions[2];
  const char* longitude[2];
  const char* latitude[2];
  const char* area[2];
  const char* fraction[2];
  const char* mask[2];
};
constexpr Names kScrip{{"src_grid_size", "dst_grid_size"},
                       "num_links",
                       {"src_address", "dst_address"},
                       "remap_matrix",
                       {"src_grid_rank", "dst_grid_rank"},
                       {"src_grid_dims", "dst_grid_dims"},
                       {"src_grid_center_lon", "dst_grid_center_lon"},
                       {"src_grid_center_lat", "dst_grid_center_lat"},
                       {"src_grid_area", "dst_grid_area"},
                       {"src_grid_frac", "dst_grid_frac"},
                       {"src_grid_imask", "dst_grid_imask"}};
constexpr Names kEsmf{{"n_a", "n_b"},
                      "n_s",
                      {"col", "row"},
                      "S",
                      {"src_grid_rank", "dst_grid_rank"},
                      {"src_grid_dims", "dst_grid_dims"},
                      {"xc_a", "xc_b"},
                      {"yc_a", "yc_b"},
                      {"area_a", "area_b"},
                      {"frac_a", "frac_b"},
                      {"mask_a", "mask_b"}};

/// A file being written; removed if it was not closed.
class Writer {
 public:
  explicit Writer(const std::string& path) : path_(path) {
    Check(nc_create(path.c_str(), NC_CLOBBER | NC_64BIT_OFFSET, &file_));
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() {
    if (file_ >= 0) nc_abort(file_);
  }

  int Dimension(const char* name, std::size_t length) {
    int id = 0;
    Check(nc_def_dim(file_, name, length, &id));
    return id;
  }
  int Variable(const char* name, nc_type type, const std::vector<int>& dimensions, const char* units = nullptr) {
    int id = 0;
    Check(nc_def_var(file_, name, type, static_cast<int>(dimensions.size()), dimensions.data(), &id));
    if (units != nullptr) Attribute(id, "units", units);
    return id;
  }
  void Attribute(int variable, const char* name, const std::string& text) {
    Check(nc_put_att_text(file_, variable, name, text.size(), text.c_str()));
  }
  void EndDefinitions() { Check(nc_enddef(file_)); }
  void Put(int variable, const std::vector<double>& values) {
    if (!values.empty()) Check(nc_put_var_double(file_, variable, values.data()));
  }
  void Put(int variable, const std::vector<int>& values) {
    if (!values.empty()) Check(nc_put_var_int(file_, variable, values.data()));
  }
  void Close() {
    const int file = file_;
    file_ = -1;
    Check(nc_close(file));
  }

 private:
  void Check(int status) const {
    if (status == NC_NOERR) return;
    throw FileError({.file = path_}, fmt::format("expected to write weights, found: {}", nc_strerror(status)),
                    "choose another folder, or make room");
  }
  std::unique_lock<std::recursive_mutex> lock_ = LockNetcdf();
  std::string path_;
  int file_ = -1;
};

template <typename T>
std::vector<T> OrAll(const std::vector<T>& values, std::size_t count, T otherwise) {
  return values.empty() ? std::vector<T>(count, otherwise) : values;
}

void CheckSide(const std::string& path, const WeightFileSide& side, std::size_t count, const char* name) {
  const auto check = [&](std::size_t length, const char* what) {
    if (length == 0 || length == count) return;
    throw RangeError({.file = path}, fmt::format("expected {} {} of {}, found {}", count, what, name, length),
                     "give one for each element, or none");
  };
  check(side.longitude.size(), "longitudes");
  check(side.latitude.size(), "latitudes");
  check(side.area.size(), "areas");
  check(side.fraction.size(), "fractions");
  check(side.mask.size(), "masks");
  if (side.dimensions.empty()) return;
  const std::size_t product = std::accumulate(side.dimensions.begin(), side.dimensions.end(), std::size_t{1},
                                              [](std::size_t a, int b) { return a * static_cast<std::size_t>(b); });
  check(product, "cells in the dimensions");
}

/// Reads one side; the file may omit parts of it.
WeightFileSide ReadSide(const NetcdfFile& file, const Names& names, int side, std::size_t count) {
  WeightFileSide read;
  const auto list = [&](const char* name) {
    std::vector<double> values = file.Has(name) ? file.Doubles(name) : std::vector<double>();
    return values.size() == count ? values : std::vector<double>();
  };
  const auto degrees = [&](const char* name) {
    std::vector<double> values = list(name);
    if (!values.empty() && file.Text(name, "units").starts_with("rad")) {
      for (double& value : values) value /= kDegree;
    }
    return values;
  };
  read.longitude = degrees(names.longitude[side]);
  read.latitude = degrees(names.latitude[side]);
  read.area = list(names.area[side]);
  read.fraction = list(names.fraction[side]);
  for (const double value : list(names.mask[side])) read.mask.push_back(value != 0.0 ? 1 : 0);
  if (file.Has(names.dimensions[side])) {
    double product = 1.0;
    for (const double value : file.Doubles(names.dimensions[side])) {
      const bool is_length = value >= 1.0 && value <= std::numeric_limits<int>::max();
      product = is_length ? product * value : 0.0;
      read.dimensions.push_back(is_length ? static_cast<int>(value) : 0);
    }
    // Like every list of another length, dimensions that do not fit the elements count as omitted.
    if (product != static_cast<double>(count)) read.dimensions.clear();
  }
  return read;
}

}  // namespace

void WriteWeightFile(const std::string& path, const WeightFile& file, WeightFileForm form) {
  const Names& names = form == WeightFileForm::Scrip ? kScrip : kEsmf;
  const std::size_t counts[2] = {file.weights.Columns(), file.weights.Rows()};
  const WeightFileSide* const sides[2] = {&file.source, &file.target};
  CheckSide(path, file.source, counts[0], "the source");
  CheckSide(path, file.target, counts[1], "the target");
  Writer writer(path);
  int elements[2] = {};
  for (int side : {0, 1}) elements[side] = writer.Dimension(names.elements[side], counts[side]);
  const int links = writer.Dimension(names.links, file.weights.WeightCount());
  std::vector<int> matrix{links};
  if (form == WeightFileForm::Scrip) matrix.push_back(writer.Dimension("num_wgts", 1));
  int address[2] = {}, dimensions[2] = {}, longitude[2] = {}, latitude[2] = {}, area[2] = {}, fraction[2] = {},
      mask[2] = {};
  for (int side : {0, 1}) {
    const int rank = writer.Dimension(names.rank[side], std::max<std::size_t>(sides[side]->dimensions.size(), 1));
    const std::vector<int> all{elements[side]};
    dimensions[side] = writer.Variable(names.dimensions[side], NC_INT, {rank});
    latitude[side] = writer.Variable(names.latitude[side], NC_DOUBLE, all, "degrees");
    longitude[side] = writer.Variable(names.longitude[side], NC_DOUBLE, all, "degrees");
    mask[side] = writer.Variable(names.mask[side], NC_INT, all, "unitless");
    area[side] = writer.Variable(names.area[side], NC_DOUBLE, all, "square radians");
    fraction[side] = writer.Variable(names.fraction[side], NC_DOUBLE, all, "unitless");
    address[side] = writer.Variable(names.address[side], NC_INT, {links});
  }
  const int weights = writer.Variable(names.weights, NC_DOUBLE, matrix);
  writer.Attribute(NC_GLOBAL, "title", "weights made by openmi2");
  writer.Attribute(NC_GLOBAL, "normalization", file.normalisation);
  writer.Attribute(NC_GLOBAL, "map_method", file.method);
  writer.Attribute(NC_GLOBAL, form == WeightFileForm::Scrip ? "conventions" : "Conventions",
                   form == WeightFileForm::Scrip ? "SCRIP" : "NCAR-CSM");
  // CDO reads no file without these two attributes.
  writer.Attribute(NC_GLOBAL, "source_grid", "source");
  writer.Attribute(NC_GLOBAL, "dest_grid", "target");
  writer.EndDefinitions();
  for (int side : {0, 1}) {
    const WeightFileSide& own = *sides[side];
    writer.Put(dimensions[side],
               own.dimensions.empty() ? std::vector<int>{static_cast<int>(counts[side])} : own.dimensions);
    writer.Put(latitude[side], OrAll(own.latitude, counts[side], 0.0));
    writer.Put(longitude[side], OrAll(own.longitude, counts[side], 0.0));
    writer.Put(mask[side], OrAll(own.mask, counts[side], 1));
    writer.Put(area[side], OrAll(own.area, counts[side], 0.0));
    writer.Put(fraction[side], OrAll(own.fraction, counts[side], 0.0));
  }
  // Element numbers start at 1 in the file.
  std::vector<int> sources, targets;
  for (std::size_t row = 0; row < file.weights.Rows(); ++row) {
    for (const std::uint32_t column : file.weights.ColumnsOf(row)) {
      sources.push_back(static_cast<int>(column) + 1);
      targets.push_back(static_cast<int>(row) + 1);
    }
  }
  writer.Put(address[0], sources);
  writer.Put(address[1], targets);
  const auto all = file.weights.AllWeights();
  writer.Put(weights, std::vector<double>(all.begin(), all.end()));
  writer.Close();
}

WeightFile ReadWeightFile(const std::string& path) {
  const NetcdfFile file(path, path);
  const bool scrip = file.Has(kScrip.weights) && file.Has(kScrip.address[0]) && file.Has(kScrip.address[1]);
  const Names& names = scrip ? kScrip : kEsmf;
  const auto refuse = [&](const std::string& problem) {
    throw FormatError({.file = path}, problem, "make the weights anew");
  };
  if (!scrip && !(file.Has(kEsmf.weights) && file.Has(kEsmf.address[0]) && file.Has(kEsmf.address[1]))) {
    refuse("expected src_address, dst_address and remap_matrix (SCRIP) or col, row and S (ESMF), found none of them");
  }
  const std::vector<double> columns = file.Doubles(names.address[0]), rows = file.Doubles(names.address[1]);
  const auto length = [&](int side) {
    // The dimension exists only through a variable of the elements.
    for (const char* name : {names.latitude[side], names.mask[side], names.fraction[side], names.area[side]}) {
      if (file.Has(name) && !file.Dimensions(name).empty()) return file.Dimensions(name)[0].length;
    }
    // Bare counts cost the file nothing, but a row each in memory. At most a thousand elements for each link are
    // accepted.
    const std::size_t most = std::max(kMostUnlisted, 1000 * columns.size());
    std::size_t product = 1;
    if (!file.Has(names.dimensions[side])) {
      refuse(fmt::format("expected the number of elements in {} or {}, found neither", names.mask[side],
                         names.dimensions[side]));
    }
    for (const double value : file.Doubles(names.dimensions[side])) {
      if (!(value >= 1.0 && value <= 4e9)) refuse(fmt::format("expected dimensions above 0, found {}", value));
      // Checked before the multiplication, since the product of several such factors may overflow.
      if (static_cast<std::size_t>(value) > most / product) {
        refuse(fmt::format("expected at most {} elements for {} links, found {:.0f} and more in {} and no list of them",
                           most, columns.size(), static_cast<double>(product) * value, names.dimensions[side]));
      }
      product *= static_cast<std::size_t>(value);
    }
    return product;
  };
  const std::size_t sources = length(0), targets = length(1);
  std::vector<double> weights = file.Doubles(names.weights);
  if (columns.size() != rows.size() || (columns.empty() ? !weights.empty() : weights.size() % columns.size() != 0)) {
    refuse(fmt::format("expected as many sources as targets and weights, found {}, {} and {}", columns.size(),
                       rows.size(), weights.size()));
  }
  const std::size_t each = columns.empty() ? 1 : std::max<std::size_t>(weights.size() / columns.size(), 1);
  struct Link {
    std::uint32_t row, column;
    double weight;
  };
  std::vector<Link> links;
  links.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!(columns[i] >= 1.0 && columns[i] <= static_cast<double>(sources) && rows[i] >= 1.0 &&
          rows[i] <= static_cast<double>(targets))) {
      refuse(fmt::format("expected sources up to {} and targets up to {}, found a link from {} to {}", sources, targets,
                         columns[i], rows[i]));
    }
    for (std::size_t k = 0; k < each; ++k) {
      const double weight = weights[i * each + k];
      if (!std::isfinite(weight)) refuse(fmt::format("expected finite weights, found {} in link {}", weight, i + 1));
      if (k > 0 && weight != 0.0) {
        refuse("expected one weight for each link, found weights for gradients");
      }
    }
    links.push_back(
        {static_cast<std::uint32_t>(rows[i]) - 1, static_cast<std::uint32_t>(columns[i]) - 1, weights[i * each]});
  }
  std::sort(links.begin(), links.end(),
            [](const Link& a, const Link& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; });
  WeightFile read;
  read.weights = SparseRows(sources);
  read.weights.Reserve(targets, links.size());
  std::size_t next = 0;
  for (std::uint32_t row = 0; row < targets; ++row) {
    while (next < links.size() && links[next].row == row) {
      Link link = links[next++];
      while (next < links.size() && links[next].row == row && links[next].column == link.column) {
        link.weight += links[next++].weight;
      }
      if (!std::isfinite(link.weight)) {
        refuse(fmt::format("expected finite weights, found several from {} to {} that add up to {}", link.column + 1,
                           row + 1, link.weight));
      }
      read.weights.Add(link.column, link.weight);
    }
    read.weights.EndRow();
  }
  read.source = ReadSide(file, names, 0, sources);
  read.target = ReadSide(file, names, 1, targets);
  read.normalisation = file.Text("", "normalization");
  read.method = file.Text("", "map_method");
  return read;
}

}  // namespace openmi
