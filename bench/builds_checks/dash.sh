# Is this a shell that works? Each part that a wrong compilation could break.
set -eu
equal() { [ "$1" = "$2" ] || { echo "$3: '$1' instead of '$2'"; exit 1; }; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Expansions.
path=/usr/lib/x.tar.gz
equal "${path##*/} ${path%.*} ${path%%.*} ${path#/*/}" "x.tar.gz /usr/lib/x.tar /usr/lib/x lib/x.tar.gz" patterns
equal "${none-unset} ${none:-empty} ${path:+set} ${#path}" "unset empty set 17" defaults
equal "$(echo a; echo "$(echo "b  c")")" "a
b  c" nesting
equal "$((7 / 2 * 3 % 5 + (1 << 4) - (6 & 3) | 8))" 26 arithmetic
equal "$((-7 / 2)) $((-7 % 3)) $((0x1f)) $((017)) $((1 ? 2 : 3))" "-3 -1 31 15 2" numbers
set -- "a b" c ''
equal "$# $* $(printf '<%s>' "$@")" "3 a b c  <a b><c><>" words
IFS=:; set -- $(echo x:y::z); unset IFS
equal "$# $4" "4 z" IFS
touch one.c two.c 'a b.h' .hidden
equal "$(echo *.c [!ot]*)" "one.c two.c a b.h" glob
equal ~root "$(sed -n 's/^root:[^:]*:[^:]*:[^:]*:[^:]*:\([^:]*\):.*/\1/p' /etc/passwd)" tilde

# Control.
n=0
for i in 1 2 3 4 5; do
  case $i in 2) continue ;; [4-9]|x) break ;; esac
  n=$((n * 10 + i))
done
equal $n 13 loops
while read -r key value; do eval "map_$key=\$value"; done <<END
first a\\b
second ${n}c  d
END
equal "$map_first $map_second" 'a\b 13c  d' "here-document"
until [ $n -le 0 ]; do n=$((n - 5)); done
equal $n -2 until
factorial() { if [ "$1" -le 1 ]; then echo 1; else echo $(($1 * $(factorial $(($1 - 1))))); fi; }
equal "$(factorial 12)" 479001600 recursion
scope() { local n=local; inner; }
inner() { n=$n-inner; echo $n; }
equal "$(scope) $n" "local-inner -2" local
status=0; (exit 7) || status=$?
equal $status 7 status
equal "$(set +e; false; echo $?; ! true; echo $?)" "1
1" negation

# Processes and descriptors.
equal "$(printf '3\n1\n2\n' | sort | { read -r a; read -r b; echo "$b$a"; })" 21 pipes
{ echo out; echo err >&2; } >both 2>&1
equal "$(cat both)" "out
err" redirections
exec 3>three; echo x >&3; exec 3>&-
equal "$(cat three)" x descriptors
sleep 0 & wait $!
equal "$( (kill -TERM $(exec sh -c 'echo $PPID'); echo no) || echo $?)" 143 signals
equal "$(trap 'echo caught' USR1; kill -USR1 $(exec sh -c 'echo $PPID'); echo after)" "caught
after" traps

# Builtins.
options=
set -- -a -b value rest
while getopts ab: letter; do options=$options$letter${OPTARG-}; done
equal "$options $OPTIND" "abvalue 4" getopts
equal "$(printf '%05d|%-4s|%x|%c|%b' 42 ab 255 xyz 'a\tb')" "00042|ab  |ff|x|a	b" printf
equal "$(umask 027; umask) $(cd /usr/../usr; pwd)" "0027 /usr" builtins
alias twice='echo two'
equal "$(eval twice)" two alias
equal "$(readonly r=1; (r=2) 2>/dev/null || echo kept)" kept readonly
test -f one.c -a ! -d one.c
[ one.c -ot three -o -s both ]
[ abc \< abd ]
echo works
