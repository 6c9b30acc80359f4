"""Counts what is left in the orchard's cellar."""

from dataclasses import dataclass, field


@dataclass
class StockKeeper:
    """Keeps the number of crates per fruit."""

    crates: dict[str, int] = field(default_factory=dict)

    def receive_crates(self, fruit: str, count: int) -> None:
        """Adds crates of one fruit."""
        self.crates[fruit] = self.crates.get(fruit, 0) + count

    def crates_left(self, fruit: str) -> int:
        """Returns how many crates of one fruit are left."""
        return self.crates.get(fruit, 0)


def load_stock(lines: list[str]) -> StockKeeper:
    """Reads lines such as "apple 12"."""
    keeper = StockKeeper()
    for line in lines:
        fruit, count = line.split()
        keeper.receive_crates(fruit, int(count))
    return keeper
