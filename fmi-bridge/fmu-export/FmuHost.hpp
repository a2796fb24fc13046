#pragma once

#include <filesystem>
#include <memory>

#include "composition/channel/Channel.hpp"
#include "fmi-bridge/fmu-export/shim/FmuProtocol.hpp"
#include "fmi-bridge/outward/ExportedModel.hpp"

namespace openmi::fmu {

/// The process behind one instance of an exported FMU: answers the library of the FMU. The whole of the program
/// openmi-fmu-host.
class FmuHost {
 public:
  /// \param resources     the folder of the unpacked FMU
  /// \param page, values  shared memory of the channel, and for the values of all numeric variables, as doubles
  /// \param socket        the connected local socket; borrowed
  FmuHost(std::filesystem::path resources, SharedMemory page, SharedMemory values, int socket);
  ~FmuHost();

  /// Works until the other side ends or lets go.
  void Run();

 private:
  void Serve(Channel::Bytes request, StateWriter& reply);
  void Answer(FmuRequest request, StateReader& reader, StateWriter& reply);
  void Describe(StateWriter& reply);
  /// Number and text of each output whose text changed.
  void WriteChangedTexts(StateWriter& reply);
  void WriteStartTexts(StateWriter& reply);
  /// Sends what the model found to the importer's log.
  void SendNews();

  std::filesystem::path resources_;
  SharedMemory values_memory_;
  std::unique_ptr<outward::ExportedModel> model_;
  Channel channel_;
};

}  // namespace openmi::fmu
