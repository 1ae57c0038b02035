/** Writes terms of field selectors. */

/** As in `metadata.name=web`; commas, equals signs and backslashes of the value are escaped. */
export const fieldTerm = (field: string, value: string): string => `${field}=${value.replace(/[\\,=]/g, '\\$&')}`;
