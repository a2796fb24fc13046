#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "fmi-bridge/fmi/wine/Pieces.hpp"
#include "fmi-bridge/fmi/wine/host/Platform.hpp"

namespace openmi::fmi::wine {
namespace {

HANDLE input = nullptr;
HANDLE output = nullptr;

std::wstring Wide(const std::string& text) {
  const int length = MultiByteToWideChar(CP_UTF8, 0, text.c_str(), -1, nullptr, 0);
  std::wstring wide(static_cast<std::size_t>(std::max(length, 1)), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.c_str(), -1, wide.data(), length);
  wide.resize(wide.size() - 1);
  return wide;
}

/// The letter of the drive that is the root folder of this machine; 0: there is none.
char RootDrive() {
  static const char drive = [] {
    using DosName = WCHAR* CDECL(const char*);
    const HMODULE kernel = GetModuleHandleA("kernel32.dll");
    const auto of =
        reinterpret_cast<DosName*>(reinterpret_cast<void*>(GetProcAddress(kernel, "wine_get_dos_file_name")));
    if (of == nullptr) return 'Z';
    WCHAR* const name = of("/");
    const bool is_drive = name != nullptr && name[0] < 128 && name[1] == L':';
    const char letter = is_drive ? static_cast<char>(name[0]) : '\0';
    if (name != nullptr) HeapFree(GetProcessHeap(), 0, name);
    return letter;
  }();
  return drive;
}

const char* NameOf(DWORD code) {
  switch (code) {
    case EXCEPTION_ACCESS_VIOLATION:
      return "access violation";
    case EXCEPTION_STACK_OVERFLOW:
      return "stack overflow";
    case EXCEPTION_INT_DIVIDE_BY_ZERO:
      return "integer division by zero";
    case EXCEPTION_ILLEGAL_INSTRUCTION:
      return "illegal instruction";
    default:
      return "exception";
  }
}

LONG WINAPI OnCrash(EXCEPTION_POINTERS* pointers) {
  const EXCEPTION_RECORD& record = *pointers->ExceptionRecord;
  MEMORY_BASIC_INFORMATION memory{};
  char module[MAX_PATH] = "";
  if (VirtualQuery(record.ExceptionAddress, &memory, sizeof memory) != 0) {
    GetModuleFileNameA(static_cast<HMODULE>(memory.AllocationBase), module, sizeof module);
  }
  const char* name = module;
  for (const char* c = module; *c != '\0'; ++c) {
    if (*c == '\\') name = c + 1;
  }
  char text[200];
  std::snprintf(
      text, sizeof text, "crashed: %s (0x%08x) at %s+0x%x", NameOf(record.ExceptionCode),
      static_cast<unsigned>(record.ExceptionCode), *name != '\0' ? name : "an unknown place",
      static_cast<unsigned>(static_cast<char*>(record.ExceptionAddress) - static_cast<char*>(memory.AllocationBase)));
  SendCrash(text);
  platform::End(1);
}

/// \param runner  a file of the system about the runner, which is empty once that has ended
DWORD WINAPI Watch(void* runner) {
  char byte = 0;
  DWORD count = 0;
  do {
    Sleep(250);
    SetFilePointer(runner, 0, nullptr, FILE_BEGIN);
  } while (ReadFile(runner, &byte, 1, &count, nullptr) != 0 && count == 1);
  platform::End(0);
}

}  // namespace

std::string LocalPath(const std::string& path) {
  static const std::string kUri = "file://";
  if (path.starts_with(kUri)) return kUri + "/" + RootDrive() + ":" + path.substr(kUri.size());
  std::string local = std::string(1, RootDrive()) + ":" + path;
  std::ranges::replace(local, '/', '\\');
  return local;
}

namespace platform {

void TakeStreams() {
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  SetUnhandledExceptionFilter(OnCrash);
  const HANDLE self = GetCurrentProcess();
  DuplicateHandle(self, GetStdHandle(STD_INPUT_HANDLE), self, &input, 0, FALSE, DUPLICATE_SAME_ACCESS);
  DuplicateHandle(self, GetStdHandle(STD_OUTPUT_HANDLE), self, &output, 0, FALSE, DUPLICATE_SAME_ACCESS);
  const int nothing = _open("NUL", _O_RDONLY);
  _dup2(nothing, 0);
  _dup2(2, 1);
  SetStdHandle(STD_INPUT_HANDLE, reinterpret_cast<HANDLE>(_get_osfhandle(0)));
  SetStdHandle(STD_OUTPUT_HANDLE, GetStdHandle(STD_ERROR_HANDLE));
}

void WatchRunner(const char* runner) {
  // Wine tells no one that the other side of a socket is gone but who reads from it, which one that hangs does not.
  const std::string file = LocalPath("/proc/" + std::string(runner) + "/cmdline");
  const HANDLE about =
      CreateFileA(file.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0, nullptr);
  if (about != INVALID_HANDLE_VALUE) CloseHandle(CreateThread(nullptr, 0, Watch, about, 0, nullptr));
}

std::size_t Read(std::byte* bytes, std::size_t size) {
  DWORD count = 0;
  const auto most = static_cast<DWORD>(std::min<std::size_t>(size, 1 << 20));
  return ReadFile(input, bytes, most, &count, nullptr) != 0 ? count : 0;
}

bool Write(const std::byte* bytes, std::size_t size) {
  while (size > 0) {
    DWORD count = 0;
    const auto most = static_cast<DWORD>(std::min<std::size_t>(size, 1 << 20));
    if (WriteFile(output, bytes, most, &count, nullptr) == 0 || count == 0) return false;
    bytes += count;
    size -= count;
  }
  return true;
}

void End(int code) {
  TerminateProcess(GetCurrentProcess(), static_cast<UINT>(code));
  for (;;) Sleep(1000);
}

void* Load(const std::string& path, std::string& problem) {
  if (RootDrive() == '\0') {
    problem = "no drive of Wine is the root folder of this machine (dosdevices/z: in its prefix)";
    return nullptr;
  }
  HMODULE const library = LoadLibraryExW(Wide(LocalPath(path)).c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH);
  if (library != nullptr) return reinterpret_cast<void*>(library);
  const DWORD error = GetLastError();
  char text[512] = "";
  FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, error, 0x0409, text, sizeof text,
                 nullptr);
  problem = "Windows error " + std::to_string(error) + ": " + text;
  while (problem.ends_with('\n') || problem.ends_with('\r') || problem.ends_with('.')) problem.pop_back();
  if (error == ERROR_MOD_NOT_FOUND) problem += " (of the libraries that it needs, one is missing)";
  return nullptr;
}

void* Find(void* library, const std::string& name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name.c_str()));
}

}  // namespace platform
}  // namespace openmi::fmi::wine
