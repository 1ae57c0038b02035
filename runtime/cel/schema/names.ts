/** The names under which expressions reach properties. */

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

/** `a.b` → `a__dot__b`, `in` → `__in__`; `undefined` for properties that expressions cannot reach. */
export function escapeName(property: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(property)) return undefined;
  if (reserved.has(property)) return `__${property}__`;
  return property.replace(/__|[./-]/g, (part) => escapes[part] ?? part);
}

/** Whether a property's name is a reserved word that can stand after a dot nevertheless. */
export function isPlainKeyword(property: string): boolean {
  return reserved.has(property) && !/^(?:true|false|null|in)$/.test(property);
}

/** The pointer to what a step leads to from another one; the whole schema's is empty. */
export function pointerBelow(pointer: string, ...steps: readonly string[]): string {
  return steps.reduce((path, step) => `${path}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`, pointer);
}
