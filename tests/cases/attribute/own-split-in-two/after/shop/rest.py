def part_3(order):
    value_3 = order.part_3
    return order.total_3


def part_4(order):
    value_4 = order.part_4
    return order.total_4


def part_5(order):
    value_5 = order.part_5
    return order.total_5
