/** Bounds on what one file may ask of the loader, so that no file can exhaust time or memory. */

/** Largest file that is read, in bytes. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Deepest nesting of mappings and lists, aliases included. Everything later may recurse this deep. */
export const MAX_DEPTH = 300;

/** Texts, indicators, spaces and line breaks of one file; what is held of each takes about 300 bytes while it is read. */
export const MAX_TOKENS = 3_000_000;

/** Values that all aliases and merges of one file may add up to. */
export const MAX_ALIASED_VALUES = 1_000_000;

/** Mistakes reported for the text of one file; a generated file can hold more than anyone will read. */
export const MAX_TEXT_PROBLEMS = 1_000;

/** Deepest folder below the schemas folder. */
export const MAX_FOLDER_DEPTH = 32;
