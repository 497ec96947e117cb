a BC
