using System;
using System.Collections;
using System.Collections.Generic;
using OpenMI.Standard2;
using OpenMI.Standard2.TimeSpace;

namespace OpenMI.Bridge {

public static unsafe partial class Border {
  // IBaseExchangeItem

  /// <summary>Has the events of an item reported to its object in the plug-in, but for values of outputs, which it looks
  /// at after each call.</summary>
  public static void Listen(int item, IntPtr self) {
    var one = Things.At<IBaseExchangeItem>(item);
    bool isOutput = one is IBaseOutput;
    one.ItemChanged += delegate(object sender, ExchangeItemChangeEventArgs args) {
      string message = args != null ? args.Message : null;
      if (!isOutput || message != "values") Engine.ItemChanged(self, message);
    };
  }
  public static int ValueDefinition(int item) {
    var one = Things.At<IBaseExchangeItem>(item);
    return Things.Keep(Portable.Have(one.ValueDefinition, "ValueDefinition", one));
  }
  /// <summary>The places of an item; 0: none.</summary>
  /// <param name="known">places that are kept; 0: none. If they are still those, they are not kept once more.</param>
  public static int SpatialDefinition(int item, int known) {
    var placed = Things.At(item) as ITimeSpaceExchangeItem;
    ISpatialDefinition places = placed != null ? placed.SpatialDefinition : null;
    return ReferenceEquals(places, Things.At(known)) ? known : Things.Keep(places);
  }

  /// <summary>Writes the times of an item: whether they have durations, offset, horizon (two), then two for each time.
  /// </summary>
  /// <returns>how many numbers there are, which may be more than fit; -1: the item has no time set</returns>
  public static int ItemTimes(int item, double* to, int room) {
    var timed = Things.At(item) as ITimeSpaceExchangeItem;
    return WriteTimes(timed != null ? timed.TimeSet : null, timed, to, room);
  }
  /// <summary>The same of a time set.</summary>
  public static int Times(int times, double* to, int room) {
    return WriteTimes(Things.At<ITimeSet>(times), null, to, room);
  }
  private static int WriteTimes(ITimeSet times, object of, double* to, int room) {
    if (times == null) return -1;
    IList<ITime> list = times.Times;
    int count = list != null ? list.Count : 0;
    int size = 4 + 2 * count;
    if (size > room) return size;
    ITime horizon = times.TimeHorizon;
    // The SDK in C# has a horizon of zeros where none was set.
    if (horizon != null && horizon.StampAsModifiedJulianDay == 0.0 && horizon.DurationInDays == 0.0) horizon = null;
    to[0] = times.HasDurations ? 1.0 : 0.0;
    to[1] = times.OffsetFromUtcInHours;
    to[2] = horizon != null ? horizon.StampAsModifiedJulianDay : double.NegativeInfinity;
    to[3] = horizon != null ? horizon.DurationInDays : double.PositiveInfinity;
    for (int i = 0; i < count; ++i) {
      ITime time = Portable.Have(list[i], "ITimeSet.Times", i, of ?? times);
      to[4 + 2 * i] = time.StampAsModifiedJulianDay;
      to[5 + 2 * i] = time.DurationInDays;
    }
    return size;
  }

  // IBaseInput

  /// <summary>Gives an input a provider that asks the plug-in; returns it.</summary>
  public static int Link(int input, IntPtr self) {
    var one = Things.At<IBaseInput>(input);
    var provider = new EngineOutput(self, one);
    one.Provider = provider;
    return Things.Keep(provider);
  }
  public static void Unlink(int input, int provider) {
    Things.At<EngineOutput>(provider).Self = IntPtr.Zero;
    Things.At<IBaseInput>(input).Provider = null;
    Things.Release(provider);
  }
  /// <summary>0: none.</summary>
  public static int InputValues(int input) {
    var one = Things.At<IBaseInput>(input);
    return Things.Keep(one.Values);
  }
  /// <summary>Sets values that are rows of values as they cross the border; null: none.</summary>
  public static void SetInputValues(int input, object[] rows) {
    var one = Things.At<IBaseInput>(input);
    IBaseValueSet values = rows != null ? Values(rows, one.ValueDefinition.ValueType) : null;
    var timed = one as ITimeSpaceInput;
    if (timed != null) {
      timed.Values = (ITimeSpaceValueSet)values;
    } else {
      one.Values = values;
    }
  }
  private static RowValues Values(object[] rows, Type type) {
    var list = new List<IList>(rows.Length);
    foreach (object row in rows) {
      if (row is double[] && type == typeof(double)) {
        list.Add((double[])row);
        continue;
      }
      var from = (Array)row;
      var values = new object[from.Length];
      for (int i = 0; i < values.Length; ++i) values[i] = Portable.In(from.GetValue(i), type);
      list.Add(values);
    }
    return new RowValues(type, list);
  }

