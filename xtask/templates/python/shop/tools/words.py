"""Words for people."""


def plural(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def title_case(text: str) -> str:
    return text[:1].upper() + text[1:]
