/** Where volumes of a class may come to be: terms about labels of nodes, no two of which say the same. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { duplicate, required } from '../../../runtime/objects/field-error.js';
import { stringAt } from '../../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../../runtime/objects/key-names.js';
import { byCodePoint } from '../../../runtime/objects/printing.js';
import { checkText, type FieldErrors } from '../../shared/field-checks.js';
import { objectsAt, textsAt } from '../../shared/reading.js';

const conditions = 'matchLabelExpressions';

/** The terms of a list at its path. */
export function* checkTopologyTerms(terms: readonly JsonObject[], path: string): FieldErrors {
  // A term that asks for nothing was always held against places that were still empty, and so is refused even alone.
  const before = new Map([[meaningOf({}), terms.length]]);
  for (const [i, term] of terms.entries()) {
    const at = `${path}[${i}].${conditions}`;
    yield* checkConditions(objectsAt(term, conditions), at);
    const meaning = meaningOf(term);
    const times = before.get(meaning) ?? 0;
    for (let n = 0; n < times; n++) yield duplicate(at, '');
    before.set(meaning, times + 1);
  }
}

/** What a term asks for, whatever the order of its keys and values. */
function meaningOf(term: JsonObject): string {
  const wanted = new Map(
    objectsAt(term, conditions).map((one) => [stringAt(one, 'key'), [...new Set(textsAt(one, 'values'))].sort()]),
  );
  return JSON.stringify([...wanted].sort(([a], [b]) => byCodePoint(a, b)));
}

function* checkConditions(list: readonly JsonObject[], path: string): FieldErrors {
  const keys = new Set<string>();
  for (const [i, condition] of list.entries()) {
    const at = `${path}[${i}]`;
    yield* checkValues(textsAt(condition, 'values'), `${at}.values`);
    const key = stringAt(condition, 'key');
    yield* checkText(`${at}.key`, key, qualifiedNameCheck);
    if (keys.has(key)) yield duplicate(`${at}.key`, key);
    keys.add(key);
  }
}

function* checkValues(values: readonly string[], path: string): FieldErrors {
  if (values.length === 0) yield required(path);
  const seen = new Set<string>();
  for (const [i, value] of values.entries()) {
    if (seen.has(value)) yield duplicate(`${path}[${i}]`, value);
    seen.add(value);
  }
}
