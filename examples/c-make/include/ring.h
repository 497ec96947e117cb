#ifndef RING_H
#define RING_H

#define RING_SIZE 4

void ring_push(int value);
int ring_sum(void);

#endif
