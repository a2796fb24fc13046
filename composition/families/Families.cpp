#include "composition/families/Families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/items/NumericInput.hpp"

namespace openmi {
namespace {

/// The file name of a library; any other key unchanged.
std::string ShortKey(const Family& family) {
  const std::filesystem::path path(family.key);
  return path.has_parent_path() ? path.filename().string() : family.key;
}

void KeepReported(Family& family, const Problems& problems) {
  family.told.clear();
  for (const Problem& problem : problems) {
    if (problem.problem != family.problem) family.told.push_back(problem.problem);
  }
}

}  // namespace

Families::Families(Composition& composition) : composition_(composition) {
  for (std::size_t i = 0; i < composition.Instances().size(); ++i) {
    const Instance& instance = composition.Instances()[i];
    if (!instance.IsThere()) continue;
    const std::string key = FamilyKeyOf(instance.loaded);
    auto found = std::ranges::find(families_, key, &Family::key);
    if (found == families_.end()) {
      families_.emplace_back().key = key;
      found = families_.end() - 1;
    }
    found->members.push_back(i);
  }
  members_.resize(families_.size());
  starts_.resize(families_.size());
}

Families::~Families() {
  for (std::size_t i = 0; i < families_.size(); ++i) {
    if (Join(i) != nullptr) GiveUp(i);
  }
}

std::unique_ptr<Families::Start> Families::Join(std::size_t index) {
  std::unique_ptr<Start> start = std::move(starts_[index]);
  if (start == nullptr) return nullptr;
  if (start->thread.joinable()) start->thread.join();
  families_[index].is_starting = false;
  for (const auto& member : members_[index]) member->TakeUp();
  return start;
}

void Families::GiveUp(std::size_t index) {
  for (const auto& member : members_[index]) member->Undo();
  Unload(index);
}

void Families::MakeMembers(std::size_t index, Start& start) {
  try {
    for (const auto& member : members_[index]) member->Make();
  } catch (const Error& error) {
    start.failure.emplace(error.Place(), error.Problem(), error.Remedy());
  } catch (const std::exception& error) {
    start.failure.emplace(Where{.file = families_[index].key}, error.what());
  }
}

bool Families::BeginEngage(const std::string& name, Stamp now, bool always, std::function<void()> is_done) {
  const std::size_t index = IndexOf(name);
  Family& family = families_[index];
  const auto& members = members_[index];
  if (family.status == FamilyStatus::Engaged) return false;
  if (starts_[index] != nullptr) return true;
  const bool may = always || std::ranges::all_of(members, [](const auto& member) { return member->MayStartBeside(); });
  if (!may) return false;
  for (const auto& member : members) member->Plan(now);
  family.is_starting = true;
  starts_[index] = std::make_unique<Start>();
  Start& start = *starts_[index];
  try {
    start.thread = std::thread([this, index, &start, told = std::move(is_done)] {
      MakeMembers(index, start);
      start.is_over = true;
      if (told) told();
    });
  } catch (const std::system_error&) {  // no thread can be created: Engage makes the members
    starts_[index].reset();
    family.is_starting = false;
    return false;
  }
  return true;
}

const Family* Families::NextMade() const {
  for (std::size_t i = 0; i < families_.size(); ++i) {
    if (starts_[i] != nullptr && starts_[i]->is_over) return &families_[i];
  }
  return nullptr;
}

std::size_t Families::IndexOf(const std::string& name) const {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < families_.size(); ++i) {
    if (families_[i].key == name) return i;
  }
  for (std::size_t i = 0; i < families_.size(); ++i) {
    for (std::size_t member : families_[i].members) {
      known.push_back(composition_.Instances()[member].Id());
      if (known.back() == name) return i;
    }
  }
  for (std::size_t i = 0; i < families_.size(); ++i) {
    known.push_back(ShortKey(families_[i]));
    if (known.back() == name) return i;
  }
  throw ArgumentError({.file = composition_.File().path.string()},
                      fmt::format("expected a family or a component, found '{}'", name), Suggest(name, known));
}

