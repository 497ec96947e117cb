#include "cart.hpp"
#include <map>
#include <string>

struct Price { long cents; };
struct Row { Price price; };
struct Line { Price price; int count; };
struct Gift { std::string note; };

long of_rows() { Cart<Row> cart; return cart.total(); }
long of_lines() { Cart<Line> cart; return cart.total(); }
// This one lacks something else.
long of_gifts() { Cart<Gift> cart; return cart.total(); }

int counted(std::map<Row, int> &counts, const Row &row) { return counts[row]; }
bool known(std::map<Line, int> &counts, const Line &line) { return counts.count(line) > 0; }
