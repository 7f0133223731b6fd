#!/usr/bin/env bash
# IR of other versions, front ends and machines, and files that only look like it: an object, or a refusal in
# words with its exit code, by the front end and in an engine; never a crash, a hang, or an object of something else.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache LC_ALL=C.UTF-8

complain() {
  echo "$*; said:"
  cat err.txt
  exit 1
}

# run ARG…: leaves the exit code in $status, what was said in err.txt. Nobody may crash or show LLVM's stack.
run() {
  status=0
  timeout 60 "$ORDO" "$@" >out.txt 2>err.txt || status=$?
  case $status in 0 | 6[4-6] | 78) ;; *) complain "ordo $*: exit $status" ;; esac
  ! grep -q 'Stack dump\|LLVM ERROR\|PLEASE submit\|<stdin>' out.txt err.txt || complain "ordo $*: LLVM's crash report"
}

# refuse CODE WORDS FILE: by the front end or when the program is opened; `features` does no more than both.
refuse() {
  run features "$3"
  [[ $status -eq $1 ]] || complain "$3: exit $status, wanted $1"
  grep -qF -- "$2" err.txt || complain "$3: '$2' is not in the message"
  local name=${3##*/}
  grep -qF -- "${name%.*}" err.txt || complain "$3: the message does not name the file"
}

# text NAME: a module for this machine, without its first line.
text() { { echo 'target triple = "x86_64-pc-linux-gnu"'; cat; } >"$1"; }

cat >f.c <<'EOF'
int g(int);
int f(int x) { int s = 0; for (int i = 0; i < x; i++) s += g(i) * i; return s; }
EOF
bitcode() { clang-22 -O1 -Xclang -disable-llvm-passes -emit-llvm -c f.c "$@"; }
bitcode -o good.bc
llvm-dis-22 good.bc -o good.ll

# Other machines: IR says which it is for, and LLVM has code generators for them all. No flag is needed.
format() { llvm-readobj-22 --file-headers "$1" | sed -n '/^Format:/p; /^Arch:/p'; }
for triple in x86_64-apple-macosx10.15.0 x86_64-apple-ios11.2.0 x86_64-apple-darwin19 x86_64-apple-tvos12-simulator \
  x86_64-pc-windows-msvc x86_64-w64-windows-gnu x86_64-pc-cygwin x86_64-unknown-uefi x86_64-linux-android21 \
  x86_64-unknown-linux-musl x86_64-linux-gnux32 x86_64-unknown-freebsd13 x86_64-openbsd x86_64-netbsd x86_64-fuchsia \
  x86_64-scei-ps4 x86_64-pc-solaris2.11 x86_64-haiku x86_64-rtems x86_64-unknown-none x86_64-unknown-unknown \
  x86_64-none-elf x86_64 i386-pc-linux-gnu i686-pc-windows-msvc i386-apple-macosx aarch64-linux-gnu arm64-apple-macosx \
  armeb-linux-gnueabi riscv64-linux-gnu s390x-linux-gnu wasm32-unknown-unknown; do
  bitcode "--target=$triple" -o other.bc
  clang-22 --target="$triple" -O1 -c f.c -o clangs.o
  run tune other.bc --baseline clang-O1 --objective text_bytes --budget 1evals --jobs 1 -q --json -o other.o
  [[ $status -eq 0 ]] || complain "$triple: exit $status"
  [[ $(format other.o) == "$(format clangs.o)" ]] || complain "$triple: $(format other.o), clang's is $(format clangs.o)"
  "$ORDO" verify other.ordo.json other.bc >out.txt 2>err.txt || complain "$triple: verify"
done
# What LLVM makes no objects of is said, as is a machine that the flags contradict.
bitcode --target=nvptx64-nvidia-cuda -o other.bc
refuse 64 nvptx64 other.bc
bitcode --target=x86_64-apple-macosx10.15.0 -o mac.bc
run features mac.bc -- -m32
[[ $status -eq 64 ]] || complain "mac.bc with -m32: exit $status"
grep -q 'mac.bc is for x86_64-apple-macosx10.15.0, which it says itself' err.txt || complain 'the machines are not named'
run features mac.bc -- -march=haswell --target=x86_64-apple-macosx11
[[ $status -eq 0 ]] || complain "mac.bc with its own machine: exit $status"
# Nothing of it runs or is linked here.
run tune mac.bc --budget 1evals --jobs 1 -q --emit exe -o mac.exe
[[ $status -eq 64 ]] || complain "mac.exe: exit $status"
grep -q "takes that system's libraries" err.txt || complain 'it is not said what linking takes'
run tune mac.bc --objective runtime --run ./mac --budget 5s -q
[[ $status -eq 78 ]] || complain "run time of mac.bc: exit $status"
# An environment and a study.
run shell <<<"load mac.bc
apply sroa gvn
observe ir_instructions"
[[ $status -eq 0 ]] || complain "mac.bc in the shell: exit $status"
run eval mac.bc --methods random --objectives ir_instructions --compiles 10 --seeds 1 --study mac.sqlite
grep -q ' 0 of them failed' out.txt err.txt || complain "mac.bc in a study"
# A module that names no machine is for this one; a layout of old says less than today's.
grep -v '^target' good.ll >notriple.ll
{ echo 'target datalayout = "e-i64:64-f80:128-n8:16:32:64-S128"'; grep -v '^target' good.ll; } >oldlayout.ll
{ echo 'target datalayout = "e-i64:64-f80:128-n8:16:32:64-S128"'; grep -v '^target datalayout' good.ll; } >nomangling.ll
for name in notriple oldlayout nomangling; do
  run tune $name.ll --budget 1evals --jobs 1 -q -o $name.o
  [[ $status -eq 0 ]] || complain "$name.ll: exit $status"
  "$ORDO" verify $name.ordo.json $name.ll >out.txt 2>err.txt || complain "$name.ll: verify"
done
{ echo 'target datalayout = "E-p:32:32"'; grep -v '^target datalayout' good.ll; } >layout.ll
refuse 78 'data layout' layout.ll
{ echo 'target datalayout = "e-q7"'; grep -v '^target datalayout' good.ll; } >badlayout.ll
refuse 65 'badlayout.ll:1:' badlayout.ll

# Other versions.
printf '@a = global i8 0\n@b = global i64 or (i64 ptrtoint (ptr @a to i64), i64 1)\n' | text old.ll
refuse 65 'old.ll:3:' old.ll
grep -q 'or constexprs are no longer supported' err.txt || complain 'the reason is not passed on'
# An epoch that is yet to come: one of the last bits of the block of identification.
python3 - <<'EOF'
import subprocess

good = open("good.bc", "rb").read()
end = 12 + int.from_bytes(good[8:12], "little") * 4
for bit in range(end * 8 - 32, end * 8):
    changed = bytearray(good)
    changed[bit // 8] ^= 1 << bit % 8
    open("future.bc", "wb").write(changed)
    if b"epoch" in subprocess.run(["opt-22", "-disable-output", "future.bc"], capture_output=True).stderr:
        break
EOF
refuse 65 'Incompatible epoch' future.bc
text olddebug.ll <<'EOF'
define void @f() !dbg !3 {
  ret void, !dbg !6
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 2}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "a.c", directory: "/")
!3 = distinct !DISubprogram(name: "f", file: !2, line: 1, type: !4, unit: !1)
!4 = !DISubroutineType(types: !{})
!6 = !DILocation(line: 1, scope: !3)
EOF

# Other wrappings.
python3 - <<'EOF'
import struct
data = open("good.bc", "rb").read()
open("wrapped.bc", "wb").write(struct.pack("<5I", 0x0B17C0DE, 0, 20, len(data), 7) + data)
EOF
bitcode -flto=thin -o thin.bc
clang-22 -O2 -flto=thin -c f.c -o thinopt.bc
llvm-cat-22 -b good.bc good.bc -o two.bc
refuse 65 'Expected a single module' two.bc
clang-22 -O2 -flto -ffat-lto-objects -c f.c -o fat.o
refuse 64 'an object or a program' fat.o
cp fat.o elf.bc
refuse 65 'an object or a program' elf.bc
cp fat.o elf.ll
refuse 65 'an object or a program' elf.ll
llvm-ar-22 rc archive.bc good.bc
refuse 65 'llvm-ar-22 x' archive.bc
head -c 1000 good.bc >cut.bc
refuse 65 'cut.bc is not valid LLVM 22 bitcode' cut.bc
cp good.bc renamed.ll
cp good.ll text.bc
refuse 65 'text.bc is not bitcode' text.bc
: >empty.bc
refuse 64 'is empty' empty.bc
printf '\xef\xbb\xbf' | cat - good.ll >bom.ll
refuse 65 'bom.ll:1:1:' bom.ll
sed 's/$/\r/' good.ll >crlf.ll
mkdir folder.ll
refuse 64 'is a folder without program.toml' folder.ll
mkfifo pipe.ll
refuse 64 'neither a file nor a folder' pipe.ll
refuse 64 'neither a file nor a folder' /dev/null
refuse 66 'there is no file' "$(printf 'x%.0s' {1..300}).ll"

# What only some machines have, or none.
echo 'module asm ".bogus directive"' | text modasm.ll
text asm.ll <<'EOF'
define void @f() {
  call void asm sideeffect "mov r0, #1", ""()
  ret void
}
EOF
text gc.ll <<'EOF'
define void @f() gc "nosuch" {
  ret void
}
EOF
text scalable.ll <<'EOF'
define <vscale x 4 x i32> @f(<vscale x 4 x i32> %a) {
  %c = add <vscale x 4 x i32> %a, %a
  ret <vscale x 4 x i32> %c
}
EOF
text neon.ll <<'EOF'
declare i32 @llvm.aarch64.neon.uaddlv.i32.v8i8(<8 x i8>)
define i32 @f(<8 x i8> %x) {
  %r = call i32 @llvm.aarch64.neon.uaddlv.i32.v8i8(<8 x i8> %x)
  ret i32 %r
}
EOF
text cpu.ll <<'EOF'
define i32 @f(i32 %x) #0 {
  ret i32 %x
}
attributes #0 = { "target-cpu"="cortex-a53" "target-features"="+neon,+bogus" }
EOF
for file in modasm asm gc scalable neon cpu; do
  for command in 'tune --budget 3evals --jobs 1 -q -o x.o' baselines 'features --after-baseline'; do
    run $command $file.ll
    [[ $status -ne 0 || $command != tune* ]] || complain "$file.ll: an object of it cannot be"
    [[ $status -eq 0 || -s err.txt ]] || complain "$command $file.ll: no word about it"
    [[ ! -e x.o && ! -e $file.ordo.json ]] || complain "$command $file.ll: something was left behind"
  done
  run shell <<<"load $file.ll
