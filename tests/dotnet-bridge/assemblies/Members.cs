// Prints each member of the interfaces of the standard, and whether the assembly of the bridge calls it.
// usage: Members.exe OpenMI.Standard2.dll openmi-dotnet.dll
using System;
using System.Collections.Generic;
using System.Reflection;
using System.Reflection.Emit;

public static class Members {
  private const BindingFlags kAll = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance |
                                    BindingFlags.Static | BindingFlags.DeclaredOnly;
  private static readonly Dictionary<short, OpCode> codes = new Dictionary<short, OpCode>();

  public static int Main(string[] arguments) {
    foreach (FieldInfo field in typeof(OpCodes).GetFields()) {
      var code = (OpCode)field.GetValue(null);
      codes[code.Value] = code;
    }
    Assembly standard = Assembly.LoadFrom(arguments[0]);
    var called = new HashSet<string>();
    foreach (Type type in Assembly.LoadFrom(arguments[1]).GetTypes()) {
      foreach (MethodInfo method in type.GetMethods(kAll)) AddCalls(method, standard, called);
      foreach (ConstructorInfo constructor in type.GetConstructors(kAll)) AddCalls(constructor, standard, called);
    }
    foreach (Type type in standard.GetExportedTypes()) {
      if (type.IsEnum) {
        Console.WriteLine("enum {0} {1}", type.Name, string.Join(" ", Enum.GetNames(type)));
        continue;
      }
      foreach (MethodInfo method in type.GetMethods(kAll)) {
        Console.WriteLine("{0} {1}", called.Contains(NameOf(method)) ? "called" : "left", NameOf(method));
      }
    }
    return 0;
  }

  /// <summary>"IArgument.get_Value", with the number of parameters where a type has two methods of the name.</summary>
  private static string NameOf(MethodBase method) {
    string name = method.DeclaringType.Name + "." + method.Name;
    return method.DeclaringType.GetMember(method.Name, kAll).Length > 1 ? name + "/" + method.GetParameters().Length
                                                                        : name;
  }

  private static void AddCalls(MethodBase method, Assembly standard, HashSet<string> called) {
    MethodBody body = method.GetMethodBody();
    if (body == null) return;
    byte[] code = body.GetILAsByteArray();
    for (int at = 0; at < code.Length;) {
      short value = code[at++];
      if (value == 0xFE) value = (short)(0xFE00 | code[at++]);
      OperandType operand = codes[value].OperandType;
      if (operand == OperandType.InlineMethod) {
        Type[] of_type = method.DeclaringType.GetGenericArguments();
        Type[] of_method = method.IsGenericMethod ? method.GetGenericArguments() : null;
        MethodBase target = method.Module.ResolveMethod(BitConverter.ToInt32(code, at), of_type, of_method);
        if (target.DeclaringType != null && target.DeclaringType.Assembly == standard) called.Add(NameOf(target));
      }
      at += SizeOf(operand, code, at);
    }
  }

  private static int SizeOf(OperandType operand, byte[] code, int at) {
    switch (operand) {
      case OperandType.InlineNone:
        return 0;
      case OperandType.ShortInlineBrTarget:
      case OperandType.ShortInlineI:
      case OperandType.ShortInlineVar:
        return 1;
      case OperandType.InlineVar:
        return 2;
      case OperandType.InlineI8:
      case OperandType.InlineR:
        return 8;
      case OperandType.InlineSwitch:
        return 4 + 4 * BitConverter.ToInt32(code, at);
      default:
        return 4;
    }
  }
}
