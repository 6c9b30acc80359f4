"""Reads orders that come from the old till, which writes CRLF."""


def read_order(line):
    """Returns (fruit, count) of a line such as "apple;12"."""
    fruit, count = line.split(";")
    return fruit, int(count)


def order_total(lines, cents_by_fruit):
    """Adds up the cents of all orders."""
    orders = [read_order(line) for line in lines]
    return sum(cents_by_fruit[fruit] * count for fruit, count in orders)
