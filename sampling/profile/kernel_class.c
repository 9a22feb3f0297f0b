/* The table has words of kernel names. The first row whose word occurs gives the class, so rows of special cases
 * are before rows of general ones. Words are compared without regard to case.
 *
 * Most rows look at the function's own name only: without namespaces' arguments, template and function arguments.
 * PyTorch names the operation of its generic kernels in the template arguments, so some rows look at the whole
 * name. */
#include "sampling/profile/kernel_class.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "sampling/profile/communication.h"

static const struct {
    const char *word;
    bool whole; /* also in template and function arguments */
    enum kernel_class class;
} rules[] = {
    /* Steps around a product that are no product themselves: cuBLAS, cuDNN (names in recorded profiles). */
    {"splitkreduce", false, CLASS_REDUCTION},
    {"reduce_wgrad", false, CLASS_REDUCTION},
    {"offsetskernel", false, CLASS_OTHER},
    {"im2col", false, CLASS_COPY},
    {"col2im", false, CLASS_COPY},
    {"nchwtonhwc", false, CLASS_COPY},
    {"nhwctonchw", false, CLASS_COPY},
    /* github.com/Dao-AILab/flash-attention: csrc; github.com/facebookresearch/xformers: fmha; vLLM: csrc/attention;
     * github.com/flashinfer-ai/flashinfer; cuDNN's fused attention kernels have sdpa in their names. */
    {"flash_", false, CLASS_ATTENTION},
    {"flash::", false, CLASS_ATTENTION},
    {"flashattn", false, CLASS_ATTENTION},
    {"fmha", false, CLASS_ATTENTION},
    {"attention", false, CLASS_ATTENTION},
    {"_attn_", false, CLASS_ATTENTION},
    {"attn_fwd", false, CLASS_ATTENTION},
    {"attn_bwd", false, CLASS_ATTENTION},
    {"sdpa", false, CLASS_ATTENTION},
    {"mha_fwd", false, CLASS_ATTENTION},
    {"batchprefillwith", false, CLASS_ATTENTION},
    {"batchdecodewith", false, CLASS_ATTENTION},
    /* PyTorch (aten/src/ATen/native/cuda), Apex, vLLM (csrc/layernorm_kernels.cu), cuDNN's bn_fw_*, bn_bw_*. */
    {"layer_norm", false, CLASS_NORMALISATION},
    {"layernorm", false, CLASS_NORMALISATION},
    {"rms_norm", false, CLASS_NORMALISATION},
    {"rmsnorm", false, CLASS_NORMALISATION},
    {"batch_norm", false, CLASS_NORMALISATION},
    {"batchnorm", false, CLASS_NORMALISATION},
    {"group_norm", false, CLASS_NORMALISATION},
    {"groupnorm", false, CLASS_NORMALISATION},
    {"rowwisemoments", false, CLASS_NORMALISATION},
    {"gammabeta", false, CLASS_NORMALISATION},
    {"bn_fw", false, CLASS_NORMALISATION},
    {"bn_bw", false, CLASS_NORMALISATION},
    {"softmax", false, CLASS_NORMALISATION},
    /* cuBLAS (gemm, nvjet, xmma), cuDNN (scudnn, hcudnn, convolve, wgrad, dgrad, winograd), CUTLASS. */
    {"gemm", false, CLASS_GEMM},
    {"gemv", false, CLASS_GEMM},
    {"nvjet", false, CLASS_GEMM},
    {"xmma", false, CLASS_GEMM},
    {"cutlass", false, CLASS_GEMM},
    {"scudnn", false, CLASS_GEMM},
    {"hcudnn", false, CLASS_GEMM},
    {"i8816cudnn", false, CLASS_GEMM},
    {"s884cudnn", false, CLASS_GEMM},
    {"s1688cudnn", false, CLASS_GEMM},
    {"s16816cudnn", false, CLASS_GEMM},
    {"convolve", false, CLASS_GEMM},
    {"conv2d", false, CLASS_GEMM},
    {"conv_depthwise", false, CLASS_GEMM},
    {"wgrad", false, CLASS_GEMM},
    {"dgrad", false, CLASS_GEMM},
    {"winograd", false, CLASS_GEMM},
    {"matmul", false, CLASS_GEMM},
    {"matrixmul", false, CLASS_GEMM},
    {"triton_tem_", false, CLASS_GEMM}, /* github.com/pytorch/pytorch: torch/_inductor: templates are products */
    /* PyTorch (Embedding.cu, Indexing.cu, ScatterGatherKernel.cu, IndexKernel.cu). Rotary embedding looks nothing
       up. */
    {"rotary", false, CLASS_ELEMENTWISE},
    {"embedding", false, CLASS_EMBEDDING},
    {"indexselect", false, CLASS_EMBEDDING},
    {"index_select", false, CLASS_EMBEDDING},
    {"index_elementwise", false, CLASS_EMBEDDING},
    {"indexing_backward", false, CLASS_EMBEDDING},
    {"index_put", false, CLASS_EMBEDDING},
    {"gather", false, CLASS_EMBEDDING},
    {"scatter", false, CLASS_EMBEDDING},
    /* Copies. PyTorch's are elementwise kernels with a copy as their function (Copy.cu, Shape.cu, FillKernel.cu).
     */
    {"catarraybatchedcopy", false, CLASS_COPY},
    {"copy_kernel", true, CLASS_COPY},
    {"copy_device_to_device", true, CLASS_COPY},
    {"fillfunctor", true, CLASS_COPY},
    {"memcpy", false, CLASS_COPY},
    {"memset", false, CLASS_COPY},
    {"transpose", false, CLASS_COPY},
    {"permute", false, CLASS_COPY},
    {"reshape_and_cache", false, CLASS_COPY}, /* vLLM: csrc/cache_kernels.cu */
    {"copy", false, CLASS_COPY},
    {"triton_poi_", false, CLASS_ELEMENTWISE}, /* torch/_inductor/codegen/triton.py: pointwise, reductions */
    {"triton_red_", false, CLASS_REDUCTION},
    {"triton_per_", false, CLASS_REDUCTION},
    {"reduce", false, CLASS_REDUCTION},
    {"reduction", false, CLASS_REDUCTION},
    {"pool", false, CLASS_REDUCTION},
    {"nllcriterion", false, CLASS_REDUCTION},
    {"nll_loss", false, CLASS_REDUCTION},
    {"dot_kernel", false, CLASS_REDUCTION},
    {"argmax", false, CLASS_REDUCTION},
    {"argmin", false, CLASS_REDUCTION},
    {"topk", false, CLASS_REDUCTION},
    {"sort", false, CLASS_REDUCTION},
    {"scan", false, CLASS_REDUCTION},
    {"cumsum", false, CLASS_REDUCTION},
    {"elementwise", false, CLASS_ELEMENTWISE},
    {"multi_tensor_apply", false, CLASS_ELEMENTWISE}, /* PyTorch: ForeachFunctors.cuh, optimizers */
    {"dropout", false, CLASS_ELEMENTWISE},
    {"activation", false, CLASS_ELEMENTWISE},
    {"act_and_mul", false, CLASS_ELEMENTWISE}, /* vLLM: csrc/activation_kernels.cu */
    {"gelu", false, CLASS_ELEMENTWISE},
    {"silu", false, CLASS_ELEMENTWISE},
    {"relu", false, CLASS_ELEMENTWISE},
    {"axpy", false, CLASS_ELEMENTWISE},
    {"vectoradd", false, CLASS_ELEMENTWISE},
    {"vecadd", false, CLASS_ELEMENTWISE},
    {"scalepackedtensor", false, CLASS_ELEMENTWISE},
    {"op_tensor", false, CLASS_ELEMENTWISE},      /* cuDNN: cudnnOpTensor */
    {"epilogue::impl", false, CLASS_ELEMENTWISE}, /* cuBLASLt: bias and activation after a product */
    {"add_tensor", false, CLASS_ELEMENTWISE},     /* cuDNN: cudnnAddTensor */
    {"adam", false, CLASS_ELEMENTWISE},
};

