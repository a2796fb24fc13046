#include "openmi/omi/LibraryFile.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "openmi/omi/CLibrary.hpp"
#include "openmi/omi/ComponentLibrary.hpp"
#include "openmi/omi/DotnetAssembly.hpp"
#include "openmi/omi/Script.hpp"
#include "openmi/system/FileDescriptor.hpp"

namespace openmi {

namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);
using Dynamic = ElfW(Dyn);
constexpr unsigned char kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;

#if defined(__x86_64__)
constexpr unsigned kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kMachine = EM_AARCH64;
#elif defined(__riscv)
constexpr unsigned kMachine = EM_RISCV;
#elif defined(__powerpc64__)
constexpr unsigned kMachine = EM_PPC64;
#elif defined(__s390x__)
constexpr unsigned kMachine = EM_S390;
#elif defined(__arm__)
constexpr unsigned kMachine = EM_ARM;
#elif defined(__i386__)
constexpr unsigned kMachine = EM_386;
#else
#error "name the ELF machine number of this processor here"
#endif

std::string MachineName(unsigned machine, unsigned char elf_class) {
  static constexpr std::pair<unsigned, const char*> kNames[] = {
      {EM_X86_64, "x86-64"}, {EM_386, "32-bit x86"},       {EM_AARCH64, "64-bit ARM"}, {EM_ARM, "32-bit ARM"},
      {EM_RISCV, "RISC-V"},  {EM_PPC64, "64-bit PowerPC"}, {EM_S390, "S/390"}};
  if (machine == EM_X86_64 && elf_class == ELFCLASS32) return "x32";
  const auto* found = std::ranges::find(kNames, machine, &std::pair<unsigned, const char*>::first);
  return found != std::end(kNames) ? found->second : fmt::format("machine number {}", machine);
}

// Reads pieces of an unchecked file: a read that crosses its end fails instead of returning less.
class FileBytes {
 public:
  explicit FileBytes(FileDescriptor file, std::uint64_t size) : file_(std::move(file)), size_(size) {}

  std::uint64_t Size() const { return size_; }

  bool Read(std::uint64_t offset, void* to, std::size_t count) const {
    if (offset > size_ || count > size_ - offset) return false;
    auto* next = static_cast<char*>(to);
    while (count > 0) {
      const ssize_t got = pread(file_.Number(), next, count, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      next += got;
      offset += static_cast<std::uint64_t>(got);
      count -= static_cast<std::size_t>(got);
    }
    return true;
  }

  template <class T>
  bool ReadTable(std::uint64_t offset, std::uint64_t count, std::vector<T>& table) const {
    if (offset > size_ || count > (size_ - offset) / sizeof(T)) return false;
    table.resize(static_cast<std::size_t>(count));
    return Read(offset, table.data(), table.size() * sizeof(T));
  }

 private:
  FileDescriptor file_;
  std::uint64_t size_;
};

// Regular libraries stay below these limits. Without limits a small file could fill the memory.
constexpr std::size_t kLongestName = 4096;
constexpr std::size_t kMostEntries = 10'000;

std::string_view TextAt(const std::vector<char>& strings, std::uint64_t offset) {
  if (offset >= strings.size()) return {};
  const std::string_view rest(strings.data() + offset, strings.size() - static_cast<std::size_t>(offset));
  return rest.substr(0, std::min(rest.find('\0'), kLongestName));
}

std::string Readable(std::string_view symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? std::string(name.get()) : std::string(symbol);
}

struct Complaint {
  std::string found;
  std::string remedy;
};

// The kind of a file that is not an ELF file, by its first bytes.
Complaint WhatElse(std::string_view head) {
  if (head.empty()) return {"an empty file", "build or copy it again"};
  if (head.starts_with("MZ")) {
    return {"a Windows library", "name a library built for this system, or an assembly of .NET"};
  }
  if (head.starts_with("\xCF\xFA\xED\xFE") || head.starts_with("\xCA\xFE\xBA\xBE")) {
    return {"a macOS library", "name a library built for this system"};
  }
  if (head.starts_with("!<arch>\n")) return {"a static library (an archive)", "link it into a shared library"};
  if (head.starts_with("PK\x03\x04")) {
    return {"a zip archive",
            "an FMU is named by an argument of a bridge component, not as its library; a jar cannot be loaded"};
  }
  const auto printable = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 || c == '\n' || c == '\r' || c == '\t';
  };
  if (std::all_of(head.begin(), head.end(), printable)) {
    return {fmt::format("a text file that begins with '{}'",
                        head.substr(0, std::min<std::size_t>(head.find_first_of("\r\n"), 40))),
            "name the library itself"};
  }
  return {"a file that is no library", "name the library itself"};
}

