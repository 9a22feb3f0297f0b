/* ptx/driver/stream.c: streams and events. They are those of the runtime. */
#include "ptx/driver/driver.h"

CUresult cuStreamCreate(CUstream *s, unsigned flags)
{
    return driver_result(cudaStreamCreateWithFlags(s, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *s, unsigned flags, int priority)
{
    return driver_result(cudaStreamCreateWithPriority(s, flags, priority));
}

CUresult cuStreamDestroy_v2(CUstream s)
{
    return driver_result(cudaStreamDestroy(s));
}

CUresult cuStreamSynchronize(CUstream s)
{
    return driver_result(cudaStreamSynchronize(s));
}

CUresult cuStreamQuery(CUstream s)
{
    return driver_result(cudaStreamQuery(s));
}

CUresult cuStreamWaitEvent(CUstream s, CUevent x, unsigned flags)
{
    return driver_result(cudaStreamWaitEvent(s, x, flags));
}

CUresult cuStreamAddCallback(CUstream s, cudaStreamCallback_t f, void *data, unsigned flags)
{
    return driver_result(cudaStreamAddCallback(s, f, data, flags));
}

CUresult cuStreamGetPriority(CUstream s, int *priority)
{
    return driver_result(cudaStreamGetPriority(s, priority));
}

CUresult cuStreamGetFlags(CUstream s, unsigned *flags)
{
    return driver_result(cudaStreamGetFlags(s, flags));
}

CUresult cuStreamGetId(CUstream s, unsigned long long *id)
{
    return driver_result(cudaStreamGetId(s, id));
}

CUresult cuStreamGetCtx(CUstream s, CUcontext *c)
{
    (void)s;
    return cuDevicePrimaryCtxRetain(c, 0);
}

CUresult cuEventCreate(CUevent *x, unsigned flags)
{
    return driver_result(cudaEventCreateWithFlags(x, flags));
}

CUresult cuEventDestroy_v2(CUevent x)
{
    return driver_result(cudaEventDestroy(x));
}

CUresult cuEventRecord(CUevent x, CUstream s)
{
    return driver_result(cudaEventRecord(x, s));
}

CUresult cuEventRecordWithFlags(CUevent x, CUstream s, unsigned flags)
{
    return driver_result(cudaEventRecordWithFlags(x, s, flags));
}

CUresult cuEventSynchronize(CUevent x)
{
    return driver_result(cudaEventSynchronize(x));
}

CUresult cuEventQuery(CUevent x)
{
    return driver_result(cudaEventQuery(x));
}

CUresult cuEventElapsedTime(float *ms, CUevent begin, CUevent end)
{
    return driver_result(cudaEventElapsedTime(ms, begin, end));
}

CUresult cuEventElapsedTime_v2(float *ms, CUevent begin, CUevent end)
{
    return driver_result(cudaEventElapsedTime(ms, begin, end));
}

/* The same functions for per-thread default streams. */
ALSO(cuEventRecordWithFlags_ptsz, cuEventRecordWithFlags);
ALSO(cuEventRecord_ptsz, cuEventRecord);
ALSO(cuStreamAddCallback_ptsz, cuStreamAddCallback);
ALSO(cuStreamGetCtx_ptsz, cuStreamGetCtx);
ALSO(cuStreamGetFlags_ptsz, cuStreamGetFlags);
ALSO(cuStreamGetId_ptsz, cuStreamGetId);
ALSO(cuStreamGetPriority_ptsz, cuStreamGetPriority);
ALSO(cuStreamQuery_ptsz, cuStreamQuery);
ALSO(cuStreamSynchronize_ptsz, cuStreamSynchronize);
ALSO(cuStreamWaitEvent_ptsz, cuStreamWaitEvent);
