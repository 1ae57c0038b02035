/** Emitted rules are compiled, type-check, and find the same mistakes as rules compiled at run time. */
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  arrangeRules,
  baseEnvironment,
  compileExpression,
  compileRuleTree,
  dataTypeOf,
  Environment,
  laterEnvironment,
  printRules,
  type RulePlace,
  validateRules,
} from '../../../../runtime/cel/index.js';
import type { CompiledRules, FieldError, Schema } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { expressions, schema } from '../../../support/cel/arbitrary-rules.js';
import { outsideNames } from '../../../support/outside-names.js';
import { customResource, emit, emitted, modelOf, run, typeErrors } from './emitting.js';

const integer: Schema = { type: 'integer' };
const text: Schema = { type: 'string', maxLength: 20 };
const item: Schema = {
  type: 'object',
  required: ['name'],
  properties: { name: text, port: integer },
  'x-kubernetes-validations': [{ rule: 'self.port == oldSelf.port', message: 'ports stay' }],
};
const spec: Schema = {
  type: 'object',
  properties: {
    size: integer,
    limit: integer,
    name: text,
    'a/b~c': {
      ...integer,
      'x-kubernetes-validations': [{ rule: 'self >= oldSelf.orValue(3)', optionalOldSelf: true }],
    },
    labels: { type: 'object', maxProperties: 5, additionalProperties: text },
    ports: {
      type: 'array',
      maxItems: 5,
      items: item,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
  },
  'x-kubernetes-validations': [
    { rule: 'self.size <= self.limit', messageExpression: "'at most ' + self.name", reason: 'FieldValueForbidden' },
    { rule: "self.labels.all(k, k.matches('^[a-z]+$'))", fieldPath: '.labels', message: 'in small letters' },
    { rule: 'self.ports.all(p, p.port > 0)' },
  ],
};
const model = modelOf(customResource({ kind: 'Gadget', spec }), customResource({ kind: 'Plain' }));
const path = 'example.com/v1/gadgets';
const whole: Schema = { type: 'object', properties: { spec } };

const isRules = (value: unknown): value is CompiledRules => value instanceof Map;

/** Returns the rules of the module, arranged by its schema. */
function emittedTree(): RulePlace | undefined {
  const { schema: emittedSchema } = run(emit(model), `${path}/schema.ts`);
  if (!isObject(emittedSchema)) throw new Error('no schema');
  return arrangeRules(emittedSchema, emittedRules());
}

function emittedRules(): CompiledRules {
  const { rules } = run(emit(model), `${path}/rules.ts`);
  if (!isRules(rules)) throw new Error('no rules');
  return rules;
}

function found(tree: RulePlace | undefined, object: unknown, old: unknown, budget: number): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (tree !== undefined) validateRules(tree, object, old, errors, { budget });
  return errors;
}

const small = fc.integer({ min: -2, max: 5 });
const specs = fc.record(
  {
    size: small,
    limit: small,
    name: fc.constantFrom('', 'a', 'two\nlines'),
    'a/b~c': small,
    labels: fc.dictionary(fc.constantFrom('a', 'B'), fc.constant('x')),
    ports: fc.uniqueArray(fc.record({ name: fc.constantFrom('a', 'b'), port: small }), {
      selector: ({ name }) => name,
    }),
  },
  { requiredKeys: [] },
);

afterEach(() => vi.unstubAllGlobals());

