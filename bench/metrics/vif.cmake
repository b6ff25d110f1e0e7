iso_bench(vif_bench SOURCES vif_bench.cpp DEPENDS iso_vif)
