// The library of the adaptors.
