// Base classes for the components of the tests, with nothing of ours but the interfaces: what a writer of components for
// .NET has in a library.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using OpenMI.Standard2;
using OpenMI.Standard2.TimeSpace;

namespace Kit {

public class Named : IIdentifiable {
  public Named(string id) {
    Id = id;
    Caption = id;
    Description = "";
  }
  public string Id { get; protected set; }
  public string Caption { get; set; }
  public string Description { get; set; }
}

public class Powers : IDimension {
  public double Length, Time;
  public double GetPower(DimensionBase baseQuantity) {
    return baseQuantity == DimensionBase.Length ? Length : baseQuantity == DimensionBase.Time ? Time : 0.0;
  }
}

public class PlainUnit : Named, IUnit {
  public PlainUnit(string caption, double factor, double offset, double length, double time) : base(caption) {
    ConversionFactorToSI = factor;
    OffSetToSI = offset;
    Dimension = new Powers { Length = length, Time = time };
  }
  public IDimension Dimension { get; set; }
  public double ConversionFactorToSI { get; set; }
  public double OffSetToSI { get; set; }
  public static PlainUnit Flow() {
    return new PlainUnit("m3/s", 1.0, 0.0, 3.0, -1.0);
  }
}

public class PlainQuantity : Named, IQuantity {
  public PlainQuantity(string caption, IUnit unit) : base(caption) {
    Unit = unit;
    ValueType = typeof(double);
    MissingDataValue = -999.0;
  }
  public IUnit Unit { get; set; }
  public Type ValueType { get; set; }
  public object MissingDataValue { get; set; }
}

public class Time : ITime {
  public Time(double stamp, double duration) {
    StampAsModifiedJulianDay = stamp;
    DurationInDays = duration;
  }
  public double StampAsModifiedJulianDay { get; set; }
  public double DurationInDays { get; set; }
}

public class Times : ITimeSet {
  public readonly List<ITime> List = new List<ITime>();
  IList<ITime> ITimeSet.Times {
    get { return List; }
  }
  public bool HasDurations { get; set; }
  public double OffsetFromUtcInHours { get; set; }
  public ITime TimeHorizon { get; set; }
  public void Only(double stamp, double duration) {
    List.Clear();
    List.Add(new Time(stamp, duration));
  }
}

/// <summary>Elements with vertices of their own; none: elements without places.</summary>
public class Elements : Named, IElementSet {
  private readonly string[] ids;
  private readonly double[][][] vertices;

  public Elements(string caption, ElementType type, string[] ids, double[][][] vertices) : base(caption) {
    ElementType = type;
    this.ids = ids;
    this.vertices = vertices;
  }
  public string SpatialReferenceSystemWkt {
    get { return ElementType == ElementType.IdBased ? "" : "LOCAL_CS[\"plane\",UNIT[\"metre\",1]]"; }
  }
  public int ElementCount {
    get { return ids.Length; }
  }
  public int Version { get; set; }
  public ElementType ElementType { get; private set; }
  public int GetElementIndex(IIdentifiable elementId) {
    return Array.IndexOf(ids, elementId.Id);
  }
  public IIdentifiable GetElementId(int index) {
    return new Named(ids[index]);
  }
  private double[][] Of(int element) {
    if (vertices == null) throw new InvalidOperationException("the elements have no places");
    return vertices[element];
  }
  public int GetVertexCount(int elementIndex) {
    return Of(elementIndex).Length;
  }
  public int GetFaceCount(int elementIndex) {
    return Of(elementIndex).Length < 0 ? 1 : 0;
  }
  public int[] GetFaceVertexIndices(int elementIndex, int faceIndex) {
    throw new ArgumentOutOfRangeException("faceIndex", Of(elementIndex).Length + " vertices, no face");
  }
  public bool HasZ {
    get { return vertices != null && vertices[0][0].Length > 2; }
  }
  public bool HasM {
    get { return false; }
  }
  public double GetVertexXCoordinate(int elementIndex, int vertexIndex) {
    return Of(elementIndex)[vertexIndex][0];
  }
  public double GetVertexYCoordinate(int elementIndex, int vertexIndex) {
    return Of(elementIndex)[vertexIndex][1];
  }
  public double GetVertexZCoordinate(int elementIndex, int vertexIndex) {
    return Of(elementIndex)[vertexIndex][2];
  }
  public double GetVertexMCoordinate(int elementIndex, int vertexIndex) {
    throw new ArgumentOutOfRangeException("vertexIndex", Of(elementIndex)[vertexIndex].Length + " coordinates, no M");
  }
}

/// <summary>Values in lists, as the SDK in C# keeps them.</summary>
public class ValueSet : ITimeSpaceValueSet {
  private IList<IList> rows = new List<IList>();

