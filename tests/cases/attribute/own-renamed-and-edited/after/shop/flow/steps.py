import json
def step_0(order):
    value_0 = order.part_0
    return order


def step_1(order):
    value_1 = order.part_1
    return order


def step_2(order):
    return order


def step_3(order):
    value_3 = order.part_3
    return order


def step_4(order):
    value_4 = order.part_4
    return order


def step_5(order):
    value_5 = order.part_5
    return order


