/* The table has prefixes of kernel function names. A kernel matches if its name starts with the prefix, after a
 * return type, namespaces, or the length that mangling writes before a name. A match inside an identifier does not
 * count: `fake_ncclKernel_x` is not a communication kernel. */
#include "sampling/profile/communication.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *begin, *library;
} known[] = {
    /* github.com/NVIDIA/nccl: src/device/generate.py names kernels ncclDevKernel_<func>_<redop>_<type>_...;
     * before 2.19 src/collectives/device/common.h named them ncclKernel_<func>_.... RCCL (github.com/ROCm/rccl)
     * keeps these names.
     */
    {"ncclDevKernel_", "NCCL"},
    {"ncclKernel_", "NCCL"},
    {"ncclSymDevKernel_", "NCCL"},  /* src/device/symmetric/generate.py, from 2.27 on */
    {"ncclSymkDevKernel_", "NCCL"}, /* the same, later */
    {"rccl", "RCCL"},
    /* NVSHMEM's own kernels: nvshmemi_... and nvshmemx_..., docs.nvidia.com/nvshmem */
    {"nvshmem", "NVSHMEM"},
    /* github.com/vllm-project/vllm: csrc/custom_all_reduce.cuh; AITER and SGLang have copies */
    {"cross_device_reduce_1stage", "vLLM or AITER"},
    {"cross_device_reduce_2stage", "vLLM or AITER"},
    /* github.com/NVIDIA/TensorRT-LLM: cpp/tensorrt_llm/kernels/customAllReduceKernels.cu and
     * communicationKernels/allReduceFusionKernels.cu */
    {"oneShotAllReduceKernel", "TensorRT-LLM"},
    {"twoShotAllReduceKernel", "TensorRT-LLM"},
    {"allreduce_fusion_kernel_", "TensorRT-LLM"},
    {"moefinalize_allreduce_fusion_kernel_", "TensorRT-LLM"},
    {"twoshotAllreduceKernel", "TensorRT-LLM"}, /* also in FlashInfer, namespace trtllm_mnnvl_allreduce */
    /* github.com/pytorch/pytorch: torch/csrc/distributed/c10d/symm_mem/CUDASymmetricMemoryOps.cu */
    {"multimem_all_reduce_kernel", "PyTorch"},
    {"multimem_one_shot_all_reduce_kernel", "PyTorch"},
    {"one_shot_all_reduce_kernel", "PyTorch"},
    {"two_shot_all_reduce_kernel", "PyTorch"},
    /* github.com/deepseek-ai/DeepEP: csrc/kernels/{intranode,internode,internode_ll}.cu */
    {"deep_ep::intranode::", "DeepEP"},
    {"deep_ep::internode::", "DeepEP"},
    {"deep_ep::internode_ll::", "DeepEP"},
};

/* Whether an identifier starts at `at`: not inside another identifier, but after the length in a mangled name. */
static bool communication_begins(const char *name, const char *at)
{
    const char *c = at;

    if (c == name)
        return true;
    if (strncmp(name, "_Z", 2) == 0 && isdigit((unsigned char)c[-1]))
        return true;
    return !isalnum((unsigned char)c[-1]) && c[-1] != '_';
}

const char *communication_library(const char *kernel_name)
{
    size_t end = strcspn(kernel_name, "<("); /* template and function arguments are not searched */

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (const char *at = strstr(kernel_name, known[i].begin); at; at = strstr(at + 1, known[i].begin)) {
            if ((size_t)(at - kernel_name) >= end)
                break;
            if (communication_begins(kernel_name, at))
                return known[i].library;
        }
    return NULL;
}
