// The extension for time and space.
using System.Collections;
using System.Collections.Generic;

namespace OpenMI.Standard2.TimeSpace {

/// <summary>Requirement 4.3.</summary>
public enum ElementType {
  IdBased,
  Point,
  PolyLine,
  Polygon,
  Polyhedron
}

/// <summary>Requirement 4.1.</summary>
public interface ISpatialDefinition : IDescribable {
  string SpatialReferenceSystemWkt { get; }
  int ElementCount { get; }
  int Version { get; }
}

/// <summary>Requirement 4.2.</summary>
public interface IElementSet : ISpatialDefinition {
  ElementType ElementType { get; }
  int GetElementIndex(IIdentifiable elementId);
  IIdentifiable GetElementId(int index);
  int GetVertexCount(int elementIndex);
  int GetFaceCount(int elementIndex);
  int[] GetFaceVertexIndices(int elementIndex, int faceIndex);
  bool HasZ { get; }
  bool HasM { get; }
  double GetVertexXCoordinate(int elementIndex, int vertexIndex);
  double GetVertexYCoordinate(int elementIndex, int vertexIndex);
  double GetVertexZCoordinate(int elementIndex, int vertexIndex);
  double GetVertexMCoordinate(int elementIndex, int vertexIndex);
}

/// <summary>Requirement 5.1.</summary>
public interface ITime {
  double StampAsModifiedJulianDay { get; }
  double DurationInDays { get; }
}

/// <summary>Requirement 5.2.</summary>
public interface ITimeSet {
  IList<ITime> Times { get; }
  bool HasDurations { get; }
  double OffsetFromUtcInHours { get; }
  ITime TimeHorizon { get; }
}

/// <summary>Requirement 12.3.</summary>
public interface ITimeExtension {
  ITimeSet TimeExtent { get; }
}

/// <summary>Requirement 6.2.</summary>
public interface ITimeSpaceValueSet : IBaseValueSet {
  IList<IList> Values2D { get; set; }
  object GetValue(int timeIndex, int elementIndex);
  void SetValue(int timeIndex, int elementIndex, object value);
  IList GetTimeSeriesValuesForElement(int elementIndex);
  void SetTimeSeriesValuesForElement(int elementIndex, IList values);
  IList GetElementValuesForTime(int timeIndex);
  void SetElementValuesForTime(int timeIndex, IList values);
}

/// <summary>Requirement 9.4.</summary>
public interface ITimeSpaceExchangeItem : IBaseExchangeItem {
  ITimeSet TimeSet { get; }
  ISpatialDefinition SpatialDefinition { get; }
}

/// <summary>Requirement 9.6.</summary>
public interface ITimeSpaceInput : ITimeSpaceExchangeItem, IBaseInput {
  new ITimeSpaceValueSet Values { get; set; }
}

/// <summary>Requirement 9.5.</summary>
public interface ITimeSpaceOutput : ITimeSpaceExchangeItem, IBaseOutput {
  new ITimeSpaceValueSet Values { get; }
  new ITimeSpaceValueSet GetValues(IBaseExchangeItem querySpecifier);
}

/// <summary>Requirement 10.2.</summary>
public interface ITimeSpaceAdaptedOutput : IBaseAdaptedOutput, ITimeSpaceOutput {}

/// <summary>Requirement 12.2.</summary>
public interface ITimeSpaceComponent : IBaseLinkableComponent, ITimeExtension {}

}
