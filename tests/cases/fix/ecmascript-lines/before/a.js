a bc
