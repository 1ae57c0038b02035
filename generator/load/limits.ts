/** Limits for one file, so that no file can exhaust time or memory. */

/** Maximum size of a file, in bytes. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Maximum nesting of mappings and lists, including aliases. All later steps may recurse this deep. */
export const MAX_DEPTH = 300;

/**
 * Maximum number of texts, indicators, spaces and line breaks in a file. Each takes about 300 bytes while it is read.
 */
export const MAX_TOKENS = 3_000_000;

/** Maximum number of values in all aliases and merges of one file. */
export const MAX_ALIASED_VALUES = 1_000_000;

/** Maximum number of mistakes reported for a file. A generated file can have more than anyone will read. */
export const MAX_TEXT_PROBLEMS = 1_000;

/** Maximum depth of folders below the schemas folder. */
export const MAX_FOLDER_DEPTH = 32;
