/** Rules of the terms that say where volumes of a class may be made, by labels of nodes. No two terms are the same. */
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { duplicate, required } from '../../../runtime/objects/field-error.js';
import { qualifiedNameCheck } from '../../../runtime/objects/names/key-names.js';
import { byCodePoint } from '../../../runtime/objects/printing.js';
import { checkText, type FieldErrors } from '../../shared/field-checks.js';

type Term = Draft<TopologySelectorTerm>;

/** The terms of a list at its path. */
export function* checkTopologyTerms(terms: readonly Term[], path: string): FieldErrors {
  // The reference compares each term with places that are still empty, and so refuses an empty term even alone.
  const before = new Map([[meaningOf({}), terms.length]]);
  for (const [i, term] of terms.entries()) {
    const at = `${path}[${i}].matchLabelExpressions`;
    yield* checkConditions(term.matchLabelExpressions ?? [], at);
    const meaning = meaningOf(term);
    const times = before.get(meaning) ?? 0;
    for (let n = 0; n < times; n++) yield duplicate(at, '');
    before.set(meaning, times + 1);
  }
}

/** The meaning of a term, whatever the order of its keys and values. */
function meaningOf({ matchLabelExpressions = [] }: Term): string {
  const wanted = new Map(matchLabelExpressions.map(({ key = '', values }) => [key, [...new Set(values)].sort()]));
  return JSON.stringify([...wanted].sort(([a], [b]) => byCodePoint(a, b)));
}

/** A term names each label once. */
function* checkConditions(list: readonly Draft<TopologySelectorLabelRequirement>[], path: string): FieldErrors {
  const keys = new Set<string>();
  for (const [i, { key = '', values }] of list.entries()) {
    const at = `${path}[${i}]`;
    yield* checkValues(values ?? [], `${at}.values`);
    yield* checkText(`${at}.key`, key, qualifiedNameCheck);
    if (keys.has(key)) yield duplicate(`${at}.key`, key);
    keys.add(key);
  }
}

/** A label has one value at least, and each of them once. */
function* checkValues(values: readonly string[], path: string): FieldErrors {
  if (values.length === 0) yield required(path);
  const seen = new Set<string>();
  for (const [i, value] of values.entries()) {
    if (seen.has(value)) yield duplicate(`${path}[${i}]`, value);
    seen.add(value);
  }
}
