def half(pence: int) -> str:
    return pence // 2
