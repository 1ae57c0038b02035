/** New rules cost more than the server allows, for objects that are large enough. */
import { describe, expect, it } from 'vitest';
import { compareSchemas } from '../../../../../generator/diff/compare/compare-schemas.js';
import type { Verdict } from '../../../../../generator/diff/difference.js';
import { createProver } from '../../../../../generator/diff/proof/index.js';
import type { Schema } from '../../../../../runtime/contract/index.js';
import { isObject } from '../../../../../runtime/objects/guards.js';
import { versionOf } from '../../../../support/gate/version.js';

const rules = (...texts: string[]): Schema => ({ 'x-kubernetes-validations': texts.map((rule) => ({ rule })) });
const text = (more: Schema = {}): Schema => ({ type: 'string', maxLength: 20, ...more });

/** Returns the verdict on the last difference between a schema and an extended one. */
function verdictOn(old: Schema, later: Schema): Verdict {
  const [before, after] = [versionOf('things', old), versionOf('things', later)];
  const differences = compareSchemas(before.version.schema, after.version.schema);
  const prover = createProver(before, after);
  const [last] = differences.slice(-1);
  if (last === undefined) throw new Error('nothing differs');
  return prover.judge({ resource: 'things.example.com', version: 'v1', ...last });
}

/** Returns the causes of a break, or the kind of another verdict. */
function causesOf(verdict: Verdict): string {
  const answer = verdict.kind === 'break' ? verdict.witness?.new : undefined;
  return answer?.accepted === false ? answer.causes.join('; ') : verdict.kind;
}

const tooCostly = /cost exceeds limit|out of cost budget/;
const pairwise = (what = '') => rules(`self.all(a, self.all(b, a${what} == b${what} || a${what} != b${what}))`);

describe('a rule that costs too much', () => {
  it.each<[string, Schema, Schema]>([
    ['for a list', { type: 'array', maxItems: 900, items: text() }, pairwise()],
    [
      'for a list whose items must differ',
      { type: 'array', maxItems: 900, items: text(), 'x-kubernetes-list-type': 'set' },
      pairwise(),
    ],
    [
      'for a list of keys',
      {
        type: 'array',
        maxItems: 900,
        items: { type: 'object', required: ['name'], properties: { name: text() } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
      pairwise('.name'),
    ],
    ['for a map', { type: 'object', maxProperties: 900, additionalProperties: text() }, pairwise()],
    [
      'for long texts',
      { type: 'array', maxItems: 300, items: text({ maxLength: 9_000 }) },
      rules("self.all(a, a.matches('(b|c|d|e|f|g|h|i)*') && a.matches('(b|c|d|e|f|g|h|j)*'))"),
    ],
  ])('is a break %s', (_what, schema, rule) => {
    expect(causesOf(verdictOn(schema, { ...schema, ...rule }))).toMatch(tooCostly);
  });

  it('is a break if all rules together cost too much', () => {
    const list = (rule: Schema): Schema => ({
      type: 'array',
      maxItems: 300,
      items: { type: 'array', maxItems: 40, items: text(), ...rule },
    });
    const some = Array.from({ length: 4 }, (_, at) => `self.all(a, self.all(b, a == b || a != '${at}' || true))`);
    expect(causesOf(verdictOn(list({}), list(rules(...some))))).toMatch(tooCostly);
  });

  it('is shown by an object that is not much larger than necessary', () => {
    const schema: Schema = { type: 'array', maxItems: 900, items: text() };
    const verdict = verdictOn(schema, { ...schema, ...pairwise() });
    const spec =
      verdict.kind === 'break' && isObject(verdict.witness?.object) ? verdict.witness.object.spec : undefined;
    const length = Array.isArray(spec) ? spec.length : 0;
    expect(length).toBeGreaterThan(100);
    expect(length).toBeLessThan(500);
  });
});

describe('a rule that cannot cost too much', () => {
  const few: Schema = { type: 'array', maxItems: 50, items: { type: 'string', enum: ['a', 'b'] } };
  const withRule = ({ items = {}, ...list }: Schema): Schema => ({
    ...list,
    items: { ...items, ...rules("self.matches('^[a-z]$')") },
  });

  it('is safe if the gate tried all values of its field', () => {
    expect(verdictOn(few, withRule(few)).kind).toBe('safe');
  });

  it('is undecided once the estimate is above the limit, with the size that the gate tried', () => {
    const verdict = verdictOn({ ...few, maxItems: 1_000_000 }, withRule({ ...few, maxItems: 1_000_000 }));
    expect(verdict).toMatchObject({ kind: 'undecided', reason: expect.stringMatching(/largest has \d{4,} bytes/) });
  });
});
