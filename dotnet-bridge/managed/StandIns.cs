using System;
using System.Collections;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using OpenMI.Standard2;
using OpenMI.Standard2.TimeSpace;

namespace OpenMI.Bridge {

/// <summary>What components see of the rest of a composition: one component, which is always ready.</summary>
internal sealed class EngineComponent : Named, IBaseLinkableComponent {
  public static readonly EngineComponent Only = new EngineComponent();

  private EngineComponent() : base("composition") {
    Arguments = new List<IArgument>().AsReadOnly();
    Inputs = new List<IBaseInput>().AsReadOnly();
    Outputs = new List<IBaseOutput>().AsReadOnly();
    AdaptedOutputFactories = new List<IAdaptedOutputFactory>();
  }
  public IList<IArgument> Arguments { get; private set; }
  public LinkableComponentStatus Status {
    get { return LinkableComponentStatus.Updated; }
  }
  public event EventHandler<LinkableComponentStatusChangeEventArgs> StatusChanged {
    add {}
    remove {}
  }
  public IList<IBaseInput> Inputs { get; private set; }
  public IList<IBaseOutput> Outputs { get; private set; }
  public List<IAdaptedOutputFactory> AdaptedOutputFactories { get; private set; }
  public void Initialize() {}
  public string[] Validate() {
    return new string[0];
  }
  public void Prepare() {}
  /// <summary>Does nothing: a question to the provider makes it compute.</summary>
  public void Update(params IBaseOutput[] requiredOutput) {}
  public void Finish() {}
}

/// <summary>An item at the other end of a link of a component's item, with what that item has.</summary>
internal abstract class EngineItem : Named, ITimeSpaceExchangeItem {
  private readonly IBaseExchangeItem like;

  protected EngineItem(IntPtr self, string id, IBaseExchangeItem like) : base(id) {
    Self = self;
    this.like = like;
  }
  /// <summary>The object of the plug-in; zero: it is gone.</summary>
  public IntPtr Self { get; set; }
  public IValueDefinition ValueDefinition {
    get { return like.ValueDefinition; }
  }
  public IBaseLinkableComponent Component {
    get { return EngineComponent.Only; }
  }
  public event EventHandler<ExchangeItemChangeEventArgs> ItemChanged {
    add {}
    remove {}
  }
  public virtual ISpatialDefinition SpatialDefinition {
    get {
      var placed = like as ITimeSpaceExchangeItem;
      return placed != null ? placed.SpatialDefinition : null;
    }
  }
  public abstract ITimeSet TimeSet { get; }

  protected IntPtr Present() {
    if (Self == IntPtr.Zero) throw new InvalidOperationException("expected the link of '" + Id + "', found it removed");
    return Self;
  }
}

/// <summary>The provider of an input.</summary>
internal sealed class EngineOutput : EngineItem, ITimeSpaceOutput {
  private readonly IBaseInput input;
  private readonly List<IBaseInput> consumers;
  private RowValues values;
  // Long rows are used again in turn: an answer stays until the second question after it, longer than that of an output
  // of the SDK in C#, which changes at the next step.
  private double[] row = new double[0], before = new double[0];

