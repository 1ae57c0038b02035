/** Keeps the values of a flag that may be repeated. */
export const gather = (one: string, before: readonly string[]): readonly string[] => [...before, one];
