#include "fmi-bridge/common/archive/WriteArchive.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zip.h>

#include <algorithm>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

namespace fs = std::filesystem;

struct Discard {
  void operator()(zip_t* zip) const { zip_discard(zip); }
};

}  // namespace

void WriteArchive(const fs::path& folder, const fs::path& archive, std::int64_t seconds) {
  const auto fail = [&](const std::string& why) {
    throw FileError({.file = archive.string()}, "expected an archive that can be written, found: " + why,
                    "check the folder and the room on the disk");
  };
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  const fs::path making = archive.string() + ".part";
  std::error_code error;
  fs::remove(making, error);
  int code = 0;
  std::unique_ptr<zip_t, Discard> zip(zip_open(making.c_str(), ZIP_CREATE | ZIP_EXCL, &code));
  if (zip == nullptr) {
    zip_error_t reason;
    zip_error_init_with_code(&reason, code);
    const std::string why = zip_error_strerror(&reason);
    zip_error_fini(&reason);
    fail(why);
  }
  std::uintmax_t total = 0;
  for (const fs::path& file : files) {
    total += fs::file_size(file);
    if (total > 0xf0000000U) fail("more than 4 GB, which such an archive cannot hold");
    const std::string name = file.lexically_relative(folder).generic_string();
    zip_source_t* source = zip_source_file(zip.get(), file.c_str(), 0, 0);
    if (source == nullptr) fail(zip_strerror(zip.get()));
    const zip_int64_t index = zip_file_add(zip.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      fail(zip_strerror(zip.get()));
    }
    const auto number = static_cast<zip_uint64_t>(index);
    struct stat status {};
    const bool is_program = stat(file.c_str(), &status) == 0 && (status.st_mode & S_IXUSR) != 0;
    constexpr zip_uint32_t kRegular = 0100000;
    zip_set_file_compression(zip.get(), number, ZIP_CM_DEFLATE, 3);
    zip_file_set_mtime(zip.get(), number, static_cast<time_t>(seconds), 0);
    zip_file_set_external_attributes(zip.get(), number, 0, ZIP_OPSYS_UNIX,
                                     (kRegular | (is_program ? 0755U : 0644U)) << 16);
  }
  if (zip_close(zip.get()) != 0) fail(zip_strerror(zip.get()));
  static_cast<void>(zip.release());
  fs::rename(making, archive, error);
  if (error) fail(error.message());
}

}  // namespace openmi
