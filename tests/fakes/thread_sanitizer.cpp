// Linked into tests under the thread sanitizer. cpp-httplib comes without it: constants that its functions
// make at first use are guarded by what the sanitizer does not see. Only what that library itself calls is
// left out; what it calls of ours is not.

extern "C" const char* __tsan_default_suppressions();

extern "C" const char* __tsan_default_suppressions() { return "called_from_lib:libcpp-httplib.so\n"; }
