g()
y
