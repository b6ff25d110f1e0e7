iso_bench(adm_bench SOURCES adm_bench.cpp DEPENDS iso_adm iso_clip)
