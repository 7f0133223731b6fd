// Graphs as exporters write them (torch-mlir's linalg-on-tensors, JAX through StableHLO): several types on
// the way, booleans and numbers of places among them. Small sizes, of which few divide each other.
#pragma once

namespace ordo::fakes {

// The least of it: what is a boolean on the way, for each element and for each row.
inline constexpr const char* kBooleansText = R"(#id = affine_map<(i,j) -> (i,j)>
#row = affine_map<(i,j) -> (i)>
func.func @booleans(%x: tensor<96x40xf32>) -> tensor<96x40xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %eb = tensor.empty() : tensor<96x40xi1>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<96x40xf32>) outs(%eb : tensor<96x40xi1>) {
  ^bb0(%i: f32, %o: i1):
    %c = arith.cmpf oeq, %i, %ninf : f32
    linalg.yield %c : i1
  } -> tensor<96x40xi1>
  %er = tensor.empty() : tensor<96xi1>
  %f = linalg.fill ins(%true : i1) outs(%er : tensor<96xi1>) -> tensor<96xi1>
  %all = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%m : tensor<96x40xi1>) outs(%f : tensor<96xi1>) {
  ^bb0(%i: i1, %o: i1):
    %a = arith.andi %i, %o : i1
    linalg.yield %a : i1
  } -> tensor<96xi1>
  %e = tensor.empty() : tensor<96x40xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<96x40xf32>) outs(%e : tensor<96x40xf32>) {
  ^bb0(%i: f32, %o: f32):
    %c = arith.addf %i, %i : f32
    linalg.yield %c : f32
  } -> tensor<96x40xf32>
  %r = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%all, %y : tensor<96xi1>, tensor<96x40xf32>) outs(%e : tensor<96x40xf32>) {
  ^bb0(%b: i1, %i: f32, %o: f32):
    %s = arith.select %b, %zero, %i : f32
    linalg.yield %s : f32
  } -> tensor<96x40xf32>
  return %r : tensor<96x40xf32>
}
)";

