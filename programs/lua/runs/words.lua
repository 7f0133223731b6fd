-- Counts the words of a text, and prints the most frequent ones: strings, patterns, tables, sorting.
local counts, order = {}, {}
for round = 1, tonumber(arg[2]) do
  for line in io.lines(arg[1]) do
    for word in line:lower():gsub("<[^>]*>", " "):gmatch("%a+") do
      if not counts[word] then
        counts[word] = 0
        order[#order + 1] = word
      end
      counts[word] = counts[word] + 1
    end
  end
end
table.sort(order, function(a, b)
  if counts[a] ~= counts[b] then return counts[a] > counts[b] end
  return a < b
end)
for i = 1, 100 do
  print(("%-20s %8d"):format(order[i], counts[order[i]]))
end
