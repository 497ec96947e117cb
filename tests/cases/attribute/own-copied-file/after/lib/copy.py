import os


def render(report):
    return report.body
