#include "study/run/StudyJournal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "composition/results/FileProblem.hpp"
#include "composition/results/JournalBlock.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

/// The first eight bytes; the last byte is the version of the form.
constexpr std::string_view kMagic = "OPENMIS\1";
constexpr std::uint64_t kLargest = std::uint64_t{1} << 40;  // of a block: more is damage

enum Kind : std::uint32_t { kInfo = 1, kShape = 2, kStart = 3, kEnd = 4, kObservations = 5, kRetry = 6 };
constexpr std::uint32_t kLastKind = 64;  // of later forms, too

std::string_view BytesAsText(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
StateReader ReaderOf(std::string_view bytes) {
  return StateReader(ByteView(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()));
}

/// A block: its head, and a body that is filled up to a multiple of 8.
void MakeBlock(std::uint32_t kind, std::string_view body, std::string& block) {
  block.assign(sizeof(JournalBlock), '\0');
  block += body;
  block.resize((block.size() + 7) / 8 * 8, '\0');
  JournalBlock head{.kind = static_cast<JournalBlockKind>(kind), .length = block.size() - sizeof(JournalBlock)};
  head.check = JournalCheck(head, std::string_view(block).substr(sizeof head));
  std::memcpy(block.data(), &head, sizeof head);
}

/// The file of a journal, and its length.
struct OpenJournal {
  int file = -1;
  const std::filesystem::path& path;
  std::uint64_t size = 0;
};

/// \returns false if the file ends before
/// \throws FileError  the disk cannot read it
bool ReadAt(const OpenJournal& journal, std::uint64_t offset, char* into, std::size_t size) {
  for (std::size_t got = 0; got < size;) {
    const ssize_t count = pread(journal.file, into + got, size - got, static_cast<off_t>(offset + got));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) ThrowFileProblem(journal.path, "read the journal of a study", errno);
    if (count == 0) return false;
    got += static_cast<std::size_t>(count);
  }
  return true;
}

/// Reads the block at `offset`; false if it is cut off or damaged.
bool ReadBlock(const OpenJournal& file, std::uint64_t offset, JournalBlock& head, std::string& body) {
  const std::uint64_t size = file.size;
  if (offset + sizeof head > size || !ReadAt(file, offset, reinterpret_cast<char*>(&head), sizeof head)) return false;
  if (head.length > kLargest || head.length % 8 != 0 || offset + sizeof head + head.length > size) return false;
  body.resize(head.length);
  if (!ReadAt(file, offset + sizeof head, body.data(), body.size())) return false;
  return JournalCheck(head, body) == head.check;
}

}  // namespace

StudyJournalReader::StudyJournalReader(const std::filesystem::path& path) : path_(path) {
  file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) ThrowFileProblem(path, "read the journal of a study", errno);
  try {
    ReadBlocks();
  } catch (...) {
    close(file_);
    throw;
  }
}

StudyJournalReader::~StudyJournalReader() {
  if (file_ >= 0) close(file_);
}

void StudyJournalReader::ReadBlocks() {
  const off_t end = lseek(file_, 0, SEEK_END);
  if (end < 0) ThrowFileProblem(path_, "read the journal of a study", errno);
  size_ = static_cast<std::uint64_t>(end);
  const OpenJournal file{file_, path_, size_};
  char magic[8] = {};
  if (size_ < sizeof magic || !ReadAt(file, 0, magic, sizeof magic) || std::string_view(magic, 8) != kMagic) {
    throw FormatError({.file = path_.string()}, "expected the journal of a study, found something else",
                      "name the folder of results of openmi study run");
  }
  valid_ = sizeof magic;
  JournalBlock head;
  std::string body;
  while (ReadBlock(file, valid_, head, body)) {
    try {
      Take(static_cast<std::uint32_t>(head.kind), body, valid_);
    } catch (const FormatError&) {
      break;
    }
    valid_ += sizeof head + head.length;
    ++blocks_;
  }
}

bool StudyJournalReader::IsDamaged() const {
  constexpr std::uint64_t kPiece = 1 << 20;
  const OpenJournal file{file_, path_, size_};
  std::string piece;
  std::string body;
  JournalBlock head;
  for (std::uint64_t begin = valid_; begin + sizeof head <= size_; begin += kPiece) {
    piece.resize(std::min(kPiece + sizeof head, size_ - begin));
    if (!ReadAt(file, begin, piece.data(), piece.size())) return false;
    for (std::uint64_t i = 0; i < kPiece && i + sizeof head <= piece.size(); i += 8) {  // as blocks are placed
      std::memcpy(&head, piece.data() + i, sizeof head);
      const auto kind = static_cast<std::uint32_t>(head.kind);
      // What is no head shows by its first number, before a body is read.
      if (kind >= kInfo && kind <= kLastKind && head.series == 0 && ReadBlock(file, begin + i, head, body)) return true;
    }
  }
  return false;
}

