#include "money.h"

int first(struct money *p) { return CENTS(p); }
int both(struct money *p) { return TWICE(p); }
int wrong(struct money *p) { return p->cent; }
int scaled(struct money p) { return SCALED(p); }
