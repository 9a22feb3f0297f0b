# Counts the tests in the output of one step and names those that failed:
#   awk -v code=0 -v expect=1 -f tests/check/count.awk LOG
# code: the exit status of the step; expect=1: it is made of tests, so no test at all is a failure.
# Prints "count PASSED FAILED SKIPPED", then one line "failing NAME" for each failed test.
#
# It reads: TAP from node 18 and 20, with or without the lines of tests/check/node-test around each file; tests/run with
# cmocka; the scenarios; and lines "ok      NAME" and "FAILED  NAME" of single checks. A test with subtests is counted as
# its subtests, plus one failure if it failed itself. A failed test marked TODO counts as skipped.
function failing(name) {
    if (!(name in named)) { named[name] = 1; names[++last_name] = name }
}
function unescaped(s,   out, i, c) {
    for (i = 1; i <= length(s); i++) {
        c = substr(s, i, 1)
        if (c == "\\" && i < length(s)) c = substr(s, ++i, 1)
        out = out c
    }
    return out
}
function shortened(path) { # to the project's root, where the path names a test
    sub(/^file:\/\//, "", path)
    sub(/^.*\/tests\//, "tests/", path)
    sub(/^.*\/web\/test\//, "web/test/", path)
    return path
}
function chain(depth, name,   i, out) {
    for (i = 0; i < depth; i++) if (subtest[i] != "") out = out subtest[i] " > "
    return out name
}
# A test point is counted when its YAML block has been read.
function settle(   where) {
    if (!pending) return
    pending = 0
    if (point_parent ? !point_ok && point_type !~ /^(subtestsFailed|cancelledByParent)$/ && !point_todo : 1) {
        if (point_todo || point_skip) skipped++
        else if (point_ok) passed++
        else {
            failed++
            file_failed++
            where = point_file != "" ? point_file : file
            if (where == "") failing(point_chain)
            else if (shortened(point_name) == where) failing(where ": the file failed as a whole")
            else failing(where ": " point_chain (point_type == "cancelledByParent" && !point_ms ? " (not begun)" : ""))
        }
    }
}
# What one file of tests has to say at its end.
function close_file() {
    settle()
    if (file != "" && !file_complete) {
        failed++
        failing(file ": ended before its tests did" (file_code != "" ? " (" ended(file_code) ")" : ""))
    } else if (file != "" && file_code != "" && file_code != 0 && !file_failed) {
        failed++
        failing(file ": no test failed, but " ended(file_code))
    }
    file = file_code = ""
    file_failed = file_complete = 0
    for (i in points) delete points[i]
    for (i in subtest) delete subtest[i]
}
function ended(n,   signals, s) {
    if (n <= 128) return "exit " n
    split("HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM", signals, " ")
    s = signals[n - 128]
    return "signal " (s != "" ? "SIG" s : n - 128)
}

{ sub(/\r$/, "") }

# --- TAP ---
in_yaml {
    if ($0 == yaml_indent "...") in_yaml = 0
    else if (index($0, yaml_indent "location: ") == 1) {
        point_file = substr($0, length(yaml_indent "location: ") + 1)
        gsub(/^'|'$/, "", point_file)
        sub(/:[0-9]+:[0-9]+$/, "", point_file)
        point_file = shortened(point_file)
        if (point_file !~ /\.test\.mjs$/) point_file = "" # where a helper calls node:test's
    } else if (index($0, yaml_indent "duration_ms: ") == 1) {
        point_ms = $2 + 0
    } else if (index($0, yaml_indent "failureType: ") == 1) {
        point_type = substr($0, length(yaml_indent "failureType: ") + 1)
        gsub(/'/, "", point_type)
    }
    next
}
/^# Test file: / { close_file(); file = shortened(substr($0, 14)); next }
/^# Exit: [0-9]+$/ { file_code = $3 + 0; next }
/^# tests [0-9]+$/ { settle(); file_complete = 1; next }
/^ *# Subtest: / {
    settle()
    match($0, /^ */)
    subtest[int(RLENGTH / 4)] = unescaped(substr($0, RLENGTH + 12))
    next
}
/^ *(not )?ok [0-9]+( |$)/ {
    settle()
    match($0, /^ */)
    depth = int(RLENGTH / 4)
    text = substr($0, RLENGTH + 1)
    point_ok = text !~ /^not /
    sub(/^(not )?ok [0-9]+ ?(- )?/, "", text)
    point_skip = point_todo = 0
    if (match(text, /(^| )# (SKIP|TODO)( |$)/)) {
        if (substr(text, RSTART, RLENGTH) ~ /SKIP/) point_skip = 1
        else point_todo = 1
        text = substr(text, 1, RSTART - 1)
    }
    point_name = unescaped(text)
    point_chain = chain(depth, point_name)
    point_file = point_type = ""
    point_ms = 1
    point_parent = points[depth + 1] > 0
    points[depth + 1] = 0
    points[depth]++
    point_indent = substr($0, 1, depth * 4)
    pending = 1
    next
}
pending && $0 == point_indent "  ---" { in_yaml = 1; yaml_indent = point_indent "  "; next }

# --- tests/run and cmocka ---
/^FAILED  .* \(exit [0-9]+\)$/ {
    settle()
    end_program()
    program = $2
    sub(/^.*\/tests\//, "tests/", program)
    program = program ".c"
    program_code = $NF + 0
    next
}
/^ok      .*: [0-9]+ passed/ { end_program(); next }
/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ {
    end_program()
    passed += $1
    failed += $3
    skipped += $5
    next
}
/^only [0-9]+ of [0-9]+ programs ran$/ { failed += $4 - $2; failing($0); next }
program != "" && /^\[  FAILED  \] / && !/ test\(s\)/ {
    program_named = 1
    failing(program ": " substr($0, 14))
    next
}
function end_program() {
    if (program != "" && !program_named) failing(program ": " ended(program_code))
    program = ""
    program_named = 0
}

# --- scenarios ---
/^(ok  |FAIL) +[0-9]+ scenarios from seed / {
    bad = 0
    for (i in broken) bad++
    if ($1 == "FAIL" && !bad) { bad = 1; failing("scenarios from seed " $NF) }
    passed += $2 - bad
    failed += bad
    for (i in broken) delete broken[i]
    next
}
/scenario --seed [0-9]+ --trace$/ { broken[$(NF - 1)] = 1; failing("scenario --seed " $(NF - 1)); next }
/^BROKEN  seed [0-9]+:/ { seed = $3; sub(/:/, "", seed); broken[seed] = 1; failing("scenario --seed " seed); next }

# --- single checks ---
/^ok      / && program == "" { passed++; next }
/^FAILED  / { end_program(); failed++; failing(substr($0, 9)); next }

/^([^ ]*make(\[[0-9]+\])?|[^ ]+:[0-9]+): \*\*\* / { make_said = $0 }

END {
    close_file()
    end_program()
    if (code != 0 && !failed) {
        failed = 1
        failing(ended(code) (make_said != "" ? " (" make_said ")" : ""))
    } else if (!(passed + failed + skipped)) {
        if (expect) { failed = 1; failing("no test ran") }
        else passed = 1
    }
    print "count " passed + 0 " " failed + 0 " " skipped + 0
    for (i = 1; i <= last_name; i++) print "failing " names[i]
}
