iso_bench(motion_bench SOURCES motion_bench.cpp benchmark_main.cpp DEPENDS iso_motion)
