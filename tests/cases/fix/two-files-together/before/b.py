f()
x
