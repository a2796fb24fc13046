using System;
using System.Collections;
using System.Collections.Generic;
using OpenMI.Standard2;
using OpenMI.Standard2.TimeSpace;

namespace OpenMI.Bridge {

internal class Named : IIdentifiable {
  public Named(string id) {
    Id = id;
    Caption = id;
    Description = "";
  }
  public string Id { get; private set; }
  public string Caption { get; set; }
  public string Description { get; set; }
  public override string ToString() {
    return Id;
  }
}

internal sealed class TimeCopy : ITime {
  public TimeCopy(double stamp, double duration) {
    StampAsModifiedJulianDay = stamp;
    DurationInDays = duration;
  }
  public double StampAsModifiedJulianDay { get; private set; }
  public double DurationInDays { get; private set; }

  /// <summary>The SDK in C# compares times of any class so, with this tolerance.</summary>
  public override bool Equals(object other) {
    var time = other as ITime;
    return time != null && Math.Abs(time.StampAsModifiedJulianDay - StampAsModifiedJulianDay) < Tolerance &&
           Math.Abs(time.DurationInDays - DurationInDays) < Tolerance;
  }
  public override int GetHashCode() {
    return Math.Round(StampAsModifiedJulianDay).GetHashCode();
  }
  private const double Tolerance = 1e-8;
}

/// <summary>Times of the engine.</summary>
internal sealed class TimeSetCopy : ITimeSet {
  /// <param name="numbers">durations (0 or 1), offset, horizon, then each time</param>
  public TimeSetCopy(double[] numbers) {
    HasDurations = numbers[0] != 0.0;
    OffsetFromUtcInHours = numbers[1];
    TimeHorizon = new TimeCopy(numbers[2], numbers[3]);
    Times = new List<ITime>((numbers.Length - 4) / 2);
    for (int i = 4; i + 1 < numbers.Length; i += 2) Times.Add(new TimeCopy(numbers[i], numbers[i + 1]));
  }
  public IList<ITime> Times { get; private set; }
  public bool HasDurations { get; private set; }
  public double OffsetFromUtcInHours { get; private set; }
  public ITime TimeHorizon { get; private set; }
}

/// <summary>Elements of the engine.</summary>
internal sealed class ElementCopy : Named, IElementSet {
  private readonly string[] ids;
  private readonly int[] first;  // vertex of each element, and the number of all
  private readonly object[] x, y, z;

  /// <param name="parts">as ToMonoPlaces makes them</param>
  public ElementCopy(object[] parts) : base((string)((object[])parts[0])[2]) {
    var head = (object[])parts[0];
    ElementType = (ElementType)(long)head[0];
    SpatialReferenceSystemWkt = (string)head[1];
    ids = Array.ConvertAll((object[])parts[1], delegate(object id) { return (string)id; });
    var vertices = (object[])parts[2];
    first = new int[ids.Length + 1];
    for (int i = 0; i < ids.Length; ++i) first[i + 1] = first[i] + (int)(long)vertices[i];
    x = (object[])parts[3];
    y = (object[])parts[4];
    z = (object[])parts[5];
  }
  public string SpatialReferenceSystemWkt { get; private set; }
  public int ElementCount {
    get { return ids.Length; }
  }
  public int Version {
    get { return 0; }
  }
  public ElementType ElementType { get; private set; }
  public int GetElementIndex(IIdentifiable elementId) {
    return Array.IndexOf(ids, elementId.Id);
  }
  public IIdentifiable GetElementId(int index) {
    return new Named(ids[index]);
  }
  public int GetVertexCount(int elementIndex) {
    if (ElementType == ElementType.IdBased) throw new InvalidOperationException("elements with ids have no vertices");
    return first[elementIndex + 1] - first[elementIndex];
  }
  public int GetFaceCount(int elementIndex) {
    return 0 * GetVertexCount(elementIndex);
  }
  public int[] GetFaceVertexIndices(int elementIndex, int faceIndex) {
    throw new ArgumentOutOfRangeException("faceIndex", GetVertexCount(elementIndex) + " vertices, no face");
  }
  public bool HasZ {
    get { return z.Length > 0; }
  }
  public bool HasM {
    get { return false; }
  }
  private int At(int element, int vertex) {
    if (vertex < 0 || vertex >= GetVertexCount(element)) throw new ArgumentOutOfRangeException("vertexIndex");
    return first[element] + vertex;
  }
  public double GetVertexXCoordinate(int elementIndex, int vertexIndex) {
    return (double)x[At(elementIndex, vertexIndex)];
  }
  public double GetVertexYCoordinate(int elementIndex, int vertexIndex) {
    return (double)y[At(elementIndex, vertexIndex)];
  }
  public double GetVertexZCoordinate(int elementIndex, int vertexIndex) {
    int at = At(elementIndex, vertexIndex);
    return HasZ ? (double)z[at] : 0.0;  // the SDK in C# reads Z of all elements
  }
  public double GetVertexMCoordinate(int elementIndex, int vertexIndex) {
    throw new ArgumentOutOfRangeException("vertexIndex", At(elementIndex, vertexIndex) + ": no M");
  }
}

/// <summary>Values of the engine, copied: rows of numbers are double[], others object[].</summary>
internal sealed class RowValues : ITimeSpaceValueSet {
  private readonly List<IList> rows;

  public RowValues(Type type, List<IList> rows) {
    ValueType = type;
    this.rows = rows;
  }
  public Type ValueType { get; private set; }
  public int NumberOfIndices {
    get { return 2; }
  }
  public IList<IList> Values2D {
    get { return rows; }
    set {
      rows.Clear();
      foreach (IList row in value) rows.Add(row);
    }
  }
  public int GetIndexCount(int[] indices) {
    if (indices == null || indices.Length == 0) return rows.Count;
    if (indices.Length == 1) return rows[indices[0]].Count;
    throw new ArgumentException("expected at most 1 index, found " + indices.Length);
  }
  public object GetValue(int[] indices) {
    Check(indices);
    return rows[indices[0]][indices[1]];
  }
  public void SetValue(int[] indices, object value) {
    Check(indices);
    rows[indices[0]][indices[1]] = value;
  }
  public object GetValue(int timeIndex, int elementIndex) {
    return rows[timeIndex][elementIndex];
  }
  public void SetValue(int timeIndex, int elementIndex, object value) {
    rows[timeIndex][elementIndex] = value;
  }
  public IList GetTimeSeriesValuesForElement(int elementIndex) {
    var series = new List<object>(rows.Count);
    foreach (IList row in rows) series.Add(elementIndex < row.Count ? row[elementIndex] : null);
    return series;
  }
  public void SetTimeSeriesValuesForElement(int elementIndex, IList values) {
    for (int i = 0; i < rows.Count; ++i) rows[i][elementIndex] = values[i];
  }
  public IList GetElementValuesForTime(int timeIndex) {
    return rows[timeIndex];
  }
  public void SetElementValuesForTime(int timeIndex, IList values) {
    rows[timeIndex] = values;
  }
  private static void Check(int[] indices) {
    if (indices.Length != 2) throw new ArgumentException("expected 2 indices, found " + indices.Length);
  }
}

}
