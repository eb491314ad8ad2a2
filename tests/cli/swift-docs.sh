#!/usr/bin/env bash
# Runs the scripts and commands of docs/swift.md in order, as a reader would type them, and compares
# what they print with what the page shows. docs/swift-reference.md names the whole library.
. "$(dirname "$0")/lib.sh"
need python3

unpack_page swift.md

equals 'it has commands to try' "$(($(ls [0-9]*.sh | wc -l) >= 12))" 1
for block in [0-9]*.sh; do
    name=${block%.sh}
    check "$(tail -n 1 "$block")" timeout 300 bash -c ". ./$block 2>&1"
    # Lines that nothing orders come in any order, so only which lines there are is compared.
    equals "block $name prints what the page shows" "$(sort <<<"$OUT")" \
        "$(cat "$name".text "$name".unordered 2>/dev/null | sort)"
done

# The functions, constants and types that a module defines.
names() {
    sed 's,//.*,,' "$1" | tr '\n' ' ' | grep -oE '[);}] *(app )?[A-Za-z]\w*\(|const \w+ \w+|type \w+ ' |
        grep -oE '\w+ *\(?$' | tr -d '( ' | sort -u
}
words=$(grep -oE '\w+' "$SOURCE/docs/swift-reference.md" | sort -u)
for module in "$SOURCE"/src/syntax/library/*.swift; do
    equals "the reference has everything of ${module##*/}" "$(comm -23 <(names "$module") <(echo "$words"))" ''
done
finish
