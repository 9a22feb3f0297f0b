/* AMD's rocprof as CSV and JSON. The tables have the columns and values that AMD's documentation shows. */
#include "tests/unit/ingest/inputs.h"

#include "base/strbuf.h"

#define HEADER                                                                                                     \
    "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_"       \
    "Name\","                                                                                                      \
    "\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\"," \
    "\"Accum_VGPR_Count\",\"SGPR_Count\",\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\","          \
    "\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n"

static void reads_a_kernel_trace(void **state)
{
    struct imported i;

    (void)state;
    import_text(&i, HEADER
                "\"KERNEL_DISPATCH\",\"Agent 4\",1,2,852831,2,13,\"sub(float*, int)\",9,1551874061259214,"
                "1551874061270254,512,0,8,4,16,64,1,1,1000,2,1\n"
                "\"KERNEL_DISPATCH\",\"Agent 4\",1,1,852831,1,10,\"void add<float>(float*, int)\",9,"
                "1551874061244694,1551874061255734,0,0,24,0,16,64,1,1,1024,1024,1\n"
                "\"KERNEL_DISPATCH\",\"GPU 3\",1,1,852831,3,10,\"add\",10,1551874061280000,1551874061280001,0,0,"
                "8,0,16,64,1,1,64,1,1\n");
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.profile.format, "rocprof-csv");
    assert_string_equal(i.report.schema, "kernel_trace, 22 columns");
    assert_int_equal(i.report.accepted, 3);
    assert_int_equal(i.report.devices, 2);
    assert_int_equal(count_of(&i.report.warnings, "amd_gpu"), 3);
    assert_non_null(note_of(&i.report.warnings, "no_gpu_name"));
    for (size_t k = 0; k < i.profile.kernel_count; k++) {
        const struct profile_kernel *kernel = &i.profile.kernels[k];

        if (strcmp(kernel->name, "sub(float*, int)") == 0) {
            assert_int_equal(kernel->grid[0], 16); /* 1000 work-items in groups of 64: 15 whole ones and a part */
            assert_int_equal(kernel->grid[1], 2);
            assert_int_equal(kernel->block[0], 64);
            assert_int_equal(kernel->registers, 8);
            assert_int_equal(kernel->shared_bytes, 512);
        } else if (strcmp(kernel->name, "void add<float>(float*, int)") == 0) {
            assert_int_equal(kernel->grid[0], 16);
            assert_int_equal(kernel->grid[1], 1024);
        }
    }
    imported_release(&i);
}

static void reads_older_tables(void **state)
{
    struct imported i;

    (void)state;
    /* rocprof 1: products of the dimensions, and names as the loader has them */
    import_text(&i,
                "\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\",\"pid\",\"tid\",\"grd\",\"wgr\",\"lds\",\"scr\","
                "\"arch_vgpr\",\"BeginNs\",\"EndNs\",\"DurationNs\"\n"
                "0,\"saxpy(int, float*) [clone .kd]\",1,0,77,77,1024,256,0,0,8,1000,4000,3000\n"
                "1,\"__amd_rocclr_fillBufferAligned.kd\",1,0,77,77,64,64,0,0,8,5000,5500,500\n");
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 2);
    assert_int_equal(i.profile.value[0], 3000);
    assert_string_equal(i.profile.kernels[0].name, "saxpy(int, float*)");
    assert_int_equal(i.profile.kernels[0].grid[0], 4);
    assert_int_equal(i.profile.kernels[0].block[0], 256);
    assert_string_equal(i.profile.kernels[1].name, "__amd_rocclr_fillBufferAligned");
    assert_int_equal(i.profile.contexts[0].process, 77);
    imported_release(&i);
    /* rocprofv3 of 2024: without shapes */
    import_text(
        &i, "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\","
            "\"Start_Timestamp\",\"End_Timestamp\"\n\"KERNEL_DISPATCH\",1,139690710949888,42,\"copy\",1,10,20\n");
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(count_of(&i.report.warnings, "no_shape"), 1);
    imported_release(&i);
}

