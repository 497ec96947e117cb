f() # edited