[[noreturn]] void Refuse(const Where& where, const std::string& path, std::string_view found, std::string remedy) {
  throw LoadError(where, fmt::format("expected a shared library at '{}', found {}", path, found), std::move(remedy));
}

FileBytes OpenFile(const std::string& path, const Where& where) {
  // Non-blocking: a named pipe would wait for its other end.
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.IsOpen()) {
    const int error = errno;
    const char* remedy = error == EACCES ? "make the file readable for this user" : "check the name and the folder";
    Refuse(where, path, std::strerror(error), remedy);
  }
  struct stat status = {};
  if (fstat(file.Number(), &status) != 0 || !S_ISREG(status.st_mode)) {
    Refuse(where, path, S_ISDIR(status.st_mode) ? "a folder" : "something that is no file", "name the library itself");
  }
  return FileBytes(std::move(file), static_cast<std::uint64_t>(status.st_size));
}

// The content of the tables of one library.
class Inspection {
 public:
  Inspection(const FileBytes& bytes, const Where& where, LibraryFile& file)
      : bytes_(bytes), where_(where), file_(file) {}

  void Run() {
    ReadHeader();
    ReadSegments();
    ReadDynamic();
    ReadSymbols();
  }

 private:
  [[noreturn]] void Broken(std::string_view what) const {
    Refuse(where_, file_.path, fmt::format("a damaged one ({}; the file has {} bytes)", what, bytes_.Size()),
           "build or copy it again");
  }

