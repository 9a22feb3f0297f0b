
	/host:CPU
ï/device:GPU:0ìStream #14(Compute)¿Ñ="_ÑRÿ‘å"M*Iregs:56 static_shared:16 dynamic_shared:36864 grid:1940,2,1 block:128,1,1"
3"î†Ë"
*size:4"gemm_fusion"	MemcpyH2D*kernel_details*memcpy_details*

correlation_id