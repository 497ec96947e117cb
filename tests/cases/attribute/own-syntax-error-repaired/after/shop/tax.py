def tax(amount: int) -> int:
    return str(amount)


def label(code: int) -> str:
    return code
