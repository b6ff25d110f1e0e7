iso_test(motion_test SOURCES motion_test.cpp motion_passes_test.cpp motion_golden_test.cpp DEPENDS iso_motion iso_test_support LABELS unit)
