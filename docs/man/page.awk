# A manual page, man(7), from what a program says to --help:
#   PROGRAM --help | awk -v name=vivace-sim -v section=1 -v version=0.1.0 -v summary="..." -f page.awk
# Lines stay as they are (no filling): columns of options and examples mean something. A line at the margin that ends in a
# colon begins a section.
function escaped(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    gsub(/`/, "\\(ga", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    return text
}
function put(text) {
    text = escaped(text)
    print (text ~ /^\./ ? "\\&" : "") text
}
function begin(title) {
    while (blank) blank--
    print ".SH " (title ~ / / ? "\"" escaped(title) "\"" : escaped(title)) "\n.nf"
}
BEGIN {
    printf ".TH %s %s \"\" \"Vivace %s\"\n.SH NAME\n%s \\- %s\n", toupper(name), section, version, escaped(name), escaped(summary)
}
NR == 1 {
    begin("SYNOPSIS")
    sub(/^usage: /, "")
    synopsis = 1
}
$0 == "" {
    if (synopsis) {
        synopsis = 0
        described = 1
        begin("DESCRIPTION")
    } else {
        blank++
    }
    next
}
synopsis {
    sub(/^       /, "")
    put($0)
    next
}
!described { # a help that begins without a synopsis
    described = 1
    begin("DESCRIPTION")
}
/^[A-Z][^.:]*:$/ {
    sub(/:$/, "")
    begin(toupper($0))
    next
}
{
    while (blank) {
        print ""
        blank--
    }
    put($0)
}
