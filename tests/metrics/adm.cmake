iso_test(adm_test SOURCES adm_test.cpp adm_golden_test.cpp adm_split_test.cpp DEPENDS iso_adm iso_test_support LABELS unit)
