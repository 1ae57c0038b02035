/** Compiles the rules of schemas and estimates their costs. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  baseEnvironment,
  compileRules,
  laterEnvironment,
  ruleCostLimit,
  schemaCostLimit,
} from '../../../../../runtime/cel/index.js';
import { escapeName } from '../../../../../runtime/cel/schema/names.js';
import type { Schema } from '../../../../../runtime/contract/index.js';
import { definitionIn } from '../../../../support/crds.js';
import { hasShared, shared } from '../../../../support/shared.js';

const rule = (text: string): Schema => ({ 'x-kubernetes-validations': [{ rule: text }] });

describe('an optional oldSelf', () => {
  const costOf = (text: string): number => {
    const list: Schema = { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 20 } };
    const rules = [{ rule: text, optionalOldSelf: true }];
    const found = compileRules({ ...list, 'x-kubernetes-validations': rules }, laterEnvironment, { isResource: false });
    return found[0]?.cost ?? 0;
  };

  it('has the limits of its schema', () => {
    const plain = costOf("self.all(x, x.contains('abc'))");
    expect(costOf("oldSelf.value().all(x, x.contains('abc'))")).toBe(plain + 1);
    expect(costOf("oldSelf.orValue([]).all(x, x.contains('abc'))")).toBeGreaterThan(plain);
    expect(costOf("oldSelf.orValue([]).all(x, x.contains('abc'))")).toBeLessThan(plain + 20);
    expect(costOf("oldSelf.orValue(['a']).all(x, x.contains('abc'))")).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('compileRules', () => {
  it('finds rules at every depth, with their paths', () => {
    const schema: Schema = {
      type: 'object',
      ...rule('self.metadata.name != ""'),
      properties: {
        spec: {
          type: 'object',
          properties: {
            list: { type: 'array', maxItems: 3, items: { type: 'integer', ...rule('self > 0') } },
            map: {
              type: 'object',
              maxProperties: 5,
              additionalProperties: { type: 'string', maxLength: 10, ...rule('self > 0') },
            },
          },
        },
      },
    };
    const found = compileRules(schema, baseEnvironment);
    expect(found.map(({ path, outcome }) => [path, outcome.ok])).toEqual([
      ['', true],
      ['properties[spec].properties[list].items', true],
      ['properties[spec].properties[map].additionalProperties', false],
    ]);
    expect(found[1]?.cost).toBe(6);
  });

  it('reports why a rule cannot be used', () => {
    const reasons = ['self.a', 'self.', 'self.b', `int('x') == 1`].map((text) => {
      const [found] = compileRules(
        { type: 'object', properties: { a: { type: 'integer' } }, ...rule(text) },
        baseEnvironment,
      );
      return found?.outcome.ok === false ? found.outcome.reason : 'fine';
    });
    expect(reasons).toEqual(['result', 'syntax', 'types', 'program']);
    const [untyped] = compileRules({ 'x-kubernetes-preserve-unknown-fields': true, ...rule('true') }, baseEnvironment);
    expect(untyped?.outcome).toEqual({ ok: false, reason: 'untyped' });
  });

  it('knows the functions of the release', () => {
    const schema: Schema = { type: 'object', properties: { q: { type: 'string' } }, ...rule('isQuantity(self.q)') };
    expect(compileRules(schema, baseEnvironment)[0]?.outcome.ok).toBe(false);
    expect(compileRules(schema, laterEnvironment)[0]?.outcome.ok).toBe(true);
  });

  it('estimates a rule over unbounded lists as too expensive', () => {
    const items: Schema = { type: 'array', items: { type: 'string', ...rule(`self.matches('^[a-z]+$')`) } };
    const schema: Schema = { type: 'object', properties: { items } };
    expect(compileRules(schema, baseEnvironment)[0]?.cost).toBeGreaterThan(ruleCostLimit);
  });

  it.skipIf(!hasShared)(
    'compiles the rules of real definitions within the limits (skipped if they are not beside the checkout)',
    () => {
      const folder = shared('crds/definitions');
      const wrong: string[] = [];
      let count = 0;
      for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.yaml'),
      )) {
        if (!readFileSync(`${folder}/${file}`, 'utf8').includes('x-kubernetes-validations')) continue;
        for (const { name, schema } of definitionIn(file).versions) {
          const rules = compileRules(schema, laterEnvironment, { plainKeywords: true });
          count += rules.length;
          for (const { path, outcome, cost } of rules)
            if (!outcome.ok || cost > ruleCostLimit) wrong.push(`${file} ${name} ${path}`);
          if (rules.reduce((sum, { cost }) => sum + cost, 0) > schemaCostLimit) wrong.push(`${file} ${name}`);
        }
      }
      expect(wrong).toEqual([]);
      expect(count).toBeGreaterThan(1000);
    },
  );
});

describe('escapeName', () => {
  it.each([
    ['a.b', 'a__dot__b'],
    ['a-b', 'a__dash__b'],
    ['a/b', 'a__slash__b'],
    ['__a', '__underscores__a'],
    ['___a', '__underscores___a'],
    ['namespace', '__namespace__'],
    ['int', 'int'],
    ['a b', undefined],
    ['1a', undefined],
    ['é', undefined],
  ])('%s becomes %s', (property, name) => {
    expect(escapeName(property)).toBe(name);
  });
});
