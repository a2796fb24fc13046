#include "composition/control/ControlDesk.hpp"

#include <fmt/format.h>

#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "openmi/sdk/EnumNames.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostNested = 8;

/// Converts to text; bytes that are no UTF-8 are replaced.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json Failure(const std::string& error, const std::string& remedy = {}) {
  Json answer = {{"ok", false}, {"error", error}};
  if (!remedy.empty()) answer["remedy"] = remedy;
  return answer;
}

Json FailureOf(const Error& error) {
  return Failure(Error::Format(error.Place(), error.Problem(), {}), error.Remedy());
}

/// Parses an object of bounded depth; other values give nothing.
/// \throws ArgumentError  an object in it has a key twice: two readers could read two different requests
Json Parse(const std::string& line) {
  std::size_t depth = 0;
  for (const char c : line) {  // counts every opening bracket, also in texts: the bound need not be exact
    if (c == '[' || c == '{') ++depth;
    if (depth > kMostNested * 4) return Json::value_t::discarded;
  }
  std::vector<std::set<std::string>> keys;  // of the objects that are not closed yet
  std::optional<std::string> twice;
  Json request = Json::parse(
      line,
      [&](int, Json::parse_event_t event, const Json& parsed) {
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second && !twice) {
          twice = parsed.get<std::string>();
        }
        return true;
      },
      false);
  if (twice && !request.is_discarded()) {
    throw ArgumentError({}, fmt::format("expected each key once in a request, found '{}' twice", twice->substr(0, 80)),
                        "send two requests, a line each");
  }
  return request;
}

std::string Text(const Json& request, const char* key) {
  const auto found = request.find(key);
  if (found == request.end() || !found->is_string()) {
    throw ArgumentError({.item = key}, fmt::format("expected a text '{}' in the request, found none", key),
                        fmt::format("add \"{}\":\"...\"", key));
  }
  return found->get<std::string>();
}

/// A text, a number or a truth value, as text for an argument.
std::string ValueText(const Json& request, const char* key) {
  const auto found = request.find(key);
  if (found != request.end() && (found->is_number() || found->is_boolean())) return found->dump();
  return Text(request, key);
}

std::vector<std::string> Texts(const Json& request, const char* key) {
  std::vector<std::string> texts;
  const Json& list = request.at(key);
  if (list.is_array()) {
    for (const Json& one : list) {
      if (one.is_string()) texts.push_back(one.get<std::string>());
    }
  }
  if (texts.empty() || texts.size() != list.size()) {
    throw ArgumentError({.item = key}, fmt::format("expected texts in '{}', found something else", key),
                        fmt::format("add \"{}\":[\"creek.discharge\"]", key));
  }
  return texts;
}

std::vector<double> Numbers(const Json& request, const char* key) {
  const auto found = request.find(key);
  std::vector<double> values;
  const auto add = [&](const Json& value) {
    if (!value.is_number() && !value.is_null()) {
      throw ArgumentError({.item = key}, fmt::format("expected numbers in '{}', found {}", key, value.type_name()),
                          "null means a missing value");
    }
    values.push_back(value.is_null() ? kNotANumber : value.get<double>());
  };
  if (found != request.end() && found->is_array()) {
    for (const Json& value : *found) add(value);
  } else if (found != request.end()) {
    add(*found);
  }
  if (values.empty()) {
    throw ArgumentError({.item = key}, fmt::format("expected numbers in '{}', found none", key),
                        fmt::format("add \"{}\":[1.5]", key));
  }
  return values;
}

/// The number of passes of a step.
std::uint64_t PassesOf(const Json& request) {
  const auto passes = request.find("passes");
  if (passes == request.end()) return 1;
  if (passes->is_number_unsigned() && *passes > 0) return passes->get<std::uint64_t>();
  throw ArgumentError({.item = "passes"},
                      fmt::format("expected a whole number from 1 on in 'passes', found {}", Dump(*passes)),
                      "add \"passes\":3, or leave it out for one");
}

Json Number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}
Json TimeText(const std::optional<Stamp>& time) {
  return time && std::isfinite(time->mjd) ? Json(FormatIsoTime(*time)) : Json(nullptr);
}

constexpr EnumNames<RunState> kRunStates{"created", "running", "paused", "over", "ended"};

Json Status(CompositionRun& run) {
  const RunSpec& spec = *run.Model().File().run;
  return {{"state", kRunStates.NameOf(run.State())},
          {"now", TimeText(run.Now())},
          {"from", TimeText(spec.from)},
          {"to", TimeText(spec.to)},
          {"passes", run.Passes()}};
}

Json FamilyJson(const Family& family, const Composition& model) {
  Json members = Json::array();
  for (std::size_t member : family.members) members.push_back(model.Instances()[member].Id());
  Json one = {{"key", family.key}, {"status", NameOf(family.status)}, {"members", members}};
  if (!family.problem.empty()) one["problem"] = family.problem;
  if (family.is_starting) one["starting"] = true;
  if (!family.told.empty()) one["told"] = family.told;
  return one;
}

