import { describe, expect, it } from 'vitest';
import { compileRules, laterEnvironment, schemaCostLimit } from '../../../../../runtime/cel/index.js';
import type { Schema } from '../../../../../runtime/contract/index.js';
import { CostAccount } from '../../../../../strategies/apiextensions.platform.io/definitions/expressions.js';
import { storedVersionErrors } from '../../../../../strategies/apiextensions.platform.io/definitions/stored-versions.js';
import { hasShared, tableRows } from '../../../../support/shared.js';

/** Lists the rows of a test. Rows that were split off another one have no name. */
const casesOf = <T>(test: string): readonly T[] =>
  tableRows<T>('apiextensions-apiserver_pkg_apis_apiextensions_validation', revive).flatMap((row) =>
    row.test === test && typeof row.case === 'object' ? [row.case] : [],
  );

const revive = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$uint64' in value ? Number(value.$uint64) : value;

interface CostCase {
  readonly name: string;
  readonly costs: readonly number[];
  readonly expectedExpensive: readonly number[];
  readonly expectedTotal: number;
}

interface CardinalityCase {
  readonly name: string;
  readonly schema: readonly Schema[];
  readonly expectedMaxCardinality: number | null;
}

interface StoredCase {
  readonly name: string;
  readonly versions: readonly string[];
  readonly storageVersion: string;
  readonly storedVersions: string[];
  readonly errors: readonly { readonly path: string; readonly containsString: string }[] | null;
}

describe.skipIf(!hasShared)('tables (skipped if they are not beside the checkout)', () => {
  it('costs of a schema', () => {
    const cases = casesOf<CostCase>('TestPerCRDEstimatedCost');
    for (const { name, costs, expectedExpensive, expectedTotal } of cases) {
      const account = new CostAccount();
      for (const cost of costs) account.add(String(cost), cost);
      const errors = [...account.errors('')];
      const isOver = expectedTotal > schemaCostLimit;
      expect(errors.length > 0, name).toBe(isOver);
      if (isOver)
        expect(
          errors.slice(0, -1).map(({ field }) => field),
          name,
        ).toEqual(expectedExpensive.map(String));
    }
    expect(cases.length).toBe(8);
  });

  it('how often a place may occur', () => {
    let compared = 0;
    for (const { name, schema, expectedMaxCardinality } of casesOf<CardinalityCase>('TestCostInfo')) {
      // If nothing limits it, the size of a request does. Sums do not overflow here.
      if (expectedMaxCardinality === null || expectedMaxCardinality > 2 ** 53) continue;
      const inner: Schema = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] };
      const whole = schema.reduceRight<Schema>((below, place) => {
        if (place.type === 'array') return { ...place, items: below };
        return place.additionalProperties === undefined
          ? { ...place, properties: { below } }
          : { ...place, additionalProperties: below };
      }, inner);
      const [rule] = compileRules(whole, laterEnvironment, { isResource: false });
      const once = rule?.outcome.ok === true ? rule.outcome.expression.cost.max : 0;
      expect(rule?.cost, name).toBeGreaterThan(0);
      expect((rule?.cost ?? 0) / once, name).toBe(expectedMaxCardinality);
      compared++;
    }
    expect(compared).toBe(6);
  });

  it('versions in which objects are stored', () => {
    const cases = casesOf<StoredCase>('TestValidateCustomResourceDefinitionStoredVersions');
    for (const { name, versions, storageVersion, storedVersions, errors } of cases) {
      const written = versions.map((version) => ({ name: version, storage: version === storageVersion }));
      const found = [...storedVersionErrors({ status: { storedVersions } }, written)];
      expect(
        found.map(({ field }) => field),
        name,
      ).toEqual((errors ?? []).map(({ path }) => path));
      for (const [i, { containsString }] of (errors ?? []).entries()) {
        // Releases quote different values as wrong; 1.27 quotes the missing version.
        expect(found[i]?.message, name).toContain(containsString.replace(/^.*: (?=must)/, ''));
      }
    }
    expect(cases.length).toBe(5);
  });
});