// Attention with a causal mask, which is made of the numbers of places: i64, i1, and the greatest of a row.
inline constexpr const char* kAttentionText = R"(#id = affine_map<(b,i,j) -> (b,i,j)>
#row = affine_map<(b,i,j) -> (b,i)>
#square = affine_map<(b,i,j) -> (i,j)>
#two = affine_map<(i,j) -> (i,j)>
func.func @attention(%q: tensor<2x20x12xf32>, %k: tensor<2x12x20xf32>, %v: tensor<2x20x12xf32>) -> tensor<2x20x12xf32> {
  %z = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f32
  %es = tensor.empty() : tensor<2x20x20xf32>
  %fs = linalg.fill ins(%z : f32) outs(%es : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x20x12xf32>, tensor<2x12x20xf32>) outs(%fs : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
  %em = tensor.empty() : tensor<20x20xi1>
  %mask = linalg.generic {indexing_maps = [#two], iterator_types = ["parallel", "parallel"]} outs(%em : tensor<20x20xi1>) {
  ^bb0(%o: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %i64 = arith.index_cast %i : index to i64
    %j64 = arith.index_cast %j : index to i64
    %c = arith.cmpi sle, %j64, %i64 : i64
    linalg.yield %c : i1
  } -> tensor<20x20xi1>
  %masked = linalg.generic {indexing_maps = [#square, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%mask, %s : tensor<20x20xi1>, tensor<2x20x20xf32>) outs(%es : tensor<2x20x20xf32>) {
  ^bb0(%b: i1, %x: f32, %o: f32):
    %t = arith.mulf %x, %scale : f32
    %r = arith.select %b, %t, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<2x20x20xf32>
  %er = tensor.empty() : tensor<2x20xf32>
  %fm = linalg.fill ins(%ninf : f32) outs(%er : tensor<2x20xf32>) -> tensor<2x20xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%masked : tensor<2x20x20xf32>) outs(%fm : tensor<2x20xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.maximumf %x, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x20xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%masked, %max : tensor<2x20x20xf32>, tensor<2x20xf32>) outs(%es : tensor<2x20x20xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x20x20xf32>
  %fr = linalg.fill ins(%z : f32) outs(%er : tensor<2x20xf32>) -> tensor<2x20xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%e : tensor<2x20x20xf32>) outs(%fr : tensor<2x20xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x20xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%e, %sum : tensor<2x20x20xf32>, tensor<2x20xf32>) outs(%es : tensor<2x20x20xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x20x20xf32>
  %ey = tensor.empty() : tensor<2x20x12xf32>
  %fy = linalg.fill ins(%z : f32) outs(%ey : tensor<2x20x12xf32>) -> tensor<2x20x12xf32>
  %y = linalg.batch_matmul ins(%p, %v : tensor<2x20x20xf32>, tensor<2x20x12xf32>) outs(%fy : tensor<2x20x12xf32>) -> tensor<2x20x12xf32>
  return %y : tensor<2x20x12xf32>
}
)";

// One cell of an LSTM: a product for all gates, slices of it, sigmoids and tanh, two results.
inline constexpr const char* kLstmText = R"(#id = affine_map<(i,j) -> (i,j)>
#col = affine_map<(i,j) -> (j)>
func.func @lstm(%x: tensor<6x10xf32>, %h: tensor<6x8xf32>, %c: tensor<6x8xf32>, %w: tensor<10x32xf32>, %u: tensor<8x32xf32>, %b: tensor<32xf32>) -> (tensor<6x8xf32>, tensor<6x8xf32>) {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<6x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<6x32xf32>) -> tensor<6x32xf32>
  %a = linalg.matmul ins(%x, %w : tensor<6x10xf32>, tensor<10x32xf32>) outs(%f : tensor<6x32xf32>) -> tensor<6x32xf32>
  %g = linalg.matmul ins(%h, %u : tensor<6x8xf32>, tensor<8x32xf32>) outs(%a : tensor<6x32xf32>) -> tensor<6x32xf32>
  %s = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
    ins(%g, %b : tensor<6x32xf32>, tensor<32xf32>) outs(%e : tensor<6x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<6x32xf32>
  %gi = tensor.extract_slice %s[0, 0] [6, 8] [1, 1] : tensor<6x32xf32> to tensor<6x8xf32>
  %gf = tensor.extract_slice %s[0, 8] [6, 8] [1, 1] : tensor<6x32xf32> to tensor<6x8xf32>
  %gg = tensor.extract_slice %s[0, 16] [6, 8] [1, 1] : tensor<6x32xf32> to tensor<6x8xf32>
  %go = tensor.extract_slice %s[0, 24] [6, 8] [1, 1] : tensor<6x32xf32> to tensor<6x8xf32>
  %e8 = tensor.empty() : tensor<6x8xf32>
  %cn = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%gi, %gf, %gg, %c : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%e8 : tensor<6x8xf32>) {
  ^bb0(%i: f32, %k: f32, %l: f32, %m: f32, %o: f32):
    %ni = arith.negf %i : f32
    %xi = math.exp %ni : f32
    %di = arith.addf %xi, %one : f32
    %si = arith.divf %one, %di : f32
    %nk = arith.negf %k : f32
    %xk = math.exp %nk : f32
    %dk = arith.addf %xk, %one : f32
    %sk = arith.divf %one, %dk : f32
    %t = math.tanh %l : f32
    %p = arith.mulf %sk, %m : f32
    %q = arith.mulf %si, %t : f32
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<6x8xf32>
  %hn = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%go, %cn : tensor<6x8xf32>, tensor<6x8xf32>) outs(%e8 : tensor<6x8xf32>) {
  ^bb0(%i: f32, %k: f32, %o: f32):
    %ni = arith.negf %i : f32
    %xi = math.exp %ni : f32
    %di = arith.addf %xi, %one : f32
    %si = arith.divf %one, %di : f32
    %t = math.tanh %k : f32
    %r = arith.mulf %si, %t : f32
    linalg.yield %r : f32
  } -> tensor<6x8xf32>
  return %hn, %cn : tensor<6x8xf32>, tensor<6x8xf32>
}
)";

// What LLaMA has after attention: two products, one gated by x sigmoid(x) of the other.
inline constexpr const char* kSwigluText = R"(#id = affine_map<(i,j) -> (i,j)>
func.func @swiglu(%x: tensor<7x16xf32>, %w: tensor<16x24xf32>, %v: tensor<16x24xf32>, %d: tensor<24x16xf32>) -> tensor<7x16xf32> {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<7x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<7x24xf32>) -> tensor<7x24xf32>
  %a = linalg.matmul ins(%x, %w : tensor<7x16xf32>, tensor<16x24xf32>) outs(%f : tensor<7x24xf32>) -> tensor<7x24xf32>
  %b = linalg.matmul ins(%x, %v : tensor<7x16xf32>, tensor<16x24xf32>) outs(%f : tensor<7x24xf32>) -> tensor<7x24xf32>
  %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<7x24xf32>, tensor<7x24xf32>) outs(%e : tensor<7x24xf32>) {
  ^bb0(%i: f32, %k: f32, %o: f32):
    %n = arith.negf %i : f32
    %p = math.exp %n : f32
    %q = arith.addf %p, %one : f32
    %s = arith.divf %i, %q : f32
    %r = arith.mulf %s, %k : f32
    linalg.yield %r : f32
  } -> tensor<7x24xf32>
  %e2 = tensor.empty() : tensor<7x16xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<7x16xf32>) -> tensor<7x16xf32>
  %y = linalg.matmul ins(%g, %d : tensor<7x24xf32>, tensor<24x16xf32>) outs(%f2 : tensor<7x16xf32>) -> tensor<7x16xf32>
  return %y : tensor<7x16xf32>
}
)";

