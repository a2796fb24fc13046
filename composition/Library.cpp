// The library of compositions.
