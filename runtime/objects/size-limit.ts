/** The size of the largest object that is stored. */

/** Bytes of it where the options name no other; as the reference has it. */
export const MAX_OBJECT_BYTES = 1.5 * 1024 * 1024;
