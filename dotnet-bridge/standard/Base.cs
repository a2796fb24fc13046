// The interfaces of OpenMI 2.0 (OGC 11-014r3) in C#, as the assembly OpenMI.Standard2 that components refer to. Where a
// component brings the assembly of the OpenMI Association with it, that one is used.
using System;
using System.Collections.Generic;

namespace OpenMI.Standard2 {

/// <summary>Requirement 2.1, table 1.</summary>
public interface IDescribable {
  string Caption { get; set; }
  string Description { get; set; }
}

/// <summary>Requirement 2.2, table 2.</summary>
public interface IIdentifiable : IDescribable {
  string Id { get; }
}

/// <summary>Requirement 3.1.</summary>
public interface IValueDefinition : IDescribable {
  Type ValueType { get; }
  object MissingDataValue { get; }
}

/// <summary>Requirement 3.7.</summary>
public enum DimensionBase {
  Length,
  Mass,
  Time,
  ElectricCurrent,
  Temperature,
  AmountOfSubstance,
  LuminousIntensity,
  Currency
}

/// <summary>Requirement 3.6.</summary>
public interface IDimension {
  double GetPower(DimensionBase baseQuantity);
}

/// <summary>Requirement 3.2: SI value = ConversionFactorToSI * value + OffSetToSI.</summary>
public interface IUnit : IDescribable {
  IDimension Dimension { get; }
  double ConversionFactorToSI { get; }
  double OffSetToSI { get; }
}

/// <summary>Requirement 3.3.</summary>
public interface IQuantity : IValueDefinition {
  IUnit Unit { get; }
}

/// <summary>Requirement 3.5.</summary>
public interface ICategory : IDescribable {
  object Value { get; }
}

/// <summary>Requirement 3.4.</summary>
public interface IQuality : IValueDefinition {
  IList<ICategory> Categories { get; }
  bool IsOrdered { get; }
}

/// <summary>Requirement 6.1.</summary>
public interface IBaseValueSet {
  Type ValueType { get; }
  int NumberOfIndices { get; }
  int GetIndexCount(int[] indices);
  object GetValue(int[] indices);
  void SetValue(int[] indices, object value);
}

/// <summary>Requirement 7.1.</summary>
public interface IArgument : IIdentifiable {
  Type ValueType { get; }
  bool IsOptional { get; }
  bool IsReadOnly { get; }
  object Value { get; set; }
  object DefaultValue { get; }
  IList<object> PossibleValues { get; }
  string ValueAsString { get; set; }
}

/// <summary>Requirement 9.7.</summary>
public class ExchangeItemChangeEventArgs : EventArgs {
  public ExchangeItemChangeEventArgs() {
    Message = "";
  }
  public ExchangeItemChangeEventArgs(IBaseExchangeItem exchangeItem, string message) {
    ExchangeItem = exchangeItem;
    Message = message;
  }
  public IBaseExchangeItem ExchangeItem { get; set; }
  public string Message { get; set; }
}

/// <summary>Requirement 9.1.</summary>
public interface IBaseExchangeItem : IIdentifiable {
  IValueDefinition ValueDefinition { get; }
  IBaseLinkableComponent Component { get; }
  event EventHandler<ExchangeItemChangeEventArgs> ItemChanged;
}

/// <summary>Requirement 9.2.</summary>
public interface IBaseInput : IBaseExchangeItem {
  IBaseOutput Provider { get; set; }
  IBaseValueSet Values { get; set; }
}

/// <summary>Requirement 9.3.</summary>
public interface IBaseOutput : IBaseExchangeItem {
  IList<IBaseInput> Consumers { get; }
  void AddConsumer(IBaseInput consumer);
  void RemoveConsumer(IBaseInput consumer);
  IList<IBaseAdaptedOutput> AdaptedOutputs { get; }
  void AddAdaptedOutput(IBaseAdaptedOutput adaptedOutput);
  void RemoveAdaptedOutput(IBaseAdaptedOutput adaptedOutput);
  IBaseValueSet Values { get; }
  IBaseValueSet GetValues(IBaseExchangeItem querySpecifier);
}

/// <summary>Requirement 10.1.</summary>
public interface IBaseAdaptedOutput : IBaseOutput {
  IList<IArgument> Arguments { get; }
  void Initialize();
  IBaseOutput Adaptee { get; }
  void Refresh();
}

/// <summary>Requirement 10.3.</summary>
public interface IAdaptedOutputFactory : IIdentifiable {
  IIdentifiable[] GetAvailableAdaptedOutputIds(IBaseOutput adaptee, IBaseInput target);
  IBaseAdaptedOutput CreateAdaptedOutput(IIdentifiable adaptedOutputId, IBaseOutput adaptee, IBaseInput target);
}

/// <summary>Requirement 8.1.</summary>
public enum LinkableComponentStatus {
  Created,
  Initializing,
  Initialized,
  Validating,
  Valid,
  WaitingForData,
  Invalid,
  Preparing,
  Updating,
  Updated,
  Done,
  Finishing,
  Finished,
  Failed
}

/// <summary>Requirement 8.3.</summary>
public class LinkableComponentStatusChangeEventArgs : EventArgs {
  public LinkableComponentStatusChangeEventArgs() {
    Message = "";
  }
  public IBaseLinkableComponent LinkableComponent { get; set; }
  public LinkableComponentStatus OldStatus { get; set; }
  public LinkableComponentStatus NewStatus { get; set; }
  public string Message { get; set; }
}

/// <summary>Requirement 12.1.</summary>
public interface IBaseLinkableComponent : IIdentifiable {
  IList<IArgument> Arguments { get; }
  LinkableComponentStatus Status { get; }
  event EventHandler<LinkableComponentStatusChangeEventArgs> StatusChanged;
  IList<IBaseInput> Inputs { get; }
  IList<IBaseOutput> Outputs { get; }
  List<IAdaptedOutputFactory> AdaptedOutputFactories { get; }
  void Initialize();
  string[] Validate();
  void Prepare();
  void Update(params IBaseOutput[] requiredOutput);
  void Finish();
}

/// <summary>Requirement 11.1.</summary>
public interface IManageState {
  IIdentifiable KeepCurrentState();
  void RestoreState(IIdentifiable stateId);
  void ClearState(IIdentifiable stateId);
}

/// <summary>Requirement 11.2.</summary>
public interface IByteStateConverter {
  byte[] ConvertToByteArray(IIdentifiable stateId);
  IIdentifiable ConvertFromByteArray(byte[] byteArray);
}

}
