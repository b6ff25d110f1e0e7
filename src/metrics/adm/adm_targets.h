// Before Highway's headers: the passes of `adm` are not compiled for SVE, whose vectors cannot stand in arrays and structures as they do
// here. Processors with SVE2 run those of NEON (docs/adr/0012-adm-without-sve.md).
#pragma once

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
