#!/usr/bin/env bash
# wing: mlir
# ordo tune KERNEL.mlir: what it writes is what stock tools and C take, and what cannot be is said.
set -euo pipefail
[[ -x ${ORDO%/*}/ordo-mlir-worker ]] || { echo "libmlir-22-dev is not installed"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export ORDO_CACHE=$dir/cache

sed 's/512/64/g' "$ORDO_SOURCE_DIR/examples/mlir/matmul.mlir" >matmul.mlir
ORDO_PYTHON=$dir/nowhere "$ORDO" tune matmul.mlir --budget 12evals -o out -q --emit so | tee report
grep -q 'stock mlir-opt-22 makes the same IR' report
grep -q 'libraries  *not measured: .*nowhere' report
mlir-opt-22 matmul.mlir --transform-preload-library=transform-library-paths=out/matmul.schedule.mlir \
  --transform-interpreter >applied.mlir
grep -q 'func.func @matmul' applied.mlir
grep -q '"backend": "mlir"' out/matmul.ordo.json

cat >main.c <<'C'
#include "out/matmul.h"
static float a[64 * 64], b[64 * 64], c[64 * 64];
int main(void) {
  for (int i = 0; i < 64 * 64; ++i) a[i] = (float)(i % 5 - 2), b[i] = (float)(i % 7 - 3);
  matmul(a, b, c);
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j) {
      float sum = 0;
      for (int k = 0; k < 64; ++k) sum += a[i * 64 + k] * b[k * 64 + j];
      if (sum != c[i * 64 + j]) return 1;
    }
  return 0;
}
C
clang-22 main.c out/matmul.o -o main
./main

python3 - <<'PYTHON'
import array, ctypes
a, b, c = (array.array("f", [i % m - 2 for i in range(64 * 64)]) for m in (5, 7, 2))
place = lambda of: ctypes.c_void_p(of.buffer_info()[0])
ctypes.CDLL("./out/matmul.so").matmul(place(a), place(b), place(c))
assert all(c[i * 64 + j] == sum(a[i * 64 + k] * b[k * 64 + j] for k in range(64)) for i in (0, 63) for j in range(64))
PYTHON

"$ORDO" verify out/matmul.ordo.json | grep 'stock mlir-opt-22 makes the same IR' >/dev/null
"$ORDO" explain out/matmul.ordo.json | grep 'transform.named_sequence' >/dev/null
"$ORDO" replay out/matmul.ordo.json -o again >/dev/null
cmp out/matmul.o again/matmul.o

# On threads, and called by two at a time.
sed 's/512/128/g' "$ORDO_SOURCE_DIR/examples/mlir/matmul.mlir" >shared.mlir
"$ORDO" tune shared.mlir --budget 8evals --threads 2 --no-peers -o two -q --emit so >report
grep -q 'of 2 cores' report
grep -q '"threads": 2' two/shared.ordo.json
"$ORDO" verify two/shared.ordo.json | grep 'stock mlir-opt-22 makes the same IR' >/dev/null
"$ORDO" replay two/shared.ordo.json -o two-again >/dev/null
cmp two/shared.o two-again/shared.o
# Whatever was faster on this machine: what is said without a clock is dealt out.
"$ORDO" mlir schedule shared.mlir --threads 2 -o two | grep 'parallel<' >/dev/null
grep -q 'link it with clang -fopenmp' two/shared.h
nm two/shared.o | grep __kmpc_fork_call >/dev/null
cat >two.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include "two/shared.h"
enum { N = 128 };
static void* call(void* seed) {
  float* m = malloc(3 * N * N * sizeof(float));
  float *a = m, *b = m + N * N, *c = m + 2 * N * N;
  for (int i = 0; i < N * N; ++i) a[i] = (float)(i % 5 - *(int*)seed), b[i] = (float)(i % 7 - 3);
  for (int again = 0; again < 20; ++again) {
    matmul(a, b, c);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        float sum = 0;
        for (int k = 0; k < N; ++k) sum += a[i * N + k] * b[k * N + j];
        if (sum != c[i * N + j]) exit(1);
      }
  }
  return m;
}
int main(void) {
  pthread_t threads[2];
  int seeds[2] = {1, 2};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, call, &seeds[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
C
clang-22 -O1 -fopenmp two.c two/shared.o -o two.exe
./two.exe

echo 'func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }' >dynamic.mlir
"$ORDO" tune dynamic.mlir -q 2>error && exit 1
grep -q 'dynamic.*supported are tensors of f32 or f64 of static shapes' error
"$ORDO" tune matmul.mlir --budget 4evals --baseline fare -q 2>error && exit 1
grep -q 'fair' error
"$ORDO" tune matmul.mlir --budget 4evals --emit exe -q 2>error && exit 1
grep -q 'obj or so' error

# Whatever the budget, something is tried.
"$ORDO" tune matmul.mlir --budget 10ms --no-peers -o short -q --json >report
python3 - <<'PYTHON'
import json
result = json.load(open("report"))["results"][0]
assert result["recipe"]["search"]["evaluations"] >= 3, result
assert result["speedup"] == [1, 1, 1] or result["time_ns"] < result["baseline_ns"], result
PYTHON

# As exporters write it: a name that C has another use for, weights in the file, a softmax, a boolean for each row.
cat >exported.mlir <<'MLIR'
module attributes {torch.debug_module_name = "Net"} {
  func.func @main(%x: tensor<40x4xf32>) -> tensor<40x2xf32> {
    %w = arith.constant dense_resource<w> : tensor<4x2xf32>
    %z = arith.constant 0.0 : f32
    %t = arith.constant true
    %e = tensor.empty() : tensor<40x4xf32>
    %s = linalg.softmax dimension(1) ins(%x : tensor<40x4xf32>) outs(%e : tensor<40x4xf32>) -> tensor<40x4xf32>
    %eb = tensor.empty() : tensor<40xi1>
    %fb = linalg.fill ins(%t : i1) outs(%eb : tensor<40xi1>) -> tensor<40xi1>
    %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<40x4xf32>) outs(%fb : tensor<40xi1>) {
    ^bb0(%i: f32, %o: i1):
      %c = arith.cmpf olt, %i, %z : f32
      %a = arith.andi %c, %o : i1
      linalg.yield %a : i1
    } -> tensor<40xi1>
    %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%b, %s : tensor<40xi1>, tensor<40x4xf32>) outs(%e : tensor<40x4xf32>) {
    ^bb0(%c: i1, %i: f32, %o: f32):
      %a = arith.select %c, %z, %i : f32
      linalg.yield %a : f32
    } -> tensor<40x4xf32>
    %e2 = tensor.empty() : tensor<40x2xf32>
    %o = linalg.fill ins(%z : f32) outs(%e2 : tensor<40x2xf32>) -> tensor<40x2xf32>
    %r = linalg.matmul ins(%m, %w : tensor<40x4xf32>, tensor<4x2xf32>) outs(%o : tensor<40x2xf32>) -> tensor<40x2xf32>
    return %r : tensor<40x2xf32>
  }
}
{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F0000004000004040000080400000A0400000C0400000E04000000041"
    }
  }
#-}
MLIR
"$ORDO" tune exported.mlir --budget 6evals --no-peers -o net -q >report
grep -q 'stock mlir-opt-22 makes the same IR' report
cat >net.c <<'C'
#include <math.h>
#include "net/exported.h"
static float x[40 * 4], y[40 * 2];
int main(void) {
  for (int i = 0; i < 160; ++i) x[i] = (float)(i * 7 % 11 - (i / 4 % 3 ? 2 : 12));
  ordo_main(x, y);
  for (int i = 0; i < 40; ++i) {
    float sum = 0, below = 1, wanted[2] = {0, 0};
    for (int j = 0; j < 4; ++j) sum += expf(x[4 * i + j]), below = below && x[4 * i + j] < 0;
    for (int j = 0; j < 8; ++j) wanted[j % 2] += below ? 0 : expf(x[4 * i + j / 2]) / sum * (float)(j + 1);
    for (int k = 0; k < 2; ++k)
      if (!(fabsf(y[2 * i + k] - wanted[k]) <= 1e-4f * fmaxf(1, wanted[k]))) return 1;
  }
  return 0;
}
C
clang-22 -O1 net.c net/exported.o -lm -o net.exe
./net.exe

# Many operations, each of which takes steps.
"$ORDO" tune mlir/transformer/4x8x2x8 --budget 6evals -j 1 --no-peers -o layer -q >/dev/null
python3 - <<'PYTHON'
import json
tried = json.load(open("layer/transformer_4x8x2x8.candidates.json"))["candidates"]
assert any(len(one["steps"]) > 60 and one["time_ns"] for one in tried), tried
PYTHON

# What nothing divides, of the dataset.
"$ORDO" tune mlir/matmul/97x131x61 --budget 8evals --no-peers -o odd -q | tee report
grep -q 'vectorize' report
test -s odd/matmul_97x131x61.schedule.mlir
"$ORDO" tune mlir/matmul/17x33 -q 2>error && exit 1
grep -q 'wants MxNxK' error
"$ORDO" list programs mlir/attention | grep '^mlir/attention/197x64' >/dev/null

# What it computes on the way lies in memory of its own for each thread.
"$ORDO" mlir schedule mlir/softmax/64x64 -o rows >/dev/null
clang-22 -shared rows/softmax_64x64.o -lm -o rows/softmax.so
python3 - <<'PYTHON'
import array, ctypes, threading
softmax = ctypes.CDLL("./rows/softmax.so").softmax
place = lambda of: ctypes.c_void_p(of.buffer_info()[0])
wrong = []
def call(seed):
    x, first, again = array.array("f", [(i * seed) % 11 / 4 for i in range(4096)]), *(array.array("f", bytes(16384)) for _ in "ab")
    softmax(place(x), place(first))
    assert abs(sum(first[:64]) - 1) < 1e-4
    for _ in range(400):
        softmax(place(x), place(again))
        if first != again:
            wrong.append(seed)
threads = [threading.Thread(target=call, args=(seed,)) for seed in (3, 5, 7)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not wrong, wrong
PYTHON

# A policy, from almost nothing; the same command goes on and measures nothing again.
train() { "$ORDO" train kernels --rounds 2 --kernels 1 --held-out-kernels 1 --most-work 2e5 --epochs 2 --run run "$@"; }
train -o kernels.safetensors 2>/dev/null | tee report
grep -q 'kernels.safetensors: .* schedules of 2 kernels' report
test "$(wc -l <run/measured.jsonl)" = 4
train -o again.safetensors >/dev/null 2>&1
cmp kernels.safetensors again.safetensors
test "$(wc -l <run/measured.jsonl)" = 4

# What it, or the model of costs, says at once.
"$ORDO" mlir schedule matmul.mlir -o said | tee report
grep -q 'found in' report
mlir-opt-22 matmul.mlir --transform-preload-library=transform-library-paths=said/matmul.schedule.mlir \
  --transform-interpreter >/dev/null