// Squeeze and excite: the mean of each channel, two small products, and each channel times what comes of it.
inline constexpr const char* kSqueezeText = R"(#id = affine_map<(n,c,h,w) -> (n,c,h,w)>
#channel = affine_map<(n,c,h,w) -> (n,c)>
#two = affine_map<(i,j) -> (i,j)>
func.func @squeeze(%x: tensor<2x8x5x6xf32>, %w: tensor<8x4xf32>, %v: tensor<4x8xf32>) -> tensor<2x8x5x6xf32> {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %count = arith.constant 3.000000e+01 : f32
  %e = tensor.empty() : tensor<2x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #channel], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%x : tensor<2x8x5x6xf32>) outs(%f : tensor<2x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.addf %i, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x8xf32>
  %m = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.divf %i, %count : f32
    linalg.yield %r : f32
  } -> tensor<2x8xf32>
  %e4 = tensor.empty() : tensor<2x4xf32>
  %f4 = linalg.fill ins(%z : f32) outs(%e4 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %a = linalg.matmul ins(%m, %w : tensor<2x8xf32>, tensor<8x4xf32>) outs(%f4 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %b = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<2x4xf32>) outs(%e4 : tensor<2x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %g = arith.cmpf ugt, %i, %z : f32
    %r = arith.select %g, %i, %z : f32
    linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %c = linalg.matmul ins(%b, %v : tensor<2x4xf32>, tensor<4x8xf32>) outs(%f : tensor<2x8xf32>) -> tensor<2x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %c : tensor<2x8x5x6xf32>, tensor<2x8xf32>) outs(%x : tensor<2x8x5x6xf32>) {
  ^bb0(%i: f32, %k: f32, %o: f32):
    %n = arith.negf %k : f32
    %p = math.exp %n : f32
    %q = arith.addf %p, %one : f32
    %s1 = arith.divf %one, %q : f32
    %r = arith.mulf %i, %s1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x5x6xf32>
  return %y : tensor<2x8x5x6xf32>
}
)";

// A window of one dimension over what is padded, and a bias that is spread first.
inline constexpr const char* kConv1dText = R"(#id = affine_map<(n,c,l) -> (n,c,l)>
func.func @conv1d(%x: tensor<2x6x19xf32>, %w: tensor<8x6x3xf32>, %b: tensor<8xf32>) -> tensor<2x8x10xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %z : f32
  } : tensor<2x6x19xf32> to tensor<2x6x21xf32>
  %e = tensor.empty() : tensor<2x8x10xf32>
  %f = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<2x8x10xf32>) dimensions = [0, 2]
  %y = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}
    ins(%p, %w : tensor<2x6x21xf32>, tensor<8x6x3xf32>) outs(%f : tensor<2x8x10xf32>) -> tensor<2x8x10xf32>
  return %y : tensor<2x8x10xf32>
}
)";

// RMSNorm: the mean of squares of each row, kept as a dimension of one, in double precision.
inline constexpr const char* kRmsNormText = R"(#id = affine_map<(b,s,c) -> (b,s,c)>
#kept = affine_map<(b,s,c) -> (b,s,0)>
#row = affine_map<(b,s,c) -> (b,s)>
#channel = affine_map<(b,s,c) -> (c)>
#two = affine_map<(b,s) -> (b,s)>
func.func @rmsnorm(%x: tensor<2x5x24xf64>, %w: tensor<24xf64>) -> tensor<2x5x24xf64> {
  %z = arith.constant 0.0 : f64
  %count = arith.constant 24.0 : f64
  %small = arith.constant 1.0e-6 : f64
  %e = tensor.empty() : tensor<2x5xf64>
  %f = linalg.fill ins(%z : f64) outs(%e : tensor<2x5xf64>) -> tensor<2x5xf64>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x : tensor<2x5x24xf64>) outs(%f : tensor<2x5xf64>) {
  ^bb0(%i: f64, %o: f64):
    %q = arith.mulf %i, %i : f64
    %r = arith.addf %q, %o : f64
    linalg.yield %r : f64
  } -> tensor<2x5xf64>
  %n = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<2x5xf64>) outs(%e : tensor<2x5xf64>) {
  ^bb0(%i: f64, %o: f64):
    %m = arith.divf %i, %count : f64
    %a = arith.addf %m, %small : f64
    %r = math.rsqrt %a : f64
    linalg.yield %r : f64
  } -> tensor<2x5xf64>
  %k = tensor.expand_shape %n [[0], [1, 2]] output_shape [2, 5, 1] : tensor<2x5xf64> into tensor<2x5x1xf64>
  %e3 = tensor.empty() : tensor<2x5x24xf64>
  %y = linalg.generic {indexing_maps = [#id, #kept, #channel, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %k, %w : tensor<2x5x24xf64>, tensor<2x5x1xf64>, tensor<24xf64>) outs(%e3 : tensor<2x5x24xf64>) {
  ^bb0(%i: f64, %m: f64, %c: f64, %o: f64):
    %a = arith.mulf %i, %m : f64
    %r = arith.mulf %a, %c : f64
    linalg.yield %r : f64
  } -> tensor<2x5x24xf64>
  return %y : tensor<2x5x24xf64>
}
)";