describe('emitted rules', () => {
  it('exist for kinds with rules, and their modules load them', () => {
    const files = emit(model);
    expect([...files.keys()].filter((file) => file.endsWith('/rules.ts'))).toEqual([`${path}/rules.ts`]);
    expect(run(files, `${path}/rules.ts`)).toHaveProperty('rules.size', 3);
    expect(files.get(`${path}/resource.ts`)).toContain("...(await import('./rules.js'))");
    expect(files.get('example.com/v1/plains/resource.ts')).toContain("code: () => import('./schema.js'),");
  });

  it('type-check under the strictest settings', () => {
    expect(typeErrors(emit(model))).toEqual([]);
    expect(typeErrors(emit(model), true)).toEqual([]);
  });

  it('type-check if fields have the names of members of every object', () => {
    const properties = Object.fromEntries(outsideNames.map((name) => [name, integer]));
    const items: Schema = { type: 'object', properties };
    const rules = [{ rule: 'self.size() < 5 && self == self' }];
    const list: Schema = { type: 'array', maxItems: 3, items, 'x-kubernetes-validations': rules };
    const named = modelOf(customResource({ kind: 'Gadget', spec: { type: 'object', properties: { list } } }));
    expect(emitted(named, `${path}/rules.ts`)).toContain("['constructor']");
    expect(typeErrors(emit(named), true)).toEqual([]);
  });

  it('never use the type `any`', () => {
    expect(emitted(model, `${path}/rules.ts`).replace(/'(?:[^'\\]|\\.)*'/g, '')).not.toMatch(/\bany\b/);
  });

  it('type-check for every expression', () => {
    const data = dataTypeOf(schema, 'self');
    const self = data && { type: data.type, data };
    const environment = new Environment({ ...laterEnvironment, variables: self ? { self, oldSelf: self } : {} });
    const sizes = ['size(self.l) == 9223372036854775807', '9223372036854775807 != size(self.l)'];
    const rules = [...sizes, ...fc.sample(expressions.bool, 400)]
      .filter((rule) => compileExpression(rule, environment).ok)
      .map((rule) => ({ rule }));
    expect(rules.length).toBeGreaterThan(200);
    const printed = printRules({
      type: 'object',
      properties: { it: { ...schema, 'x-kubernetes-validations': rules } },
    });
    expect(typeErrors(new Map([['rules.ts', printed ?? 'nothing']]), true)).toEqual([]);
  });

  it('find the same mistakes as rules compiled at run time, for the same costs', () => {
    const known = emittedTree();
    const compiled = compileRuleTree(whole, laterEnvironment, { plainKeywords: true });
    const told = new Set<string>();
    const budgets = fc.oneof(fc.constant(10_000_000), fc.nat(60));
    fc.assert(
      fc.property(specs, fc.option(specs), budgets, (one, old, budget) => {
        const before = old === null ? undefined : { spec: old };
        const wanted = found(compiled, { spec: one }, before, budget);
        for (const { message } of wanted) told.add(message.replace(/^.*: /s, ''));
        expect(found(known, { spec: one }, before, budget)).toEqual(wanted);
      }),
    );
    expect([...told]).toEqual(expect.arrayContaining(['ports stay', 'at most a', 'in small letters']));
    expect([...told].join()).toContain('running out of cost budget');
  });

  it('are evaluated without making functions from texts', () => {
    const tree = emittedTree();
    class Refusing {
      constructor() {
        throw new Error('makes a function of a text');
      }
    }
    vi.stubGlobal('Function', Refusing);
    expect(() => compileRuleTree(whole, laterEnvironment)).toThrow('makes a function');
    const object = { spec: { size: 2, limit: 1, name: 'x', ports: [{ name: 'a', port: 0 }], labels: { B: '' } } };
    expect(found(tree, object, undefined, 1000).map(({ field }) => field)).toEqual(['spec', 'spec.labels', 'spec']);
  });

  it('are not mistaken for rules of another schema', () => {
    const changed: Schema = { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.size > 0' }] };
    const tree = arrangeRules({ type: 'object', properties: { spec: changed } }, emittedRules());
    expect(found(tree, { spec: {} }, undefined, 1000)[0]?.message).toContain('the generated code of the rule');
  });

  it('are missing if a rule cannot be compiled', () => {
    expect(printRules({ type: 'object', 'x-kubernetes-validations': [{ rule: 'self.nothing' }] })).toBe(undefined);
    expect(compileRuleTree(whole, baseEnvironment)).toBeDefined();
  });
});
