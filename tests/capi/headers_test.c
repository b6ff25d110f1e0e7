/* A translation unit that includes one public header alone, named by HEADER. */
#include HEADER

int headers_test_unit;
