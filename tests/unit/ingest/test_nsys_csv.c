#include "tests/unit/ingest/inputs.h"

#include "base/strbuf.h"

#define HEADER_20                                                                                                  \
    "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),"  \
    "Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name\n"
#define HEADER_21                                                                                                  \
    "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),"  \
    "Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name\n"
#define NOTICES                                                                                                    \
    "Generating SQLite file report.sqlite from report.nsys-rep\n"                                                  \
    "Processing [report.sqlite] with [cuda_gpu_trace.py]... \n\n"                                                  \
    "NOTICE: Existing SQLite export found: report.sqlite\n"                                                        \
    " ** CUDA GPU Trace (cuda_gpu_trace):\n\n"

static void reads_twenty_columns(void **state)
{
    struct imported i;

    (void)state;
    import_text(
        &i, NOTICES HEADER_20
        "5000,250,12,4,2,1,128,1,1,40,0.049,0.001,,,,,NVIDIA A100-SXM4-40GB (0),1,7,\"gemm<int, \"\"x\"\">(T1 "
        "*)\"\n"
        "900,1100,9,,,,,,,,,,0.500,4000.0,Pageable,Device,NVIDIA A100-SXM4-40GB (0),1,7,[CUDA memcpy HtoD]\n"
        "1000,1000,10,16,1,1,256,2,1,32,0,0,,,,,NVIDIA A100-SXM4-40GB (0),1,13,saxpy\n");
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.profile.format, "nsys-csv");
    assert_string_equal(i.report.schema, "cuda_gpu_trace, 20 columns");
    assert_string_equal(i.report.gpu_name, "NVIDIA A100-SXM4-40GB");
    assert_int_equal(i.report.accepted, 2);
    assert_int_equal(i.report.ignored_count, 1);
    assert_int_equal(count_of(&i.report.ignored, "memory_operation"), 1);
    assert_int_equal(i.report.dropped_count, 0);
    assert_int_equal(i.report.warnings.count, 0);
    assert_int_equal(i.profile.value[0], 1000);
    assert_string_equal(i.profile.kernels[0].name, "saxpy");
    assert_int_equal(i.profile.kernels[0].block[1], 2);
    assert_string_equal(i.profile.kernels[1].name, "gemm<int, \"x\">(T1 *)");
    assert_int_equal(i.profile.kernels[1].shared_bytes, 50000); /* 0.049 + 0.001 MB */
    assert_int_equal(i.profile.kernels[1].registers, 40);
    assert_int_equal(i.profile.start_ns[1], 4000);
    assert_int_equal(i.report.streams, 2);
    imported_release(&i);
}

static void reads_twentyone_columns_and_other_units(void **state)
{
    struct imported i;

    (void)state;
    import_text(&i, HEADER_21 "5000,250,12,4,2,1,128,1,1,40,0,0,,,,,H100 (3),1,,7,k\r\n");
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.report.schema, "cuda_gpu_trace, 21 columns");
    assert_int_equal(i.profile.contexts[0].device, 3);
    assert_int_equal(i.profile.value[0], 250);
    imported_release(&i);
    /* --timeunit usec, and shared memory in bytes; versions of 2021 write units without a space */
    import_text(
        &i, "Start(usec),Duration(usec),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (byte),DymSMem (B),"
            "Bytes(MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name\n"
            "5.001,0.25,12,4,2,1,128,1,1,40,100,28,,,,,0,1,7,k\n6.5,1e1,13,4,2,1,128,1,1,40,100,28,,,,,0,1,7,k\n");
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.profile.value[0], 250);
    assert_int_equal(i.profile.value[1], 10000);
    assert_int_equal(i.profile.start_ns[1], 1499);
    assert_int_equal(i.profile.kernels[0].shared_bytes, 128);
    imported_release(&i);
    import_text(
        &i, "Start (fortnights),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Name\n1,2,3,1,1,1,1,1,1,k\n");
    CHECK_FAILS(i.ret, &i.e, ERR_UNSUPPORTED, "unit of times");
    imported_release(&i);
}

