"""The projects of `./ordo bench builds`. To add one is to add an entry; docs/builds.md is not concerned.

Commands are of the shell, in the folder of the sources, with $CC and $CXX set to the compilers and $CHECKS
to the folder of our own checks. Flags are the project's own or Debian's, with -Oz for their level; nothing
that only a machine with more packages would find is switched on.
"""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Project:
    """How to fetch, build and check one."""

    name: str
    source: str  # Debian's name
    version: str  # upstream's, as Debian 12 has it: another one is refused
    build: str
    clean: str  # what makes `build` do all of it again
    check: str  # its own tests, of what is installed
    tests: str  # what `check` runs, for readers
    installed: tuple[str, ...]  # programs and libraries that count
    configure: str = "true"
    needs: tuple[str, ...] = ()  # Debian packages that Ordo itself does not need
    linked_check: str = ""  # `check` of a build with -flto, where that is another
    no_links: str = ""  # why that is not measured


AUTOTOOLS = ("autoconf", "automake", "libtool")
BZIP2 = """CC="$CC" CFLAGS='-Wall -Winline -Oz -g -D_FILE_OFFSET_BITS=64'"""
SQLITE = "mkpkg_tmp_dir/sqlite-autoconf-3400100"
REDIS = """CC="$CC" MALLOC=libc OPTIMIZATION=-Oz \
LUA_CFLAGS='-Oz -Wall -DLUA_ANSI -DENABLE_CJSON_GLOBAL -DREDIS_STATIC= -DLUA_USE_MKSTEMP'"""