  public ValueSet(Type type) {
    ValueType = type;
  }
  public Type ValueType { get; set; }
  public int NumberOfIndices {
    get { return 2; }
  }
  public IList<IList> Values2D {
    get { return rows; }
    set { rows = value; }
  }
  public int GetIndexCount(int[] indices) {
    if (indices.Length > 1) throw new ArgumentException("expected at most one index");
    return indices.Length == 0 ? rows.Count : rows[indices[0]].Count;
  }
  public object GetValue(int[] indices) {
    if (indices.Length != 2) throw new ArgumentException("expected two indices");
    return GetValue(indices[0], indices[1]);
  }
  public void SetValue(int[] indices, object value) {
    if (indices.Length != 2) throw new ArgumentException("expected two indices");
    SetValue(indices[0], indices[1], value);
  }
  public object GetValue(int timeIndex, int elementIndex) {
    return rows[timeIndex][elementIndex];
  }
  public void SetValue(int timeIndex, int elementIndex, object value) {
    rows[timeIndex][elementIndex] = value;
  }
  public IList GetTimeSeriesValuesForElement(int elementIndex) {
    var series = new List<object>();
    foreach (IList row in rows) series.Add(row[elementIndex]);
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
}

public class Argument<T> : Named, IArgument {
  private object value;

  public Argument(string id, T defaultValue) : base(id) {
    DefaultValue = defaultValue;
    value = defaultValue;
  }
  public Type ValueType {
    get { return typeof(T); }
  }
  public bool IsOptional { get; set; }
  public bool IsReadOnly { get; set; }
  public object DefaultValue { get; private set; }
  public IList<object> PossibleValues { get; set; }
  public object Value {
    get { return value; }
    set {
      if (PossibleValues != null && !PossibleValues.Contains(value)) {
        throw new ArgumentException("expected one of the possible values, found " + value);
      }
      this.value = (T)value;
    }
  }
  public string ValueAsString {
    get {
      return value is double ? ((double)value).ToString("R", CultureInfo.InvariantCulture)
                             : Convert.ToString(value, CultureInfo.InvariantCulture);
    }
    set { Value = Convert.ChangeType(value, typeof(T), CultureInfo.InvariantCulture); }
  }
  public T Get() {
    return (T)value;
  }
}

public abstract class Item : Named, ITimeSpaceExchangeItem {
  protected Item(string id, IValueDefinition definition, ISpatialDefinition places, IBaseLinkableComponent component)
      : base(id) {
    ValueDefinition = definition;
    SpatialDefinition = places;
    Component = component;
    Times = new Times { TimeHorizon = new Time(double.NegativeInfinity, double.PositiveInfinity) };
  }
  public IValueDefinition ValueDefinition { get; set; }
  public IBaseLinkableComponent Component { get; private set; }
  public ISpatialDefinition SpatialDefinition { get; set; }
  public Times Times;
  public ITimeSet TimeSet {
    get { return Times; }
  }
  public event EventHandler<ExchangeItemChangeEventArgs> ItemChanged;
  public void Changed(string message) {
    if (ItemChanged != null) ItemChanged(this, new ExchangeItemChangeEventArgs(this, message));
  }
}

public class Input : Item, ITimeSpaceInput {
  public Input(string id, IValueDefinition definition, ISpatialDefinition places, IBaseLinkableComponent component)
      : base(id, definition, places, component) {}
  public IBaseOutput Provider { get; set; }
  public ITimeSpaceValueSet Values { get; set; }
  IBaseValueSet IBaseInput.Values {
    get { return Values; }
    set { Values = (ITimeSpaceValueSet)value; }
  }
  /// <summary>Asks the provider for one time.</summary>
  public double[] Ask(double stamp, double duration) {
    Times.Only(stamp, duration);
    Values = (ITimeSpaceValueSet)Provider.GetValues(this);
    IList row = Values.GetElementValuesForTime(0);
    var numbers = new double[row.Count];
    row.CopyTo(numbers, 0);
    Times.TimeHorizon = new Time(stamp, double.PositiveInfinity);
    return numbers;
  }
}

public class Output : Item, ITimeSpaceOutput {
  private readonly List<IBaseInput> consumers = new List<IBaseInput>();
  private readonly List<IBaseAdaptedOutput> adapted = new List<IBaseAdaptedOutput>();

