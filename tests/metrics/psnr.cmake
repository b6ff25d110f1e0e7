iso_test(psnr_test SOURCES psnr_test.cpp psnr_golden_test.cpp DEPENDS iso_psnr iso_test_support LABELS unit)
