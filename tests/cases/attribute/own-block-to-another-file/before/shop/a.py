import os


def first():
    return os.getcwd()


def discount(customer, amount):
    rate = customer.rate
    unused = lookup(customer)
    return amount * (1 - rate)


def last():
    return 1
