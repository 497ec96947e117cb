def pay(order):
    rate = order.rate
    total = order.total
    return total