Json List(CompositionRun& run, const RunDesk& desk) {
  Json list = Status(run);
  Json components = Json::array();
  for (const DeskComponent& one : desk.Components()) {
    components.push_back({{"id", one.id},
                          {"family", one.family},
                          {"status", one.status},
                          {"now", TimeText(one.now)},
                          {"steps", one.steps}});
    if (!one.group.empty()) components.back()["group"] = one.group;
    if (!one.host.empty()) components.back()["host"] = one.host;
  }
  Json families = Json::array();
  for (const Family& family : desk.AllFamilies()) families.push_back(FamilyJson(family, run.Model()));
  list["components"] = std::move(components);
  list["families"] = std::move(families);
  return list;
}

Json ValuesJson(const DeskValues& last) {
  Json values = Json::array();
  for (double value : last.values) values.push_back(Number(value));
  Json answer = {{"unit", last.unit},
                 {"begin", TimeText(last.begin)},
                 {"duration", FormatIsoDuration(last.duration)},
                 {"values", std::move(values)},
                 {"overridden", last.is_overridden}};
  if (last.is_pending) answer["pending"] = true;
  if (last.is_freed) answer["freed"] = true;
  return answer;
}

Json BalancesJson(const RunRecord& record, Stamp now) {
  Json links = Json::array();
  for (const auto& [link, figures] : record.links) {
    if (!figures.is_weighed) continue;
    links.push_back({{"link", link},
                     {"unit", figures.unit},
                     {"left", Number(figures.left)},
                     {"arrived", Number(figures.arrived)},
                     {"outside", Number(figures.outside)},
                     {"relative", Number(figures.relative_difference)}});
  }
  Json components = Json::array();
  for (const auto& [id, figures] : record.components) {
    if (!figures.is_weighed) continue;
    components.push_back({{"component", id},
                          {"unit", figures.unit},
                          {"start", Number(figures.start)},
                          {"in", Number(figures.in)},
                          {"out", Number(figures.out)},
                          {"losses", Number(figures.losses)},
                          {"held", Number(figures.end)},
                          {"relative", Number(figures.relative)}});
  }
  return {{"now", TimeText(now)}, {"links", std::move(links)}, {"components", std::move(components)}};
}

/// Sends a client the answer that the given function makes; if that function throws, its error is the answer.
using GiveAnswer = std::function<void(const std::function<Json()>&)>;

const std::vector<std::string> kWords = {"status",    "list",   "values", "balances",   "pause",
                                         "resume",    "step",   "set",    "override",   "free",
                                         "disengage", "engage", "family", "checkpoint", "end"};

}  // namespace

/// The calls that wait for work between two passes. It outlives the desk as long as one of them does.
struct ControlDesk::Waiting {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_closed = false;
};

ControlDesk::ControlDesk(CompositionRun& run) : desk_(run), run_(run), waiting_(std::make_shared<Waiting>()) {}

ControlDesk::~ControlDesk() {
  Close();
}

void ControlDesk::Close() {
  const std::lock_guard lock(waiting_->mutex);
  waiting_->is_closed = true;
  waiting_->changed.notify_all();
}

std::string ControlDesk::Greeting() const {
  return Dump({{"openmi-control", 1}, {"composition", run_.Model().File().id}});
}

void ControlDesk::Step(std::uint64_t passes, std::function<void(const Error*)> told) {
  const std::uint64_t wanted = run_.Step(passes);
  auto hook = std::make_shared<std::size_t>(0);
  *hook = run_.BetweenPasses().Add([run = &run_, hook, wanted, waiting = waiting_, done = std::move(told)] {
    {
      const std::lock_guard lock(waiting->mutex);
      if (waiting->is_closed) return run->BetweenPasses().Remove(*hook);  // the desk may be destroyed
    }
    const std::uint64_t now = run->Passes();
    const bool is_all_out = run->IsAllOut();
    if (now < wanted && run->State() != RunState::Paused && !is_all_out) return;
    run->BetweenPasses().Remove(*hook);
    if (now >= wanted) return done(nullptr);
    if (is_all_out) {
      run->Pause();
      const StateError error({}, "expected a component to step, found all of them disengaged",
                             "engage a family, then step again");
      return done(&error);
    }
    const StateError error({}, fmt::format("expected the run to make {} passes, found it paused after {}", wanted, now),
                           "another operator paused it; step again for the rest");
    done(&error);
  });
}

