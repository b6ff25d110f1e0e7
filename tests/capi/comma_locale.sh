#!/bin/sh
# comma_locale.sh FOLDER COMMAND...: runs the command with a locale "comma", whose decimal point is a comma, to be found through LOCPATH.
set -eu
folder=$1
shift
mkdir -p "$folder"
if [ ! -e "$folder/comma/LC_NUMERIC" ]; then
    {
        echo 'comment_char %'
        echo 'escape_char /'
        for category in IDENTIFICATION CTYPE COLLATE TIME MESSAGES MONETARY PAPER NAME ADDRESS TELEPHONE MEASUREMENT; do
            printf 'LC_%s\ncopy "POSIX"\nEND LC_%s\n' $category $category
        done
        printf 'LC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n'
    } >"$folder/comma.source"
    localedef --no-archive -c -f ANSI_X3.4-1968 -i "$folder/comma.source" "$folder/comma" >"$folder/localedef.log" 2>&1 || true
    [ -e "$folder/comma/LC_NUMERIC" ] || { echo "no locale could be made:"; cat "$folder/localedef.log"; exit 1; }
fi
LOCPATH=$folder exec "$@"
