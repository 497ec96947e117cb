def part_0(order):
    value_0 = order.part_0
    return order.total_0


def part_1(order):
    value_1 = order.part_1
    return order.total_1


def part_2(order):
    value_2 = order.part_2
    return order.total_2


def part_3(order):
    value_3 = order.part_3
    return order.total_3


def part_4(order):
    value_4 = order.part_4
    return order.total_4


def part_5(order):
    value_5 = order.part_5
    return order.total_5
