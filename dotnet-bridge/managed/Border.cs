using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Text.RegularExpressions;
using System.Threading;
using OpenMI.Standard2;
using OpenMI.Standard2.TimeSpace;

namespace OpenMI.Bridge {

/// <summary>
/// What the plug-in calls. Objects are numbers (Things); values cross as Portable says. What a component throws leaves
/// these functions, and the plug-in asks Describe for its text. Members of the standard keep their names.
/// </summary>
public static unsafe partial class Border {
  private static string folder = "";

  /// <summary>Called once, first.</summary>
  public static void Start() {
    AppDomain.CurrentDomain.UnhandledException += delegate(object sender, UnhandledExceptionEventArgs args) {
      Engine.LastWords("no one caught " + Describe(args.ExceptionObject));
    };
    AppDomain.CurrentDomain.ProcessExit += delegate {
      string stack = Environment.StackTrace;
      if (stack.Contains("Environment.Exit")) Engine.LastWords("the component ended it" + WithoutOurFrames("\n" + stack));
    };
    AppDomain.CurrentDomain.AssemblyResolve += Resolve;
  }

  /// <summary>
  /// An assembly that the runtime did not find: one that is loaded, in another version or with another key; else a file
  /// beside the components.
  /// </summary>
  private static Assembly Resolve(object sender, ResolveEventArgs args) {
    string name = new AssemblyName(args.Name).Name;
    foreach (Assembly loaded in AppDomain.CurrentDomain.GetAssemblies()) {
      if (loaded.GetName().Name == name) return loaded;
    }
    foreach (string ending in new[] { ".dll", ".exe" }) {
      string path = Path.Combine(folder, name + ending);
      if (File.Exists(path)) return Assembly.LoadFrom(path);
    }
    return null;
  }

  /// <summary>The names of the types of components in an assembly.</summary>
  public static string[] Types(string path) {
    folder = Path.GetDirectoryName(path);
    Assembly assembly = Assembly.LoadFrom(path);
    var names = new List<string>();
    foreach (Type type in TypesOf(assembly)) {
      if (type.IsClass && !type.IsAbstract && !type.ContainsGenericParameters &&
          typeof(IBaseLinkableComponent).IsAssignableFrom(type) && type.GetConstructor(Type.EmptyTypes) != null) {
        names.Add(type.FullName);
      }
    }
    return names.ToArray();
  }

  private static IEnumerable<Type> TypesOf(Assembly assembly) {
    try {
      return assembly.GetTypes();
    } catch (ReflectionTypeLoadException error) {
      // The first reason names what is missing: an assembly, or a member of another OpenMI.Standard2.
      if (error.LoaderExceptions.Length > 0 && error.LoaderExceptions[0] != null) throw error.LoaderExceptions[0];
      throw;
    }
  }

  /// <summary>The names of the assemblies that one refers to, with versions.</summary>
  public static string[] References(string path) {
    var names = new List<string>();
    foreach (AssemblyName name in Assembly.LoadFrom(path).GetReferencedAssemblies()) names.Add(name.FullName);
    return names.ToArray();
  }

  /// <summary>What a type implements. 1: IManageState, 2: IByteStateConverter, 4: ITimeExtension.</summary>
  public static int FormsOf(string path, string name) {
    Type type = Assembly.LoadFrom(path).GetType(name, true);
    return (typeof(IManageState).IsAssignableFrom(type) ? 1 : 0) +
           (typeof(IByteStateConverter).IsAssignableFrom(type) ? 2 : 0) +
           (typeof(ITimeExtension).IsAssignableFrom(type) ? 4 : 0);
  }

  public static int Make(string path, string type, IntPtr self) {
    var component = Stoppable<IBaseLinkableComponent>(delegate {
      return (IBaseLinkableComponent)Activator.CreateInstance(Assembly.LoadFrom(path).GetType(type, true));
    });
    component.StatusChanged += delegate(object sender, LinkableComponentStatusChangeEventArgs args) {
      if (args != null) Engine.StatusChanged(self, (int)args.OldStatus, (int)args.NewStatus, args.Message);
    };
    return Things.Keep(component);
  }

  /// <summary>Sets where components expect to be: relative paths of theirs start there.</summary>
  public static void Enter(string there) {
    if (there.Length > 0 && Directory.Exists(there)) Environment.CurrentDirectory = there;
  }

  public static void Release(int thing) {
    Things.Release(thing);
  }

