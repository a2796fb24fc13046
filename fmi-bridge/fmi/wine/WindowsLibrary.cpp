#include "fmi-bridge/fmi/wine/WindowsLibrary.hpp"

#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "fmi-bridge/fmi/wine/Shapes.hpp"

namespace openmi::fmi::wine {
namespace {

/// A function with the signature of the standard, which sends its parameters to the process of the instance.
/// \tparam kIndex  the index of its shape
template <std::size_t kIndex, const auto& kShapes, class Result, class... Parameters, class... Pieces>
Result Travel(RemoteInstance& instance, const std::tuple<Parameters...>& all, std::tuple<Pieces...>*) {
  const char* const name = std::get<kIndex>(kShapes).name;
  const auto each = [&]<std::size_t... I>(auto&& work, std::index_sequence<I...>) {
    (work(static_cast<Pieces*>(nullptr), std::get<I>(all)), ...);
  };
  constexpr auto kPlaces = std::index_sequence_for<Parameters...>{};
  LetterWriter& letter = instance.Letter();
  each([&]<class Piece>(Piece*, const auto& one) { Piece::Ask(letter, one, all, instance.Caller()); }, kPlaces);
  LetterReader reply = instance.Call(kIndex, name);
  try {
    const auto word = reply.Get<std::uint64_t>();
    each([&]<class Piece>(Piece*, const auto& one) { Piece::Take(reply, one, all); }, kPlaces);
    reply.End();
    if constexpr (!std::is_void_v<Result>) {
      Result result{};
      std::memcpy(&result, &word, sizeof result);
      return result;
    }
  } catch (const BadLetter&) {
    instance.Refuse(name);
  }
}

template <std::size_t kIndex, const auto& kShapes, class Shape>
struct RemoteFunction;  // of an instance, or one that makes an instance

/// Of a function of an instance.
template <std::size_t kIndex, const auto& kShapes, class Result, class... Parameters, class... Pieces>
struct RemoteFunction<kIndex, kShapes, Shape<Result(void*, Parameters...), Pieces...>> {
  static Result Call(void* component, Parameters... parameters) {
    auto& instance = *static_cast<RemoteInstance*>(component);
    using All = std::tuple<Self, Pieces...>*;
    if constexpr (std::is_void_v<Result>) {  // it frees the instance
      struct Drop {
        RemoteInstance& instance;
        ~Drop() { instance.Library().Drop(instance); }
      } drop{instance};
      Travel<kIndex, kShapes, Result>(instance, std::tuple(component, parameters...), All{});
    } else {
      return Travel<kIndex, kShapes, Result>(instance, std::tuple(component, parameters...), All{});
    }
  }
};

/// Of a function that makes an instance.
template <std::size_t kIndex, const auto& kShapes, class... Parameters, class... Pieces>
struct RemoteFunction<kIndex, kShapes, Shape<void*(const char*, Parameters...), Pieces...>> {
  static void* Call(const char* name, Parameters... parameters) {
    RemoteInstance& instance = WindowsLibrary::NewInstance();
    instance.SetName(name);
    void* made = nullptr;
    try {
      made = Travel<kIndex, kShapes, void*>(instance, std::tuple(name, parameters...),
                                            static_cast<std::tuple<Pieces...>*>(nullptr));
    } catch (...) {
      instance.Library().Drop(instance);
      throw;
    }
    if (made != nullptr) return &instance;
    instance.Library().Drop(instance);
    return nullptr;
  }
};

struct Entry {
  const char* name;
  void* address;
};

template <const auto& kShapes>
std::span<const Entry> Entries() {
  using All = std::remove_cvref_t<decltype(kShapes)>;
  static const auto entries = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array{
        Entry{std::get<I>(kShapes).name,
              reinterpret_cast<void*>(&RemoteFunction<I, kShapes, std::tuple_element_t<I, All>>::Call)}...};
  }
  (std::make_index_sequence<std::tuple_size_v<All>>{});
  return entries;
}

std::span<const Entry> EntriesOf(std::uint32_t version) {
  return version == 1 ? Entries<kShapes1>() : version == 2 ? Entries<kShapes2>() : Entries<kShapes3>();
}

}  // namespace

thread_local WindowsLibrary* WindowsLibrary::chosen_ = nullptr;

WindowsLibrary::WindowsLibrary(std::filesystem::path file, std::uint32_t version, std::string prefix)
    : file_(std::move(file)), version_(version), prefix_(std::move(prefix)) {}

void WindowsLibrary::Start() {
  const std::lock_guard starting(starting_);
  if (!functions_.empty()) return;
  auto first = std::make_unique<RemoteInstance>(*this, file_, version_, prefix_);
  functions_ = first->Functions();
  const std::lock_guard lock(mutex_);
  first_ = std::move(first);
}

void* WindowsLibrary::Find(const char* name) const {
  const auto entries = EntriesOf(version_);
  for (std::size_t i = 0; i < entries.size() && i < functions_.size(); ++i) {
    if (functions_[i] && std::string_view(entries[i].name) == name) return entries[i].address;
  }
  return nullptr;
}

RemoteInstance& WindowsLibrary::New() {
  std::unique_ptr<RemoteInstance> made;
  {
    const std::lock_guard lock(mutex_);
    made = std::move(first_);
  }
  if (made == nullptr) made = std::make_unique<RemoteInstance>(*this, file_, version_, prefix_);
  const std::lock_guard lock(mutex_);
  return *instances_.emplace_back(std::move(made));
}

void WindowsLibrary::Drop(RemoteInstance& instance) {
  std::list<std::unique_ptr<RemoteInstance>> dropped;  // its process ends without the lock
  const std::lock_guard lock(mutex_);
  for (auto one = instances_.begin(); one != instances_.end(); ++one) {
    if (one->get() != &instance) continue;
    dropped.splice(dropped.end(), instances_, one);
    return;
  }
}

}  // namespace openmi::fmi::wine
