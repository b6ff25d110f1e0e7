iso_bench(vif_bench SOURCES vif_bench.cpp benchmark_main.cpp DEPENDS iso_vif)
