using System;
using System.Runtime.CompilerServices;

namespace OpenMI.Bridge {

/// <summary>Functions of the plug-in. Pointers are its own objects.</summary>
internal static unsafe class Engine {
  /// <summary>Asks the provider of an input.</summary>
  /// <param name="times">stamp and duration of each time</param>
  /// <returns>how many rows the answer has; -1: it failed, see Failure</returns>
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern int Ask(IntPtr input, bool hasTimes, bool hasDurations, double offset, double horizon,
                               double* times, int count);
  /// <summary>The size of a row of the answer; -1: it failed.</summary>
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern int AnswerSize(IntPtr input, int row);
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern int AnswerRow(IntPtr input, int row, double* to, int count);
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern object AnswerValue(IntPtr input, int row, int element);
  /// <summary>Why the last call failed.</summary>
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern string Failure(out int number);
  /// <summary>The times of the provider of an input, as of Border.Times.</summary>
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern double[] ProviderTimes(IntPtr input);
  /// <summary>The times of a consumer.</summary>
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern double[] ConsumerTimes(IntPtr consumer);
  /// <summary>The places of a consumer, for ElementCopy; null: they are those of the output.</summary>
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern object[] ConsumerPlaces(IntPtr consumer);
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern void StatusChanged(IntPtr component, int from, int to, string message);
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern void ItemChanged(IntPtr item, string message);
  /// <summary>Notes what will end the process.</summary>
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern void LastWords(string text);
}

/// <summary>A question of a component that the engine could not answer.</summary>
public sealed class EngineException : Exception {
  private readonly int number;

  internal EngineException(string message, int number) : base(message) {
    this.number = number;
  }
  /// <summary>The number by which the plug-in knows the error.</summary>
  internal int Number {
    get { return number; }
  }
  internal static EngineException Last() {
    int number;
    string message = Engine.Failure(out number);
    return new EngineException(message, number);
  }
}

}