  /// <summary>The text of something that was thrown: types, messages and the stack trace.</summary>
  public static string Describe(object thrown) {
    var error = thrown as Exception;
    if (error == null) return Portable.Text(thrown);
    while (error is TargetInvocationException && error.InnerException != null) error = error.InnerException;
    try {
      return WithoutOurFrames(error.ToString());
    } catch (Exception other) {
      return error.GetType() + ", whose text cannot be read: " + other.GetType();
    }
  }

  /// <summary>A text with stack traces, without the frames that are not the component's: those of this assembly, and
  /// that of the question for a trace.</summary>
  private static string WithoutOurFrames(string text) {
    return Regex.Replace(text, @"\n *at (\(wrapper [^)]*\) )?(OpenMI\.Bridge\.|System\.Environment\.get_StackTrace)[^\n]*", "").TrimEnd();
  }

  /// <summary>The number of an error of the engine that a component let pass; 0: it is another.</summary>
  public static int EngineError(object thrown) {
    var error = thrown as EngineException;
    return error != null ? error.Number : 0;
  }

  /// <summary>Makes a call that may take long. One that the plug-in stops (Mono::StopCall) ends with an exception that
  /// may leave this assembly, and says where it was.</summary>
  private static T Stoppable<T>(Func<T> work) {
    try {
      return work();
    } catch (ThreadAbortException error) {
      Thread.ResetAbort();
      throw new TimeoutException("the call was stopped", error);
    }
  }
  private static void Stoppable(Action work) {
    Stoppable<object>(delegate {
      work();
      return null;
    });
  }

  // IDescribable, IIdentifiable

  public static string Caption(int thing) {
    return Things.At<IDescribable>(thing).Caption;
  }
  public static void SetCaption(int thing, string caption) {
    Things.At<IDescribable>(thing).Caption = caption;
  }
  public static string Description(int thing) {
    return Things.At<IDescribable>(thing).Description;
  }
  public static void SetDescription(int thing, string description) {
    Things.At<IDescribable>(thing).Description = description;
  }
  public static string Id(int thing) {
    var one = Things.At<IIdentifiable>(thing);
    return Portable.Have(one.Id, "Id", one);
  }

  // IArgument

  public static int[] Arguments(int thing) {
    var adapted = Things.At<object>(thing) as IBaseAdaptedOutput;
    IList<IArgument> list = adapted != null ? adapted.Arguments : Things.At<IBaseLinkableComponent>(thing).Arguments;
    return List(list, "Arguments", thing);
  }
  public static int ArgumentType(int argument) {
    return (int)Portable.KindOf(TypeOf(Things.At<IArgument>(argument)));
  }
  public static int ArgumentFlags(int argument) {
    var one = Things.At<IArgument>(argument);
    return (one.IsOptional ? 1 : 0) + (one.IsReadOnly ? 2 : 0);
  }
  public static object ArgumentValue(int argument) {
    return Portable.Out(Things.At<IArgument>(argument).Value);
  }
  public static object ArgumentDefault(int argument) {
    return Portable.Out(Things.At<IArgument>(argument).DefaultValue);
  }
  /// <summary>Null: all are possible.</summary>
  public static object[] ArgumentChoices(int argument) {
    IList<object> possible = Things.At<IArgument>(argument).PossibleValues;
    if (possible == null) return null;
    var values = new object[possible.Count];
    for (int i = 0; i < values.Length; ++i) values[i] = Portable.Out(possible[i]);
    return values;
  }
  public static string ArgumentText(int argument) {
    return Things.At<IArgument>(argument).ValueAsString;
  }
  public static void SetArgumentValue(int argument, object value) {
    var one = Things.At<IArgument>(argument);
    one.Value = Portable.In(value, TypeOf(one));
  }
  public static void SetArgumentText(int argument, string text) {
    Things.At<IArgument>(argument).ValueAsString = text;
  }
  private static Type TypeOf(IArgument argument) {
    return Portable.Have(argument.ValueType, "IArgument.ValueType", argument);
  }

  // IBaseLinkableComponent