  void ReadHeader() {
    char head[64] = {};
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(bytes_.Size(), sizeof head));
    bytes_.Read(0, head, count);
    if (count < SELFMAG || std::memcmp(head, ELFMAG, SELFMAG) != 0) {
      const Complaint complaint = WhatElse({head, count});
      Refuse(where_, file_.path, complaint.found, complaint.remedy);
    }
    if (!bytes_.Read(0, &header_, sizeof header_)) Broken("it ends within its header");
    const unsigned char elf_class = header_.e_ident[EI_CLASS];
    if (elf_class != kClass || header_.e_machine != kMachine) {
      Refuse(where_, file_.path,
             fmt::format("one for {} where this program is for {}", MachineName(header_.e_machine, elf_class),
                         MachineName(kMachine, kClass)),
             "build it for this machine");
    }
    if (header_.e_type == ET_REL) Refuse(where_, file_.path, "an object file", "link it with -shared");
    if (header_.e_type == ET_EXEC) Refuse(where_, file_.path, "a program", "name the library itself");
    if (header_.e_type != ET_DYN) Refuse(where_, file_.path, "an ELF file of another kind", "name the library itself");
  }

  void ReadSegments() {
    if (header_.e_phentsize != sizeof(Segment) || !bytes_.ReadTable(header_.e_phoff, header_.e_phnum, segments_)) {
      Broken("its segment table lies outside of it");
    }
    for (const Segment& segment : segments_) {
      if (segment.p_type != PT_LOAD) continue;
      if (segment.p_offset > bytes_.Size() || segment.p_filesz > bytes_.Size() - segment.p_offset) {
        Broken("it is shorter than its segments, truncated perhaps");
      }
    }
  }

  void ReadDynamic() {
    const auto dynamic = std::find_if(segments_.begin(), segments_.end(),
                                      [](const Segment& segment) { return segment.p_type == PT_DYNAMIC; });
    if (dynamic == segments_.end())
      Refuse(where_, file_.path, "a program without dynamic linking", "link it with -shared");
    std::vector<Dynamic> entries;
    if (!bytes_.ReadTable(dynamic->p_offset, dynamic->p_filesz / sizeof(Dynamic), entries)) {
      Broken("its dynamic table lies outside of it");
    }
    std::uint64_t strings_address = 0;
    std::uint64_t strings_size = 0;
    for (const Dynamic& entry : entries) {
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_STRTAB) strings_address = entry.d_un.d_ptr;
      if (entry.d_tag == DT_STRSZ) strings_size = entry.d_un.d_val;
      if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_NODELETE) != 0) file_.stays_loaded = true;
      if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE) != 0) {
        Refuse(where_, file_.path, "a program", "name the library itself, or link it with -shared");
      }
    }
    std::vector<char> strings;
    if (!bytes_.ReadTable(OffsetOf(strings_address), strings_size, strings)) return;
    for (const Dynamic& entry : entries) {
      if (entry.d_tag == DT_NULL || file_.needed.size() + file_.run_paths.size() > kMostEntries) break;
      if (entry.d_tag == DT_NEEDED) file_.needed.emplace_back(TextAt(strings, entry.d_un.d_val));
      if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH) AddRunPaths(TextAt(strings, entry.d_un.d_val));
    }
  }

  void AddRunPaths(std::string_view paths) {
    while (!paths.empty() && file_.run_paths.size() < kMostEntries) {
      const std::size_t colon = paths.find(':');
      file_.run_paths.emplace_back(paths.substr(0, colon));
      paths = colon == std::string_view::npos ? std::string_view{} : paths.substr(colon + 1);
    }
  }

  void ReadSymbols() {
    std::vector<Section> sections;
    if (header_.e_shoff == 0 || header_.e_shentsize != sizeof(Section) ||
        !bytes_.ReadTable(header_.e_shoff, header_.e_shnum, sections)) {
      return;
    }
    for (const Section& section : sections) {
      if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections.size()) continue;
      const Section& link = sections[section.sh_link];
      std::vector<Symbol> symbols;
      std::vector<char> strings;
      if (!bytes_.ReadTable(section.sh_offset, section.sh_size / sizeof(Symbol), symbols) ||
          !bytes_.ReadTable(link.sh_offset, link.sh_size, strings)) {
        return;
      }
      for (const Symbol& symbol : symbols) ReadSymbol(symbol, TextAt(strings, symbol.st_name));
      file_.symbols_known = true;
      return;
    }
  }

  void ReadSymbol(const Symbol& symbol, std::string_view name) {
    if (symbol.st_shndx == SHN_UNDEF) {
      if (name == "__cxa_thread_atexit" || name == "__cxa_thread_atexit_impl") file_.uses_thread_destructors = true;
      return;
    }
    if (ELF64_ST_BIND(symbol.st_info) == STB_GNU_UNIQUE && file_.unique.size() < kMostEntries)
      file_.unique.push_back(Readable(name));
    if (name == kEntryPoint) file_.has_entry_point = true;
    if (name.starts_with(kCEntryPointStem)) {
      int version = 0;
      name.remove_prefix(std::string_view(kCEntryPointStem).size());
      const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), version);
      if (error == std::errc() && end == name.data() + name.size() && file_.c_versions.size() < kMostEntries) {
        file_.c_versions.push_back(version);
      }
      return;
    }
    if (name == kBuildSymbol) {
      std::vector<char> text;
      const std::uint64_t longest = std::min<std::uint64_t>(symbol.st_size, 512);
      if (bytes_.ReadTable(OffsetOf(symbol.st_value), longest, text)) file_.build_text = TextAt(text, 0);
    }
  }

  // The offset in the file of the byte at `address` of the loaded library; beyond the file if there is none.
  std::uint64_t OffsetOf(std::uint64_t address) const {
    for (const Segment& segment : segments_) {
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz) {
        return address - segment.p_vaddr + segment.p_offset;
      }
    }
    return bytes_.Size() + 1;
  }

  const FileBytes& bytes_;
  const Where& where_;
  LibraryFile& file_;
  Header header_ = {};
  std::vector<Segment> segments_;
};

}  // namespace

bool LibraryFile::UsesOrigin() const {
  return std::any_of(run_paths.begin(), run_paths.end(), [](const std::string& folder) {
    return folder.find("$ORIGIN") != std::string::npos || folder.find("${ORIGIN}") != std::string::npos;
  });
}

LibraryFile InspectLibrary(const std::string& path, const Where& where) {
  LibraryFile file;
  file.path = path;
  if (Script::IsModule(path)) return file;
  const FileBytes bytes = OpenFile(path, where);
  file.size = bytes.Size();
  if (Script::IsNamedBy(path) || DotnetAssembly::IsOne(path)) return file;
  Inspection(bytes, where, file).Run();
  return file;
}

}  // namespace openmi
