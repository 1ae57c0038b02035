/** The names of properties in expressions. */

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/**
 * Escapes a name: `a.b` → `a__dot__b`, `in` → `__in__`. Returns `undefined` for properties that expressions cannot
 * name.
 */
export function escapeName(property: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(property)) return undefined;
  if (reserved.has(property)) return `__${property}__`;
  return property.replace(/__|[./-]/g, (part) => escapes[part] ?? part);
}

/** Returns whether a property's name is a reserved word that can follow a dot anyway. */
export function isPlainKeyword(property: string): boolean {
  return reserved.has(property) && !/^(?:true|false|null|in)$/.test(property);
}

/** Returns the pointer to a step below another pointer. The pointer to the whole schema is empty. */
export function pointerBelow(pointer: string, ...steps: readonly string[]): string {
  return steps.reduce((path, step) => `${path}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`, pointer);
}
