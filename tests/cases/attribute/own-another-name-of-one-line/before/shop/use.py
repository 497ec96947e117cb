from shop.rates import net, gross