  public Output(string id, IValueDefinition definition, ISpatialDefinition places, IBaseLinkableComponent component)
      : base(id, definition, places, component) {
    Values = new ValueSet(definition.ValueType);
  }
  public IList<IBaseInput> Consumers {
    get { return consumers.AsReadOnly(); }
  }
  public void AddConsumer(IBaseInput consumer) {
    consumers.Add(consumer);
    consumer.Provider = this;
  }
  public void RemoveConsumer(IBaseInput consumer) {
    consumers.Remove(consumer);
    consumer.Provider = null;
  }
  public IList<IBaseAdaptedOutput> AdaptedOutputs {
    get { return adapted.AsReadOnly(); }
  }
  public void AddAdaptedOutput(IBaseAdaptedOutput adaptedOutput) {
    adapted.Add(adaptedOutput);
  }
  public void RemoveAdaptedOutput(IBaseAdaptedOutput adaptedOutput) {
    adapted.Remove(adaptedOutput);
  }
  public ITimeSpaceValueSet Values { get; set; }
  IBaseValueSet IBaseOutput.Values {
    get { return Values; }
  }
  IBaseValueSet IBaseOutput.GetValues(IBaseExchangeItem querySpecifier) {
    return GetValues(querySpecifier);
  }
  public virtual ITimeSpaceValueSet GetValues(IBaseExchangeItem querySpecifier) {
    var query = querySpecifier as ITimeSpaceExchangeItem;
    if (query == null || query.TimeSet == null || query.TimeSet.Times.Count == 0) return Values;
    ITime last = query.TimeSet.Times[query.TimeSet.Times.Count - 1];
    double wanted = last.StampAsModifiedJulianDay + last.DurationInDays;
    while (End() + 1e-8 < wanted && (Component.Status == LinkableComponentStatus.Updated)) Component.Update();
    return Values;
  }
  private double End() {
    ITime time = Times.List[0];
    return time.StampAsModifiedJulianDay + time.DurationInDays;
  }
  /// <summary>Makes a row the only one.</summary>
  public void Show(double stamp, double duration, IList row) {
    Times.Only(stamp, duration);
    Values.Values2D = new List<IList> { row };
    foreach (IBaseAdaptedOutput one in adapted) one.Refresh();
    Changed("values");
  }
}

/// <summary>A component that makes steps of one length.</summary>
public abstract class Model : Named, ITimeSpaceComponent {
  protected readonly Argument<string> Begin = new Argument<string>("start-time", "") { IsOptional = true };
  protected readonly Argument<string> End = new Argument<string>("end-time", "") { IsOptional = true };
  protected readonly Argument<double> StepLength = new Argument<double>("step", 1.0 / 24.0);
  protected readonly List<IArgument> ArgumentList = new List<IArgument>();
  protected readonly List<IBaseInput> InputList = new List<IBaseInput>();
  protected readonly List<IBaseOutput> OutputList = new List<IBaseOutput>();
  private LinkableComponentStatus status = LinkableComponentStatus.Created;
  protected double First, Last;
  protected int Steps;