  public static int Status(int component) {
    return (int)Things.At<IBaseLinkableComponent>(component).Status;
  }
  public static int[] Inputs(int component) {
    return List(Things.At<IBaseLinkableComponent>(component).Inputs, "Inputs", component);
  }
  public static int[] Outputs(int component) {
    return List(Things.At<IBaseLinkableComponent>(component).Outputs, "Outputs", component);
  }
  public static int[] AdaptedOutputFactories(int component) {
    IList<IAdaptedOutputFactory> list = Things.At<IBaseLinkableComponent>(component).AdaptedOutputFactories;
    return list != null ? List(list, "AdaptedOutputFactories", component) : new int[0];
  }
  public static void Initialize(int thing) {
    Stoppable(delegate {
      var adapted = Things.At<object>(thing) as IBaseAdaptedOutput;
      if (adapted != null) {
        adapted.Initialize();
      } else {
        Things.At<IBaseLinkableComponent>(thing).Initialize();
      }
    });
  }
  public static string[] Validate(int component) {
    string[] messages = Stoppable<string[]>(delegate { return Things.At<IBaseLinkableComponent>(component).Validate(); });
    return Array.FindAll(messages ?? new string[0], delegate(string message) { return !string.IsNullOrEmpty(message); });
  }
  public static void Prepare(int component) {
    Stoppable(delegate { Things.At<IBaseLinkableComponent>(component).Prepare(); });
  }
  /// <summary>
  /// Makes a step, and reports what the engine asks for after each one, so that it is one call: the status, and for each
  /// output its places, their version, and what Look writes. Each output takes three numbers and those of Look; outputs for
  /// which there is no room are left out.
  /// </summary>
  /// <param name="required">null: none</param>
  /// <param name="outputs">of each: its number, that of its known places, and whether it has rows</param>
  /// <returns>how many outputs are in the report</returns>
  public static int Update(int component, int[] required, int* outputs, int count, double* to, int room) {
    var asked = new IBaseOutput[required != null ? required.Length : 0];
    for (int i = 0; i < asked.Length; ++i) asked[i] = Things.At<IBaseOutput>(required[i]);
    var one = (IBaseLinkableComponent)Things.At(component);
    Stoppable(delegate { one.Update(asked); });
    to[0] = (int)one.Status;
    int at = 1;
    for (int i = 0; i < count; ++i) {
      if (at + 3 > room) return i;
      int size = outputs[3 * i + 2] != 0 ? Look(outputs[3 * i], to + at + 3, room - at - 3) : 0;
      if (size > room - at - 3) return i;
      int places = SpatialDefinition(outputs[3 * i], outputs[3 * i + 1]);
      to[at] = places;
      to[at + 1] = places != 0 ? ((ISpatialDefinition)Things.At(places)).Version : 0;
      to[at + 2] = size;
      at += 3 + size;
    }
    return count;
  }
  public static void Finish(int component) {
    Stoppable(delegate { Things.At<IBaseLinkableComponent>(component).Finish(); });
  }
  public static int TimeExtent(int component) {
    return Things.Keep(Things.At<ITimeExtension>(component).TimeExtent);
  }

  // IManageState, IByteStateConverter. A state stays kept until it is cleared.

  public static int KeepCurrentState(int component) {
    return Things.Keep(Portable.Have(Things.At<IManageState>(component).KeepCurrentState(),
                                     "IManageState.KeepCurrentState", Things.At<object>(component)));
  }
  /// <param name="state">0: one that the component did not give, called `id`</param>
  public static void RestoreState(int component, int state, string id) {
    Things.At<IManageState>(component).RestoreState(StateOf(state, id));
  }
  public static void ClearState(int component, int state, string id) {
    Things.At<IManageState>(component).ClearState(StateOf(state, id));
  }
  public static byte[] ConvertToByteArray(int component, int state, string id) {
    return Portable.Have(Things.At<IByteStateConverter>(component).ConvertToByteArray(StateOf(state, id)),
                         "IByteStateConverter.ConvertToByteArray", Things.At<object>(component));
  }
  public static int ConvertFromByteArray(int component, byte[] bytes) {
    return Things.Keep(Portable.Have(Things.At<IByteStateConverter>(component).ConvertFromByteArray(bytes),
                                     "IByteStateConverter.ConvertFromByteArray", Things.At<object>(component)));
  }
  private static IIdentifiable StateOf(int state, string id) {
    return state != 0 ? Things.At<IIdentifiable>(state) : new Named(id);
  }

  private static int[] List<T>(IList<T> list, string member, int of) where T : class {
    Portable.Have((object)list, member, Things.At<object>(of));
    for (int i = 0; i < list.Count; ++i) {
      Portable.Have(list[i], member, i, Things.At<object>(of));
    }
    return Things.Keep(list);
  }
}

}
