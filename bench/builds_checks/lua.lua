-- Is this a Lua that works? Each part of the language and its library that a wrong compilation could break.
local function equal(is, should, what)
  if is ~= should then
    error(("%s: %s instead of %s"):format(what, tostring(is), tostring(should)), 2)
  end
end

-- Numbers.
equal(7 // 2, 3, "//")
equal(-7 // 2, -4, "// of negative numbers")
equal(-7 % 3, 2, "%")
equal(7.5 % -2, -0.5, "% of floats")
equal(2 ^ 10, 1024.0, "^")
equal(math.maxinteger + 1, math.mininteger, "wrap")
equal(1 << 63, math.mininteger, "<<")
equal((0x7fffffff << 16 ~ 0xabcdef) & 0xffffffff, 0xff54cdef, "bits")
equal(tostring(1e15), "1e+15", "tostring")
equal(("%5.2f|%-6s|%04d|%q"):format(math.pi, "ab", 42, 'a"\n'), ' 3.14|ab    |0042|"a\\"\\\n"', "format")
equal(math.type(3 // 1.0), "float", "type")
equal(tonumber("0x1p-2"), 0.25, "hexadecimal")
equal(string.pack("<i4", -2):byte(1), 254, "pack")
equal(string.unpack("<i4", "\254\255\255\255"), -2, "unpack")

-- Tables: sort, move, next, length.
local words = {}
for i = 1, 1000 do words[i] = (i * 7919) % 1009 end
table.sort(words)
for i = 2, #words do assert(words[i - 1] <= words[i]) end
table.sort(words, function(a, b) return a > b end)
equal(words[1], 1008, "sort")
equal(#table.move({ 1, 2, 3 }, 1, 3, 3), 5, "move")
local sum, count = 0, 0
for key, value in pairs(setmetatable({ a = 1, b = 2, [3] = 4 }, {})) do
  sum, count = sum + value, count + #tostring(key)
end
equal(sum * 10 + count, 73, "pairs")
equal(table.concat({ 1, 2, 3 }, "-", 2), "2-3", "concat")
equal(select("#", table.unpack({ 1, nil, 3 }, 1, 3)), 3, "unpack")

-- Strings.
equal(("hello world"):gsub("o(%s?)", "%1<%0>"), "hell <o >w<o>rld", "gsub")
equal(("key = value"):match("^(%w+)%s*=%s*(%w+)$"), "key", "match")
equal(("f(a(b)c)d"):match("%b()"), "(a(b)c)", "balanced")
equal(("THE (quick) fox"):find("%((%a+)%)"), 5, "find")
equal(("x"):rep(3, ","), "x,x,x", "rep")
equal(utf8.len("äöü€"), 4, "utf8")
equal(utf8.char(8364), "€", "utf8.char")

-- Closures, varargs, goto, integer loops.
local function counter()
  local n = 0
  return function() n = n + 1 return n end
end
local one, two = counter(), counter()
one() one()
equal(one() * 10 + two(), 31, "closures")
local primes = {}
for i = 2, 60 do
  for _, p in ipairs(primes) do if i % p == 0 then goto next end end
  primes[#primes + 1] = i
  ::next::
end
equal(table.concat(primes, " "), "2 3 5 7 11 13 17 19 23 29 31 37 41 43 47 53 59", "goto")

-- Metatables, inheritance, to-be-closed variables, collection.
local Vector = {}
Vector.__index = Vector
Vector.__add = function(a, b) return setmetatable({ a[1] + b[1] }, Vector) end
Vector.__eq = function(a, b) return a[1] == b[1] end
Vector.__lt = function(a, b) return a[1] < b[1] end
Vector.__call = function(self, x) return self[1] * x end
local v, w = setmetatable({ 3 }, Vector), setmetatable({ 4 }, Vector)
assert(v + w == setmetatable({ 7 }, Vector) and v < w and not (w < v))
equal((v + w)(6), 42, "__call")
local closed
do
  local guard <close> = setmetatable({}, { __close = function() closed = true end })
end
assert(closed, "to be closed")
local weak = setmetatable({}, { __mode = "k" })
for i = 1, 1000 do weak[{}] = i end
collectgarbage() collectgarbage("generational") collectgarbage()
equal(next(weak), nil, "weak")

-- Coroutines and errors.
local generator = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i * i) end end)
equal(generator() + generator() + generator(), 14, "coroutines")
local ok, message = pcall(function() local t = nil; return t.x end)
assert(not ok and message:find("attempt to index a nil value %(local 't'%)"), message)
equal(select(2, pcall(error, { 7 }))[1], 7, "error values")
equal(select(2, xpcall(function() error("x", 0) end, string.upper)), "X", "xpcall")
assert(not pcall(function() local function f() return 1 + f() end return f() end), "overflow of the stack")
assert(load("return ...", "chunk", "t")(5) == 5 and not load("return +"))
local twice = load(string.dump(function(x) return 2 * x end))
equal(twice(21), 42, "dump")

-- Files.
local name = os.tmpname()
local file = assert(io.open(name, "w+"))
file:write("one\n", 2, "\n", 3.5, "\n")
file:seek("set")
equal(file:read("l") .. file:read("n") * file:read("n"), "one7.0", "read")
file:close()
os.remove(name)
equal(os.time({ year = 2020, month = 1, day = 31, hour = 12 }) - os.time({ year = 2020, month = 1, day = 30, hour = 12 }),
  86400, "time")
print("works")
