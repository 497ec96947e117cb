def pay(order):
    if order.open:
        rate = order.rate
        total = order.total
        return total
    return 0