  // IBaseOutput

  /// <summary>Registers a consumer, which stands for `self`; returns it.</summary>
  public static int AddConsumer(int output, IntPtr self, string id) {
    var one = Things.At<IBaseOutput>(output);
    var consumer = new EngineInput(self, id, one);
    one.AddConsumer(consumer);
    return Things.Keep(consumer);
  }
  public static void RemoveConsumer(int output, int consumer) {
    var one = Things.At<EngineInput>(consumer);
    Things.At<IBaseOutput>(output).RemoveConsumer(one);
    one.Self = IntPtr.Zero;
    Things.Release(consumer);
  }
  public static int OutputValues(int output) {
    return Things.Keep(Things.At<IBaseOutput>(output).Values);
  }
  /// <param name="consumer">a registered one; 0: one that only asks</param>
  public static int GetValues(int output, int consumer, IntPtr self, string id) {
    var one = Things.At<IBaseOutput>(output);
    EngineInput query = consumer != 0 ? Things.At<EngineInput>(consumer) : new EngineInput(self, id, one);
    try {
      IBaseValueSet values = Stoppable<IBaseValueSet>(delegate { return one.GetValues(query); });
      return Things.Keep(Portable.Have(values, "GetValues", one));
    } finally {
      if (consumer == 0) query.Self = IntPtr.Zero;
    }
  }

  // IBaseValueSet, ITimeSpaceValueSet

  public static int ValueSetType(int values) {
    var set = Things.At<IBaseValueSet>(values);
    return (int)Portable.KindOf(Portable.Have(set.ValueType, "IBaseValueSet.ValueType", set));
  }
  public static int NumberOfIndices(int values) {
    return Things.At<IBaseValueSet>(values).NumberOfIndices;
  }
  public static int GetIndexCount(int values, int[] indices) {
    return Things.At<IBaseValueSet>(values).GetIndexCount(indices ?? new int[0]);
  }
  public static object GetValue(int values, int[] indices) {
    return Portable.Out(Things.At<IBaseValueSet>(values).GetValue(indices ?? new int[0]));
  }
  public static void SetValue(int values, int[] indices, object value) {
    var set = Things.At<IBaseValueSet>(values);
    set.SetValue(indices ?? new int[0], Portable.In(value, set.ValueType));
  }
  public static object GetValueAt(int values, int time, int element) {
    return Portable.Out(Things.At<ITimeSpaceValueSet>(values).GetValue(time, element));
  }
  public static void SetValueAt(int values, int time, int element, object value) {
    var set = Things.At<ITimeSpaceValueSet>(values);
    set.SetValue(time, element, Portable.In(value, set.ValueType));
  }
  public static object[] GetTimeSeriesValuesForElement(int values, int element) {
    var set = Things.At<ITimeSpaceValueSet>(values);
    return Portable.Row(Portable.Have(set.GetTimeSeriesValuesForElement(element), "GetTimeSeriesValuesForElement", set));
  }
  public static void SetTimeSeriesValuesForElement(int values, int element, object[] series) {
    var set = Things.At<ITimeSpaceValueSet>(values);
    set.SetTimeSeriesValuesForElement(element, Portable.Typed(series, set.ValueType));
  }
  public static object[] GetElementValuesForTime(int values, int time) {
    var set = Things.At<ITimeSpaceValueSet>(values);
    return Portable.Row(Portable.Have(set.GetElementValuesForTime(time), "GetElementValuesForTime", set));
  }
  public static void SetElementValuesForTime(int values, int time, object[] row) {
    var set = Things.At<ITimeSpaceValueSet>(values);
    set.SetElementValuesForTime(time, Portable.Typed(row, set.ValueType));
  }
  public static void SetValues2D(int values, object[] rows) {
    var set = Things.At<ITimeSpaceValueSet>(values);
    var list = new List<IList>(rows.Length);
    foreach (object row in rows) list.Add(Portable.Typed((object[])row, set.ValueType));
    set.Values2D = list;
  }