void StudyJournalReader::Take(std::uint32_t kind, const std::string& body, std::uint64_t offset) {
  StateReader reader = ReaderOf(body);
  const auto member_place = [&](std::uint64_t member) -> MemberPlace& {
    // Members start in order, each with a block, so a larger number is damage. It must not decide about memory.
    if (member > blocks_) throw FormatError({}, "expected the number of a member");
    if (members_.size() <= member) {
      members_.resize(member + 1);
      starts_.resize(member + 1, 0);
    }
    return members_[member];
  };
  switch (kind) {
    case kInfo: {
      const std::vector<std::string> texts = LoadTexts(reader);
      if (texts.size() != 3) throw FormatError({}, "expected three texts of a study");
      info_ = {texts[0], texts[1], texts[2], LoadTexts(reader)};
      return;
    }
    case kShape: {
      const std::string bytes = reader.ReadText();
      shapes_[HashOf(bytes)] = SeriesShape::FromBytes(bytes);
      return;
    }
    case kStart: {
      const auto member = static_cast<std::uint64_t>(reader.ReadInteger());
      member_place(member);
      ++starts_[member];
      return;
    }
    case kEnd: {
      MemberResult result;
      result.Load(reader);
      MemberPlace& place = member_place(result.member);
      if (place.offset == 0) ++done_;
      place = {offset, result.end};
      return;
    }
    case kRetry: {
      MemberPlace& place = member_place(static_cast<std::uint64_t>(reader.ReadInteger()));
      if (place.offset != 0) --done_;
      place = {};
      return;
    }
    case kObservations:
      observations_ = LoadObservations(reader);
      return;
    default:
      throw FormatError({}, "expected a known block");
  }
}

std::optional<MemberResult> StudyJournalReader::Read(std::uint64_t member) const {
  if (member >= members_.size() || members_[member].offset == 0) return std::nullopt;
  JournalBlock head;
  std::string body;
  if (!ReadBlock({file_, path_, valid_}, members_[member].offset, head, body)) {
    throw FormatError({.file = path_.string()},
                      fmt::format("expected the result of member {}, found damage", member + 1),
                      "run openmi study resume");
  }
  StateReader reader = ReaderOf(body);
  MemberResult result;
  result.Load(reader);
  return result;
}

StudyJournal::StudyJournal(std::filesystem::path path, const StudyInfo& info, bool overwrite)
    : file_(std::move(path), overwrite ? AppendFile::Existing::Overwrite : AppendFile::Existing::Refuse) {
  if (const int error = file_.Write(kMagic); error != 0) ThrowFileProblem(file_.Path(), "write the journal", error);
  StateWriter body;
  SaveTexts(body, {info.study_text, info.composition_text, info.table_hash});
  SaveTexts(body, info.variables);
  Append(kInfo, body.Bytes());
  Sync();
}

StudyJournal::StudyJournal(std::filesystem::path path) : file_(std::move(path), std::uint64_t{0}) {}

void StudyJournal::GoOn(const StudyJournalReader& reader) {
  if (reader.IsDamaged()) {
    const std::uint64_t at = reader.ValidBytes();
    throw FormatError({.file = file_.Path().string()},
                      fmt::format("expected whole blocks to the end of the journal, found damage at byte {} before "
                                  "others that are whole",
                                  at),
                      fmt::format("restore the file from a copy; or give up what is behind the damage (truncate "
                                  "--size={} {}), and openmi study resume runs those members again",
                                  at, file_.Path().string()));
  }
  file_.CutBack(reader.ValidBytes());
  has_observations_ = !reader.Observations().empty();
  for (const auto& [hash, shape] : reader.Shapes()) shapes_[hash] = true;
}

void StudyJournal::Append(std::uint32_t kind, ByteView body) {
  constexpr std::chrono::seconds kLongest{1};
  MakeBlock(kind, BytesAsText(body), block_);
  if (const int error = file_.Write(block_); error != 0) {
    ThrowFileProblem(file_.Path(), "write the journal", error,
                     "what was done before is in it; openmi study resume continues");
  }
  if (Clock::now() - synced_ > kLongest) Sync();
}

void StudyJournal::Sync() {
  file_.Sync();
  synced_ = Clock::now();
}

void StudyJournal::Start(std::uint64_t member, int attempt) {
  StateWriter body;
  body.Write(static_cast<std::int64_t>(member));
  body.Write(static_cast<std::int64_t>(attempt));
  Append(kStart, body.Bytes());
}

void StudyJournal::End(const MemberResult& result, const std::vector<std::string>& shapes) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].empty() || shapes_.contains(result.series[i].shape)) continue;
    StateWriter body;
    body.Write(shapes[i]);
    Append(kShape, body.Bytes());
    shapes_[result.series[i].shape] = true;
  }
  StateWriter body;
  result.Save(body);
  Append(kEnd, body.Bytes());
}

void StudyJournal::Observe(const std::vector<Observation>& observations) {
  if (observations.empty() || has_observations_) return;
  StateWriter body;
  SaveObservations(body, observations);
  Append(kObservations, body.Bytes());
  has_observations_ = true;
}

void StudyJournal::Retry(std::uint64_t member) {
  StateWriter body;
  body.Write(static_cast<std::int64_t>(member));
  Append(kRetry, body.Bytes());
}

}  // namespace openmi
