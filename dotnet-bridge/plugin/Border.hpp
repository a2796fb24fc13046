#pragma once

#include "dotnet-bridge/plugin/Method.hpp"

namespace openmi::dotnet {

/// The functions of the assembly openmi-dotnet, as managed/Border*.cs describes them.
struct Border {
  Method<std::vector<std::string>(std::string)> Types{"Types"};
  Method<std::vector<std::string>(std::string)> References{"References"};
  Method<int(std::string, std::string)> FormsOf{"FormsOf"};
  Method<int(std::string, std::string, const void*)> Make{"Make"};
  Method<void(std::string)> Enter{"Enter"};
  Method<void(int)> Release{"Release"};
  Method<std::string(int)> Caption{"Caption"};
  Method<void(int, std::string)> SetCaption{"SetCaption"};
  Method<std::string(int)> Description{"Description"};
  Method<void(int, std::string)> SetDescription{"SetDescription"};
  Method<std::string(int)> Id{"Id"};
  Method<std::vector<int>(int)> Arguments{"Arguments"};
  Method<int(int)> ArgumentType{"ArgumentType"};
  Method<int(int)> ArgumentFlags{"ArgumentFlags"};
  Method<Value(int)> ArgumentValue{"ArgumentValue"};
  Method<Value(int)> ArgumentDefault{"ArgumentDefault"};
  Method<std::optional<std::vector<Value>>(int)> ArgumentChoices{"ArgumentChoices"};
  Method<std::string(int)> ArgumentText{"ArgumentText"};
  Method<void(int, Value)> SetArgumentValue{"SetArgumentValue"};
  Method<void(int, std::string)> SetArgumentText{"SetArgumentText"};
  Method<int(int)> Status{"Status"};
  Method<std::vector<int>(int)> Inputs{"Inputs"};
  Method<std::vector<int>(int)> Outputs{"Outputs"};
  Method<std::vector<int>(int)> AdaptedOutputFactories{"AdaptedOutputFactories"};
  Method<void(int)> Initialize{"Initialize"};
  Method<std::vector<std::string>(int)> Validate{"Validate"};
  Method<void(int)> Prepare{"Prepare"};
  Method<int(int, std::vector<int>, const int*, int, double*, int)> Update{"Update"};
  Method<void(int)> Finish{"Finish"};
  Method<int(int)> TimeExtent{"TimeExtent"};
  Method<int(int)> KeepCurrentState{"KeepCurrentState"};
  Method<void(int, int, std::string)> RestoreState{"RestoreState"};
  Method<void(int, int, std::string)> ClearState{"ClearState"};
  Method<Bytes(int, int, std::string)> ConvertToByteArray{"ConvertToByteArray"};
  Method<int(int, ByteView)> ConvertFromByteArray{"ConvertFromByteArray"};
  Method<void(int, const void*)> Listen{"Listen"};
  Method<int(int)> ValueDefinition{"ValueDefinition"};
  Method<int(int, int)> SpatialDefinition{"SpatialDefinition"};
  Method<int(int, double*, int)> ItemTimes{"ItemTimes"};
  Method<int(int, double*, int)> Times{"Times"};
  Method<int(int, const void*)> Link{"Link"};
  Method<void(int, int)> Unlink{"Unlink"};
  Method<int(int)> InputValues{"InputValues"};
  Method<void(int, const std::vector<std::vector<double>>*)> SetInputValues{"SetInputValues"};
  Method<int(int, const void*, std::string)> AddConsumer{"AddConsumer"};
  Method<void(int, int)> RemoveConsumer{"RemoveConsumer"};
  Method<int(int)> OutputValues{"OutputValues"};
  Method<int(int, int, const void*, std::string)> GetValues{"GetValues"};
  Method<int(int)> ValueSetType{"ValueSetType"};
  Method<int(int)> NumberOfIndices{"NumberOfIndices"};
  Method<int(int, std::vector<int>)> GetIndexCount{"GetIndexCount"};
  Method<Value(int, std::vector<int>)> GetValue{"GetValue"};
  Method<void(int, std::vector<int>, Value)> SetValue{"SetValue"};
  Method<Value(int, int, int)> GetValueAt{"GetValueAt"};
  Method<void(int, int, int, Value)> SetValueAt{"SetValueAt"};
  Method<std::optional<std::vector<Value>>(int, int)> GetTimeSeriesValuesForElement{"GetTimeSeriesValuesForElement"};
  Method<void(int, int, std::span<const Value>)> SetTimeSeriesValuesForElement{"SetTimeSeriesValuesForElement"};
  Method<std::optional<std::vector<Value>>(int, int)> GetElementValuesForTime{"GetElementValuesForTime"};
  Method<void(int, int, std::span<const Value>)> SetElementValuesForTime{"SetElementValuesForTime"};
  Method<void(int, std::span<const std::vector<Value>>)> SetValues2D{"SetValues2D"};
  Method<int(int)> RowCount{"RowCount"};
  Method<int(int, int)> RowSize{"RowSize"};
  Method<void(int, int, double*, int)> CopyRow{"CopyRow"};
  Method<int(int, double*, int)> Look{"Look"};
  Method<void(int, int, double*, int)> TakeRow{"TakeRow"};
  Method<std::vector<int>(int, int, int)> GetAvailableAdaptedOutputIds{"GetAvailableAdaptedOutputIds"};
  Method<int(int, int, std::string, int, int)> CreateAdaptedOutput{"CreateAdaptedOutput"};
  Method<int(const void*, std::string, int)> Target{"Target"};
  Method<void(int)> ForgetTarget{"ForgetTarget"};
  Method<void(int)> Refresh{"Refresh"};
  Method<void(int, int)> RemoveAdaptedOutput{"RemoveAdaptedOutput"};
  Method<int(int)> DefinitionForm{"DefinitionForm"};
  Method<int(int)> DefinitionType{"DefinitionType"};
  Method<Value(int)> MissingDataValue{"MissingDataValue"};
  Method<int(int)> Unit{"Unit"};
  Method<double(int)> ConversionFactorToSI{"ConversionFactorToSI"};
  Method<double(int)> OffSetToSI{"OffSetToSI"};
  Method<int(int)> Dimension{"Dimension"};
  Method<double(int, int)> GetPower{"GetPower"};
  Method<std::vector<int>(int)> Categories{"Categories"};
  Method<int(int)> IsOrdered{"IsOrdered"};
  Method<std::string(int)> CategoryValue{"CategoryValue"};
  Method<int(int)> IsElementSet{"IsElementSet"};
  Method<std::string(int)> SpatialReferenceSystemWkt{"SpatialReferenceSystemWkt"};
  Method<int(int)> ElementCount{"ElementCount"};
  Method<int(int)> Version{"Version"};
  Method<int(int)> ElementType{"ElementType"};
  Method<int(int, std::string)> GetElementIndex{"GetElementIndex"};
  Method<int(int, int)> GetElementId{"GetElementId"};
  Method<int(int, int)> GetVertexCount{"GetVertexCount"};
  Method<int(int, int)> GetFaceCount{"GetFaceCount"};
  Method<std::vector<int>(int, int, int)> GetFaceVertexIndices{"GetFaceVertexIndices"};
  Method<int(int)> HasZ{"HasZ"};
  Method<int(int)> HasM{"HasM"};
  Method<double(int, int, int)> GetVertexXCoordinate{"GetVertexXCoordinate"};
  Method<double(int, int, int)> GetVertexYCoordinate{"GetVertexYCoordinate"};
  Method<double(int, int, int)> GetVertexZCoordinate{"GetVertexZCoordinate"};
  Method<double(int, int, int)> GetVertexMCoordinate{"GetVertexMCoordinate"};
};

/// \pre  Mono::Start
const Border& TheBorder();

}  // namespace openmi::dotnet