  /// <summary>How many rows a value set has.</summary>
  public static int RowCount(int values) {
    var set = Things.At<IBaseValueSet>(values);
    var timed = set as ITimeSpaceValueSet;
    return timed != null ? Rows(timed).Count : set.GetIndexCount(new int[0]);
  }
  public static int RowSize(int values, int row) {
    return RowAt(Things.At<IBaseValueSet>(values), row).Count;
  }
  public static void CopyRow(int values, int row, double* to, int count) {
    Portable.CopyRow(RowAt(Things.At<IBaseValueSet>(values), row), to, count);
  }
  private static IList<IList> Rows(ITimeSpaceValueSet set) {
    return Portable.Have(set.Values2D, "ITimeSpaceValueSet.Values2D", set);
  }
  private static IList RowAt(IBaseValueSet set, int row) {
    var timed = set as ITimeSpaceValueSet;
    if (timed != null) return Portable.Have(Rows(timed)[row], "ITimeSpaceValueSet.Values2D", row, set);
    var values = new object[set.GetIndexCount(new[] { row })];
    for (int i = 0; i < values.Length; ++i) values[i] = set.GetValue(new[] { row, i });
    return values;
  }

  /// <summary>
  /// The present values of an output of numbers: writes how many numbers its times are, its times (as ItemTimes), and for
  /// each time the number of its values (-1: there is no row) and those of a short row. Long ones are fetched by TakeRow.
  /// </summary>
  /// <returns>how many numbers there are, which may be more than fit; 0: it has no times</returns>
  public static int Look(int output, double* to, int room) {
    var one = (ITimeSpaceOutput)Things.At(output);
    int times = WriteTimes(one.TimeSet, one, to + 1, room - 1);
    if (times <= 4) return 0;  // many have no values before their first time
    int size = 1 + times;
    if (size > room) return size;
    to[0] = times;
    ITimeSpaceValueSet values = one.Values;
    IList<IList> rows = values != null ? Rows(values) : null;
    for (int i = 0; i < (times - 4) / 2; ++i) {
      IList row = rows != null && i < rows.Count ? Portable.Have(rows[i], "ITimeSpaceValueSet.Values2D", i, values) : null;
      int count = row != null ? row.Count : -1;
      int carried = count <= ShortRow ? Math.Max(count, 0) : 0;
      if (size + 1 + carried <= room) {
        to[size] = count;
        Portable.CopyRow(row, to + size + 1, carried);
      }
      size += 1 + carried;
    }
    return size;
  }
  public static void TakeRow(int output, int row, double* to, int count) {
    Portable.CopyRow(Rows(Things.At<ITimeSpaceOutput>(output).Values)[row], to, count);
  }
  private const int ShortRow = 8;  // as Output.cpp has it

  // IAdaptedOutputFactory, IBaseAdaptedOutput

  public static int[] GetAvailableAdaptedOutputIds(int factory, int adaptee, int target) {
    var one = Things.At<IAdaptedOutputFactory>(factory);
    IIdentifiable[] ids = one.GetAvailableAdaptedOutputIds(Things.At<IBaseOutput>(adaptee),
                                                          target != 0 ? Things.At<IBaseInput>(target) : null);
    return ids != null ? List(ids, "GetAvailableAdaptedOutputIds", factory) : new int[0];
  }
  public static int CreateAdaptedOutput(int factory, int id, string text, int adaptee, int target) {
    var one = Things.At<IAdaptedOutputFactory>(factory);
    IBaseAdaptedOutput made = one.CreateAdaptedOutput(StateOf(id, text), Things.At<IBaseOutput>(adaptee),
                                                      target != 0 ? Things.At<IBaseInput>(target) : null);
    return Things.Keep(Portable.Have(made, "CreateAdaptedOutput", one));
  }
  /// <summary>An input that stands for the target of a link, for factories.</summary>
  public static int Target(IntPtr self, string id, int like) {
    return Things.Keep(new EngineInput(self, id, Things.At<IBaseOutput>(like)));
  }
  public static void ForgetTarget(int target) {
    Things.At<EngineInput>(target).Self = IntPtr.Zero;
    Things.Release(target);
  }
  public static void Refresh(int adapted) {
    Things.At<IBaseAdaptedOutput>(adapted).Refresh();
  }
  public static void RemoveAdaptedOutput(int output, int adapted) {
    Things.At<IBaseOutput>(output).RemoveAdaptedOutput(Things.At<IBaseAdaptedOutput>(adapted));
  }
}

}
