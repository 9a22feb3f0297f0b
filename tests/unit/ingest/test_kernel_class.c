/* Classes of kernels by name. The names are from recorded profiles and from the libraries' sources. */
#include "tests/harness/check.h"

#include "ingest/ingest.h"
#include "sampling/profile/kernel_class.h"

static void names_have_their_class(void **state)
{
    static const struct {
        const char *name;
        enum kernel_class want;
    } cases[] = {
        {"volta_sgemm_64x64_nt", CLASS_GEMM},
        {"nvjet_tst_192x192_64x4_2x1_v_bz_coopB_bias_TNN", CLASS_GEMM},
        {"volta_scudnn_128x64_relu_medium_nn_v1", CLASS_GEMM},
        {"void cudnn::winograd_nonfused::winogradForwardData4x4<float, float>(int)", CLASS_GEMM},
        {"_Z9matrixMulPfS_S_ii", CLASS_GEMM},
        {"void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, cutlass::bfloat16_t>>(int)", CLASS_ATTENTION},
        {"void vllm::paged_attention_v1_kernel<float>(float*)", CLASS_ATTENTION},
        {"void (anonymous namespace)::softmax_warp_forward<float, float>(float*)", CLASS_NORMALISATION},
        {"void at::native::<unnamed>::vectorized_layer_norm_kernel<float, float>(int)", CLASS_NORMALISATION},
        {"void cudnn::bn_fw_tr_1C11_singleread<float, 512, true, 1, 2, 0>(int)", CLASS_NORMALISATION},
        {"void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>>(int)",
         CLASS_ELEMENTWISE},
        {"void at::native::elementwise_kernel<128, 2, gpu_kernel_impl<direct_copy_kernel_cuda(int)>>(int)",
         CLASS_COPY},
        {"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int)", CLASS_COPY},
        {"void at::native::(anonymous namespace)::CatArrayBatchedCopy_contig<int>(int)", CLASS_COPY},
        {"void nchwToNhwcKernel<float, float, float, true, false>(int)", CLASS_COPY},
        {"void splitKreduce_kernel<float, float>(cublasSplitKParams<float>)", CLASS_REDUCTION},
        {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(int)", CLASS_REDUCTION},
        {"void at::native::(anonymous namespace)::max_pool_forward_nchw<float, float>(int)", CLASS_REDUCTION},
        {"void at::native::(anonymous namespace)::indexSelectLargeIndex<float>(int)", CLASS_EMBEDDING},
        {"void vllm::rotary_embedding_kernel<float, true>(int)", CLASS_ELEMENTWISE},
        {"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", CLASS_COLLECTIVE},
        {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", CLASS_COLLECTIVE},
        {"cask_cudnn::computeOffsetsKernel(cask_cudnn::ComputeOffsetsParams)", CLASS_OTHER},
        {"saxpy(double *, double *, double *, double, int)", CLASS_ELEMENTWISE},
        {"Kernel(Node*, int*)", CLASS_OTHER},
        {"", CLASS_OTHER},
        /* Words in arguments do not count, except for the rows that say so. */
        {"void f<Gemm>(Softmax)", CLASS_OTHER},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (kernel_class_of(cases[i].name) != cases[i].want)
            fail_msg("%s is %s, not %s", cases[i].name, kernel_class_names[kernel_class_of(cases[i].name)],
                     kernel_class_names[cases[i].want]);
}

/* Kernels of recorded profiles that belong to no class, and why. */
static int known_other(const char *name)
{
    static const char *const words[] = {
        "OffsetsKernel", /* addresses for a convolution */
        "fft2d_",        /* transforms of a convolution */
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i]))
            return 1;
    return 0;
}

/* want: kernel names of each class. */
static void recorded_names_have_a_class(void **state)
{
    static const struct {
        const char *path;
        size_t want[KERNEL_CLASSES];
    } files[] = {
        {"nsys/h100x2-2026.2.sqlite", {3, 1, 1, 14, 1, 6, 1, 0, 0}},
        {"nsys/rtx3080-2026.1.sqlite", {0, 0, 0, 0, 1, 1, 0, 0, 0}},
        {"nsys/saxpy-a100-2022.2.sqlite", {0, 0, 0, 1, 0, 0, 0, 0, 0}},
        {"kineto/resnet50-v100.json.gz", {38, 0, 6, 7, 7, 5, 0, 0, 4}},
        {"kineto/train-v100-ns.json.gz", {35, 0, 10, 13, 8, 5, 0, 0, 6}},
        {"kineto/alexnet-a100.json.gz", {4, 0, 0, 5, 2, 1, 0, 0, 4}},
    };

    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        const char *path = shared_data(files[f].path);
        size_t seen[KERNEL_CLASSES] = {0};
        struct import_report report;
        struct profile p;
        struct err e;

        profile_init(&p);
        import_report_init(&report);
        CHECK_OK(ingest_file(path, NULL, &p, &report, &e), &e);
        for (size_t k = 0, names = 0; k < p.kernel_count; k++) {
            enum kernel_class c = kernel_class_of(p.kernels[k].name);

            if (p.kernels[k].name_id != names)
                continue;
            names++;
            seen[c]++;
            if (c == CLASS_OTHER && !known_other(p.kernels[k].name))
                fail_msg("%s: %s", files[f].path, p.kernels[k].name);
        }
        for (int c = 0; c < KERNEL_CLASSES; c++)
            assert_int_equal(seen[c], files[f].want[c]);
        import_report_release(&report);
        profile_release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_have_their_class),
                                       cmocka_unit_test(recorded_names_have_a_class)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
