#include "studio/Studio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "composition/check/ChildAnswer.hpp"
#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Error.hpp"
#include "studio/Background.hpp"
#include "studio/Contents.hpp"
#include "studio/LiveRun.hpp"
#include "studio/ModelJson.hpp"
#include "studio/edit/Document.hpp"
#include "studio/server/Gate.hpp"
#include "studio/server/WebServer.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kBetweenLooks = 0.7;  // s, at files that may have been changed elsewhere

std::string Text(const nlohmann::json& request, const char* key) {
  const auto found = request.find(key);
  if (found == request.end() || !found->is_string()) {
    throw ArgumentError({.item = key}, fmt::format("expected a text '{}' in the request, found none", key),
                        "reload the page");
  }
  return found->get<std::string>();
}

bool IsFlag(const nlohmann::json& request, const char* key) {
  const auto found = request.find(key);
  return found != request.end() && found->is_boolean() && found->get<bool>();
}

Json FailureOf(const Error& error) {
  Json answer = {{"ok", false}, {"error", Error::Format(error.Place(), error.Problem(), {})}};
  if (!error.Remedy().empty()) answer["remedy"] = error.Remedy();
  return answer;
}

}  // namespace

class Studio::Impl {
 public:
  explicit Impl(StudioSettings settings)
      : settings_(std::move(settings)),
        document_(settings_.composition),
        server_(settings_.port,
                {.get = [this](std::string_view path, WebContent& content) { return Get(path, content); },
                 .opened = [this](WebServer::Client client) { Greet(client); },
                 .received = [this](WebServer::Client client, const std::string& text) { Receive(client, text); },
                 .closed = [this](WebServer::Client) { MayStopWatching(); }}) {
    server_.Every(kBetweenLooks, [this] { LookOutside(); });
    InspectNow();
  }

