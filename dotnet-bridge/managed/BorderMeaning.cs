using System;
using OpenMI.Standard2;
using OpenMI.Standard2.TimeSpace;

namespace OpenMI.Bridge {

public static unsafe partial class Border {
  // IValueDefinition, IQuantity, IQuality, IUnit, IDimension, ICategory

  /// <summary>1: quantity, 2: quality, 0: another.</summary>
  public static int DefinitionForm(int definition) {
    var one = Things.At<IValueDefinition>(definition);
    return one is IQuantity ? 1 : one is IQuality ? 2 : 0;
  }
  /// <summary>Values of a quality cross as those of its categories.</summary>
  public static int DefinitionType(int definition) {
    var one = Things.At<IValueDefinition>(definition);
    Type type = Portable.Have(one.ValueType, "IValueDefinition.ValueType", one);
    return (int)(one is IQuality ? Portable.Kind.String : Portable.KindOf(type));
  }
  public static object MissingDataValue(int definition) {
    return Portable.Out(Things.At<IValueDefinition>(definition).MissingDataValue);
  }
  public static int Unit(int quantity) {
    var one = Things.At<IQuantity>(quantity);
    return Things.Keep(Portable.Have(one.Unit, "IQuantity.Unit", one));
  }
  public static double ConversionFactorToSI(int unit) {
    return Things.At<IUnit>(unit).ConversionFactorToSI;
  }
  public static double OffSetToSI(int unit) {
    return Things.At<IUnit>(unit).OffSetToSI;
  }
  public static int Dimension(int unit) {
    var one = Things.At<IUnit>(unit);
    return Things.Keep(Portable.Have(one.Dimension, "IUnit.Dimension", one));
  }
  public static double GetPower(int dimension, int power) {
    return Things.At<IDimension>(dimension).GetPower((DimensionBase)power);
  }
  public static int[] Categories(int quality) {
    return List(Things.At<IQuality>(quality).Categories, "IQuality.Categories", quality);
  }
  public static int IsOrdered(int quality) {
    return Things.At<IQuality>(quality).IsOrdered ? 1 : 0;
  }
  public static string CategoryValue(int category) {
    var one = Things.At<ICategory>(category);
    return Portable.Text(Portable.Have(one.Value, "ICategory.Value", one));
  }

  // ISpatialDefinition, IElementSet

  public static int IsElementSet(int places) {
    return Things.At<object>(places) is IElementSet ? 1 : 0;
  }
  public static string SpatialReferenceSystemWkt(int places) {
    return Things.At<ISpatialDefinition>(places).SpatialReferenceSystemWkt;
  }
  public static int ElementCount(int places) {
    return Things.At<ISpatialDefinition>(places).ElementCount;
  }
  public static int Version(int places) {
    return Things.At<ISpatialDefinition>(places).Version;
  }
  public static int ElementType(int elements) {
    return (int)Things.At<IElementSet>(elements).ElementType;
  }
  public static int GetElementIndex(int elements, string id) {
    return Things.At<IElementSet>(elements).GetElementIndex(new Named(id));
  }
  public static int GetElementId(int elements, int element) {
    return Things.Keep(Things.At<IElementSet>(elements).GetElementId(element));
  }
  public static int GetVertexCount(int elements, int element) {
    return Things.At<IElementSet>(elements).GetVertexCount(element);
  }
  public static int GetFaceCount(int elements, int element) {
    return Things.At<IElementSet>(elements).GetFaceCount(element);
  }
  public static int[] GetFaceVertexIndices(int elements, int element, int face) {
    var one = Things.At<IElementSet>(elements);
    return Portable.Have(one.GetFaceVertexIndices(element, face), "IElementSet.GetFaceVertexIndices", one);
  }
  public static int HasZ(int elements) {
    return Things.At<IElementSet>(elements).HasZ ? 1 : 0;
  }
  public static int HasM(int elements) {
    return Things.At<IElementSet>(elements).HasM ? 1 : 0;
  }
  public static double GetVertexXCoordinate(int elements, int element, int vertex) {
    return Things.At<IElementSet>(elements).GetVertexXCoordinate(element, vertex);
  }
  public static double GetVertexYCoordinate(int elements, int element, int vertex) {
    return Things.At<IElementSet>(elements).GetVertexYCoordinate(element, vertex);
  }
  public static double GetVertexZCoordinate(int elements, int element, int vertex) {
    return Things.At<IElementSet>(elements).GetVertexZCoordinate(element, vertex);
  }
  public static double GetVertexMCoordinate(int elements, int element, int vertex) {
    return Things.At<IElementSet>(elements).GetVertexMCoordinate(element, vertex);
  }
}

}
