/* libcudart.so.13 and libcupti.so.13 of packages without CUDA. LibTorch's profiler, which this program never starts, needs
   these functions to be there; NVIDIA's libraries are not free software and may not be conveyed with Qt Charts (GPL). */
#define MISSING(name)      \
    int name(void);        \
    int name(void) { return NO_CUDA; }

#ifdef CUDART
#define NO_CUDA 100 /* cudaErrorNoDevice */
const char* cudaGetErrorString(int error);
const char* cudaGetErrorString(int error) { return error == 0 ? "no error" : "CUDA is not installed"; }
MISSING(cudaDeviceSynchronize)
MISSING(cudaDriverGetVersion)
MISSING(cudaGetDeviceCount)
MISSING(cudaGetDeviceProperties)
MISSING(cudaRuntimeGetVersion)
#else
#define NO_CUDA 15 /* CUPTI_ERROR_NOT_INITIALIZED */
MISSING(cuptiActivityDisable)
MISSING(cuptiActivityEnable)
MISSING(cuptiActivityEnableCudaEventDeviceTimestamps)
MISSING(cuptiActivityEnableDriverApi)
MISSING(cuptiActivityEnableRuntimeApi)
MISSING(cuptiActivityFlushAll)
MISSING(cuptiActivityGetNextRecord)
MISSING(cuptiActivityGetNumDroppedRecords)
MISSING(cuptiActivityPopExternalCorrelationId)
MISSING(cuptiActivityPushExternalCorrelationId)
MISSING(cuptiActivityRegisterCallbacks)
MISSING(cuptiActivityRegisterTimestampCallback)
MISSING(cuptiActivitySetAttribute)
MISSING(cuptiEnableCallback)
MISSING(cuptiEnableDomain)
MISSING(cuptiFinalize)
MISSING(cuptiGetResultString)
MISSING(cuptiGetVersion)
MISSING(cuptiSubscribe)
MISSING(cuptiUnsubscribe)
#endif