const char *const kernel_class_names[KERNEL_CLASSES] = {
    "gemm", "attention", "normalisation", "elementwise", "reduction", "copy", "collective", "embedding", "other"};

/* The length of the function's own name with its namespaces: up to its template or function arguments. */
static size_t own_length(const char *name)
{
    static const char *const unnamed[] = {"(anonymous namespace)", "<unnamed>"};
    size_t at = 0;

    while (name[at]) {
        size_t skip = 0;

        for (size_t i = 0; i < sizeof unnamed / sizeof *unnamed; i++)
            if (strncmp(name + at, unnamed[i], strlen(unnamed[i])) == 0)
                skip = strlen(unnamed[i]);
        if (!skip && (name[at] == '<' || name[at] == '('))
            break;
        at += skip ? skip : 1;
    }
    return at;
}

static bool contains(const char *text, size_t n, const char *word)
{
    size_t length = strlen(word);

    for (size_t i = 0; i + length <= n; i++) {
        size_t k = 0;

        while (k < length && tolower((unsigned char)text[i + k]) == word[k])
            k++;
        if (k == length)
            return true;
    }
    return false;
}

enum kernel_class kernel_class_of(const char *kernel_name)
{
    size_t all = strlen(kernel_name), own = own_length(kernel_name);

    if (communication_library(kernel_name))
        return CLASS_COLLECTIVE;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (contains(kernel_name, rules[i].whole ? all : own, rules[i].word))
            return rules[i].class;
    return CLASS_OTHER;
}
