/** Program text: quoted texts, import lines, unused names. */
import type { Type } from '../check/types.js';

/** TypeScript is for files; JavaScript is for evaluation at run time. */
export type Language = 'ts' | 'js';

/** Returns a text in single quotes. */
export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** Returns whether every object inherits a property of this name. Reading it then needs care. */
export function isInherited(name: string): boolean {
  return name in Object.prototype;
}

/** Returns the import line for names from a module, or an empty text for no names. `kind` is `type ` or empty. */
export function importLine(kind: string, names: readonly string[], source: string): string {
  if (names.length === 0) return '';
  const line = `import ${kind}{ ${names.join(', ')} } from '${source}';\n`;
  return line.length <= 121
    ? line
    : `import ${kind}{\n${names.map((name) => `  ${name},\n`).join('')}} from '${source}';\n`;
}

/** Gives out unique names. If a name is taken, it adds a number. */
export class NameTable {
  private readonly taken = new Map<string, number>();

  take(wanted: string): string {
    const used = this.taken.get(wanted) ?? 0;
    this.taken.set(wanted, used + 1);
    return used === 0 ? wanted : this.take(`${wanted}${used + 1}`);
  }
}

type Kinds = Readonly<Partial<Record<Type['kind'], string>>>;

/** The TypeScript types of scalars. */
export const scalarTypes: Kinds = {
  bool: 'boolean',
  int: 'Int',
  uint: 'Uint',
  double: 'Double',
  string: 'string',
  bytes: 'Uint8Array',
  timestamp: 'Timestamp',
  duration: 'Duration',
};

/** The TypeScript types of lists, by the type of their items. */
export const itemTypes: Kinds = Object.fromEntries(
  Object.entries(scalarTypes).map(([kind, name]) => [kind, `readonly ${name}[]`]),
);

/** The types that files must import if they use them. */
export const typeNames: readonly string[] = ['CelValue', 'Data', 'Double', 'Duration', 'Int', 'Timestamp', 'Uint'];
