Xbc
