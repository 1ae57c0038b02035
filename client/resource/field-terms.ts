/** Writes terms of field selectors. */

/** Returns a term, as in `metadata.name=web`. Commas, equals signs and backslashes of the value are escaped. */
export const fieldTerm = (field: string, value: string): string => `${field}=${value.replace(/[\\,=]/g, '\\$&')}`;
