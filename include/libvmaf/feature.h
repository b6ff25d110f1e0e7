/* Options of feature extractors (docs/c_api.md, "Options"). */
#ifndef ISO_LIBVMAF_FEATURE_H
#define ISO_LIBVMAF_FEATURE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VmafFeatureDictionary VmafFeatureDictionary;

/* Sets an option; `*dict` is created when it is NULL. Setting a key again replaces its value. Numbers are kept as libvmaf keeps them:
 * rounded to float, six significant digits. -EINVAL: a NULL argument, or a dictionary that was consumed. */
int vmaf_feature_dictionary_set(VmafFeatureDictionary **dict, const char *key, const char *val);

/* Frees a dictionary and sets `*dict` to NULL; `*dict` may be NULL. A dictionary that a function consumed (whether it succeeded or failed)
 * may be freed too: that does nothing. */
int vmaf_feature_dictionary_free(VmafFeatureDictionary **dict);

#ifdef __cplusplus
}
#endif
#endif
