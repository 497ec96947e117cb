#include <stdio.h>
void tell(long pence)
{
	printf("%d p\n", pence);
}
