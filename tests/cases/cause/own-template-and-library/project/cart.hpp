#pragma once
#include <vector>

template <class T> struct Cart {
  std::vector<T> rows;
  long total() const {
    long sum = 0;
    for (const T &row : rows) sum += row.price.cents_total;
    return sum;
  }
};
