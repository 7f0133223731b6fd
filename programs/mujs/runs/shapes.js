// Objects with prototypes, closures and garbage.
function Shape(size) { this.size = size; this.x = 0; this.y = 0; }
Shape.prototype.move = function (dx, dy) { this.x += dx; this.y += dy; return this; };
function Square(size) { Shape.call(this, size); }
Square.prototype = Object.create(Shape.prototype);
Square.prototype.area = function () { return this.size * this.size; };
function Triangle(size) { Shape.call(this, size); }
Triangle.prototype = Object.create(Shape.prototype);
Triangle.prototype.area = function () { return this.size * (this.size + 1) / 2; };
var total = 0;
for (var round = 0; round < +scriptArgs[0]; ++round) {
  var shapes = [];
  for (var i = 0; i < 300; ++i) shapes.push(i % 3 ? new Triangle(i % 17) : new Square(i % 13));
  shapes.forEach(function (shape) {
    shape.move(round % 5, -1);
    total = (total + shape.area() + shape.x * shape.y + 1000003) % 1000003;
  });
}
print(total);
