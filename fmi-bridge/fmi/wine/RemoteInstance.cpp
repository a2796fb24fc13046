#include "fmi-bridge/fmi/wine/RemoteInstance.hpp"

#include <fmt/format.h>

#include <limits>

#include "openmi/sdk/Error.hpp"

namespace openmi::fmi::wine {

RemoteInstance::RemoteInstance(WindowsLibrary& library, const std::filesystem::path& file, std::uint32_t version,
                               const std::string& prefix)
    : library_(library), file_(file), incoming_(process_) {
  Depth& mine = Mine();
  std::uint32_t protocol = 0;
  const char* problem = nullptr;
  try {
    Await(LetterKind::Greeting, mine, protocol);
    if (protocol != kProtocol) {
      throw LoadError({.file = file_.string()},
                      fmt::format("expected a Windows host that speaks version {} of the protocol, found version {}",
                                  kProtocol, protocol),
                      "build openmi-windows-host.exe again, or see OPENMI_WINDOWS_HOST");
    }
    mine.letter.Clear();
    mine.letter.Put(version);
    mine.letter.PutText(file.c_str());
    mine.letter.PutText(prefix.c_str());
    process_.Write(mine.letter.Seal(LetterKind::Load));
    LetterReader reply = Await(LetterKind::Reply, mine, protocol);
    problem = reply.GetText();
    std::size_t count = 0;
    const auto* const there = reply.GetArray<std::uint8_t>(count);
    functions_.assign(there, there + count);
    process_.LimitAnswers({});
  } catch (const BadLetter&) {
    throw LoadError({.file = file_.string()}, "expected a Windows host that loads the library, found that it " + How(),
                    "run again with WINEDEBUG=err+all to see what Wine says; with MemoryLimit it needs 4 GB");
  }
  if (problem != nullptr) {
    throw LoadError({.file = file_.string()}, fmt::format("expected a library that can be loaded, found: {}", problem),
                    "install what it needs in Wine's prefix, or put it beside the library");
  }
}

RemoteInstance::Depth& RemoteInstance::Mine() {
  if (depths_.size() <= depth_) depths_.emplace_back();
  return depths_[depth_];
}

LetterWriter& RemoteInstance::Letter() {
  LetterWriter& letter = Mine().letter;
  letter.Clear();
  return letter;
}

LetterReader RemoteInstance::Call(std::uint32_t function, const char* name) {
  if (is_gone_ || !process_.IsOfThisProcess()) Refuse(name);
  Depth& mine = Mine();
  struct Within {
    std::size_t& depth;
    explicit Within(std::size_t& one) : depth(one) { ++depth; }
    ~Within() { --depth; }
  } within(depth_);
  try {
    process_.Write(mine.letter.Seal(LetterKind::Call, function));  // if it is gone, no reply comes
    const std::uint32_t number = ++calls_;
    std::uint32_t answered = 0;
    const LetterReader reply = Await(LetterKind::Reply, mine, answered);
    if (answered != number) throw BadLetter{};
    return reply;
  } catch (const BadLetter&) {
    Refuse(name);
  }
}

LetterReader RemoteInstance::Await(LetterKind kind, Depth& mine, std::uint32_t& function) {
  while (true) {
    LetterHead head;
    bool is_open = false;
    const auto content = incoming_.Next(head, mine.content, is_open);
    if (!is_open) throw BadLetter{};
    function = head.function;
    if (head.kind == kind) return LetterReader(content);
    if (functions_.empty() && head.kind != LetterKind::Crash) throw BadLetter{};
    Serve(head.kind, LetterReader(content));
  }
}

void RemoteInstance::Serve(LetterKind kind, LetterReader letter) {
  switch (kind) {
    case LetterKind::Log:
      return Log(letter);
    case LetterKind::Lock:
      if (callbacks_.lock3 != nullptr) callbacks_.lock3();
      return;
    case LetterKind::Unlock:
      if (callbacks_.unlock3 != nullptr) callbacks_.unlock3();
      return;
    case LetterKind::Moment:
      return AnswerMoment(letter);
    case LetterKind::Clocks: {
      if (callbacks_.clocks3 == nullptr) throw BadLetter{};
      callbacks_.clocks3(callbacks_.environment3);
      process_.Write(Letter().Seal(LetterKind::Answer));
      return;
    }
    case LetterKind::Crash:
      if (const char* text = letter.GetText(); text != nullptr) crash_ = text;
      return;
    default:
      throw BadLetter{};
  }
}

void RemoteInstance::Log(LetterReader& letter) {
  const int status = letter.Get<int>();
  const char* const category = letter.GetText();
  const char* const text = letter.GetText();
  if (callbacks_.log3 != nullptr) {
    callbacks_.log3(callbacks_.environment3, static_cast<fmi3Status>(status), category, text);
  } else if (callbacks_.functions2 != nullptr) {
    const fmi2CallbackFunctions& functions = *callbacks_.functions2;
    functions.logger(functions.componentEnvironment, name_.c_str(), static_cast<fmi2Status>(status), category, "%s",
                     text != nullptr ? text : "");
  } else if (callbacks_.functions1.logger != nullptr) {
    callbacks_.functions1.logger(this, name_.c_str(), static_cast<fmiStatus>(status), category, "%s",
                                 text != nullptr ? text : "");
  }
}

void RemoteInstance::AnswerMoment(LetterReader& letter) {
  if (callbacks_.moment3 == nullptr) throw BadLetter{};
  const auto time = letter.Get<double>();
  const bool may_set = letter.Get<bool>();
  const bool may_get = letter.Get<bool>();
  const bool step_finished = letter.Get<bool>();
  const bool can_return_early = letter.Get<bool>();
  bool wanted = false;
  double when = std::numeric_limits<double>::quiet_NaN();
  callbacks_.moment3(callbacks_.environment3, time, may_set, may_get, step_finished, can_return_early, &wanted, &when);
  LetterWriter& answer = Letter();
  answer.Put(wanted);
  answer.Put(when);
  process_.Write(answer.Seal(LetterKind::Answer));
}

std::string RemoteInstance::How() {
  is_gone_ = true;
  const std::string& end = process_.End();
  return crash_.empty() ? end : crash_;
}

void RemoteInstance::Refuse(const char* name) {
  const bool is_first = !is_gone_;
  throw ModelError({.file = file_.string(), .component = name_},
                   fmt::format("expected {} to return from the Windows host of the FMU, found that it {}{}", name,
                               is_first ? "" : "ended earlier: it ", How()));
}

}  // namespace openmi::fmi::wine
