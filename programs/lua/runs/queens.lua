-- The number of ways to place N queens, by backtracking over tables.
local n = tonumber(arg[1])

local function place(row, columns, rising, falling)
  if row > n then return 1 end
  local count = 0
  for column = 1, n do
    local up, down = row + column, row - column + n
    if not (columns[column] or rising[up] or falling[down]) then
      columns[column], rising[up], falling[down] = true, true, true
      count = count + place(row + 1, columns, rising, falling)
      columns[column], rising[up], falling[down] = nil, nil, nil
    end
  end
  return count
end

print(n, place(1, {}, {}, {}))
