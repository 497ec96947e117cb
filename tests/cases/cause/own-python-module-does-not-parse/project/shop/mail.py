import shop.tax
import yaml
