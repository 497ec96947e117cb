var a
