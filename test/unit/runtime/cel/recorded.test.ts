/** Compares rules with the answers of a real kube-apiserver 1.27 about definitions and objects. */
import { describe, expect, it } from 'vitest';
import {
  baseEnvironment,
  compileRules,
  objectCostLimit,
  ruleCostLimit,
  type SchemaRule,
} from '../../../../runtime/cel/index.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { recordedRules, valuesAt } from '../../../support/cel/recorded-rules.js';
import { hasShared } from '../../../support/shared.js';

const refused = /compilation failed|instantiation failed|must evaluate to a bool|failed to construct type information/;

/** Returns an object with the name that the server gives it before rules see it. */
function named(object: JsonObject): JsonObject {
  const metadata = isObject(object.metadata) ? object.metadata : {};
  const made = metadata.generateName === undefined ? {} : { name: `${metadata.generateName}x` };
  return { ...object, metadata: { ...made, ...metadata } };
}

/** Returns the reference's message for a broken rule without a message of its own. */
function complaint({ rule, outcome }: SchemaRule, self: unknown): string | undefined {
  if (!outcome.ok || rule.rule.includes('oldSelf')) return undefined;
  const found = outcome.expression.evaluate({ self }, objectCostLimit);
  if (found.ok) return found.value === true ? undefined : `failed rule: ${rule.rule.trim()}`;
  return `${found.message} evaluating rule: ${rule.rule.trim()}`;
}

describe.skipIf(!hasShared)('recorded rules (skipped if the recordings are not beside the checkout)', () => {
  const { definitions, objects } = hasShared ? recordedRules() : { definitions: [], objects: [] };

  it('accepts and refuses the same rules, for their content and their cost', () => {
    const wrong: string[] = [];
    let compared = 0;
    for (const { step, accepted, schema, causes } of definitions) {
      for (const rule of compileRules(schema, baseEnvironment)) {
        const place = `.${rule.path}.x-kubernetes-validations`.replace('..', '.');
        const about = causes.filter(
          ({ field }) => field.endsWith(`${place}[${rule.index}].rule`) || field.endsWith(place),
        );
        if (!accepted && causes.some(({ message }) => message.includes('rule is not specified'))) continue;
        compared++;
        const says = `${step}: ${rule.rule.rule}`;
        if (rule.outcome.ok === about.some(({ message }) => refused.test(message))) wrong.push(`${says} (types)`);
        const tooMuch = about.some(({ message }) => message.includes('estimated rule cost exceeds'));
        if (rule.outcome.ok && rule.cost > ruleCostLimit !== tooMuch) wrong.push(`${says} (${rule.cost})`);
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(200);
  });

  it('finds the same broken rules, in the same words', () => {
    const wrong: string[] = [];
    let compared = 0;
    for (const { step, schema, object, causes } of objects) {
      if (causes.some(({ message }) => /rules were not checked|cost|strict decoding/.test(message))) continue;
      // The specification decides about `datetime`: it is a time. In the recordings it is a text.
      if (/"default"|"format":"datetime"/.test(JSON.stringify(schema))) continue;
      const rules = compileRules(schema, baseEnvironment).filter(
        ({ rule }) => rule.message === undefined && rule.messageExpression === undefined,
      );
      const whole = named(object);
      const found = rules.flatMap((rule) => valuesAt(whole, rule.path).flatMap((self) => complaint(rule, self) ?? []));
      const wanted = causes.flatMap(
        ({ message }) =>
          /(?:failed rule: .*|[^"]*? evaluating rule: .*)$/.exec(
            message.replace(/^Invalid value: "[^"]*": /, ''),
          )?.[0] ?? [],
      );
      const texts = rules.map(({ rule }) => rule.rule.trim());
      const ours = wanted.filter((message) => texts.some((text) => message.endsWith(`rule: ${text}`)));
      compared += ours.length;
      for (const message of ours) if (!found.includes(message)) wrong.push(`${step} lacks ${message}`);
      for (const message of found) if (!wanted.includes(message)) wrong.push(`${step} has ${message}`);
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(400);
  });
});