std::string Families::TextOf(const std::string& name) const {
  const Family& family = Find(name);
  std::string members;
  constexpr std::size_t kMost = 5;
  for (std::size_t i = 0; i < std::min(family.members.size(), kMost); ++i) {
    members += (i == 0 ? "" : ", ") + composition_.Instances()[family.members[i]].Id();
  }
  if (family.members.size() > kMost) members += fmt::format(" and {} more", family.members.size() - kMost);
  return fmt::format("{} ({})", ShortKey(family), members);
}

void Families::ReportBeginnings(std::size_t index, Problems& problems) const {
  std::map<std::string, std::pair<std::string, bool>> told;  // who, and whether a state was to be kept
  for (const auto& member : members_[index]) {
    const std::string text = member->Beginning();
    if (text.empty()) continue;
    auto& [who, is_lost] = told[text];
    who += (who.empty() ? "" : ", ") + member->Id();
    is_lost = is_lost || member->HasLostState();
  }
  for (const auto& [text, of] : told) {
    const auto add = of.second ? AddWarning : AddNote;
    add(problems, {.file = families_[index].key}, of.first + " " + text, "");
  }
}

void Families::RequireUnloadable(const Family& family) const {
  constexpr char kRemedy[] =
      "build the library with openmi_add_component, whose version script exports its entry point only";
  for (std::size_t member : family.members) {
    const Instance& instance = composition_.Instances()[member];
    // A component that names its family itself manages the code that it loaded.
    if (instance.loaded.library == nullptr || instance.loaded.library->Path() != family.key) continue;
    const LibraryFile& file = instance.loaded.library->File();
    const Where where{.file = family.key};
    if (!file.unique.empty()) {
      throw LoadError(where,
                      fmt::format("expected a library that can be unloaded, found one that would stay in memory for {} "
                                  "unique symbol{}: {}{}",
                                  file.unique.size(), file.unique.size() == 1 ? "" : "s", file.unique.front(),
                                  file.unique.size() > 1 ? ", ..." : ""),
                      kRemedy);
    }
    if (file.stays_loaded) {
      throw LoadError(where,
                      "expected a library that can be unloaded, found one that asks to stay in memory (DF_1_NODELETE)",
                      "link it without -z nodelete");
    }
    return;  // all members have the same library
  }
}

std::vector<std::size_t> Families::UpstreamFirst(const Family& family) const {
  const std::set<std::size_t> members(family.members.begin(), family.members.end());
  std::vector<std::size_t> ordered;
  for (std::size_t number : composition_.Graph().UpstreamFirst()) {
    if (members.contains(number)) ordered.push_back(number);
  }
  return ordered;
}

void Families::NotifyExchanged() {
  for (IExchangeListener* listener : composition_.Listeners()) listener->OnExchanged();
}

Problems Families::Disengage(const std::string& name) {
  const std::size_t index = IndexOf(name);
  Family& family = families_[index];
  if (family.status == FamilyStatus::Disengaged) {
    if (Join(index) != nullptr) GiveUp(index);
    return {};
  }
  RequireUnloadable(family);
  std::vector<std::unique_ptr<FamilyMember>>& members = members_[index];
  members.clear();
  for (std::size_t number : UpstreamFirst(family)) {
    members.push_back(std::make_unique<FamilyMember>(composition_, number));
  }
  for (const auto& member : members) member->Freeze();
  Problems problems = TakeOut(index);
  KeepReported(family, problems);
  family.status = FamilyStatus::Disengaged;
  ++family.disengagements;
  ++disengaged_;
  NotifyExchanged();
  return problems;
}

