// Words of a text by regular expressions, objects as tables, sorting, JSON: what scripts do.
var text = read(scriptArgs[0]) + (scriptArgs[1] > 1 ? read(scriptArgs[0]) : ''), counts = {}, order = [];
text.toLowerCase().split(/[^a-z]+/).forEach(function (word) {
  if (!/^[a-z]{3,}$/.test(word)) return;
  if (!counts.hasOwnProperty(word)) { counts[word] = 0; order.push(word); }
  ++counts[word];
});
order.sort(function (a, b) { return counts[b] - counts[a] || (a < b ? -1 : a > b ? 1 : 0); });
var rows = order.slice(0, 40).map(function (word) { return { word: word, count: counts[word] }; });
print(JSON.stringify(JSON.parse(JSON.stringify(rows)), null, 1));
print(text.replace(/\b([a-z])([a-z]*)\b/g, function (all, first, rest) { return first.toUpperCase() + rest; }).length);
