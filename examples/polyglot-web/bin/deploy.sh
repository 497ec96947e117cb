#!/bin/sh
set -eu
scp -r web/dist $1
