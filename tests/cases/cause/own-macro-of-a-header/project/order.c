#include "money.h"

int last(struct money *q) { return CENTS(q); }
int scaled_too(struct money q) { return SCALED(q); }
