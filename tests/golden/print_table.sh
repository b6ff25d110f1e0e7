#!/usr/bin/env bash
# Prints a golden table as frames by scores: tests/golden/print_table.sh default_576_8
set -euo pipefail
cd "$(dirname "$0")"
[ $# -eq 1 ] && [ -f "tables/$1.tsv" ] || { echo "usage: $0 NAME, one of:" >&2; ls tables | sed 's/\.tsv$//' >&2; exit 1; }
head -2 "tables/$1.tsv"
awk -F'\t' '!/^#/ { if (!($2 in column)) { column[$2] = ++columns; name[columns] = $2 } if (!($1 in row)) { row[$1] = ++rows; frame[rows] = $1 } cell[$1, $2] = $4 }
END { line = "frame"; for (c = 1; c <= columns; ++c) line = line "\t" name[c]; print line
      for (r = 1; r <= rows; ++r) { line = frame[r]; for (c = 1; c <= columns; ++c) line = line "\t" cell[frame[r], name[c]]; print line } }' "tables/$1.tsv" |
  column -t -s "$(printf '\t')"
