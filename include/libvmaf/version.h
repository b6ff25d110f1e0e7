/* The version of libvmaf's interface that this library provides. isometric's own version: isometric_version() in isometric.h. */
#ifndef ISO_LIBVMAF_VERSION_H
#define ISO_LIBVMAF_VERSION_H

#define VMAF_API_VERSION_MAJOR 3
#define VMAF_API_VERSION_MINOR 2
#define VMAF_API_VERSION_PATCH 0

#endif
