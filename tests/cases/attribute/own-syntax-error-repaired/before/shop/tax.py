def tax(amount: int -> int:
    return amount * 2


def label(code: int) -> str:
    return code