  ~Impl() {
    if (run_) run_->Kill();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  WebServer& Server() { return server_; }

 private:
  std::filesystem::path Folder() const { return document_.Path().parent_path(); }

  bool Get(std::string_view path, WebContent& content) const {
    constexpr std::string_view kFiles = "/files/";
    if (!path.starts_with(kFiles)) return PageFile(path, content);
    const auto file = FileInFolder(Folder(), path.substr(kFiles.size()));
    return file && FolderFile(*file, content);
  }

  void Greet(WebServer::Client client) {
    SendTo(client, DocumentEvent());
    if (!inspection_.is_null()) SendTo(client, InspectionEvent());
    if (run_) SendTo(client, {{"event", "run"}, {"state", run_state_}, {"results", results_}});
    if (outside_ == Document::Outside::Conflict) SendTo(client, OutsideEvent());
  }

  Json DocumentEvent() const {
    Json event = {{"event", "document"}, {"file", document_.Path().filename().string()}, {"is_checking", IsChecking()}};
    event["model"] = ModelJson(document_, described_);
    return event;
  }

  Json InspectionEvent() const {
    Json event = inspection_;
    event["is_checking"] = IsChecking();
    return event;
  }

  /// Whether what is known of problems is that of an older text.
  bool IsChecking() const { return is_inspecting_ || document_.Text() != inspected_; }

  Json OutsideEvent() const {
    return {{"event", "outside"}, {"theirs", document_.OutsideText()}, {"mine", document_.Text()}};
  }

  void SendTo(WebServer::Client client, const Json& message) {
    server_.Send(client, std::make_shared<const std::string>(JsonText(message, -1)));
  }

  /// Tells all pages what the document is now, and checks it.
  void Changed() {
    server_.SendAll(JsonText(DocumentEvent(), -1));
    if (document_.Text() != inspected_) InspectNow();
  }

  // Checks the text as it is; while a check goes on, the next one waits and takes the newest text.
  void InspectNow() {
    if (is_inspecting_) return;
    is_inspecting_ = true;
    inspected_ = document_.Text();
    server_.SendAll(JsonText({{"event", "inspecting"}}, -1));
    checks_.Do([this, text = inspected_, path = document_.Path()] {
      Json found;
      try {
        found = InspectSafely(path, text, settings_.ask);
      } catch (const Error& error) {
        Problems problems;
        AddError(problems, error.Place(), error.Problem(), error.Remedy());
        found = {{"components", Json::object()}, {"problems", ToJson(problems)}};
      }
      server_.Post([this, found = std::move(found)]() mutable {
        found["event"] = "inspection";
        const bool is_new = described_ != found["components"];
        described_ = found["components"];
        inspection_ = std::move(found);
        if (is_new) server_.SendAll(JsonText(DocumentEvent(), -1));  // boxes have another size now
        is_inspecting_ = false;
        server_.SendAll(JsonText(InspectionEvent(), -1));
        if (document_.Text() != inspected_) InspectNow();
      });
    });
  }

  void LookOutside() {
    const Document::Outside before = outside_;
    const std::string theirs = document_.OutsideText();
    outside_ = document_.LookOutside();
    if (outside_ == Document::Outside::Taken) {
      server_.SendAll(JsonText({{"event", "taken"}}, -1));
      Changed();
    } else if (outside_ == Document::Outside::Conflict &&
               (before != Document::Outside::Conflict || theirs != document_.OutsideText())) {
      server_.SendAll(JsonText(OutsideEvent(), -1));
    }
  }

  void Receive(WebServer::Client client, const std::string& text) {
    const nlohmann::json request = nlohmann::json::parse(text, nullptr, false);
    const nlohmann::json id = request.is_object() ? request.value("id", nlohmann::json()) : nlohmann::json();
    const auto answer = [this, client, id](Json json) {
      if (!json.contains("ok")) json["ok"] = true;
      json["id"] = id;
      SendTo(client, json);
    };
    try {
      if (!request.is_object()) throw ArgumentError({}, "expected an object of JSON, found something else");
      Do(request, answer);
    } catch (const Error& error) {
      answer(FailureOf(error));
    } catch (const std::exception& error) {  // of the JSON library, and of files
      answer({{"ok", false}, {"error", error.what()}});
    }
  }

  using Answer = std::function<void(Json)>;

  void Do(const nlohmann::json& request, const Answer& answer) {
    const std::string word = Text(request, "do");
    if (word == "edit") {
      ApplyEdits(document_, request.value("edits", nlohmann::json()));
      answer(Json::object());
      Changed();
    } else if (word == "undo" || word == "redo") {
      word == "undo" ? document_.Undo() : document_.Redo();
      answer(Json::object());
      Changed();
    } else if (word == "save") {
      document_.Save();
      answer(Json::object());
      Changed();
    } else if (word == "take-outside" || word == "keep-mine") {
      word == "keep-mine" ? document_.KeepMine() : document_.TakeOutside();
      outside_ = Document::Outside::Nothing;
      answer(Json::object());
      Changed();
    } else if (word == "text") {
      answer({{"text", document_.Text()}});
    } else if (word == "palette") {
      Json entries = FindPalette(Folder());
      answer({{"entries", entries}, {"files", FindData(Folder())}});
      TellPurposes(entries);
    } else if (word == "runs") {
      answer({{"runs", FindRuns(Folder())}, {"studies", FindStudies(Folder())}});
    } else if (word == "adaptors" || word == "map" || word == "weights") {
      Ask(request, answer);
    } else if (word == "run") {
      StartRun(request);
      answer({{"results", results_}});
    } else if (word == "watch") {
      Watch(request);
      answer(Json::object());
    } else if (word == "control") {
      Control(request, answer);
    } else if (word == "to") {
      const double mjd = ParseIsoTime(Text(request, "time")).mjd;
      WithRun(answer, [this, mjd](LiveRun& run) {
        run.RunTo(mjd);
        return Tell(run.Ask({{"do", "status"}}));
      });
    } else {
      throw ArgumentError({.item = "do"}, fmt::format("expected a request, found '{}'", word), "reload the page");
    }
  }

  /// Tells all pages what the components that come with the SDK are for, in their own words, which a child process is
  /// asked for once.
  void TellPurposes(const Json& entries) {
    if (!purposes_.is_null()) return server_.SendAll(JsonText({{"event", "purposes"}, {"of", purposes_}}, -1));
    questions_.Do([this, entries] {
      Json found = Json::object();
      for (const Json& entry : entries) {
        if (!entry.contains("omi")) continue;
        const ChildAnswer child = settings_.ask({{"do", "describe"}, {"file", entry["omi"]}});
        if (!child.IsThere() || !child.value.is_object() || !child.value.contains("component")) continue;
        const std::string text = child.value["component"].value("description", "");
        if (!text.empty()) found[entry["name"].get<std::string>()] = text;
      }
      server_.Post([this, found = std::move(found)]() mutable {
        purposes_ = std::move(found);
        server_.SendAll(JsonText({{"event", "purposes"}, {"of", purposes_}}, -1));
      });
    });
  }

  /// Asks a child process about the text as it is now.
  void Ask(const nlohmann::json& request, const Answer& answer) {
    nlohmann::json question = {
        {"do", Text(request, "do")}, {"path", document_.Path().string()}, {"text", document_.Text()}};
    for (const char* key : {"from", "to", "item"}) {
      if (request.contains(key)) question[key] = Text(request, key);
    }
    if (request.contains("at") && request["at"].is_number_unsigned()) question["at"] = request["at"];
    questions_.Do([this, question = std::move(question), answer] {
      const ChildAnswer child = settings_.ask(question);
      Json found = child.IsThere() ? child.value
                                   : Json{{"error", "expected an answer, found that the process " + child.sentence}};
      if (found.contains("error")) found["ok"] = false;
      server_.Post([answer, found = std::move(found)] { answer(found); });
    });
  }

  std::filesystem::path NewResults() const {
    const std::filesystem::path folder = Folder() / "results";
    std::filesystem::path results;
    for (int number = 1; std::filesystem::exists(results = folder / fmt::format("run-{}", number)); ++number) {
    }
    return results;
  }

  /// The folder of a run that can go on.
  std::filesystem::path CheckpointFolder(const std::string& name) const {
    for (const Json& run : FindRuns(Folder())) {
      if (run["folder"] == name && run.contains("checkpoint")) return Folder() / name;
    }
    throw ArgumentError({.item = "resume"},
                        fmt::format("expected a folder with a checkpoint, found none in '{}'", name),
                        "start a new run");
  }

  void StartRun(const nlohmann::json& request) {
    if (run_ && !run_->IsOver()) {
      throw StateError({}, "expected no run to be going on, found one", "end it first");
    }
    const std::filesystem::path results =
        request.contains("resume") ? CheckpointFolder(Text(request, "resume")) : NewResults();
    document_.Save();
    Changed();
    results_ = results.lexically_relative(Folder()).generic_string();
    run_.reset();
    run_state_ = "starting";
    server_.SendAll(JsonText({{"event", "run"}, {"state", run_state_}, {"results", results_}}, -1));
    const std::size_t number = ++runs_;
    run_ = std::make_shared<LiveRun>(LiveRun::Settings{.program = settings_.program,
                                                       .composition = document_.Path(),
                                                       .results = results,
                                                       .starts_paused = IsFlag(request, "paused")},
                                     [this, number](Json event) {
                                       server_.Post([this, number, event = std::move(event)]() mutable {
                                         if (number != runs_) return;  // of an earlier run
                                         if (event["event"] == "run") {
                                           run_state_ = event["state"].get<std::string>();
                                           event["results"] = results_;
                                         }
                                         server_.SendAll(JsonText(event, -1));
                                       });
                                     });
    run_->Watch(watched_);
  }

  void Watch(const nlohmann::json& request) {
    const auto texts = [&request](const char* key) {
      std::vector<std::string> list;
      const nlohmann::json items = request.value(key, nlohmann::json::array());
      if (!items.is_array()) return list;
      for (const nlohmann::json& item : items) {
        if (item.is_string()) list.push_back(item.get<std::string>());
      }
      return list;
    };
    watched_ = {.items = texts("items"), .maps = texts("maps"), .balances = IsFlag(request, "balances")};
    if (run_) run_->Watch(watched_);
  }

  void MayStopWatching() {
    if (server_.Pages() == 0) Watch(nlohmann::json::object());
  }

  /// Sends the run a request of its control socket.
  void Control(const nlohmann::json& request, const Answer& answer) {
    nlohmann::json line = request.value("request", nlohmann::json());
    if (!line.is_object()) throw ArgumentError({.item = "request"}, "expected a request for the run, found none");
    if (run_) run_->EndRunTo();
    WithRun(answer, [this, line = std::move(line)](LiveRun& run) { return Tell(run.Ask(line)); });
  }

  /// Tells all pages the state in an answer of the run. \returns the answer
  Json Tell(const nlohmann::json& told) {
    if (told.is_object() && told.contains("state") && told["state"].is_string()) {
      server_.Post([this, told] {
        run_state_ = told["state"].get<std::string>();
        server_.SendAll(
            JsonText({{"event", "run"}, {"state", run_state_}, {"status", told}, {"results", results_}}, -1));
      });
    }
    return Json(told);
  }

  /// Does work with the run on another thread, since a run may take its time to answer.
  void WithRun(const Answer& answer, std::function<Json(LiveRun&)> work) {
    if (!run_ || run_->IsOver()) throw StateError({}, "expected a run that goes on, found none", "start one");
    controls_.Do([this, run = run_, answer, work = std::move(work)]() mutable {
      Json told;
      try {
        told = work(*run);
      } catch (const Error& error) {
        told = FailureOf(error);
      } catch (const std::exception& error) {
        told = {{"ok", false}, {"error", error.what()}};
      }
      server_.Post([answer, told = std::move(told)] { answer(told); });
    });
  }

  StudioSettings settings_;
  Document document_;
  Document::Outside outside_ = Document::Outside::Nothing;
  Json described_ = Json::object();
  Json inspection_ = nullptr;
  Json purposes_ = nullptr;  // of components that come with the SDK, by their names
  std::string inspected_;    // the text of the last check
  bool is_inspecting_ = false;
  LiveWatch watched_;
  std::string run_state_;
  std::string results_;  // of the last run, below the folder
  std::size_t runs_ = 0;
  WebServer server_;
  std::shared_ptr<LiveRun> run_;
  // Threads last: they use the others.
  Background checks_;
  Background questions_;
  Background controls_;
};

Studio::Studio(StudioSettings settings) : impl_(std::make_unique<Impl>(std::move(settings))) {}
Studio::~Studio() = default;

std::string Studio::Address() const {
  return impl_->Server().Address();
}

std::uint16_t Studio::Port() const {
  return impl_->Server().Port();
}

void Studio::Run() {
  impl_->Server().Run();
}

void Studio::Stop() {
  impl_->Server().Stop();
}

}  // namespace openmi
