/** Rules of real definitions accept and refuse real objects as a real kube-apiserver does. */
import { describe, expect, it } from 'vitest';
import { compileRules, laterEnvironment, type SchemaRule } from '../../../../../runtime/cel/index.js';
import type { Schema } from '../../../../../runtime/contract/index.js';
import { isObject } from '../../../../../runtime/objects/guards.js';
import { answers, definitionIn, readSample, samples, versionsFor } from '../../../../support/crds.js';
import { hasShared } from '../../../../support/shared.js';

const compiled = new Map<Schema, readonly SchemaRule[]>();

function rulesOf(schema: Schema): readonly SchemaRule[] {
  const rules = compiled.get(schema) ?? compileRules(schema, laterEnvironment, { plainKeywords: true });
  compiled.set(schema, rules);
  return rules;
}

/** Returns the places of the rules that an object breaks. */
function broken(rules: readonly SchemaRule[], object: unknown): string[] {
  return rules.flatMap(({ path, rule, outcome }) => {
    if (!outcome.ok || outcome.expression.variables.has('oldSelf')) return [];
    return valuesAt(object, path).flatMap((self) => {
      const found = outcome.expression.evaluate({ self });
      return found.ok && found.value === true
        ? []
        : [`${path}: ${rule.rule}: ${found.ok ? found.value : found.message}`];
    });
  });
}

describe.skipIf(!hasShared)('rules on samples of other projects (skipped if they are not beside the checkout)', () => {
  it('breaks no rule of an accepted sample, and one of a sample that only rules refused', () => {
    const wrong: string[] = [];
    let evaluated = 0;
    let refused = 0;
    const known = answers();
    for (const sample of samples()) {
      const answer = known.get(sample.file);
      const object = readSample(sample);
      if (answer === undefined || object === undefined || ![201, 422].includes(answer.code)) continue;
      const { version } = versionsFor(definitionIn(sample.definition), object);
      const rules = rulesOf(version.schema);
      if (rules.length === 0) continue;
      if (answer.code === 201) {
        evaluated++;
        // The answer has the defaults that rules see.
        for (const rule of broken(rules, answer.object ?? object)) wrong.push(`${sample.file} breaks ${rule}`);
        continue;
      }
      const ofRules = answer.causes?.every(({ message }) =>
        rules.some(({ rule }) => message.includes(rule.message ?? rule.rule)),
      );
      if (ofRules !== true) continue;
      refused++;
      if (broken(rules, object).length === 0) wrong.push(`${sample.file} breaks nothing`);
    }
    expect(wrong).toEqual([]);
    console.info(`${evaluated} accepted, ${refused} refused`);
    expect(evaluated).toBeGreaterThan(100);
  });
});

/** Lists the values in an object that a rule applies to. */
function valuesAt(value: unknown, path: string): unknown[] {
  if (path === '') return [value];
  const match = /^(?:properties\[([^\]]+)\]|(items)|(additionalProperties))\.?(.*)$/.exec(path);
  const [, name, items, , rest = ''] = match ?? [];
  if (items !== undefined) return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  if (!isObject(value)) return [];
  if (name !== undefined) return Object.hasOwn(value, name) && value[name] !== null ? valuesAt(value[name], rest) : [];
  return Object.values(value).flatMap((item) => valuesAt(item, rest));
}