static void reads_the_execution_trace(void **state)
{
    struct imported i;

    (void)state;
    import_text(
        &i, " ** CUDA Kernel Launch & Exec Time Trace (cuda_kern_exec_trace):\n\n"
            "API Start (ns),API Dur (ns),Queue Start (ns),Queue Dur (ns),Kernel Start (ns),Kernel Dur (ns),"
            "Total Dur (ns),PID,TID,DevId,API Function,GridXYZ,BlockXYZ,Kernel Name\n"
            "200,10,210,5,400,70,300,41,41,1,cudaLaunchKernel,   2    3    1, 128    1    1,late\n"
            "100,10,,,300,50,300,41,41,1,cudaLaunchKernel_v7000,\"  16    1    1\",\" 256    1    1\",\"k<1, 2>\"\n"
            "300,10,,,,,,41,41,1,cudaLaunchKernel,1 1 1,1 1 1,lost\n");
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.report.schema, "cuda_kern_exec_trace, 14 columns");
    assert_int_equal(i.report.accepted, 2);
    assert_string_equal(i.profile.kernels[0].name, "k<1, 2>"); /* in the order of the API calls */
    assert_int_equal(i.profile.kernels[0].grid[0], 16);
    assert_int_equal(i.profile.kernels[1].grid[1], 3);
    assert_int_equal(i.profile.contexts[0].process, 41);
    assert_int_equal(i.profile.contexts[0].device, 1);
    assert_int_equal(count_of(&i.report.dropped, "no_start_time"), 1);
    assert_non_null(note_of(&i.report.warnings, "no_stream"));
    assert_non_null(note_of(&i.report.warnings, "api_order"));
    imported_release(&i);
}

static void reads_nvprof(void **state)
{
    struct imported i;

    (void)state;
    import_text(
        &i, "==4711== NVPROF is profiling process 4711, command: ./a\n==4711== Profiling result:\n"
            "\"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block Y\",\"Block Z\","
            "\"Registers Per Thread\",\"Static SMem\",\"Dynamic SMem\",\"Size\",\"Throughput\",\"SrcMemType\","
            "\"DstMemType\",\"Device\",\"Context\",\"Stream\",\"Name\"\n"
            "s,us,,,,,,,,KB,B,MB,GB/s,,,,,,\n"
            "0.214,1.5,,,,,,,,,,0.003,2.4,\"Pageable\",\"Device\",\"Tesla V100 (0)\",\"1\",\"7\",\"[CUDA memcpy "
            "HtoD]\"\n"
            "0.215000001,2.592,16,1,1,256,1,1,32,1.5,12,,,,,\"Tesla V100 (0)\",\"1\",\"7\",\"saxpy(int, float*) "
            "[118]\"\n"
            "0.2149,10,16,1,1,256,1,1,32,1.5,12,,,,,\"Tesla V100 (0)\",\"1\",\"7\",\"saxpy(int, float*) [120]\"\n");
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.profile.format, "nvprof-csv");
    assert_int_equal(i.report.accepted, 2);
    assert_int_equal(i.report.kernels, 1);
    assert_string_equal(i.profile.kernels[0].name, "saxpy(int, float*)");
    assert_int_equal(i.profile.value[0], 2592); /* correlation 118 was launched first, independent of start times */
    assert_int_equal(i.profile.value[1], 10000);
    assert_int_equal(i.profile.start_ns[0], 100001);
    assert_int_equal(i.profile.kernels[0].shared_bytes, 1512);
    assert_string_equal(i.report.gpu_name, "Tesla V100");
    imported_release(&i);
}