apply sroa gvn
observe autophase"
done

# What is odd and fine.
text ifunc.ll <<'EOF'
@f = ifunc i32 (i32), ptr @resolve
define internal ptr @resolve() {
  ret ptr @g
}
define i32 @g(i32 %x) {
  %y = mul i32 %x, 3
  ret i32 %y
}
EOF
text alias.ll <<'EOF'
declare i32 @g(i32)
@f = alias i32 (i32), ptr @g
EOF
refuse 65 'Alias must point to a definition' alias.ll
text conventions.ll <<'EOF'
define swiftcc i32 @f(i32 %x, ptr swiftself %s, ptr swifterror %e) {
  ret i32 %x
}
define ghccc void @h(i64 %a) {
  ret void
}
define i32 @s(ptr addrspace(3) %x) {
  %v = load i32, ptr addrspace(3) %x
  ret i32 %v
}
EOF
echo 'declare void @f()' | text declarations.ll
text nothing.ll </dev/null

# Names that are options, files of arguments, or hard to read.
mkdir names
cp good.ll "names/a b'c\"d.ll"
cp good.ll $'names/two\nlines.ll'
cp good.ll $'names/not-\xff-utf8.ll'
cp good.ll names/-dash.ll
cp f.c names/@at.c
cp f.c names/-dash.c
(cd names && for file in ./*; do
  status=0
  timeout 60 "$ORDO" tune "$file" --budget 3evals --jobs 1 -q >../out.txt 2>../err.txt || status=$?
  [[ $status -eq 0 ]] || { cd ..; complain "tune $file: exit $status"; }
  rm -f ./*.o
  recipe=$(basename "${file%.*}").ordo.json
  [[ -s ./$recipe ]] || { cd ..; complain "tune $file: no recipe"; }
  "$ORDO" verify "./$recipe" "$file" >../out.txt 2>../err.txt || { cd ..; complain "verify $recipe"; }
  rm -f ./*.ordo.json
done)

# All at once, into one folder: each has its object, and the code generator took each.
"$ORDO" tune good.bc wrapped.bc thin.bc thinopt.bc renamed.ll crlf.ll olddebug.ll ifunc.ll conventions.ll \
  declarations.ll nothing.ll --budget 24evals --jobs 1 -q -o objects >out.txt 2>err.txt || complain "tune of what is fine: exit $?"
for name in good wrapped thin thinopt renamed crlf olddebug ifunc conventions declarations nothing; do
  [[ $(llvm-readelf-22 -h objects/$name.o) == *X86-64* ]] || complain "$name.o is no object for this machine"
done
for name in good wrapped thin thinopt renamed crlf; do
  [[ $(llvm-nm-22 objects/$name.o) == *' T f'* ]] || complain "$name.o lacks f"
done

# A study goes on with the next program.
run eval good.bc scalable.ll --methods random --objectives ir_instructions --compiles 10 --seeds 1 -q --study study.sqlite
