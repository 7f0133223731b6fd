#!/bin/sh
# boot.sh IMAGE TEST STATUS: boots the image in qemu-system-arm, types tests/TEST.in, and wants tests/TEST.out and that
# exit status.
tests=$(dirname "$0")/tests
said=$(timeout 10 qemu-system-arm -M mps2-an386 -display none -monitor none -serial stdio -nic none \
  -semihosting-config enable=on,target=native -kernel "$1" <"$tests/$2.in" 2>/dev/null)
status=$?
[ $status = "$3" ] || { echo "$1, $2: status $status instead of $3"; exit 1; }
printf '%s\n' "$said" | diff "$tests/$2.out" -
