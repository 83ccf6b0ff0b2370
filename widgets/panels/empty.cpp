// Keeps the library from being empty until its first file is there.
