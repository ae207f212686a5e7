// From here to avx512-end.h the compiler may use AVX-512, whatever its command line says. Every header that other code
// shares is included before: a function of theirs that used AVX-512 could be linked into code for any processor.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512ifma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512ifma")
#endif
