#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "composition/results/AppendFile.hpp"
#include "study/run/MemberResult.hpp"

namespace openmi {

/// What a journal says about its study.
struct StudyInfo {
  std::string study_text;
  std::string composition_text;
  std::string table_hash;              ///< SHA-256 of the table of a design; empty: there is none
  std::vector<std::string> variables;  ///< names and values in turn
};

/// Where the result of a member is in its journal.
struct MemberPlace {
  std::uint64_t offset = 0;  ///< of the block; 0: there is no result yet
  MemberEnd end = MemberEnd::Done;
};

/// A journal as it was when it was read: which members are done, and where their results are.
///
/// The file begins with eight bytes; blocks follow, each with a check sum. Reading ends at the first block that is cut
/// off or damaged. The rows stay in the file.
class StudyJournalReader {
 public:
  /// \throws FileError    the file cannot be read
  /// \throws FormatError  it is not the journal of a study
  explicit StudyJournalReader(const std::filesystem::path& path);
  ~StudyJournalReader();

  const StudyInfo& Info() const { return info_; }
  /// The length of its valid part, in bytes.
  std::uint64_t ValidBytes() const { return valid_; }
  /// Whether a whole block follows the valid part: so that part does not end where a process was killed, but is
  /// damaged. \throws FileError  the file cannot be read
  bool IsDamaged() const;
  /// By member; shorter than the number of members if the last ones did not start.
  const std::vector<MemberPlace>& Members() const { return members_; }
  /// How often a member was started.
  int Starts(std::uint64_t member) const { return member < starts_.size() ? starts_[member] : 0; }
  std::uint64_t DoneCount() const { return done_; }
  /// Shapes by their hash.
  const std::map<std::uint64_t, SeriesShape>& Shapes() const { return shapes_; }
  const std::vector<Observation>& Observations() const { return observations_; }
  /// Reads the result of a member.
  /// \returns nothing if there is none
  std::optional<MemberResult> Read(std::uint64_t member) const;

 private:
  void ReadBlocks();
  void Take(std::uint32_t kind, const std::string& body, std::uint64_t offset);

  std::filesystem::path path_;
  int file_ = -1;
  StudyInfo info_;
  std::uint64_t size_ = 0;
  std::uint64_t valid_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t blocks_ = 0;
  std::vector<MemberPlace> members_;
  std::vector<int> starts_;
  std::map<std::uint64_t, SeriesShape> shapes_;
  std::vector<Observation> observations_;
};

/// Writes the journal of a study. Only one process at a time writes it.
///
/// Each call appends a block, which outlives this process at once. A power cut may lose the blocks of about the last
/// second; their members are then run again.
class StudyJournal {
 public:
  /// Begins a new journal.
  /// \throws FileError  the file exists and `overwrite` is false, another process writes it, or it cannot be created
  StudyJournal(std::filesystem::path path, const StudyInfo& info, bool overwrite);
  /// Opens a journal to continue it, and keeps others from writing it. It is unchanged until `GoOn`.
  /// \throws FileError  the file does not exist, or another process writes it
  explicit StudyJournal(std::filesystem::path path);
  /// Continues after the valid part.
  /// \param reader  of this journal, read after this object was made
  /// \throws FormatError  the journal is damaged before its end; it stays as it is
  void GoOn(const StudyJournalReader& reader);

  /// Notes that a member is about to start.
  /// \throws FileError  the disk is full; the journal is as before
  void Start(std::uint64_t member, int attempt);
  /// Notes the result of a member.
  /// \param shapes  bytes of the shapes of its series; empty where the journal has it
  void End(const MemberResult& result, const std::vector<std::string>& shapes);
  void Observe(const std::vector<Observation>& observations);
  /// Notes that a member is to be run again: its result no longer counts.
  void Retry(std::uint64_t member);
  bool HasObservations() const { return has_observations_; }
  /// Passes everything to the disk.
  void Sync();
  const std::filesystem::path& Path() const { return file_.Path(); }

 private:
  using Clock = std::chrono::steady_clock;
  void Append(std::uint32_t kind, ByteView body);

  AppendFile file_;
  std::map<std::uint64_t, bool> shapes_;  // those in the file
  bool has_observations_ = false;
  Clock::time_point synced_ = Clock::now();
  std::string block_;
};

}  // namespace openmi