static void counts_rows_that_cannot_be_used(void **state)
{
    struct imported i;

    (void)state;
    import_text(&i, HEADER "\"KERNEL_DISPATCH\",\"Agent 4\",1,1,1,1,10,\"k\",1,100,200,0,0,8,0,16,64,1,1,64,1,1\n"
                           "\"KERNEL_DISPATCH\",\"Agent 4\",1,1,1,2,10,\"k\",1,100,,0,0,8,0,16,64,1,1,64,1,1\n"
                           "\"KERNEL_DISPATCH\",\"Agent 4\",1,1,1,3,10,\"k\",1,,200,0,0,8,0,16,64,1,1,64,1,1\n"
                           "\"KERNEL_DISPATCH\",\"Agent 4\",1,1,1,4,10,\"k\",1,300,200,0,0,8,0,16,64,1,1,64,1,1\n"
                           "\"KERNEL_DISPATCH\",\"Agent 4\",1,1,1,5,10,\"k\",1,300,400,0,0,8,0,16,0,1,1,64,1,1\n"
                           "\"KERNEL_DISPATCH\",\"Agent 4\",1,1,1,6,10,\"k\",1,3e0x,400,0,0,8,0,16,64,1,1,64,1,1\n"
                           "\"KERNEL_DISPATCH\",\"Agent 4\",1,1,1,7,10,\"\",1,300,400,0,0,8,0,16,64,1,1,64,1,1\n"
                           "\"SCRATCH_MEMORY\",\"Agent 4\",1,1,1,8,10,\"k\",1,300,400,0,0,8,0,16,64,1,1,64,1,1\n"
                           "1,2,3\n");
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 1);
    assert_int_equal(count_of(&i.report.dropped, "no_end_time"), 1);
    assert_int_equal(count_of(&i.report.dropped, "no_start_time"), 1);
    assert_int_equal(count_of(&i.report.dropped, "negative_duration"), 1);
    assert_int_equal(count_of(&i.report.dropped, "bad_shape"), 1);
    assert_int_equal(count_of(&i.report.dropped, "bad_number"), 1);
    assert_int_equal(count_of(&i.report.dropped, "unknown_name"), 1);
    assert_int_equal(count_of(&i.report.dropped, "wrong_columns"), 1);
    assert_int_equal(i.report.ignored_count, 1);
    imported_release(&i);
}

static void refuses_other_tables(void **state)
{
    struct imported i;

    (void)state;
    import_text(&i, "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n\"k\",10,100,10,100\n");
    CHECK_FAILS(i.ret, &i.e, ERR_UNSUPPORTED, "a summary of rocprof");
    imported_release(&i);
    import_text(&i, "\"Dispatch_Id\",\"Kernel_Name\",\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\","
                    "\"End_Timestamp\"\n1,\"k\",\"SQ_WAVES\",4,1,2\n");
    CHECK_FAILS(i.ret, &i.e, ERR_UNSUPPORTED, "a table of counters of rocprofv3");
    imported_release(&i);
    import_text(&i, "\"Kind\",\"Direction\",\"Source_Agent_Id\",\"Destination_Agent_Id\",\"Correlation_Id\","
                    "\"Start_Timestamp\",\"End_Timestamp\"\n\"MEMORY_COPY\",\"HOST_TO_DEVICE\",0,1,0,1,2\n");
    CHECK_FAILS(i.ret, &i.e, ERR_UNSUPPORTED, "without kernels");
    imported_release(&i);
    import_text(&i, HEADER);
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "no kernels in this trace");
    imported_release(&i);
}

#define AGENTS                                                                                                     \
    "\"agents\":[{\"id\":{\"handle\":77},\"type\":1,\"name\":\"AMD EPYC\"},{\"id\":{\"handle\":99},\"type\":2,"    \
    "\"name\":\"gfx90a\",\"product_name\":\"AMD Instinct MI250X\"},{\"id\":{\"handle\":100},\"type\":2,"           \
    "\"product_name\":\"AMD Instinct MI250X\"}]"
#define SYMBOLS                                                                                                    \
    "\"kernel_symbols\":[{\"kernel_id\":0},{\"kernel_id\":11,\"kernel_name\":\"mul.kd\"},{\"kernel_id\":10,"       \
    "\"kernel_name\":\"_Z3addv.kd\",\"formatted_kernel_name\":\"add()\",\"arch_vgpr_count\":24}]"
#define DISPATCH(start, end, agent, kernel, id)                                                                    \
    "{\"thread_id\":9,\"correlation_id\":{\"internal\":3},\"start_timestamp\":" #start ",\"end_timestamp\":" #end  \
    ",\"dispatch_info\":{\"agent_id\":{\"handle\":" #agent "},\"queue_id\":{\"handle\":1},\"kernel_id\":" #kernel  \
    ",\"dispatch_id\":" #id ",\"group_segment_size\":1024,\"workgroup_size\":{\"x\":64,\"y\":2,\"z\":1},"          \
    "\"grid_size\":{\"x\":1000,\"y\":2,\"z\":1}}}"

