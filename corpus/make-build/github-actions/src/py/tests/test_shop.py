from shop import half


def test_half():
    assert half(4) == 3
