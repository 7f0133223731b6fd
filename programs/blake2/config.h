// blake2-impl.h asks for it, and needs nothing of it.
