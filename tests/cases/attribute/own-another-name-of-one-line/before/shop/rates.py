gross = 1
