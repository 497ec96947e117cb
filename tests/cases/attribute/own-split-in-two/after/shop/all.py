def part_0(order):
    value_0 = order.part_0
    return order.total_0


def part_1(order):
    value_1 = order.part_1
    return order.total_1


def part_2(order):
    value_2 = order.part_2
    return order.total_2
