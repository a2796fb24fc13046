#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "openmi/system/FileDescriptor.hpp"

namespace openmi {

/// After how long a side of a connection between two workers that moves no bytes counts as gone.
inline constexpr std::chrono::milliseconds kRowSilence{1600};

/// Sends rows of numbers to another worker, over a connection that goes one way.
///
/// A row is known by its place in the memory of the sender. A later row of the same place replaces it.
class RowSender {
 public:
  /// \param longest  how long the other side may take nothing
  explicit RowSender(FileDescriptor connection, std::chrono::milliseconds longest = kRowSilence);
  /// Sends a row. If the other side is gone, or takes nothing for a while, the connection is closed: those who need the
  /// row there notice it.
  void Send(std::uint64_t place, std::span<const double> row);
  /// The number of rows that were given to Send.
  std::uint64_t Count() const { return count_; }
  /// The bytes of these rows.
  std::uint64_t SentBytes() const { return bytes_; }

 private:
  FileDescriptor connection_;
  std::uint64_t count_ = 0;
  std::uint64_t bytes_ = 0;
};

/// A row in memory that is not used again as long as someone holds it.
using HeldRow = std::shared_ptr<const std::vector<double>>;

/// Receives these rows, in a thread of its own, so that a sender never waits for a component of this side.
class RowReceiver {
 public:
  /// \param who  the sender, for messages: "group 'upland' (runoff) on node1"
  RowReceiver(FileDescriptor connection, std::string who);
  ~RowReceiver();
  RowReceiver(const RowReceiver&) = delete;
  RowReceiver& operator=(const RowReceiver&) = delete;

  /// Waits for a row.
  /// \param count  how many rows were sent when the row was
  /// \param size   of the row
  /// \param held   becomes the row
  /// \throws ModelError  the connection ended, or nothing came for a while
  /// \throws RangeError  there is no row of that size
  void Take(std::uint64_t place, std::uint64_t count, std::size_t size, HeldRow& held);

 private:
  using Row = std::shared_ptr<std::vector<double>>;
  void Receive();
  /// Memory for the next row of a place: that of the row before, or other memory that no one holds.
  Row& RoomFor(std::uint64_t place);
  /// \returns false if the connection ended
  bool ReadAll(std::span<std::byte> into);

  FileDescriptor connection_;
  std::string who_;
  std::mutex mutex_;
  std::condition_variable came_;
  std::map<std::uint64_t, Row> rows_;  // by place
  std::vector<Row> all_;
  std::uint64_t count_ = 0;
  std::uint64_t bytes_ = 0;
  bool has_ended_ = false;
  std::thread thread_;
};

}  // namespace openmi
