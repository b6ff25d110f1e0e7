iso_bench(psnr_bench SOURCES psnr_bench.cpp DEPENDS iso_psnr)
