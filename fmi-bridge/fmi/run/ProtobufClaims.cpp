#include "fmi-bridge/fmi/run/ProtobufClaims.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <glob.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "openmi/sdk/Sanitizers.hpp"

namespace openmi::fmi {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;
constexpr std::string_view kProtobuf = "libprotobuf.so";

std::string BytesOf(const fs::path& file) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(file, error);
  if (error || size > kMostBytes) return {};
  std::string bytes(size, '\0');
  std::ifstream in(file, std::ios::binary);
  if (!in.read(bytes.data(), static_cast<std::streamsize>(size))) return {};
  return bytes;
}

template <class T>
std::optional<T> Take(std::string_view bytes, std::uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

std::string_view TextAt(std::string_view bytes, std::uint64_t at) {
  if (at >= bytes.size()) return {};
  const std::string_view rest = bytes.substr(at);
  return rest.substr(0, std::min(rest.find('\0'), rest.size()));
}

/// Adds the folders of one configuration file, and of those that it includes.
/// \param seen  the files that were read
void AddConfigured(const fs::path& file, std::vector<std::string>& folders, std::set<fs::path>& seen) {
  constexpr std::string_view kBlanks = " \t\r\f\v";
  std::error_code error;
  if (!seen.insert(fs::weakly_canonical(file, error)).second) return;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    words >> word;
    if (word == "include") {
      while (words >> word) {
        glob_t found{};
        if (glob((file.parent_path() / word).c_str(), 0, nullptr, &found) == 0) {
          for (const char* path : std::span(found.gl_pathv, found.gl_pathc)) AddConfigured(path, folders, seen);
        }
        globfree(&found);
      }
    } else if (word.starts_with('/')) {                                   // else "hwcap", which has no folder
      std::string folder = words.str().substr(0, words.str().find('='));  // a kind of library may follow
      folder.erase(0, folder.find_first_not_of(kBlanks));
      folder.erase(folder.find_last_not_of(kBlanks) + 1);
      folders.push_back(std::move(folder));
    }
  }
}

/// The folders that the loader searches if the object names none.
std::vector<std::string> SystemFolders() {
  std::vector<std::string> folders;
  if (const char* path = std::getenv("LD_LIBRARY_PATH")) {
    std::string_view rest = path;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      if (end > 0) folders.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  for (std::string& folder : ConfiguredFolders("/etc/ld.so.conf")) folders.push_back(std::move(folder));
  for (const char* one : {"/lib64", "/usr/lib64", "/lib", "/usr/lib"}) folders.emplace_back(one);
  return folders;
}

/// \param beside  the folder of the library that needs it, which FmuLibrary searches last
fs::path FindNeeded(const std::string& name, const SharedObject& by, const fs::path& beside) {
  static const std::vector<std::string> kSystem = SystemFolders();
  std::error_code error;
  if (name.find('/') != std::string::npos) return name;
  const std::vector<std::string> last = {beside.string()};
  for (const auto* folders : {&by.folders, &kSystem, &last}) {
    for (const std::string& folder : *folders) {
      if (fs::path file = fs::path(folder) / name; fs::exists(file, error)) return file;
    }
  }
  return {};
}

std::string ClaimText(const std::string& file, const std::string& protobuf) {
  return fmt::format("{} of {}", file, protobuf);
}

/// Collects what one library registers, and with which libprotobuf; libraries that it needs are in its folder.
class Search {
 public:
  std::vector<ProcessClaim> Claims(const fs::path& library, const std::string& owner) {
    const std::string bytes = BytesOf(library);
    Visit(library, bytes, owner);
    std::vector<ProcessClaim> claims;
    if (protobuf_.empty()) return claims;
    for (const auto& [file, of] : described_) claims.push_back({ClaimText(file, protobuf_), of});
    return claims;
  }

 private:
  void Visit(const fs::path& path, std::string_view bytes, const std::string& owner) {
    const SharedObject object = ReadSharedObject(path, bytes);
    bool uses = false;
    for (const std::string& needed : object.needed) {
      if (needed.starts_with(kProtobuf)) {
        protobuf_ = needed;
        uses = true;
      }
    }
    if (uses) {
      for (std::string& file : DescribedProtoFiles(bytes)) described_.emplace_back(std::move(file), owner);
    }
    for (const std::string& needed : object.needed) {
      // The base libraries need no others of interest; each of the rest is examined once.
      if (needed.starts_with(kProtobuf) || IsOfTheSystem(needed) || !seen_.insert(needed).second) continue;
      const fs::path file = FindNeeded(needed, object, path.parent_path());
      if (!file.empty()) Visit(file, BytesOf(file), needed);
    }
  }

  std::set<std::string> seen_;
  std::string protobuf_;
  std::vector<std::pair<std::string, std::string>> described_;
};

}  // namespace