  protected Model(string id) : base(id) {
    ArgumentList.Add(Begin);
    ArgumentList.Add(End);
    ArgumentList.Add(StepLength);
  }
  public virtual IList<IArgument> Arguments {
    get { return ArgumentList; }
  }
  public LinkableComponentStatus Status {
    get { return status; }
  }
  public event EventHandler<LinkableComponentStatusChangeEventArgs> StatusChanged;
  public virtual IList<IBaseInput> Inputs {
    get {
      Initialized("Inputs");
      return InputList;
    }
  }
  public virtual IList<IBaseOutput> Outputs {
    get {
      Initialized("Outputs");
      return OutputList;
    }
  }
  private void Initialized(string call) {
    if (status == LinkableComponentStatus.Created || status == LinkableComponentStatus.Initializing ||
        status == LinkableComponentStatus.Finished) {
      throw new InvalidOperationException(call + " cannot be called in the status " + status);
    }
  }
  private readonly List<IAdaptedOutputFactory> factories = new List<IAdaptedOutputFactory>();
  public virtual List<IAdaptedOutputFactory> AdaptedOutputFactories {
    get { return factories; }
  }
  public ITimeSet TimeExtent {
    get { return new Times { TimeHorizon = new Time(First, Last - First) }; }
  }
  protected double Now {
    get { return First + Steps * StepLength.Get(); }
  }
  protected void Become(LinkableComponentStatus next, string message) {
    LinkableComponentStatus old = status;
    status = next;
    if (StatusChanged == null) return;
    StatusChanged(this, new LinkableComponentStatusChangeEventArgs {
      LinkableComponent = this, OldStatus = old, NewStatus = next, Message = message
    });
  }
  private void Guarded(LinkableComponentStatus during, LinkableComponentStatus after, Action work) {
    Become(during, "");
    try {
      work();
    } catch (Exception error) {
      Become(LinkableComponentStatus.Failed, error.Message);
      throw;
    }
    Become(after, "");
  }
  private static double Day(string text) {
    DateTime time = DateTime.Parse(text, CultureInfo.InvariantCulture,
                                   DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal);
    return (time - new DateTime(1858, 11, 17, 0, 0, 0, DateTimeKind.Utc)).TotalDays;
  }
  private void Require(string call, params LinkableComponentStatus[] allowed) {
    if (Array.IndexOf(allowed, status) < 0) {
      throw new InvalidOperationException(call + " cannot be called in the status " + status);
    }
  }
  public void Initialize() {
    Require("Initialize", LinkableComponentStatus.Created);
    Guarded(LinkableComponentStatus.Initializing, LinkableComponentStatus.Initialized, delegate {
      First = Begin.Get() == "" ? 58849.0 : Day(Begin.Get());
      Last = End.Get() == "" ? First + 1.0 : Day(End.Get());
      Setup();
      foreach (Item item in InputList) item.Times.TimeHorizon = new Time(First, Last - First);
      foreach (Item item in OutputList) {
        if (item != null) item.Times.TimeHorizon = new Time(First, Last - First);
      }
    });
  }
  public virtual string[] Validate() {
    Require("Validate", LinkableComponentStatus.Initialized, LinkableComponentStatus.Valid,
            LinkableComponentStatus.Invalid);
    Become(LinkableComponentStatus.Validating, "");
    Become(LinkableComponentStatus.Valid, "");
    return null;
  }
  public void Prepare() {
    Require("Prepare", LinkableComponentStatus.Initialized, LinkableComponentStatus.Valid);
    Guarded(LinkableComponentStatus.Preparing, LinkableComponentStatus.Updated, delegate {
      Steps = 0;
      Start();
      foreach (IBaseOutput output in OutputList) {
        foreach (IBaseAdaptedOutput adapted in output.AdaptedOutputs) adapted.Initialize();
      }
    });
  }
  public void Update(params IBaseOutput[] requiredOutput) {
    if (status == LinkableComponentStatus.Done || status == LinkableComponentStatus.Updating) return;
    Require("Update", LinkableComponentStatus.Updated, LinkableComponentStatus.WaitingForData);
    Become(LinkableComponentStatus.Updating, "");
    try {
      double from = Now;
      ++Steps;
      Step(from, Now);
    } catch (Exception error) {
      Become(LinkableComponentStatus.Failed, error.Message);
      throw;
    }
    Become(Now + 1e-8 >= Last ? LinkableComponentStatus.Done : LinkableComponentStatus.Updated, "");
  }
  public virtual void Finish() {
    Require("Finish", LinkableComponentStatus.Initialized, LinkableComponentStatus.Valid,
            LinkableComponentStatus.Invalid, LinkableComponentStatus.Updated, LinkableComponentStatus.Done,
            LinkableComponentStatus.WaitingForData, LinkableComponentStatus.Failed);
    Guarded(LinkableComponentStatus.Finishing, LinkableComponentStatus.Finished, delegate {});
  }
  protected void Resume(int steps) {
    Steps = steps;
    Become(LinkableComponentStatus.Updated, "state restored");
  }
  protected abstract void Setup();
  protected virtual void Start() {}
  protected abstract void Step(double from, double to);
}

/// <summary>A component whose state is a list of numbers.</summary>
public abstract class StatefulModel : Model, IManageState, IByteStateConverter {
  private readonly Dictionary<string, double[]> states = new Dictionary<string, double[]>();
  private int last;

