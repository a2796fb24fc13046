// The program that holds one instance of an FMU whose library is for Windows, and calls its functions as letters say.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fmi-bridge/fmi/wine/LetterStream.hpp"
#include "fmi-bridge/fmi/wine/Shapes.hpp"
#include "fmi-bridge/fmi/wine/host/Platform.hpp"

namespace openmi::fmi::wine {
namespace {

enum ExitCode { kRunnerGone = 0, kBadLetter = 90 };

struct Source {
  static std::size_t Read(std::byte* bytes, std::size_t size) { return platform::Read(bytes, size); }
};

/// A function of the FMU and how it is called.
struct Entry {
  void (*call)(void* address, LetterReader& request, Frame& frame) = nullptr;
  void* address = nullptr;
};

void* instance = nullptr;
std::vector<Entry> entries;  // by the index of their shape
const std::thread::id main_thread = std::this_thread::get_id();
std::mutex writing;

void Send(LetterWriter& letter, LetterKind kind, std::uint32_t function = 0) {
  const std::lock_guard lock(writing);
  const auto bytes = letter.Seal(kind, function);
  if (!platform::Write(bytes.data(), bytes.size())) platform::End(kRunnerGone);
}

/// One letter that is worked on, and the next within it.
struct Depth {
  std::vector<std::uint64_t> request;
  Frame frame;
};
Source source;
LetterStream incoming(source);
std::deque<Depth> depths;
std::size_t depth = 0;
std::uint32_t calls = 0;  // how many came

/// Serves calls until an answer comes; without one, until the runner is gone.
LetterReader Serve() {
  if (depths.size() <= depth) depths.emplace_back();
  Depth& mine = depths[depth];
  ++depth;
  try {
    while (true) {
      LetterHead head;
      bool is_open = false;
      LetterReader request(incoming.Next(head, mine.request, is_open));
      if (!is_open) platform::End(kRunnerGone);
      if (head.kind == LetterKind::Answer && depth > 1) {
        --depth;
        return request;
      }
      if (head.kind != LetterKind::Call || head.function >= entries.size()) throw BadLetter{};
      const Entry& entry = entries[head.function];
      if (entry.address == nullptr) throw BadLetter{};
      const std::uint32_t number = ++calls;
      mine.frame.reply.Clear();
      mine.frame.room.Clear();
      entry.call(entry.address, request, mine.frame);
      Send(mine.frame.reply, LetterKind::Reply, number);
    }
  } catch (const BadLetter&) {  // must not pass through the FMU
    platform::End(kBadLetter);
  }
}

// The callbacks that the FMU gets. The runner knows which instance they belong to.

void SendLog(int status, const char* category, const char* text) {
  LetterWriter letter;
  letter.Put(status);
  letter.PutText(category);
  letter.PutText(text);
  Send(letter, LetterKind::Log);
}

void Format(int status, const char* category, const char* format, std::va_list arguments) {
  char text[4096] = "";
#ifdef _WIN32
  if (format != nullptr) __mingw_vsnprintf(text, sizeof text, format, arguments);
#else
  if (format != nullptr) std::vsnprintf(text, sizeof text, format, arguments);
#endif
  SendLog(status, category, text);
}

void Log1(fmiComponent, fmiString, fmiStatus status, fmiString category, fmiString format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  Format(status, category, format, arguments);
  va_end(arguments);
}

void Log2(fmi2ComponentEnvironment, fmi2String, fmi2Status status, fmi2String category, fmi2String format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  Format(status, category, format, arguments);
  va_end(arguments);
}

void Log3(fmi3InstanceEnvironment, fmi3Status status, fmi3String category, fmi3String text) {
  SendLog(status, category, text);
}

void Tell(LetterKind kind) {
  LetterWriter letter;
  Send(letter, kind);
}

/// Asks the runner within a call of the main thread; other threads get no answer.
template <class Read>
void Ask(LetterWriter& letter, LetterKind kind, Read&& read) {
  if (std::this_thread::get_id() != main_thread) return;
  Send(letter, kind);
  LetterReader answer = Serve();
  read(answer);
}

void Moment(fmi3InstanceEnvironment, fmi3Float64 time, fmi3Boolean may_set, fmi3Boolean may_get,
            fmi3Boolean step_finished, fmi3Boolean can_return_early, fmi3Boolean* early_return,
            fmi3Float64* early_return_time) {
  if (early_return != nullptr) *early_return = false;
  LetterWriter letter;
  letter.Put(time);
  for (const bool one : {may_set, may_get, step_finished, can_return_early}) letter.Put(one);
  Ask(letter, LetterKind::Moment, [&](LetterReader& answer) {
    const bool wanted = answer.Get<bool>();
    const auto when = answer.Get<double>();
    if (early_return != nullptr) *early_return = wanted;
    if (early_return_time != nullptr && wanted) *early_return_time = when;
  });
}

void ClocksChanged(fmi3InstanceEnvironment) {
  LetterWriter letter;
  Ask(letter, LetterKind::Clocks, [](LetterReader&) {});
}

const fmi2CallbackFunctions kFunctions2{Log2, std::calloc, std::free, nullptr, &instance};
const Callbacks kCallbacks{
    .functions1 = {Log1, std::calloc, std::free, nullptr},
    .functions2 = &kFunctions2,
    .environment3 = &instance,
    .log3 = Log3,
    .moment3 = Moment,
    .clocks3 = ClocksChanged,
    .lock3 = [] { Tell(LetterKind::Lock); },
    .unlock3 = [] { Tell(LetterKind::Unlock); },
};

/// Calls a function with what the request says, and writes the reply: its result, then what its pieces send.
template <class Result, class... Parameters, class... Pieces>
void CallAs(Result (*function)(Parameters...), LetterReader& request, Frame& frame, const Pieces*...) {
  std::tuple<typename Pieces::template Held<Parameters>...> held;
  const auto each = [&](auto&& work) { std::apply([&](auto&... one) { (work(one), ...); }, held); };
  each([&](auto& one) { one.Open(request, frame); });
  request.End();
  const std::size_t place = frame.reply.Extend(sizeof(std::uint64_t));
  each([&](auto& one) { one.Reserve(frame, held); });
  const auto call = [&] {
    return std::apply([&](auto&... one) { return function(one.Argument(frame, instance, kCallbacks)...); }, held);
  };
  if constexpr (std::is_void_v<Result>) {
    call();
  } else {
    const Result result = call();
    if constexpr (std::is_pointer_v<Result>) instance = result;
    std::memcpy(frame.reply.At(place), &result, sizeof result);
  }
  each([&](auto& one) { one.Close(frame, held); });
}

template <class Result, class First, class... Parameters, class... Pieces>
void CallShape(const Shape<Result(First, Parameters...), Pieces...>&, void* address, LetterReader& request,
               Frame& frame) {
  const auto function = reinterpret_cast<Result (*)(First, Parameters...)>(address);
  if constexpr (std::is_same_v<First, void*>) {
    CallAs(function, request, frame, static_cast<const Self*>(nullptr), static_cast<const Pieces*>(nullptr)...);
  } else {
    CallAs(function, request, frame, static_cast<const Pieces*>(nullptr)...);
  }
}

/// Finds the functions of a version in the library. Names of 1.0 have the prefix, and so have those of later versions
/// in a library that was made for static linking.
template <const auto& kShapes>
void FindAll(void* library, const std::string& prefix, bool only_prefixed) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (entries.push_back({[](void* address, LetterReader& request, Frame& frame) {
                          CallShape(std::get<I>(kShapes), address, request, frame);
                        },
                        nullptr}),
     ...);
    const char* const names[] = {std::get<I>(kShapes).name...};
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (!only_prefixed) entries[i].address = platform::Find(library, names[i]);
      if (entries[i].address == nullptr) entries[i].address = platform::Find(library, prefix + "_" + names[i]);
    }
  }
  (std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(kShapes)>>>{});
}

