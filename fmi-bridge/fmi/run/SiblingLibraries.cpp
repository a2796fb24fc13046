#include "fmi-bridge/fmi/run/SiblingLibraries.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/fmi/run/ProtobufClaims.hpp"

namespace openmi::fmi {

namespace fs = std::filesystem;

namespace {

void AddNeededBeside(const fs::path& library, std::set<std::string>& seen, std::vector<std::string>& names) {
  for (const std::string& needed : ReadSharedObject(library).needed) {
    std::error_code error;
    if (needed.empty() || needed.find('/') != std::string::npos) continue;
    const fs::path beside = library.parent_path() / needed;
    if (!fs::is_regular_file(beside, error) || !seen.insert(needed).second) continue;
    AddNeededBeside(beside, seen, names);
    names.push_back(needed);
  }
}

/// An ELF shared object without code that needs libraries by name and names their folder (DT_RPATH, which the libraries
/// that they need inherit).
///
/// The loader then knows each library by the name under which others need it.
std::string SignpostTo(const std::string& folder, const std::vector<std::string>& names) {
  struct {
    ElfW(Ehdr) head{};
    ElfW(Phdr) segments[2]{};
    ElfW(Sym) no_symbol{};
  } image;
  std::string texts(1, '\0');
  const auto add_text = [&](const std::string& text) {
    const std::size_t at = texts.size();
    texts += text;
    texts += '\0';
    return static_cast<ElfW(Xword)>(at);
  };
  std::vector<ElfW(Dyn)> entries;
  const auto add = [&](auto tag, ElfW(Xword) value) {
    ElfW(Dyn) entry{};
    entry.d_tag = tag;
    entry.d_un.d_val = value;
    entries.push_back(entry);
  };
  for (const std::string& name : names) add(DT_NEEDED, add_text(name));
  add(DT_RPATH, add_text(folder));
  texts.resize((texts.size() + 15) / 16 * 16, '\0');
  const std::size_t texts_at = sizeof(image);
  const std::size_t entries_at = texts_at + texts.size();
  add(DT_STRTAB, texts_at);
  add(DT_STRSZ, texts.size());
  add(DT_SYMTAB, offsetof(decltype(image), no_symbol));
  add(DT_SYMENT, sizeof(ElfW(Sym)));
  add(DT_NULL, 0);
  const std::size_t entries_size = entries.size() * sizeof(ElfW(Dyn));

  ElfW(Ehdr)& head = image.head;
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  head.e_ident[EI_DATA] = ELFDATA2LSB;
  head.e_ident[EI_VERSION] = EV_CURRENT;
  head.e_type = ET_DYN;
#if defined(__x86_64__)
  head.e_machine = EM_X86_64;
#elif defined(__aarch64__)
  head.e_machine = EM_AARCH64;
#elif defined(__i386__)
  head.e_machine = EM_386;
#endif
  head.e_version = EV_CURRENT;
  head.e_phoff = offsetof(decltype(image), segments);
  head.e_ehsize = sizeof(ElfW(Ehdr));
  head.e_phentsize = sizeof(ElfW(Phdr));
  head.e_phnum = 2;
  ElfW(Phdr)& whole = image.segments[0];
  whole.p_type = PT_LOAD;
  whole.p_flags = PF_R | PF_W;  // the loader writes addresses into the dynamic entries
  whole.p_filesz = whole.p_memsz = entries_at + entries_size;
  whole.p_align = 0x10000;
  ElfW(Phdr)& dynamic = image.segments[1];
  dynamic.p_type = PT_DYNAMIC;
  dynamic.p_flags = PF_R | PF_W;
  dynamic.p_offset = dynamic.p_vaddr = dynamic.p_paddr = entries_at;
  dynamic.p_filesz = dynamic.p_memsz = entries_size;
  dynamic.p_align = 8;

  std::string bytes(reinterpret_cast<const char*>(&image), sizeof(image));
  bytes += texts;
  bytes.append(reinterpret_cast<const char*>(entries.data()), entries_size);
  return bytes;
}

/// A path of an open file that no other file gets as long as this one is in use.
///
/// The loader takes a path that it knows for the library that it has loaded, and numbers of closed files are reused. So
/// the path also contains the number that identifies the file in the system, in binary: each 1 is written as `./` and
/// each 0 as `/`, which do not change the path.
std::string PathOfItsOwn(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0) return {};
  std::string path = "/proc/self/fd/";
  for (const char digit : fmt::format("{:b}", status.st_ino)) path += digit == '1' ? "./" : "/";
  return path + fmt::format("{}", file);
}

bool WriteAll(int file, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t written = write(file, bytes.data() + at, bytes.size() - at);
    if (written <= 0) return false;
    at += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

std::vector<std::string> SiblingsNeeded(const fs::path& library) {
  std::set<std::string> seen;
  std::vector<std::string> names;
  AddNeededBeside(library, seen, names);
  return names;
}

std::vector<ProcessClaim> SiblingClaims(const fs::path& library) {
  struct Known {
    std::mutex mutex;
    std::map<std::pair<FileKey, fs::path>, std::vector<ProcessClaim>> claims;
  };
  static Known& known = *new Known;  // never destroyed: components may be destroyed after other statics
  std::error_code error;
  const fs::path real = fs::canonical(library, error);
  if (error) return {};
  const std::lock_guard lock(known.mutex);
  const auto [found, is_new] = known.claims.try_emplace({KeyOf(real), real});
  if (!is_new) return found->second;
  for (const std::string& name : SiblingsNeeded(real)) {
    if (IsOfTheSystem(name)) continue;
    const fs::path file = fs::canonical(real.parent_path() / name, error);
    if (!error) found->second.push_back({fmt::format("the library {}", name), file.string()});
  }
  return found->second;
}

void* LoadWithSiblings(const fs::path& library, const std::vector<std::string>& siblings, void*& keeper,
                       std::string& reason) {
  keeper = nullptr;
  // Reads the message at once, because any successful call of the loader, such as closing, clears it.
  const auto open = [&reason](const fs::path& file) {
    void* opened = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (opened != nullptr) return opened;
    if (const char* error = dlerror()) reason = error;
    return opened;
  };
  const std::string folder = library.parent_path().string();
  // In a search path ':' separates folders and '$' starts a variable.
  if (folder.find(':') == std::string::npos && folder.find('$') == std::string::npos) {
    const int file = memfd_create("openmi-fmu-libraries", MFD_CLOEXEC);
    if (file >= 0) {
      const std::string path = PathOfItsOwn(file);
      if (!path.empty() && WriteAll(file, SignpostTo(folder, siblings))) {
        keeper = open(path);
      }
      close(file);
    }
  }
  void* handle = keeper == nullptr ? nullptr : open(library);
  if (handle == nullptr && keeper != nullptr) {
    dlclose(keeper);
    keeper = nullptr;
  }
  return handle;
}

}  // namespace openmi::fmi
