#include "fmi-bridge/osmp/component/GroundTruth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <list>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/osmp/packaging/Rules.hpp"
#include "fmi-bridge/osmp/schema/MessageType.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/SharedByKey.hpp"

namespace openmi::osmp {
namespace {

struct Shared {
  SharedByKey<std::pair<std::filesystem::path, FileKey>, const GroundTruth> of_files;
  SharedByKey<std::string, const SharedTruth> of_models;
  std::mutex mutex;  // protects of_messages
  std::list<std::weak_ptr<const GroundTruth>> of_messages;
};

Shared& TheShared() {
  static Shared& shared = *new Shared;  // never destroyed: components may be destroyed after other statics
  return shared;
}

/// \throws osi::WireError  the message is malformed, or of another type
void RequireGroundTruth(osi::Message message) {
  const std::string other = osi::BetterFit(message, "GroundTruth");
  if (!other.empty()) throw osi::WireError(fmt::format("the bytes of a {}", other));
}

}  // namespace

GroundTruth::GroundTruth(std::vector<std::byte> bytes)
    : bytes_(std::move(bytes)),
      content_(bytes_),
      hash_(std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes_.data()), bytes_.size()})) {}

std::shared_ptr<GroundTruth> GroundTruth::Make(std::vector<std::byte> bytes, const std::string& name) {
  try {
    RequireGroundTruth(bytes);
    return std::shared_ptr<GroundTruth>(new GroundTruth(std::move(bytes)));
  } catch (const osi::WireError& error) {
    throw FormatError({.file = name},
                      fmt::format("OSMP rule {}: expected an encoded GroundTruth, found: {}",
                                  RuleOf(RuleId::MessageEncoded).Number(), error.what()),
                      "give a file that holds one serialized osi3::GroundTruth and nothing else");
  }
}

std::shared_ptr<const GroundTruth> GroundTruth::OfFile(const std::filesystem::path& file) {
  return TheShared().of_files.Get({file, KeyOf(file)}, [&] {
    if (std::filesystem::is_directory(file)) {
      throw FileError({.file = file.string()}, "expected a file of one serialized osi3::GroundTruth, found a folder",
                      "name the file in it");
    }
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
    std::set<std::string> left_out;
    std::vector<std::byte> reduced = ReduceToStatic(made->Bytes(), false, &left_out);
    if (!left_out.empty()) {
      made = Make(std::move(reduced), file.string());
      made->left_out_ = std::move(left_out);
    }
    return made;
  });
}

std::shared_ptr<const GroundTruth> GroundTruth::OfMessage(osi::Message message, bool is_view, const std::string& name) {
  std::vector<std::byte> reduced;
  try {
    if (!is_view) RequireGroundTruth(message);
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

std::shared_ptr<const SharedTruth> SharedTruth::Require(const std::string& model, const GroundTruth& truth,
                                                        const std::string& source) {
  const auto there = TheShared().of_models.Get(
      model, [&] { return std::shared_ptr<const SharedTruth>(new SharedTruth(truth.Hash(), source)); });
  if (there->hash_ == truth.Hash()) return there;
  throw FormatError({.item = "OSMPGroundTruthInit"},
                    fmt::format("OSMP rule {}: expected the same ground truth for all instances of the model, found "
                                "'{}' for one and '{}', with other bytes, for another",
                                RuleOf(RuleId::GroundTruthSame).Number(), there->source_, source),
                    "give all of them one file, or let each run in a process of its own (Isolation=\"instance\")");
}

}  // namespace openmi::osmp
