// No component library, though the neighbour it is linked with is one.
int NeighbourNumber();
extern "C" int TwiceTheNumber() {
  return 2 * NeighbourNumber();
}
