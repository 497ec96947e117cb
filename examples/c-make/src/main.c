#include <stdio.h>

#include "ring.h"

int main(void)
{
    for (int i = 0; i < 9; i++)
        ring_push(i);
    printf("%d\n", ring_sum());
    return 0;
}
