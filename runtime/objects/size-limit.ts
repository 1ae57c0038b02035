/** The limit on the size of stored objects. */

/** The default in bytes, as in the reference. */
export const MAX_OBJECT_BYTES = 1.5 * 1024 * 1024;