  public EngineOutput(IntPtr self, IBaseInput input) : base(self, "provider of " + input.Id, input) {
    this.input = input;
    consumers = new List<IBaseInput> { input };
  }
  public IList<IBaseInput> Consumers {
    get { return consumers.AsReadOnly(); }
  }
  public void AddConsumer(IBaseInput consumer) {
    if (!ReferenceEquals(consumer, input)) Refuse();
  }
  public void RemoveConsumer(IBaseInput consumer) {
    Refuse();
  }
  public IList<IBaseAdaptedOutput> AdaptedOutputs {
    get { return new List<IBaseAdaptedOutput>().AsReadOnly(); }
  }
  public void AddAdaptedOutput(IBaseAdaptedOutput adaptedOutput) {
    Refuse();
  }
  public void RemoveAdaptedOutput(IBaseAdaptedOutput adaptedOutput) {
    Refuse();
  }
  public override ITimeSet TimeSet {
    get {
      double[] numbers = Engine.ProviderTimes(Present());
      return numbers != null ? new TimeSetCopy(numbers) : null;
    }
  }
  public ITimeSpaceValueSet Values {
    get { return values; }
  }
  IBaseValueSet IBaseOutput.Values {
    get { return values; }
  }
  IBaseValueSet IBaseOutput.GetValues(IBaseExchangeItem querySpecifier) {
    return GetValues(querySpecifier);
  }
  public unsafe ITimeSpaceValueSet GetValues(IBaseExchangeItem querySpecifier) {
    var query = (querySpecifier ?? input) as ITimeSpaceExchangeItem;
    ITimeSet times = query != null ? query.TimeSet : null;
    int count = times != null && times.Times != null ? times.Times.Count : 0;
    double* numbers = stackalloc double[count < 256 ? 2 * count : 1];
    GCHandle pin = default(GCHandle);
    if (count >= 256) {
      pin = GCHandle.Alloc(new double[2 * count], GCHandleType.Pinned);
      numbers = (double*)pin.AddrOfPinnedObject();
    }
    int rows, size;
    double* first;
    try {
      for (int i = 0; i < count; ++i) {
        ITime time = Portable.Have(times.Times[i], "ITimeSet.Times", i, input);
        numbers[2 * i] = time.StampAsModifiedJulianDay;
        numbers[2 * i + 1] = time.DurationInDays;
      }
      ITime horizon = times != null ? times.TimeHorizon : null;
      rows = Engine.Ask(Present(), times != null, times != null && times.HasDurations,
                        times != null ? times.OffsetFromUtcInHours : 0.0,
                        horizon != null ? horizon.StampAsModifiedJulianDay : double.NegativeInfinity, numbers, count,
                        out first, out size);
    } finally {
      if (pin.IsAllocated) pin.Free();
    }
    if (rows < 0) throw EngineException.Last();
    values = Read(rows, first, size);
    return values;
  }

  private unsafe RowValues Read(int count, double* from, int size) {
    Type type = Portable.Have(Portable.Have(input.ValueDefinition, "ValueDefinition", input).ValueType,
                              "ValueDefinition.ValueType", input);
    bool isNumber = Portable.IsNumber(Portable.KindOf(type));
    var rows = new List<IList>(count);
    for (int row = 0; row < count; ++row) {
      if (row > 0) from = Engine.AnswerRow(Self, row, out size);
      if (size < 0) throw EngineException.Last();
      if (isNumber && from == null && size > 0) {
        throw new InvalidCastException("expected numbers for '" + input.Id + "', found values of another kind");
      }
      double[] numbers = count == 1 && isNumber && size >= 1024 ? Again(size) : new double[isNumber ? size : 0];
      if (numbers.Length > 0) Marshal.Copy((IntPtr)from, numbers, 0, size);
      if (type == typeof(double)) {
        rows.Add(numbers);
        continue;
      }
      var others = new object[size];
      for (int i = 0; i < size; ++i) {
        others[i] = Portable.In(isNumber ? numbers[i] : Engine.AnswerValue(Self, row, i), type);
      }
      rows.Add(others);
    }
    return new RowValues(type, rows);
  }

  private double[] Again(int size) {
    double[] again = before.Length == size ? before : new double[size];
    before = row;
    row = again;
    return again;
  }

  private static void Refuse() {
    throw new InvalidOperationException("links are made in the composition, not by a component");
  }
}

/// <summary>A consumer of an output, or the one who asks it.</summary>
internal sealed class EngineInput : EngineItem, ITimeSpaceInput {
  private readonly ElementCopy places;

  public EngineInput(IntPtr self, string id, IBaseOutput output) : base(self, id, output) {
    object[] parts = Engine.ConsumerPlaces(self);
    places = parts != null ? new ElementCopy(parts) : null;
  }

  public override ISpatialDefinition SpatialDefinition {
    get { return places ?? base.SpatialDefinition; }
  }

  public override ITimeSet TimeSet {
    get {
      double[] numbers = Self != IntPtr.Zero ? Engine.ConsumerTimes(Self) : null;
      return numbers != null ? new TimeSetCopy(numbers) : null;
    }
  }
  public IBaseOutput Provider { get; set; }
  public ITimeSpaceValueSet Values { get; set; }
  IBaseValueSet IBaseInput.Values {
    get { return Values; }
    set { Values = value as ITimeSpaceValueSet; }
  }
}

}
