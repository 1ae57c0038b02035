/** Findings of the rules of schemas: without words, since every caller has its own. */
import type { JsonValue } from '../../contract/index.js';

/** A rule that a schema breaks. */
export interface Finding<Rule extends string> {
  readonly rule: Rule;
  /** Steps from the schema to the keyword that is wrong or missing. */
  readonly at: readonly string[];
  /** The wrong value; absent where something is missing. */
  readonly value?: JsonValue | undefined;
  /** The property or keyword that the rule is about. */
  readonly name?: string;
  /** The place of the name in the list that has it. */
  readonly index?: number;
}

/** A path as field errors write it: `spec.properties[name].type`. */
export function fieldPath(path: string, at: readonly string[]): string {
  let text = path;
  let isName = false;
  for (const step of at) {
    text += isName ? `[${step}]` : `.${step}`;
    isName = !isName && step === 'properties';
  }
  return text;
}
