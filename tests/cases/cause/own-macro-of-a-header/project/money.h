#pragma once

struct money { int cents; };

#define CENTS(m) ((m)->cents_total * 100)
#define TWICE(m) (CENTS(m) + CENTS(m))
#define SCALED(m) ((m) * 2)
