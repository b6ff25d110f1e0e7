iso_bench(motion_bench SOURCES motion_bench.cpp DEPENDS iso_motion)
