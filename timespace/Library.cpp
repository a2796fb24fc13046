// The library of the TimeSpace extension.
