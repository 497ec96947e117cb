a b
