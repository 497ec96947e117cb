import os


def render(report):
    title = report.title
    return report.body


def write(report, path):
    path.write_text(render(report))
