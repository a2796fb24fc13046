using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.InteropServices;
using OpenMI.Standard2;

namespace OpenMI.Bridge {

/// <summary>Values as they cross the border: null, bool, long, double, string or byte[].</summary>
internal static class Portable {
  /// <summary>openmi::ValueKind.</summary>
  public enum Kind { Empty, Boolean, Integer, Double, String, Binary, Object }

  public static Kind KindOf(Type type) {
    if (type == typeof(byte[])) return Kind.Binary;
    if (type.IsEnum) return Kind.String;
    switch (Type.GetTypeCode(type)) {
      case TypeCode.Boolean:
        return Kind.Boolean;
      case TypeCode.SByte:
      case TypeCode.Byte:
      case TypeCode.Int16:
      case TypeCode.UInt16:
      case TypeCode.Int32:
      case TypeCode.UInt32:
      case TypeCode.Int64:
      case TypeCode.UInt64:
        return Kind.Integer;
      case TypeCode.Single:
      case TypeCode.Double:
      case TypeCode.Decimal:
        return Kind.Double;
      default:
        return Kind.String;  // also of a type of the component's own, whose text is shown
    }
  }

  public static bool IsNumber(Kind kind) {
    return kind == Kind.Boolean || kind == Kind.Integer || kind == Kind.Double;
  }

  public static object Out(object value) {
    if (value == null || value is DBNull) return null;
    if (value is byte[]) return value;
    var category = value as ICategory;
    if (category != null) return Out(category.Value);
    Type type = value.GetType();
    switch (KindOf(type)) {
      case Kind.Boolean:
        return value;
      case Kind.Integer:
        return value is ulong && (ulong)value > long.MaxValue ? (object)(double)(ulong)value
                                                              : Convert.ToInt64(value, CultureInfo.InvariantCulture);
      case Kind.Double:
        return Convert.ToDouble(value, CultureInfo.InvariantCulture);
      default:
        return Text(value);
    }
  }

  public static string Text(object value) {
    if (value is DateTime) return ((DateTime)value).ToString("o", CultureInfo.InvariantCulture);
    return Convert.ToString(value, CultureInfo.InvariantCulture) ?? "";
  }

  /// <summary>A value from outside, as a type of the component.</summary>
  /// <exception cref="InvalidCastException">it cannot be one</exception>
  public static object In(object value, Type wanted) {
    if (value == null || wanted == null || wanted.IsInstanceOfType(value)) return value;
    try {
      var text = value as string;
      if (wanted.IsEnum && text != null) return Enum.Parse(wanted, text);
      return Convert.ChangeType(value, wanted, CultureInfo.InvariantCulture);
    } catch (Exception error) {
      if (!(error is FormatException || error is OverflowException || error is ArgumentException ||
            error is InvalidCastException)) {
        throw;
      }
      throw new InvalidCastException(string.Format(CultureInfo.InvariantCulture,
                                                   "expected a value of type {0}, found '{1}'", wanted, Text(value)));
    }
  }

  public static object[] Row(IList row) {
    var values = new object[row.Count];
    for (int i = 0; i < values.Length; ++i) values[i] = Out(row[i]);
    return values;
  }

  /// <summary>A list of values from outside, as a list of the component's type.</summary>
  public static IList Typed(object[] values, Type wanted) {
    var list = (IList)Activator.CreateInstance(typeof(List<>).MakeGenericType(wanted ?? typeof(object)));
    foreach (object value in values) list.Add(In(value, wanted));
    return list;
  }

  /// <summary>Copies a row of a component's numbers to memory of the engine.</summary>
  public static unsafe void CopyRow(IList row, double* to, int count) {
    if (count == 0) return;
    var array = row as double[];
    if (array != null) {
      Marshal.Copy(array, 0, (IntPtr)to, count);
      return;
    }
    var list = row as List<double>;
    if (list != null) {
      for (int i = 0; i < count; ++i) to[i] = list[i];
      return;
    }
    for (int i = 0; i < count; ++i) to[i] = Number(row[i], i);
  }

  private static double Number(object value, int element) {
    if (value is double) return (double)value;
    if (value == null || value is DBNull) return double.NaN;
    Type type = value.GetType();
    if (IsNumber(KindOf(type))) return Convert.ToDouble(value, CultureInfo.InvariantCulture);
    throw new InvalidCastException(string.Format(CultureInfo.InvariantCulture,
                                                 "expected a number for element {0}, found '{1}' of type {2}", element,
                                                 Text(value), type));
  }

  /// <summary>The same of an element of a member.</summary>
  public static T Have<T>(T value, string member, int index, object of) where T : class {
    return value ?? Have(value, string.Format(CultureInfo.InvariantCulture, "{0}[{1}]", member, index), of);
  }

  /// <summary>What a member returns that must not be null.</summary>
  public static T Have<T>(T value, string member, object of) where T : class {
    if (value != null) return value;
    var named = of as IIdentifiable;
    string name = named != null && named.Id != null ? named.Id : of.GetType().FullName;
    throw new NullMemberException(string.Format(CultureInfo.InvariantCulture, "expected {0} of '{1}', found null",
                                                member, name));
  }
}

/// <summary>A member of a component returned null where the standard does not allow it.</summary>
public sealed class NullMemberException : Exception {
  public NullMemberException(string message) : base(message) {}
}

}