std::string ControlDesk::Answer(const std::string& line) {
  Json request;
  try {
    request = Parse(line);
  } catch (const Error& error) {
    return Dump(FailureOf(error));
  }
  if (!request.is_object()) {
    return Dump(Failure("expected an object of JSON in one line, found something else", R"(write {"do":"list"})"));
  }
  const auto with_id = [&request](Json answer) {
    if (const auto id = request.find("id"); id != request.end()) answer["id"] = *id;
    return Dump(answer);
  };
  const auto succeed = [](Json answer = Json::object()) {
    answer["ok"] = true;
    return answer;
  };
  /// Starts `work` between the next two passes, and waits until it gives its answer, then or later.
  const auto from_then_on = [this](std::function<void(const GiveAnswer&)> work) {
    struct Task {
      Json answer;
      bool is_done = false;
    };
    auto task = std::make_shared<Task>();
    auto waiting = waiting_;
    const GiveAnswer give = [task, waiting](const std::function<Json()>& make) {
      {
        const std::lock_guard lock(waiting->mutex);
        if (waiting->is_closed) return;  // no call waits any more, and what the answer is about may be destroyed
      }
      Json answer;
      try {
        answer = make();
      } catch (const Error& error) {
        answer = FailureOf(error);
      } catch (const std::exception& error) {
        answer = Failure(error.what());
      }
      const std::lock_guard lock(waiting->mutex);
      task->answer = std::move(answer);
      task->is_done = true;
      waiting->changed.notify_all();
    };
    run_.BetweenPasses().Post([give, waiting, begin = std::move(work)] {
      {
        const std::lock_guard lock(waiting->mutex);
        if (waiting->is_closed) return;
      }
      try {
        begin(give);
      } catch (const Error& error) {
        give([&] { return FailureOf(error); });
      } catch (const std::exception& error) {
        give([&] { return Failure(error.what()); });
      }
    });
    std::unique_lock lock(waiting->mutex);
    waiting->changed.wait(lock, [&] { return task->is_done || waiting->is_closed; });
    return task->is_done ? task->answer : Failure("expected a run that is not over, found that it is over");
  };
  /// The same for work that is done at once.
  const auto between = [&from_then_on](std::function<Json()> work) {
    return from_then_on([now = std::move(work)](const GiveAnswer& give) { give(now); });
  };

  try {
    const std::string word = Text(request, "do");
    if (word == "status") return with_id(succeed(Status(run_)));
    if (word == "pause") {
      run_.Pause();
      return with_id(succeed(Status(run_)));
    }
    if (word == "resume") {
      run_.Resume();
      return with_id(succeed(Status(run_)));
    }
    if (word == "step") {
      const std::uint64_t passes = PassesOf(request);
      return with_id(from_then_on([this, passes, succeed](const GiveAnswer& give) {
        Step(passes, [give, succeed, this](const Error* error) {
          give([&] { return error != nullptr ? FailureOf(*error) : succeed(Status(run_)); });
        });
      }));
    }
    if (word == "end") {
      run_.RequestEnd(request.contains("reason") ? Text(request, "reason") : "asked by the operator");
      return with_id(succeed());
    }
    if (word == "list") return with_id(between([&] { return succeed(List(run_, desk_)); }));
    if (word == "balances") return with_id(between([&] { return succeed(BalancesJson(run_.Balances(), run_.Now())); }));
    if (word == "values" && request.contains("items")) {
      return with_id(between([&, names = Texts(request, "items")] {
        Json items = Json::object();
        for (const std::string& name : names) {
          try {
            items[name] = ValuesJson(desk_.Values(name));
          } catch (const Error& error) {
            items[name] = FailureOf(error);
          }
        }
        return succeed({{"items", std::move(items)}});
      }));
    }
    if (word == "values") {
      const std::string item = Text(request, "item");
      return with_id(between([&, item] { return succeed(ValuesJson(desk_.Values(item))); }));
    }
    if (word == "set") {
      const std::string component = Text(request, "component");
      const std::string key = Text(request, "key");
      const std::string value = ValueText(request, "value");
      return with_id(between([&, component, key, value] {
        desk_.SetArgument(component, key, value);
        return succeed();
      }));
    }
    if (word == "override") {
      const std::string item = Text(request, "item");
      const std::vector<double> values = Numbers(request, "values");
      return with_id(between([&, item, values] {
        desk_.Override(item, values);
        return succeed();
      }));
    }
    if (word == "free") {
      const std::string item = Text(request, "item");
      return with_id(between([&, item] {
        desk_.Free(item);
        return succeed();
      }));
    }
    if (word == "engage") {
      const std::string name = Text(request, "family");
      return with_id(from_then_on([this, name, succeed](const GiveAnswer& give) {
        run_.EngageBeside(name, [this, name, succeed, give](const Error* error) {
          give([&] {
            return error != nullptr ? FailureOf(*error) : succeed(FamilyJson(desk_.FamilyOf(name), run_.Model()));
          });
        });
      }));
    }
    if (word == "disengage" || word == "family") {
      const std::string name = Text(request, "family");
      return with_id(between([&, name, word] {
        if (word == "disengage") run_.Disengage(name);
        return succeed(FamilyJson(desk_.FamilyOf(name), run_.Model()));
      }));
    }
    if (word == "checkpoint") {
      return with_id(between([&] {
        run_.TakeCheckpoint();
        return succeed({{"now", TimeText(run_.Now())}});
      }));
    }
    throw ArgumentError({.item = "do"},
                        fmt::format("expected a request of the control socket, found '{}'", word.substr(0, 80)),
                        Suggest(word.substr(0, 80), kWords));
  } catch (const Error& error) {
    return with_id(FailureOf(error));
  } catch (const std::exception& error) {
    return with_id(Failure(error.what()));
  }
}

}  // namespace openmi
