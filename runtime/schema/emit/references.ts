/** Places in generated code that stand for a name: that of another definition, by its number, or that of a helper. */
import * as support from '../support.js';

/** Something that generated code can call. */
export type Helper = keyof typeof support;

const helpers: ReadonlySet<string> = new Set(Object.keys(support));

const isHelper = (name: string): name is Helper => helpers.has(name);

/** Before and after each reference. Texts of definitions are quoted, where this character is escaped. */
const mark = '\0';

/** The reference to a definition, or to a helper. */
export const referenceTo = (to: number | Helper): string => `${mark}${to}${mark}`;

/** The names that references stand for. */
export interface Names {
  readonly definition: (number: number) => string;
  readonly helper: (name: Helper) => string;
}

/** A text with names in the place of references. All texts of all definitions go through here, some repeatedly. */
export function withNames(text: string, { definition, helper }: Names): string {
  if (!text.includes(mark)) return text;
  const parts = text.split(mark);
  for (let i = 1; i < parts.length; i += 2) {
    const to = parts[i] ?? '';
    parts[i] = isHelper(to) ? helper(to) : definition(Number(to));
  }
  return parts.join('');
}

/** The numbers of the definitions that a text refers to, in their order. */
export function referencesIn(text: string): readonly number[] {
  if (!text.includes(mark)) return [];
  return text
    .split(mark)
    .filter((part, index) => index % 2 === 1 && !isHelper(part))
    .map(Number);
}
