-- Objects with methods, closures and garbage: a list of shapes is made, moved and measured over and over.
local Shape = {}
Shape.__index = Shape

function Shape.new(kind, size) return setmetatable({kind = kind, size = size, x = 0, y = 0}, Shape) end
function Shape:move(dx, dy) self.x, self.y = self.x + dx, self.y + dy end
function Shape:area()
  if self.kind == "square" then return self.size * self.size end
  return self.size * (self.size + 1) // 2
end

local total = 0
for round = 1, tonumber(arg[1]) do
  local shapes = {}
  for i = 1, 500 do
    shapes[i] = Shape.new(i % 3 == 0 and "square" or "triangle", i % 17)
  end
  local move = function(shape) shape:move(round % 5, -1) end
  for _, shape in ipairs(shapes) do
    move(shape)
    total = (total + shape:area() + shape.x * shape.y) % 1000003
  end
end
print(total)
