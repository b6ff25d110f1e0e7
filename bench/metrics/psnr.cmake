iso_bench(psnr_bench SOURCES psnr_bench.cpp benchmark_main.cpp DEPENDS iso_psnr)
