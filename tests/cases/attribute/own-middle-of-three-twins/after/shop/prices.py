def net(amount):
    import decimal
    return amount / 1.2


def gross(amount):
    return amount * 1.2


def vat(amount):
    import decimal
    return amount * 0.2