static void odd_rows_are_dropped_and_reported(void **state)
{
    struct imported i;

    (void)state;
    import_text(&i, HEADER_20 "1000,10,1,1,1,1,1,1,1,8,0,0,,,,,0,1,7,good\n"
                              "1000,,2,1,1,1,1,1,1,8,0,0,,,,,0,1,7,no end\n"
                              ",10,3,1,1,1,1,1,1,8,0,0,,,,,0,1,7,no start\n"
                              "1000,-5,4,1,1,1,1,1,1,8,0,0,,,,,0,1,7,backwards\n"
                              "1000,abc,5,1,1,1,1,1,1,8,0,0,,,,,0,1,7,letters\n"
                              "1000,10,6,0,1,1,1,1,1,8,0,0,,,,,0,1,7,no grid\n"
                              "1000,10,7,1,1,1,1,1,1,8,0,0,,,,,0,1,7,\n"
                              "1000,10,8,1,1,1,1,1,1,8,0,0,,,,,0,1,7,too,many\n"
                              "1000,10,9,1,1,1,1,1,1,8,0,0,,,,,GPU (x),1,7,device\n"
                              "1000,0,10,1,1,1,1,1,1,8,0,0,,,,,0,1,7,good\n"
                              "1000,10,11,1,1");
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 2);
    assert_int_equal(i.report.zero_duration, 1);
    assert_int_equal(i.report.dropped_count, 9);
    assert_int_equal(count_of(&i.report.dropped, "no_end_time"), 1);
    assert_int_equal(count_of(&i.report.dropped, "no_start_time"), 1);
    assert_int_equal(count_of(&i.report.dropped, "negative_duration"), 1);
    assert_int_equal(count_of(&i.report.dropped, "bad_number"), 2);
    assert_int_equal(count_of(&i.report.dropped, "bad_shape"), 1);
    assert_int_equal(count_of(&i.report.dropped, "unknown_name"), 1);
    assert_int_equal(count_of(&i.report.dropped, "wrong_columns"), 2);
    assert_string_equal(note_of(&i.report.dropped, "no_end_time")->examples[0], "line 3: no end");
    imported_release(&i);
}

static void what_follows_the_table_is_counted(void **state)
{
    struct imported i;

    (void)state;
    import_text(&i, HEADER_20 "1000,10,1,1,1,1,1,1,1,8,0,0,,,,,0,1,7,good\n\nProcessing [x.sqlite] with [y.py]...\n"
                              "Time (%),Total Time (ns),Instances\n100,10,1\n");
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 1);
    assert_int_equal(count_of(&i.report.ignored, "after_table"), 3);
    imported_release(&i);
}

static void long_names_are_dropped_or_kept(void **state)
{
    struct strbuf b = STRBUF_INIT;
    struct imported i;

    (void)state;
    strbuf_adds(&b, HEADER_20);
    for (size_t n = 65535; n <= 65537; n++) {
        strbuf_addf(&b, "1000,10,%zu,1,1,1,1,1,1,8,0,0,,,,,0,1,7,", n);
        for (size_t k = 0; k < n; k++)
            strbuf_addc(&b, 'n');
        strbuf_addc(&b, '\n');
    }
    import_text(&i, b.text);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 2);
    assert_int_equal(count_of(&i.report.dropped, "name_too_long"), 1);
    assert_int_equal(strlen(i.profile.kernels[1].name), 65536);
    imported_release(&i);
    strbuf_release(&b);
}

static void odd_encodings(void **state)
{
    struct imported i;

    (void)state;
    import_text(&i, "\xef\xbb\xbf" HEADER_20 "1000,10,1,1,1,1,1,1,1,8,0,0,,,,,0,1,7,k\xff\n");
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.profile.kernels[0].name, "k?");
    imported_release(&i);
}

