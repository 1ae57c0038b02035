/** The size of the largest object that is stored. */

/** The default in bytes, as in the reference. */
export const MAX_OBJECT_BYTES = 1.5 * 1024 * 1024;
