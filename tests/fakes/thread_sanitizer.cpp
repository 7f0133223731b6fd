// Linked into tests under the thread sanitizer. cpp-httplib comes without it: constants that its functions
// make at first use are guarded by what the sanitizer does not see, and then compared with what a client
// sent. To leave out all that the library calls would leave out its mutexes too, and find races that are
// none.

extern "C" const char* __tsan_default_suppressions();

extern "C" const char* __tsan_default_suppressions() { return "race_top:memcmp\n"; }
