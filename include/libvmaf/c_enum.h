/* Enums whose values come from C callers, so any int may be in them: C++ has to know that it may look at those, too. */
#ifndef ISO_LIBVMAF_C_ENUM_H
#define ISO_LIBVMAF_C_ENUM_H

#if defined __cplusplus && __cplusplus >= 201103L
#define ISO_C_ENUM(name) enum name : int
#else
#define ISO_C_ENUM(name) enum name
#endif

#endif