Problems Families::TakeOut(std::size_t index) {
  Family& family = families_[index];
  Problems problems;
  const auto tell = [&](const std::string& text) {
    if (!text.empty()) AddWarning(problems, {.file = family.key}, text);
  };
  for (const auto& member : members_[index]) {
    tell(member->Keep());
    for (IExchangeListener* listener : composition_.Listeners()) listener->OnLeaving(member->Number());
  }
  for (const auto& member : members_[index]) member->Detach();
  std::string image;
  std::string path;
  for (const auto& member : members_[index]) {
    if (const auto& library = member->TheInstance().loaded.library;
        library != nullptr && library->Path() == family.key) {
      image = library->ImageName();
      path = library->Path();
    }
    tell(member->Leave());
  }
  Unload(index);
  family.problem.clear();
  if (!image.empty() && SharedLibrary::IsStillLoaded(image)) {
    std::string remedy = "end all that still uses it";
    for (const PinnedLibrary& pinned : SharedLibrary::Pinned()) {
      if (pinned.path == path) remedy = pinned.remedy;
    }
    family.problem = fmt::format("expected '{}' to be out of memory, found it still there; {}", path, remedy);
    tell(family.problem);
  }
  return problems;
}

Problems Families::Engage(const std::string& name, Stamp now) {
  const std::size_t index = IndexOf(name);
  Family& family = families_[index];
  if (family.status == FamilyStatus::Engaged) return {};
  std::vector<std::unique_ptr<FamilyMember>>& members = members_[index];
  Problems problems;
  std::unique_ptr<Start> start = Join(index);
  if (start == nullptr) {
    start = std::make_unique<Start>();
    for (const auto& member : members) member->Plan(now);
    MakeMembers(index, *start);
    for (const auto& member : members) member->TakeUp();
  }
  std::optional<ModelError>& failure = start->failure;
  if (!failure) {
    try {
      for (const auto& member : members) member->RequireCodeOf(family.key);
      for (const auto& member : members) member->Connect();
      for (const auto& member : members) member->Start(now);
      for (const auto& member : members) member->Show();
      for (const auto& member : members) member->CatchUp(now);
    } catch (const Error& error) {
      failure.emplace(error.Place(), error.Problem(), error.Remedy());
    } catch (const std::exception& error) {
      failure.emplace(Where{.file = family.key}, error.what());
    }
  }
  if (failure) {
    GiveUp(index);
    family.told.clear();
    family.problem = failure->what();
    throw *failure;
  }
  ReportBeginnings(index, problems);
  KeepReported(family, problems);
  members.clear();
  family.problem.clear();
  family.status = FamilyStatus::Engaged;
  --disengaged_;
  NotifyExchanged();
  return problems;
}

bool Families::SetArgument(const std::string& component, const std::string& key, const std::string& value) {
  for (std::size_t i = 0; i < families_.size(); ++i) {
    for (const auto& member : members_[i]) {
      if (member->Id() != component) continue;
      if (starts_[i] == nullptr) return member->SetArgument(key, value);
      throw StateError({.component = component, .item = key},
                       "expected a component whose family is disengaged, found one that is being engaged",
                       "set it before its family is engaged");
    }
  }
  Find(component);
  throw StateError({.component = component, .item = key},
                   "expected a component whose family is disengaged, found one that takes part in the run",
                   "disengage its family first");
}

void Families::Unload(std::size_t index) {
  composition_.EndThread(families_[index].key);
  for (const auto& member : members_[index]) member->Unload();
}

void Families::MoveTo(Stamp now) {
  if (composition_.HeldCount() > 0) {
    // Else the providers of what failed would keep each row from then on.
    for (const Instance& instance : composition_.Instances()) {
      if (instance.host == nullptr || !instance.host->IsHeld()) continue;
      for (IBaseInput* input : instance.host->Inputs()) {
        auto* numeric = dynamic_cast<NumericInput*>(input);
        if (numeric != nullptr && Before(numeric->EarliestNeeded(), now)) numeric->MoveHorizon(now);
      }
    }
  }
  if (disengaged_ == 0) return;
  for (std::size_t i = 0; i < families_.size(); ++i) {
    if (families_[i].status != FamilyStatus::Disengaged || starts_[i] != nullptr) continue;
    for (const auto& member : members_[i]) member->MoveHorizon(now);
  }
}

}  // namespace openmi