  protected StatefulModel(string id) : base(id) {}
  /// <summary>All that it remembers, without the number of steps.</summary>
  protected abstract double[] Numbers { get; set; }
  /// <summary>Shows the rows of the present step again.</summary>
  protected abstract void ShowAgain();

  private IIdentifiable Keep(double[] state) {
    var id = new Named("state " + ++last);
    states[id.Id] = state;
    return id;
  }
  private double[] StateOf(IIdentifiable id) {
    double[] found;
    if (states.TryGetValue(id.Id, out found)) return found;
    throw new ArgumentException("no state is called '" + id.Id + "'");
  }
  public IIdentifiable KeepCurrentState() {
    double[] numbers = Numbers;
    var state = new double[numbers.Length + 1];
    numbers.CopyTo(state, 0);
    state[numbers.Length] = Steps;
    return Keep(state);
  }
  public void RestoreState(IIdentifiable stateId) {
    double[] state = StateOf(stateId);
    var numbers = new double[state.Length - 1];
    Array.Copy(state, numbers, numbers.Length);
    Numbers = numbers;
    Resume((int)state[numbers.Length]);
    ShowAgain();
  }
  public void ClearState(IIdentifiable stateId) {
    StateOf(stateId);
    states.Remove(stateId.Id);
  }
  public byte[] ConvertToByteArray(IIdentifiable stateId) {
    double[] state = StateOf(stateId);
    var bytes = new byte[state.Length * sizeof(double)];
    Buffer.BlockCopy(state, 0, bytes, 0, bytes.Length);
    return bytes;
  }
  public IIdentifiable ConvertFromByteArray(byte[] byteArray) {
    if (byteArray.Length != (Numbers.Length + 1) * sizeof(double)) throw new ArgumentException("no state of this model");
    var state = new double[byteArray.Length / sizeof(double)];
    Buffer.BlockCopy(byteArray, 0, state, 0, byteArray.Length);
    return Keep(state);
  }
}

}
