#include "openmi/omi/DotnetAssembly.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <utility>

#include "openmi/omi/LibraryCopy.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/omi/OwnPart.hpp"

namespace openmi {
namespace {

std::atomic<bool> is_allowed = false;

/// Little-endian numbers of a file; 0 beyond its end.
class Numbers {
 public:
  explicit Numbers(const std::string& path) : file_(path, std::ios::binary) {}
  std::uint32_t At(std::uint64_t offset, int bytes) {
    std::array<unsigned char, 4> read{};
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    if (!file_.read(reinterpret_cast<char*>(read.data()), bytes)) return 0;
    return read[0] | read[1] << 8 | read[2] << 16 | static_cast<std::uint32_t>(read[3]) << 24;
  }

 private:
  std::ifstream file_;
};

const DotnetRuntime& Runtime(const std::string& path, const Where& where) {
  const OwnPart part = FindOwnPart("dotnet/openmi-dotnet.so", "openmi_dotnet_runtime", "dotnet");
  if (part.object != nullptr) return *static_cast<const DotnetRuntime*>(part.object);
  throw LoadError(where, fmt::format("expected the bridge to .NET, since '{}' is an assembly, {}", path, part.found),
                  part.remedy);
}

/// The problem of an assembly without components.
std::string NoTypes(const std::string& path, const std::vector<std::string>& references) {
  std::string standard = "it does not refer to OpenMI.Standard2";
  for (const std::string& reference : references) {
    if (reference.starts_with("OpenMI.Standard,") || reference.starts_with("org.OpenMI.Standard")) {
      standard = "it refers to the interfaces of OpenMI 1.4";
    }
    if (reference.starts_with("OpenMI.Standard2,")) standard = "it refers to " + reference;
  }
  return fmt::format(
      "expected a class that implements OpenMI.Standard2.IBaseLinkableComponent and has a "
      "constructor without parameters in '{}', found none; {}",
      path, standard);
}

}  // namespace

// ECMA-335, partition II, clause 25: a PE file whose data directory 14, the header of the runtime, is there.
bool DotnetAssembly::IsOne(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  Numbers numbers(path);
  if (numbers.At(0, 2) != 0x5A4D) return false;
  const std::uint64_t header = numbers.At(0x3C, 4);
  if (numbers.At(header, 4) != 0x4550) return false;
  const std::uint64_t optional = header + 24;
  const std::uint32_t form = numbers.At(optional, 2);
  if (form != 0x10B && form != 0x20B) return false;
  const std::uint64_t directories = optional + (form == 0x10B ? 96 : 112);
  return numbers.At(directories - 4, 4) > 14 && numbers.At(directories + 8 * 14, 4) != 0;
}

bool DotnetAssembly::IsNamedBy(const std::string& assembly, const std::string& omi_path) {
  if (assembly.empty()) return false;
  try {
    return IsOne(LibrarySearch().Find(assembly, omi_path));
  } catch (const LoadError&) {  // reported when the component is loaded
    return false;
  }
}

void DotnetAssembly::AllowHere() {
  is_allowed = true;
}

DotnetAssembly::DotnetAssembly(std::string path, LibraryFile file, FileStamp stamp, const DotnetRuntime& runtime)
    : SharedLibrary(std::move(path), std::move(file), stamp), runtime_(runtime) {}

std::shared_ptr<DotnetAssembly> DotnetAssembly::Open(const std::string& path, const Where& where) {
  if (!is_allowed) {
    throw LoadError(where, fmt::format("expected a process of its own for '{}', an assembly of .NET, found none", path),
                    "name the component in a composition, which runs it in one; not as a member of a population");
  }
  std::error_code error;
  const std::string real = std::filesystem::canonical(path, error).string();
  LibraryFile file;
  file.path = real;
  file.size = std::filesystem::file_size(real, error);
  FileStamp stamp{.size = file.size};
  stamp.hash = HashOfLibrary(real, where);
  std::shared_ptr<DotnetAssembly> assembly(new DotnetAssembly(real, std::move(file), stamp, Runtime(real, where)));
  try {
    assembly->types_ = assembly->runtime_.types(real);
    if (assembly->types_.empty()) throw LoadError(where, NoTypes(real, assembly->runtime_.references(real)));
  } catch (const ModelError& failure) {
    throw LoadError(where, fmt::format("expected the assembly '{}' to be loaded: {}", real, failure.Problem()),
                    "put the assemblies that it refers to beside it");
  }
  return assembly;
}

std::unique_ptr<IBaseLinkableComponent> DotnetAssembly::Make(const std::string& type) const {
  return runtime_.make(Path(), type);
}

}  // namespace openmi