std::vector<std::string> ConfiguredFolders(const fs::path& file) {
  std::vector<std::string> folders;
  std::set<fs::path> seen;
  AddConfigured(file, folders, seen);
  return folders;
}

bool IsOfTheSystem(std::string_view name) {
  constexpr std::array kNames = {"libc.so",  "libm.so",      "libdl.so",    "libpthread.so", "librt.so",
                                 "ld-linux", "libstdc++.so", "libgcc_s.so", "libz.so"};
  return std::ranges::any_of(kNames, [&](std::string_view one) { return name.starts_with(one); });
}

SharedObject ReadSharedObject(const fs::path& file, std::string_view bytes) {
  SharedObject object;
  const auto head = Take<Elf64_Ehdr>(bytes, 0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64) return object;
  std::vector<Elf64_Phdr> segments;
  for (std::uint64_t i = 0; i < head->e_phnum; ++i) {
    const auto segment = Take<Elf64_Phdr>(bytes, head->e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment) return object;
    segments.push_back(*segment);
  }
  const auto offset_of = [&](std::uint64_t address) -> std::uint64_t {
    for (const Elf64_Phdr& segment : segments) {
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz) {
        return address - segment.p_vaddr + segment.p_offset;
      }
    }
    return bytes.size();
  };
  std::vector<Elf64_Dyn> entries;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= segment.p_filesz; at += sizeof(Elf64_Dyn)) {
      const auto entry = Take<Elf64_Dyn>(bytes, segment.p_offset + at);
      if (!entry || entry->d_tag == DT_NULL) break;
      entries.push_back(*entry);
    }
  }
  std::uint64_t texts = bytes.size();
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_STRTAB) texts = offset_of(entry.d_un.d_ptr);
  }
  if (texts >= bytes.size()) return object;
  const bool has_runpath =
      std::ranges::any_of(entries, [](const Elf64_Dyn& entry) { return entry.d_tag == DT_RUNPATH; });
  for (const Elf64_Dyn& entry : entries) {
    const std::string text(entry.d_un.d_val < bytes.size() ? TextAt(bytes, texts + entry.d_un.d_val)
                                                           : std::string_view());
    if (entry.d_tag == DT_NEEDED) object.needed.push_back(text);
    if (entry.d_tag == DT_SONAME) object.name = text;
    if (entry.d_tag != (has_runpath ? DT_RUNPATH : DT_RPATH)) continue;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(':', begin), text.size());
      std::string folder = text.substr(begin, end - begin);
      for (const char* origin : {"$ORIGIN", "${ORIGIN}"}) {
        if (const std::size_t at = folder.find(origin); at != std::string::npos) {
          folder.replace(at, std::strlen(origin), file.parent_path().string());
        }
      }
      if (!folder.empty()) object.folders.push_back(folder);
      begin = end + 1;
    }
  }
  return object;
}

SharedObject ReadSharedObject(const fs::path& file) {
  return ReadSharedObject(file, BytesOf(file));
}

// Generated code contains the description of each file in serialized form: field 1, the name, comes first.
std::vector<std::string> DescribedProtoFiles(std::string_view bytes) {
  constexpr std::string_view kEnding = ".proto";
  std::set<std::string> files;
  for (std::size_t at = bytes.find(kEnding); at != std::string_view::npos; at = bytes.find(kEnding, at + 1)) {
    const std::size_t end = at + kEnding.size();
    for (std::size_t size = kEnding.size() + 1; size < 128 && size + 2 <= end; ++size) {
      const std::size_t begin = end - size;
      const char first = bytes[begin];
      if (!std::isalnum(static_cast<unsigned char>(first)) && first != '_' && first != '-' && first != '/' &&
          first != '.') {
        break;
      }
      if (bytes[begin - 2] == 0x0A && static_cast<std::size_t>(bytes[begin - 1]) == size) {
        files.emplace(bytes.substr(begin, size));
        break;
      }
    }
  }
  return {files.begin(), files.end()};
}