PROJECTS = (
    Project(
        name="zlib",
        source="zlib",
        version="1.2.13.dfsg",
        # Its version script names symbols that are not there, which lld takes for an error unless told.
        configure="CFLAGS='-Oz -D_LARGEFILE64_SOURCE=1' LDFLAGS=-Wl,--undefined-version ./configure",
        build='make -j2 CC="$CC" libz.so.1.2.13',
        clean="make clean",
        check='make -j2 CC="$CC" test',
        linked_check='make -j2 CC="$CC" testshared',  # the other half links an archive of bitcode
        tests="`make test`",
        installed=("libz.so.1.2.13",),
    ),
    Project(
        name="bzip2",
        source="bzip2",
        version="1.0.8",
        build=f"make -j2 {BZIP2} bzip2 bzip2recover",
        clean="make clean",
        check=f"make {BZIP2} test",
        tests="`make test`",
        installed=("bzip2", "bzip2recover"),
    ),
    Project(
        name="lua",
        source="lua5.4",
        version="5.4.4",
        build="""make -j2 -C src CC="$CC" CFLAGS='-Wall -Wextra -DLUA_COMPAT_5_3 -DLUA_USE_LINUX -Oz' """
        """CMCFLAGS= SYSLIBS='-Wl,-E -ldl' lua luac""",
        clean="make -C src clean",
        check="src/lua $CHECKS/lua.lua && src/luac -o check.luac $CHECKS/lua.lua && src/lua check.luac",
        tests="the package has none; a script of ours, as source and compiled by `luac`",
        installed=("src/lua", "src/luac"),
    ),
    Project(
        name="sqlite3",
        source="sqlite3",
        version="3.40.1",
        # The form in which upstream gives it to those who build it.
        configure="./configure --disable-tcl && make amalgamation-tarball && "
        f"cd {SQLITE} && ./configure --disable-static --disable-static-shell --disable-editline "
        "--disable-readline ac_cv_header_zlib_h=no ac_cv_search_deflate=no CFLAGS=-Oz",
        build=f"make -j2 -C {SQLITE}",
        clean=f"make -C {SQLITE} clean",
        check=f"LIBRARY=$PWD/{SQLITE}/.libs && "
        "link() { $CC -Oz -I. -Itest -Iext/recover -DSQLITE_CORE -DSQLITE_OSS_FUZZ $* -L$LIBRARY -lsqlite3 "
        '-Wl,-rpath,"$LIBRARY" -lm; } && '
        "link -o fuzzcheck test/fuzzcheck.c test/ossfuzz.c test/fuzzinvariants.c ext/recover/dbdata.c "
        "ext/recover/sqlite3recover.c test/vt02.c && "
        "./fuzzcheck test/fuzzdata1.db test/fuzzdata[3-8].db && "
        "link -o mptester mptest/mptest.c && rm -f mptest.db && "
        "./mptester mptest.db mptest/crash01.test --repeat 5 && "
        "./mptester mptest.db mptest/multiwrite01.test --repeat 5",
        tests="`fuzzcheck` but for fuzzdata2, `mptester`, with the installed library; not the suite in "
        "Tcl, which builds the library another way",
        installed=(f"{SQLITE}/.libs/libsqlite3.so.0.8.6", f"{SQLITE}/.libs/sqlite3"),
        needs=(*AUTOTOOLS, "tcl"),
    ),
    Project(
        name="libpng",
        source="libpng1.6",
        version="1.6.39",
        configure="./configure --disable-static CFLAGS=-Oz",
        build="make -j2 libpng16.la pngfix png-fix-itxt",
        clean="make clean",
        check="make -j2 check",
        tests="`make check`: 32",
        installed=(".libs/libpng16.so.16.39.0", ".libs/pngfix", "png-fix-itxt"),
        needs=("zlib1g-dev",),
    ),
    Project(
        name="jq",
        source="jq",
        version="1.6",
        # Its probe for strptime forgets the macro, which gcc forgives.
        configure="autoreconf -i && CPPFLAGS=-D_GNU_SOURCE ./configure --disable-static --disable-docs "
        "--disable-maintainer-mode --disable-valgrind --without-oniguruma CFLAGS=-Oz",
        build="make -j2",
        clean="make clean",
        check="make check TESTS='tests/optionaltest tests/jqtest tests/shtest tests/utf8test "
        "tests/base64test'",
        tests="`make check` without `mantest`, which needs Ruby, and `onigtest`: 5 scripts",
        installed=(".libs/libjq.so.1.0.4", "jq"),
        needs=AUTOTOOLS,
    ),
    Project(
        name="dash",
        source="dash",
        version="0.5.12",
        configure="./configure --disable-fnmatch --disable-lineno --disable-glob CFLAGS=-Oz",
        build="make -j2",
        clean="make clean",
        check="src/dash $CHECKS/dash.sh && rm -rf again && mkdir again && "
        "tar -c --exclude=./again . | tar -x -C again && cd again && make distclean && "
        "CONFIG_SHELL=$PWD/../src/dash ../src/dash configure --disable-fnmatch --disable-lineno "
        "--disable-glob CFLAGS=-Oz && cmp config.h ../config.h",
        tests="it has none; a script of ours, and its own `configure`, run by itself",
        installed=("src/dash",),
    ),
    Project(
        name="libsodium",
        source="libsodium",
        version="1.0.18",
        configure="./autogen.sh -s && ./configure --disable-static CFLAGS=-Oz",
        build="make -j2 -C src",
        clean="make clean",
        check="make -j2 check",
        tests="`make check`",
        installed=("src/libsodium/.libs/libsodium.so.23.3.0",),
        needs=AUTOTOOLS,
    ),
    Project(
        name="redis",
        source="redis",
        version="7.0.15",
        # Below src: the makefile above runs one make for each target, and those get in each other's way.
        build=f"make -j2 -C src {REDIS} redis-server redis-cli redis-benchmark",
        clean="make distclean",
        check="./runtest --clients 2 --single unit/type/string --single unit/type/hash "
        "--single unit/type/list --single unit/type/set --single unit/type/zset --single unit/type/stream "
        "--single unit/sort --single unit/expire --single unit/bitops --single unit/scripting "
        "--single unit/dump",
        tests="`runtest` of all types, sort, expire, bitops, scripting, dump; not of replication and cluster",
        installed=("src/redis-server", "src/redis-cli", "src/redis-benchmark"),
        needs=("tcl",),
    ),
    Project(
        name="leveldb",
        source="leveldb",
        version="1.23",
        # The libraries of tests are Debian's.
        configure="touch third_party/googletest/CMakeLists.txt third_party/benchmark/CMakeLists.txt && "
        "cmake -S . -B out -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS='-Oz -DNDEBUG' "
        "-DCMAKE_CXX_FLAGS='-Oz -DNDEBUG' -DLEVELDB_BUILD_BENCHMARKS=OFF -DHAVE_SNAPPY=0 -DHAVE_CRC32C=0 "
        "-DHAVE_TCMALLOC=0 -DLEVELDB_HAVE_NO_MISSING_FIELD_INITIALIZERS=0",
        build="make -j2 -C out leveldb leveldbutil",
        clean="make -C out clean",
        # DBTest.HiddenValuesAreRemoved depends on when compactions in the background run (google/leveldb#188): with
        # clang's library it failed in 73 of 300 runs, with ours in 55 (budget 0) and 88 (200 ms).
        check="make -j2 -C out && make -C out test ARGS='--repeat until-pass:5'",
        tests="`make test`: 30 programs, with 5 tries each for a test of timing",
        installed=("out/libleveldb.a", "out/leveldbutil"),
        no_links="an archive: its code is linked with whoever uses it",
    ),
)
