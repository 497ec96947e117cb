from shop.tax import vat, rate

def due(net):
    return vat(net)