static void reads_json_in_any_order_of_its_lists(void **state)
{
    static const char *const texts[] = {
        "{\"rocprofiler-sdk-tool\":[{\"metadata\":{\"pid\":4242}," AGENTS "," SYMBOLS
        ",\"buffer_records\":{\"kernel_dispatch\":[" DISPATCH(1000, 3500, 100, 10, 1) "," DISPATCH(4000, 4500, 99,
                                                                                                   11, 2) "]}}]}",
        "{\"rocprofiler-sdk-tool\":[{\"buffer_records\":{\"kernel_dispatch\":[" DISPATCH(
            4000, 4500, 99, 11, 2) "," DISPATCH(1000, 3500, 100, 10, 1) "]}," SYMBOLS "," AGENTS
                                                                        ",\"metadata\":{\"pid\":4242}}]}"};

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct imported i;

        import_text(&i, texts[k]);
        CHECK_OK(i.ret, &i.e);
        assert_string_equal(i.profile.format, "rocprof-json");
        assert_string_equal(i.report.gpu_name, "AMD Instinct MI250X");
        assert_int_equal(i.report.accepted, 2);
        assert_int_equal(i.report.devices, 2);
        for (size_t c = 0; c < 2; c++)
            assert_int_equal(i.profile.contexts[c].process, 4242);
        for (size_t n = 0; n < 2; n++) {
            const struct profile_kernel *kernel = &i.profile.kernels[n];
            bool add = strcmp(kernel->name, "add()") == 0;

            assert_string_equal(kernel->name, add ? "add()" : "mul");
            assert_int_equal(kernel->registers, add ? 24 : 0);
            assert_int_equal(kernel->grid[0], 16);
            assert_int_equal(kernel->grid[1], 1);
            assert_int_equal(kernel->shared_bytes, 1024);
        }
        imported_release(&i);
    }
}

static void json_of_several_processes(void **state)
{
    struct imported i;

    (void)state;
    /* The same kernel_id means another kernel in each process. */
    import_text(&i,
                "{\"rocprofiler-sdk-tool\":[{\"metadata\":{\"pid\":1}," SYMBOLS ",\"buffer_records\":{"
                "\"kernel_dispatch\":[" DISPATCH(
                    0, 5, 99, 10,
                    1) "]}},{\"metadata\":{\"pid\":2}," AGENTS
                       ",\"kernel_symbols\":[{\"kernel_id\":10,\"kernel_name\":\"other\"}],\"buffer_records\":{"
                       "\"kernel_dispatch\":[" DISPATCH(0, 7, 100, 10, 1) "," DISPATCH(9, 7, 99, 12, 2) "]}}]}");
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 2);
    assert_int_equal(i.report.processes, 2);
    assert_int_equal(i.profile.contexts[0].device, 0); /* the first process has no agents */
    assert_int_equal(i.profile.contexts[1].device, 1);
    assert_int_equal(count_of(&i.report.dropped, "unknown_name"), 1);
    assert_int_equal(i.profile.value[0], 5);
    assert_int_equal(i.profile.value[1], 7);
    imported_release(&i);
}

static void limits_the_gpus_of_a_process(void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct imported i;

    (void)state;
    strbuf_adds(&text, "{\"rocprofiler-sdk-tool\":[{\"agents\":[{\"type\":2}");
    for (int k = 1; k < 1025; k++)
        strbuf_adds(&text, ",{\"type\":2}");
    strbuf_adds(&text, "]}]}");
    import_text(&i, text.text);
    CHECK_FAILS(i.ret, &i.e, ERR_TOO_LARGE, "a process has more than 1024 GPUs");
    imported_release(&i);
    strbuf_release(&text);
}

static void refuses_bad_json(void **state)
{
    struct imported i;

    (void)state;
    import_text(&i, "{\"rocprofiler-sdk-tool\":[{" SYMBOLS ",\"buffer_records\":{\"kernel_dispatch\":[]}}]}");
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "no kernel dispatches in these results");
    imported_release(&i);
    import_text(&i, "{\"rocprofiler-sdk-tool\":[{" SYMBOLS ",\"buffer_records\":{\"kernel_disp");
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "the JSON ends in the middle");
    imported_release(&i);
    /* A value that lies deeper is not taken for one of the known places. */
    import_text(&i, "{\"rocprofiler-sdk-tool\":[[[[[[[[[[{\"start_timestamp\":1}]]]]]]]]]]}");
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "no kernel dispatches in these results");
    imported_release(&i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_kernel_trace),
        cmocka_unit_test(reads_older_tables),
        cmocka_unit_test(counts_rows_that_cannot_be_used),
        cmocka_unit_test(refuses_other_tables),
        cmocka_unit_test(reads_json_in_any_order_of_its_lists),
        cmocka_unit_test(json_of_several_processes),
        cmocka_unit_test(limits_the_gpus_of_a_process),
        cmocka_unit_test(refuses_bad_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
