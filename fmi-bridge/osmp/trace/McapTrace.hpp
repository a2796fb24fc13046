#pragma once

#include <string>
#include <vector>

#include "fmi-bridge/osmp/trace/McapReader.hpp"
#include "fmi-bridge/osmp/trace/TraceReader.hpp"

namespace openmi::osi {

/// A channel of an MCAP file as a trace.
class McapTrace final : public TraceMessages {
 public:
  /// \param reader   shared by the channels of a file
  /// \param channel  as OpenTrace
  /// \throws ArgumentError, FormatError  as OpenTrace
  McapTrace(std::shared_ptr<McapReader> reader, const std::string& file, const std::string& channel,
            const std::string& type);

  std::optional<Message> Next() override;
  void ReadAt(std::uint64_t place, Bytes& buffer) override;
  std::uint64_t Place() const override { return next_; }
  std::uint64_t Count() const override { return next_; }
  std::string Type() const override;
  std::vector<std::int64_t> Times() const override;
  std::string Problem() const override { return reader_->Problem(); }

 private:
  std::shared_ptr<McapReader> reader_;
  const McapChannel* channel_;
  std::vector<McapPlace> places_;  // by time
  std::uint64_t next_ = 0;
};

}  // namespace openmi::osi
