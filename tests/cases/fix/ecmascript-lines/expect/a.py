a B