std::vector<ProcessClaim> ProtobufClaims(const fs::path& library, const std::string& owner) {
  struct Known {
    std::mutex mutex;
    std::map<std::pair<FileKey, std::string>, std::vector<ProcessClaim>> claims;
  };
  static Known& known = *new Known;  // never destroyed: components may be destroyed after other statics
  std::error_code error;
  if (!fs::exists(library, error)) return {};
  const std::pair key(KeyOf(library), owner);
  const std::lock_guard lock(known.mutex);
  const auto [found, is_new] = known.claims.try_emplace(key);
  if (is_new) found->second = Search().Claims(library, owner);
  return found->second;
}

namespace {

/// A library, or the program, as it is in memory.
struct MappedObject {
  std::string protobuf;  ///< the shared libprotobuf that it needs; empty: none
  std::vector<std::string_view> parts;
};

MappedObject ReadMapped(const dl_phdr_info& object) {
  MappedObject loaded;
  const std::span segments(object.dlpi_phdr, object.dlpi_phnum);
  const char* texts = nullptr;
  std::vector<std::uint64_t> needed;
  for (const Elf64_Phdr& segment : segments) {
    const auto* begin = reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr);
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_R) != 0) loaded.parts.emplace_back(begin, segment.p_filesz);
    if (segment.p_type != PT_DYNAMIC) continue;
    for (const auto* entry = reinterpret_cast<const Elf64_Dyn*>(begin); entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_NEEDED) needed.push_back(entry->d_un.d_val);
      if (entry->d_tag != DT_STRTAB) continue;
      const std::uint64_t at =
          entry->d_un.d_ptr;  // an address: the loader has relocated it, except for objects of the kernel
      texts = reinterpret_cast<const char*>(at < object.dlpi_addr ? object.dlpi_addr + at : at);
    }
  }
  for (const std::uint64_t at : needed) {
    if (texts != nullptr && std::string_view(texts + at).starts_with(kProtobuf)) loaded.protobuf = texts + at;
  }
  return loaded;
}

#if OPENMI_ADDRESS_SANITIZER
/// Copies the bytes; not checked by the sanitizer, which poisons the gaps between constants of instrumented libraries.
__attribute__((no_sanitize_address)) std::string Readable(std::string_view part) {
  std::string copy(part.size(), '\0');
  const volatile char* from = part.data();
  for (char& byte : copy) byte = *from++;
  return copy;
}
#else
std::string_view Readable(std::string_view part) {
  return part;
}
#endif

}  // namespace

std::optional<ProcessClaim> HeldInProcess(std::span<const ProcessClaim> claims, const fs::path& library) {
  if (claims.empty()) return std::nullopt;
  std::error_code error;
  struct Holder {
    std::span<const ProcessClaim> claims;
    fs::path library;
    std::optional<ProcessClaim> found;
  } holder{claims, fs::canonical(library, error), std::nullopt};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        Holder& search = *static_cast<Holder*>(data);
        const fs::path name(object->dlpi_name);
        if (name == search.library) return 0;
        const MappedObject loaded = ReadMapped(*object);
        if (loaded.protobuf.empty()) return 0;
        for (const std::string_view part : loaded.parts) {
          for (const std::string& file : DescribedProtoFiles(Readable(part))) {
            for (const ProcessClaim& claim : search.claims) {
              // A library that both need is loaded only once.
              if (claim.what != ClaimText(file, loaded.protobuf) || claim.owner == name.filename()) continue;
              search.found = {claim.what, name.empty() ? "this program" : name.string()};
              return 1;
            }
          }
        }
        return 0;
      },
      &holder);
  return holder.found;
}

}  // namespace openmi::fmi
