#include "timespace/files/VectorLayer.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/omi/SharedLibrary.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/ReadableFile.hpp"

namespace openmi {
namespace {

/// A function of the library, which stays in memory: GDAL cannot be unloaded.
/// \param path  the file that it is needed for
template <class Function>
Function* FunctionOf(const std::string& path, const char* name) {
  static std::shared_ptr<SharedLibrary>* const library = [&path] {
    try {
      // As if an OMI file there named it: a library of that name in the working folder need not be ours.
      const std::string own = LibrarySearch::OwnFolders().front() + "/layers.omi";
      return new std::shared_ptr<SharedLibrary>(SharedLibrary::Open(LibrarySearch().Find("openmi-gdal", own)));
    } catch (const LoadError& error) {
      throw FileError(
          {.file = path},
          fmt::format("expected something installed for GeoPackages and shapefiles, found none ({})", error.Problem()),
          "install the package openmi2-gdal (or build with libgdal-dev); a layer that is read can also be converted "
          "with 'ogr2ogr -f GeoJSON' or to CSV");
    }
  }();
  auto* const function = (*library)->FunctionNamed<Function>(name);
  if (function == nullptr) {
    throw FileError({.file = path},
                    fmt::format("expected a function '{}' in '{}', found none", name, (*library)->Path()),
                    "install the package openmi2-gdal of this version");
  }
  return function;
}

}  // namespace

VectorLayer ReadVectorLayer(const std::string& path, const std::string& layer) {
  ExpectReadable(path, path, "a GeoPackage, a shapefile or another file with layers");
  VectorLayer read;
  FunctionOf<ReadVectorLayerFunction>(path, kReadVectorLayer)(path, layer, read);
  return read;
}

void ExpectGeoPackageWriter(const std::string& path) {
  FunctionOf<WriteGeoPackageFunction>(path, kWriteGeoPackage);
}

void WriteGeoPackage(const std::string& path, std::span<const LayerToWrite> layers) {
  const std::string part = path + ".part.gpkg";  // GDAL expects that ending
  std::error_code error;
  std::filesystem::remove(part, error);
  try {
    FunctionOf<WriteGeoPackageFunction>(path, kWriteGeoPackage)(part, layers);
    std::filesystem::rename(part, path);
  } catch (const std::filesystem::filesystem_error& failed) {
    std::filesystem::remove(part, error);
    throw FileError({.file = path}, "expected to put the GeoPackage in place, found: " + failed.code().message(),
                    "check that the folder may be written to");
  } catch (const Error& failed) {
    std::filesystem::remove(part, error);
    throw FileError({.file = path}, failed.Problem(), failed.Remedy());
  }
}

}  // namespace openmi
