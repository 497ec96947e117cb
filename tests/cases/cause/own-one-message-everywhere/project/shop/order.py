from dataclasses import dataclass

@dataclass
class Order:
    totals: int
