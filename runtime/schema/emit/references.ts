/** Places in generated code that stand for a name: that of another definition, by its number, or that of a helper. */
import * as support from '../support.js';

/** Something that generated code can call. */
export type Helper = keyof typeof support;

export const isHelper = (name: string): name is Helper => Object.hasOwn(support, name);

/** Before and after each reference. Texts of definitions are quoted, where this character is escaped. */
const mark = '\0';

/** What stands for a definition, or for a helper. */
export const referenceTo = (to: number | Helper): string => `${mark}${to}${mark}`;

/** What references stand for. */
export interface Names {
  readonly definition: (number: number) => string;
  readonly helper: (name: Helper) => string;
}

/** A text with names in the place of references. */
export function withNames(text: string, { definition, helper }: Names): string {
  if (!text.includes(mark)) return text;
  const nameOf = (to: string): string => (isHelper(to) ? helper(to) : definition(Number(to)));
  return text
    .split(mark)
    .map((part, index) => (index % 2 === 0 ? part : nameOf(part)))
    .join('');
}

/** The numbers of the definitions that a text refers to, in their order. */
export function referencesIn(text: string): readonly number[] {
  const numbers: number[] = [];
  withNames(text, { definition: (number) => `${numbers.push(number)}`, helper: (name) => name });
  return numbers;
}
