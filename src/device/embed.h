// Files of the build as bytes of the program.
#pragma once

#if defined(__APPLE__)
#define ISO_EMBED_SECTION ".section __TEXT,__const\n"
#define ISO_EMBED_NAME(symbol) "_" #symbol
#define ISO_EMBED_HIDDEN ".private_extern "
#define ISO_EMBED_END ".text\n"
#else
#define ISO_EMBED_SECTION ".pushsection .rodata\n"
#define ISO_EMBED_NAME(symbol) #symbol
#define ISO_EMBED_HIDDEN ".hidden "
#define ISO_EMBED_END ".popsection\n"
#endif

// Bytes from symbol to symbol_end; a zero byte follows.
#define ISO_EMBED(symbol, path)                                                                                                \
    extern "C" const unsigned char symbol[];                                                                                   \
    extern "C" const unsigned char symbol##_end[];                                                                             \
    asm(ISO_EMBED_SECTION ".balign 64\n.globl " ISO_EMBED_NAME(symbol) "\n" ISO_EMBED_HIDDEN ISO_EMBED_NAME(symbol) "\n.globl " \
        ISO_EMBED_NAME(symbol##_end) "\n" ISO_EMBED_HIDDEN ISO_EMBED_NAME(symbol##_end) "\n" ISO_EMBED_NAME(symbol)            \
        ":\n.incbin \"" path "\"\n" ISO_EMBED_NAME(symbol##_end) ":\n.byte 0\n" ISO_EMBED_END);
