// MiniSat's reader of packed files is not used; it wants these names.
typedef void* gzFile;
int gzread(gzFile file, void* data, unsigned size);