/// Reads the letter Load, and answers with a problem (or null) and one byte for each function: whether it is there.
void Load() {
  LetterHead head;
  std::vector<std::uint64_t> content;
  bool is_open = false;
  LetterReader request(incoming.Next(head, content, is_open));
  if (!is_open) platform::End(kRunnerGone);
  if (head.kind != LetterKind::Load) throw BadLetter{};
  const auto version = request.Get<std::uint32_t>();
  const std::string path = request.GetText();
  const std::string prefix = request.GetText();
  request.End();
  std::string problem;
  void* const library = platform::Load(path, problem);
  if (library != nullptr) {
    if (version == 1) FindAll<kShapes1>(library, prefix, true);
    if (version == 2) FindAll<kShapes2>(library, prefix, false);
    if (version == 3) FindAll<kShapes3>(library, prefix, false);
  }
  std::vector<std::uint8_t> there;
  for (const Entry& entry : entries) there.push_back(entry.address != nullptr ? 1 : 0);
  LetterWriter reply;
  reply.PutText(library != nullptr ? nullptr : problem.c_str());
  reply.PutArray(there.data(), there.size());
  Send(reply, LetterKind::Reply);
}

}  // namespace

void SendCrash(const char* text) {
  struct {
    LetterHead head;
    std::uint64_t length = 0;
    char text[240] = "";
  } letter;
  letter.head = {LetterKind::Crash, 0, sizeof letter - sizeof letter.head};
  letter.length = sizeof letter.text;
  std::strncpy(letter.text, text, sizeof letter.text - 1);
  platform::Write(reinterpret_cast<const std::byte*>(&letter), sizeof letter);
}

}  // namespace openmi::fmi::wine

int main(int count, char** words) {
  using namespace openmi::fmi::wine;
  platform::TakeStreams();
  platform::WatchRunner(count > 1 ? words[1] : "");
  LetterWriter greeting;
  Send(greeting, LetterKind::Greeting, kProtocol);
  try {
    Load();
  } catch (const BadLetter&) {
    platform::End(kBadLetter);
  }
  Serve();
}
