/** Fields that rules of definitions have since release 1.28. */
import { describe, expect, it } from 'vitest';
import type { Definition } from '../../../../../strategies/apiextensions.platform.io/definitions/definition.js';
import { pruneLaterFields } from '../../../../../strategies/apiextensions.platform.io/definitions/later-fields.js';
import { CostAccount } from '../../../../../strategies/apiextensions.platform.io/definitions/schema/costs.js';
import { expressionsOf } from '../../../../../strategies/apiextensions.platform.io/definitions/schema/expressions.js';
import { ruleErrors } from '../../../../../strategies/apiextensions.platform.io/definitions/schema/rules.js';

const key = 'x-kubernetes-validations';

type Rule = Readonly<Record<string, string | boolean>>;

function definition(rule: Rule): Pick<Definition, 'spec'> {
  const inner = () => ({ type: 'string', [key]: [{ ...rule }] });
  const rules = { [key]: [{ ...rule }] };
  const root = { type: 'object', ...rules, properties: { a: inner() }, items: inner() };
  return { spec: { versions: [{ schema: { openAPIV3Schema: root } }] } };
}

describe('fields of rules that came after 1.27', () => {
  it('are dropped everywhere, and told where unknown fields are', () => {
    const pruned = definition({ rule: 'true', reason: 'FieldValueInvalid', fieldPath: '.a', optionalOldSelf: true });
    const told: string[] = [];
    pruneLaterFields(pruned, (path) => told.push(path));
    expect(pruned).toEqual(definition({ rule: 'true' }));
    const root = 'spec.versions[0].schema.openAPIV3Schema';
    const places = [`${root}.${key}[0]`, `${root}.properties.a.${key}[0]`];
    expect(told).toEqual(
      places.flatMap((place) => [`${place}.reason`, `${place}.fieldPath`, `${place}.optionalOldSelf`]),
    );
  });

  it('are passed over where there are none', () => {
    const told: string[] = [];
    for (const odd of [{}, { spec: { versions: [{}] } }, definition({ rule: 'true' })]) {
      const before = structuredClone(odd);
      pruneLaterFields(odd, (path) => told.push(path));
      expect(odd).toEqual(before);
    }
    expect(told).toEqual([]);
  });

  it('name a reason that there is and a field that there is', () => {
    const schema = { type: 'object' as const, properties: { a: { type: 'string' as const } } };
    const check = { expressions: expressionsOf(undefined), costs: new CostAccount(), known: [], requireCheap: true };
    const errors = (rule: object) => [
      ...ruleErrors({ ...schema, [key]: [{ rule: 'true', ...rule }] }, 'schema', check),
    ];
    expect(errors({ reason: 'FieldValueRequired', fieldPath: '.a' })).toEqual([]);
    expect(errors({ reason: 'Other' }).map(({ field }) => field)).toEqual([`schema.${key}[0].reason`]);
    expect(errors({ fieldPath: '.b' }).map(({ field }) => field)).toEqual([`schema.${key}[0].fieldPath`]);
  });
});