/* As PowerShell writes the output of a program, and as Excel on a Mac did. */
static void other_encodings_give_the_same_profile(void **state)
{
    static const char utf8[] = HEADER_20 "1000,10,1,1,1,1,1,1,1,8,0,0,,,,,0,1,7,k\xc3\xa9\r\n"
                                         "2000,20,1,1,1,1,1,1,1,8,0,0,,,,,0,1,7,x\xf0\x9f\x98\x80\r\n";
    const char *path = scratch_path("encoded.csv");
    char little[2 * sizeof utf8 + 2] = "\xff\xfe", big[2 * sizeof utf8 + 2] = "\xfe\xff", returns[sizeof utf8] = "";
    size_t wide = 2, narrow = 0;

    (void)state;
    for (const unsigned char *p = (const unsigned char *)utf8; *p; p++) {
        unsigned units[2] = {*p, 0};

        if (*p == 0xc3) {
            units[0] = 0xe9;
            p++;
        } else if (*p == 0xf0) { /* U+1F600 */
            units[0] = 0xd83d;
            units[1] = 0xde00;
            p += 3;
        }
        for (int u = 0; u < 2 && (u == 0 || units[u]); u++, wide += 2) {
            little[wide] = big[wide + 1] = (char)(units[u] & 0xff);
            little[wide + 1] = big[wide] = (char)(units[u] >> 8);
        }
    }
    for (const char *p = utf8; *p; p++)
        if (*p != '\r')
            returns[narrow++] = *p == '\n' ? '\r' : *p;
    for (int k = 0; k < 3; k++) {
        struct imported i;

        write_bytes(path, k == 0 ? little : k == 1 ? big : returns, k == 2 ? narrow : wide);
        import_path(&i, path, NULL);
        CHECK_OK(i.ret, &i.e);
        assert_int_equal(i.report.accepted, 2);
        assert_string_equal(i.profile.kernels[0].name, "k\xc3\xa9");
        assert_string_equal(i.profile.kernels[1].name, "x\xf0\x9f\x98\x80");
        imported_release(&i);
    }
    unlink(path);
}

static void endless_rows_are_one_sentence(void **state)
{
    size_t n = 16 << 20;
    char *text = malloc(n + 1);
    struct imported i;

    (void)state;
    memset(text, 'x', n);
    text[n] = '\0';
    memcpy(text, HEADER_20, sizeof HEADER_20 - 1);
    import_text(&i, text);
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "line 2 is longer than 4194304 bytes");
    imported_release(&i);
    free(text);
}

static void refused(const char *text, enum err_code code, const char *part, const char *hint)
{
    struct imported i;

    import_text(&i, text);
    CHECK_FAILS(i.ret, &i.e, code, part);
    if (hint && !strstr(i.e.hint, hint))
        fail_msg("the hint is \"%s\", want \"%s\"", i.e.hint, hint);
    imported_release(&i);
}

static void refuses_other_reports_with_what_to_do(void **state)
{
    (void)state;
    refused("Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
            "51.2,1000,5,200.0,200.0,200,200,0.0,saxpy\n",
            ERR_UNSUPPORTED, "a summary report", "--report cuda_gpu_trace");
    refused(
        "Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,StdDev,Name\n51.2,1000,5,200.0,200,200,0.0,k\n",
        ERR_UNSUPPORTED, "a summary report", "--report cuda_gpu_trace");
    refused("\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n,%,us,,us,us,us,\n",
            ERR_UNSUPPORTED, "a summary report", NULL);
    refused("Start (ns),Duration (ns),Name,Result,CorrID,Pid,Tid,T-Pri,Thread Name\n1,2,cudaMalloc,0,1,2,3,4,x\n",
            ERR_UNSUPPORTED, "without grids", "cuda_gpu_trace");
    refused("Start (ns);Duration (ns);CorrId;GrdX;GrdY;GrdZ;BlkX;BlkY;BlkZ;Name\n1;2;3;1;1;1;1;1;1;k\n",
            ERR_UNSUPPORTED, "not separated by commas", NULL);
    refused(HEADER_20 "\"1.000\",\"10,5\",1,1,1,1,1,1,1,8,0,0,,,,,0,1,7,k\n", ERR_INVALID, "decimal comma",
            "LC_ALL=C");
    refused(HEADER_20 "\"1,000,000\",10,1,1,1,1,1,1,1,8,0,0,,,,,0,1,7,k\n", ERR_INVALID, "thousands separators",
            "LC_ALL=C");
    refused(HEADER_20 "1,000,10,1,1,1,1,1,1,1,8,0,0,,,,,0,1,7,k\n", ERR_INVALID,
            "none of its 1 rows has the 20 columns", "LC_ALL=C");
    refused(HEADER_20, ERR_INVALID, "no GPU kernels in this report", NULL);
    refused(HEADER_20 "1000,10,1,1,1,1,1,1,1,8,0,0,,,,,0,1,7,\"never closed\n", ERR_INVALID, "never closed", NULL);
}

