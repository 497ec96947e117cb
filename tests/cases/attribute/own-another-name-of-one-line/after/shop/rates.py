net = 1
