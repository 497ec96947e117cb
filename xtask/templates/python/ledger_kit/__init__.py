class Ledger:
    name: str

    def __init__(self, name: str) -> None:
        self.name = name


def post(ledger: Ledger, account: str, cents: int) -> int:
    return len(ledger.name) + len(account) + cents
