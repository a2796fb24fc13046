#pragma once

#include <gtest/gtest.h>
#include <netcdf.h>

#include <filesystem>
#include <string>
#include <vector>

namespace openmi {

/// What the NetCDF library itself says of a file, without any reader of ours.
class OpenedNetcdf {
 public:
  explicit OpenedNetcdf(const std::filesystem::path& path) {
    EXPECT_EQ(nc_open(path.c_str(), NC_NOWRITE, &id_), NC_NOERR) << path;
  }
  ~OpenedNetcdf() { nc_close(id_); }
  bool Has(const char* name) const {
    int number = -1;
    return nc_inq_varid(id_, name, &number) == NC_NOERR;
  }
  int Variable(const char* name) const {
    int number = -1;
    EXPECT_EQ(nc_inq_varid(id_, name, &number), NC_NOERR) << name;
    return number;
  }
  std::string Text(const char* variable, const char* name) const {
    const int number = *variable == '\0' ? NC_GLOBAL : Variable(variable);
    std::size_t length = 0;
    if (nc_inq_attlen(id_, number, name, &length) != NC_NOERR) return "(none)";
    std::string text(length, '\0');
    nc_get_att_text(id_, number, name, text.data());
    return text;
  }
  std::vector<double> Attribute(const char* variable, const char* name) const {
    std::size_t length = 0;
    EXPECT_EQ(nc_inq_attlen(id_, Variable(variable), name, &length), NC_NOERR) << variable << ' ' << name;
    std::vector<double> numbers(length);
    nc_get_att_double(id_, Variable(variable), name, numbers.data());
    return numbers;
  }
  /// All numbers of a variable.
  std::vector<double> Numbers(const char* name) const {
    int rank = 0;
    int dimensions[NC_MAX_VAR_DIMS] = {};
    nc_inq_varndims(id_, Variable(name), &rank);
    nc_inq_vardimid(id_, Variable(name), dimensions);
    std::size_t count = 1;
    for (int i = 0; i < rank; ++i) {
      std::size_t length = 0;
      nc_inq_dimlen(id_, dimensions[i], &length);
      count *= length;
    }
    std::vector<double> numbers(count, -77.0);
    EXPECT_EQ(nc_get_var_double(id_, Variable(name), numbers.data()), NC_NOERR);
    return numbers;
  }
  std::size_t Length(const char* dimension) const {
    int number = 0;
    std::size_t length = 0;
    EXPECT_EQ(nc_inq_dimid(id_, dimension, &number), NC_NOERR) << dimension;
    nc_inq_dimlen(id_, number, &length);
    return length;
  }
  int Id() const { return id_; }

 private:
  int id_ = -1;
};

}  // namespace openmi
