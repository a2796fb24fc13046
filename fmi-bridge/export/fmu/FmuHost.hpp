#pragma once

#include <filesystem>
#include <memory>

#include "composition/channel/Channel.hpp"
#include "fmi-bridge/export/ExportedModel.hpp"
#include "fmi-bridge/export/fmu/shim/FmuProtocol.hpp"

namespace openmi::fmu {

/// The process of one instance of an exported FMU, which answers the library of the FMU. Used by the program
/// openmi-fmu-host.
class FmuHost {
 public:
  /// \param resources  the resources folder of the unpacked FMU
  /// \param page       shared memory of the channel
  /// \param values     shared memory for the values of all numeric variables, as doubles
  /// \param socket     the connected local socket; borrowed
  FmuHost(std::filesystem::path resources, SharedMemory page, SharedMemory values, int socket);
  ~FmuHost();

  /// Answers requests until the other process ends or closes the channel.
  void Run();

 private:
  void Serve(ByteView request, StateWriter& reply);
  void Answer(FmuRequest request, StateReader& reader, StateWriter& reply);
  void Describe(StateWriter& reply);
  /// Writes number and text of each output whose text has changed.
  void WriteChangedTexts(StateWriter& reply);
  void WriteStartTexts(StateWriter& reply);
  /// Sends the new problems of the model to the log of the importer.
  void SendNews();

  std::filesystem::path resources_;
  SharedMemory values_memory_;
  std::unique_ptr<exported::ExportedModel> model_;
  Channel channel_;
};

}  // namespace openmi::fmu