/* Row i of a trace in which most rows differ only in times and ids and some are unusual. The name is the first or
 * the last column. */
static void add_row(struct strbuf *b, unsigned i, bool name_first)
{
    static const char *const devices[] = {"A100 (0)", "A100 (1)"}, *const grids[] = {"4", "16", "300", ""},
                             *const shared[] = {"0.049", "0.5", "12", "x"};
    char name[80], id[32], start[32];

    snprintf(name, sizeof name, i % 41 ? "\"kernel_%u<int, 4>(T1 *)\"" : "\"odd \"\"%u\"\"\"", i % 5);
    snprintf(id, sizeof id, i % 97 == 5 ? "-3" : i % 89 == 5 ? "" : "%u", i + 1);
    snprintf(start, sizeof start,
             i % 83 == 5   ? ""
             : i % 79 == 5 ? " %u "
             : i % 73 == 5 ? "\"%u\""
                           : "%u",
             1000 + 10 * i);
    if (name_first)
        strbuf_addf(b, "%s,", name);
    strbuf_addf(b, "%s,%u,%s,%s,2,1,128,1,1,40,%s,0.001,,,,,%s,1,%u", start, 250 + i % 7, id,
                grids[i % 59 ? i % 3 : 3], shared[i % 61 == 5 ? 3 : i % 2 * 2], devices[i % 2], 7 + i % 3);
    strbuf_addf(b, name_first ? "\n" : i % 37 ? ",%s\n" : ",%s\r\n", name);
}

static char *report_text(struct imported *i)
{
    struct strbuf json = STRBUF_INIT;

    i->report.bytes_read = 0;
    import_report_to_json(&i->report, &json);
    return strbuf_detach(&json);
}

/* When the name comes before the times, row endings cannot be reused. Both column orders must give the same
 * profile. */
static void rows_known_by_their_ends_are_read_the_same(void **state)
{
    struct strbuf last = STRBUF_INIT, first = STRBUF_INIT;
    char hash[2][SHA256_HEX], *report[2];
    struct imported i;
    struct err e;

    (void)state;
    strbuf_adds(&last, HEADER_20);
    strbuf_adds(&first, "Name,");
    strbuf_add(&first, HEADER_20, strlen(HEADER_20) - strlen(",Name\n"));
    strbuf_adds(&first, "\n");
    for (unsigned row = 0; row < 20000; row++) {
        add_row(&last, row, false);
        add_row(&first, row, true);
    }
    for (int k = 0; k < 2; k++) {
        import_text(&i, k ? first.text : last.text);
        CHECK_OK(i.ret, &i.e);
        assert_true(i.report.accepted > 18000 && i.report.dropped_count > 500 && i.report.ignored_count > 300);
        CHECK_OK(profile_hash(&i.profile, hash[k], &e), &e);
        report[k] = report_text(&i);
        imported_release(&i);
    }
    assert_string_equal(hash[0], hash[1]);
    assert_string_equal(report[0], report[1]);
    free(report[0]);
    free(report[1]);
    strbuf_release(&last);
    strbuf_release(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_known_by_their_ends_are_read_the_same),
        cmocka_unit_test(reads_twenty_columns),
        cmocka_unit_test(reads_twentyone_columns_and_other_units),
        cmocka_unit_test(reads_the_execution_trace),
        cmocka_unit_test(reads_nvprof),
        cmocka_unit_test(odd_rows_are_dropped_and_reported),
        cmocka_unit_test(what_follows_the_table_is_counted),
        cmocka_unit_test(long_names_are_dropped_or_kept),
        cmocka_unit_test(odd_encodings),
        cmocka_unit_test(other_encodings_give_the_same_profile),
        cmocka_unit_test(endless_rows_are_one_sentence),
        cmocka_unit_test(refuses_other_reports_with_what_to_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