// linalg.softmax, which is several operations in one, and a product behind it; as exporters name functions.
inline constexpr const char* kSoftmaxText =
    R"(func.func @main(%x: tensor<6x20xf32>, %v: tensor<20x8xf32>) -> tensor<6x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x20xf32>
  %s = linalg.softmax dimension(1) ins(%x : tensor<6x20xf32>) outs(%e : tensor<6x20xf32>) -> tensor<6x20xf32>
  %e2 = tensor.empty() : tensor<6x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e2 : tensor<6x8xf32>) -> tensor<6x8xf32>
  %y = linalg.matmul ins(%s, %v : tensor<6x20xf32>, tensor<20x8xf32>) outs(%f : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %y : tensor<6x8xf32>
}
)";

// Types of all widths on the way: i8 of what was rounded, i4 and i32 of places, bf16 and f64 of sums.
inline constexpr const char* kTypesText = R"(#id = affine_map<(i,j) -> (i,j)>
#row = affine_map<(i,j) -> (i)>
func.func @types(%x: tensor<24x30xf32>) -> (tensor<24x30xf32>, tensor<24xf64>) {
  %z = arith.constant 0.0 : f64
  %e8 = tensor.empty() : tensor<24x30xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<24x30xf32>) outs(%e8 : tensor<24x30xi8>) {
  ^bb0(%i: f32, %o: i8):
    %lo = arith.constant -100.0 : f32
    %hi = arith.constant 100.0 : f32
    %a = arith.maxnumf %i, %lo : f32
    %b = arith.minnumf %a, %hi : f32
    %r = arith.fptosi %b : f32 to i8
    linalg.yield %r : i8
  } -> tensor<24x30xi8>
  %e4 = tensor.empty() : tensor<24x30xi4>
  %p = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e4 : tensor<24x30xi4>) {
  ^bb0(%o: i4):
    %i = linalg.index 1 : index
    %seven = arith.constant 7 : index
    %m = arith.remui %i, %seven : index
    %r = arith.index_cast %m : index to i4
    linalg.yield %r : i4
  } -> tensor<24x30xi4>
  %e16 = tensor.empty() : tensor<24x30xbf16>
  %h = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%q, %p : tensor<24x30xi8>, tensor<24x30xi4>) outs(%e16 : tensor<24x30xbf16>) {
  ^bb0(%i: i8, %k: i4, %o: bf16):
    %a = arith.extsi %i : i8 to i32
    %b = arith.extui %k : i4 to i32
    %c = arith.addi %a, %b : i32
    %d = arith.sitofp %c : i32 to f32
    %r = arith.truncf %d : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<24x30xbf16>
  %ei = tensor.empty() : tensor<24x30xindex>
  %n = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%ei : tensor<24x30xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<24x30xindex>
  %e = tensor.empty() : tensor<24x30xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %h, %n : tensor<24x30xf32>, tensor<24x30xbf16>, tensor<24x30xindex>) outs(%e : tensor<24x30xf32>) {
  ^bb0(%i: f32, %k: bf16, %j: index, %o: f32):
    %a = arith.extf %k : bf16 to f32
    %b = arith.index_cast %j : index to i32
    %c = arith.sitofp %b : i32 to f32
    %d = arith.addf %i, %a : f32
    %r = arith.addf %d, %c : f32
    linalg.yield %r : f32
  } -> tensor<24x30xf32>
  %ed = tensor.empty() : tensor<24xf64>
  %f = linalg.fill ins(%z : f64) outs(%ed : tensor<24xf64>) -> tensor<24xf64>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%y : tensor<24x30xf32>) outs(%f : tensor<24xf64>) {
  ^bb0(%i: f32, %o: f64):
    %a = arith.extf %i : f32 to f64
    %r = arith.addf %a, %o : f64
    linalg.yield %r : f64
  } -> tensor<24xf64>
  return %y, %s : tensor<24x30xf32>, tensor<24xf64>
}
)";

inline constexpr const char* kGraphs[] = {kBooleansText, kAttentionText, kLstmText,
                                          kSwigluText,   kSqueezeText,   kConv1dText,
                                          kRmsNormText,  kSoftmaxText,   kTypesText};

}  // namespace ordo::fakes
