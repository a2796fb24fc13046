#include "fmi-bridge/osmp/component/GroundTruth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <list>
#include <map>
#include <mutex>
#include <utility>

#include "fmi-bridge/archive/UnpackedArchive.hpp"
#include "fmi-bridge/osmp/packaging/Rules.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::osmp {
namespace {

struct Shared {
  std::mutex mutex;
  std::map<std::pair<std::filesystem::path, FileKey>, std::weak_ptr<const GroundTruth>> of_files;
  std::list<std::weak_ptr<const GroundTruth>> of_messages;
};

Shared& TheShared() {
  static Shared& shared = *new Shared;  // never destroyed: components may go after other statics
  return shared;
}

}  // namespace

std::shared_ptr<const GroundTruth> GroundTruth::Make(std::vector<std::byte> bytes, const std::string& name) {
  try {
    return std::shared_ptr<const GroundTruth>(new GroundTruth(std::move(bytes)));
  } catch (const osi::WireError& error) {
    throw FormatError({.file = name},
                      fmt::format("OSMP rule {}: expected an encoded GroundTruth, found: {}",
                                  RuleOf(RuleId::MessageEncoded).Number(), error.what()),
                      "give a file that holds one serialized osi3::GroundTruth and nothing else");
  }
}

std::shared_ptr<const GroundTruth> GroundTruth::OfFile(const std::filesystem::path& file) {
  const std::pair key(file, KeyOf(file));
  Shared& shared = TheShared();
  const std::lock_guard lock(shared.mutex);
  if (const auto found = shared.of_files.find(key); found != shared.of_files.end()) {
    if (auto alive = found->second.lock()) return alive;
  }
  std::erase_if(shared.of_files, [](const auto& one) { return one.second.expired(); });
  const std::uint64_t size = std::filesystem::file_size(file);
  if (size > osi::kLargestMessage) {
    throw FormatError({.file = file.string()},
                      fmt::format("OSMP rule {}: expected a message below 2 GiB, found one of {} bytes",
                                  RuleOf(RuleId::SizeBelowTwoGiB).Number(), size),
                      "leave out what the model does not need");
  }
  std::vector<std::byte> bytes(size);
  std::ifstream in(file, std::ios::binary);
  if (size == 0 || !in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
    throw FileError({.file = file.string()},
                    fmt::format("expected a file of one serialized osi3::GroundTruth, found one {}",
                                size == 0 ? "that is empty" : "that cannot be read"),
                    "name another file");
  }
  auto made = Make(std::move(bytes), file.string());
  shared.of_files[key] = made;
  return made;
}

std::shared_ptr<const GroundTruth> GroundTruth::OfMessage(osi::Message message, bool is_view, const std::string& name) {
  std::vector<std::byte> reduced;
  try {
    reduced = ReduceToStatic(message, is_view);
  } catch (const std::exception& error) {
    throw FormatError(
        {.item = name},
        fmt::format("OSMP rule {}: expected an encoded {}, found: {}", RuleOf(RuleId::MessageEncoded).Number(),
                    is_view ? "SensorView" : "GroundTruth", error.what()),
        "link an output that gives one");
  }
  Shared& shared = TheShared();
  const std::lock_guard lock(shared.mutex);
  std::erase_if(shared.of_messages, [](const auto& one) { return one.expired(); });
  for (const auto& one : shared.of_messages) {
    const auto alive = one.lock();
    if (alive != nullptr && std::ranges::equal(alive->Bytes(), reduced)) return alive;
  }
  auto made = Make(std::move(reduced), name);
  shared.of_messages.push_back(made);
  return made;
}

}  // namespace openmi::osmp
