iso_test(vif_test SOURCES vif_test.cpp vif_golden_test.cpp vif_split_test.cpp DEPENDS iso_vif iso_test_support LABELS unit)
