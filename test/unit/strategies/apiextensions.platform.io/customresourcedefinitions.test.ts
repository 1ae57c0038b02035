import { describe, expect, it } from 'vitest';
import { schema as schemaOfDefinitions } from '../../../../generated/apiextensions.platform.io/v1/customresourcedefinitions/schema.js';
import type { ApiObject, JsonObject, JsonValue } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { type EmulatedVersion, emulate } from '../../../../runtime/objects/release.js';
import { schemaFunctions } from '../../../../runtime/schema/index.js';
import { cutSchemas } from '../../../../runtime/schema/schema-in-release.js';
import { defineCustomResourceDefinitions } from '../../../../strategies/apiextensions.platform.io/customresourcedefinitions.js';
import {
  CostAccount,
  expressionsOf,
} from '../../../../strategies/apiextensions.platform.io/definitions/expressions.js';
import { ruleErrors } from '../../../../strategies/apiextensions.platform.io/definitions/version-schema.js';
import { createDefinition } from '../../../support/definitions.js';
import { contextOf } from '../../../support/handlers-suite.js';
import { lineOf } from '../../../support/recorded-scenarios.js';

const handlers = defineCustomResourceDefinitions(platformNaming);

const version = (name: string, storage: boolean, schema: JsonValue = { type: 'object' }): JsonObject => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: schema },
});

const definitionOf = (versions: JsonObject[], more: JsonObject = {}): JsonObject => ({
  apiVersion: 'apiextensions.platform.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions, ...more },
});

function created(body: JsonObject): { readonly definition: ApiObject; readonly errors: string[] } {
  const found = createDefinition(handlers, body);
  if (found === undefined) throw new Error('the body cannot be read');
  return { definition: found.definition, errors: found.errors.map(lineOf) };
}

const stored = created(definitionOf([version('v1', true)])).definition;

describe('a new definition', () => {
  it('gets default names, no conversion, and the stored version in its status', () => {
    const { definition, errors } = created(definitionOf([version('v1', false), version('v2', true)]));
    expect(errors).toEqual([]);
    expect(definition.spec).toMatchObject({
      names: { plural: 'things', kind: 'Thing', singular: 'thing', listKind: 'ThingList' },
      conversion: { strategy: 'None' },
    });
    expect(definition.status).toEqual({
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: ['v2'],
    });
  });
});

describe('a changed definition', () => {
  it('keeps its group and plural, and once established its scope and kind', () => {
    const old = {
      ...stored,
      status: { storedVersions: ['v1'], conditions: [{ type: 'Established', status: 'True' }] },
    };
    const now = created(definitionOf([version('v1', true)], { scope: 'Cluster' })).definition;
    const lines = (before: ApiObject): string[] =>
      (handlers.validateUpdate?.(now, before, contextOf()) ?? []).map(({ field }) => field);
    expect(lines(stored)).toEqual([]);
    expect(lines(old)).toEqual(['spec.scope']);
  });

  it('keeps the versions in which objects are stored', () => {
    const now = created(definitionOf([version('v2', true)])).definition;
    now.status = { storedVersions: ['v1'] };
    handlers.prepareForUpdate?.(now, stored, contextOf());
    expect(now.status).toEqual({ storedVersions: ['v1', 'v2'] });
    const errors = handlers.validateUpdate?.(now, stored, contextOf()) ?? [];
    expect(errors.map(lineOf)).toEqual([
      'status.storedVersions[0]: Invalid value: "v1": must appear in spec.versions (FieldValueInvalid)',
    ]);
    expect(errors[0]?.later).toBe(
      'Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    );
  });
});

describe('rules that a release does not have', () => {
  const withRule = (rule: string, most = 1): JsonObject =>
    definitionOf([
      version('v1', true, {
        type: 'object',
        properties: {
          spec: { type: 'string', maxLength: 9, 'x-kubernetes-validations': [{ rule }] },
          status: { type: 'integer', maximum: most },
        },
      }),
    ]);

  it.each(['1.32', '1.33', '1.34'] as const)('are refused if they are new, and kept otherwise: %s', (release) => {
    const own = defineCustomResourceDefinitions(platformNaming, emulate(release));
    const errorsOf = (now: JsonObject, old?: JsonObject): number => {
      const found = createDefinition(own, now);
      const before = old && createDefinition(own, old)?.definition;
      if (found === undefined) return -1;
      return before ? (own.validateUpdate?.(found.definition, before, contextOf()) ?? []).length : found.errors.length;
    };
    // Release 1.33 has semantic versions, but the one before it has not.
    const fresh = release === '1.34' ? 0 : 1;
    expect(errorsOf(withRule('isSemver(self)'))).toBe(fresh);
    expect(errorsOf(withRule('isSemver(self)', 2), withRule('isSemver(self)'))).toBe(0);
    expect(errorsOf(withRule('!isSemver(self)'), withRule('isSemver(self)'))).toBe(fresh);
  });
});

describe('the release of a server', () => {
  const of = (version: EmulatedVersion | undefined) =>
    defineCustomResourceDefinitions(platformNaming, emulate(version));

  it('decides which formats cause a warning, once each and if they are new', () => {
    const formats = ['ipv4', 'quantity', 'k8s-short-name', 'own', 'own'].map((format) => ({ type: 'string', format }));
    const others = [
      { type: 'integer', format: 'int32' },
      { type: 'integer', format: 'float' },
      { type: 'boolean', format: 'odd' },
    ];
    const properties = Object.fromEntries([...formats, ...others].map((schema, i) => [`p${i}`, schema]));
    const schema = { type: 'object', properties: { list: { type: 'array', items: { type: 'object', properties } } } };
    const { definition } = created(definitionOf([version('v1', true, schema)]));
    const warnings = (release: EmulatedVersion | undefined, old?: ApiObject) => of(release).warn?.(definition, old);
    expect(warnings('1.27')).toBeUndefined();
    for (const release of [undefined, 'latest'] as const) {
      expect(warnings(release)?.toSorted()).toEqual(['float', 'odd', 'own'].map((it) => `unrecognized format "${it}"`));
      expect(warnings(release, definition)).toEqual([]);
    }
  });

  it('decides whether an update must keep the authorities of the conversion readable', () => {
    const withBundle = (caBundle: string | undefined) => {
      const clientConfig = { url: 'https://hook.example.com/', ...(caBundle === undefined ? {} : { caBundle }) };
      const webhook = { clientConfig, conversionReviewVersions: ['v1'] };
      return created(definitionOf([version('v1', true)], { conversion: { strategy: 'Webhook', webhook } }));
    };
    const [none, odd, other] = [undefined, 'b2Rk', 'b3RoZXI='].map(withBundle);
    if (!none || !odd || !other) throw new Error('not created');
    expect(odd.errors).toEqual([]);
    const change = (release: EmulatedVersion, now: ApiObject, old: ApiObject) =>
      (of(release).validateUpdate?.(now, old, contextOf()) ?? []).map(({ field }) => field);
    expect(change('1.30', odd.definition, none.definition)).toEqual([]);
    expect(change('1.31', odd.definition, none.definition)).toEqual(['spec.conversion.webhookClientConfig.caBundle']);
    expect(change('1.31', other.definition, odd.definition)).toEqual([]);
  });
});

describe('hostile definitions', () => {
  const nested = (depth: number): JsonValue => {
    let schema: JsonObject = { type: 'string' };
    for (let i = 0; i < depth; i++) schema = { type: 'object', properties: { a: schema } };
    return schema;
  };

  it('cannot nest without limit', () => {
    expect(created(definitionOf([version('v1', true, nested(200))])).errors).toEqual([]);
    expect(created(definitionOf([version('v1', true, nested(400))])).errors).toEqual([
      'spec.validation.openAPIV3Schema: Invalid value: "": schemas must not be nested more than 300 levels deep (FieldValueInvalid)',
    ]);
  });

  it('report a bounded number of errors', () => {
    const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`p${i}`, {}]));
    expect(created(definitionOf([version('v1', true, { type: 'object', properties })])).errors).toHaveLength(1000);
  });

  it('cannot make patterns costly', () => {
    const pattern = `${'('.repeat(200)}a${'{1000})'.repeat(200)}`;
    const { errors } = created(
      definitionOf([version('v1', true, { type: 'object', properties: { a: { type: 'string', pattern } } })]),
    );
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('must be a valid regular expression');
  });
});

const key = 'x-kubernetes-validations';

describe('errors of a definition in the words of later releases', () => {
  const laterErrors = (versions: JsonObject[]): readonly (string | undefined)[] =>
    createDefinition(handlers, definitionOf(versions))?.errors.map(({ later }) => later) ?? [];
  const ruled = (rule: Rule): JsonObject[] => [
    version('v1', true, { type: 'object', properties: { spec: { type: 'object', [key]: [{ ...rule }] } } }),
  ];

  it('show all fields of a rule', () => {
    const rule = { rule: "self.a > 1 && '\\xff' != ''", optionalOldSelf: true };
    const shown = { Rule: rule.rule, Message: '', MessageExpression: '', Reason: null, FieldPath: '' };
    const json = JSON.stringify({ ...shown, OptionalOldSelf: true })
      .replaceAll('>', '\\u003e')
      .replaceAll('&', '\\u0026');
    expect(laterErrors(ruled(rule))[0]).toContain(`Invalid value: ${json}: compilation failed: `);
  });

  it('say of defaults what they say of values', () => {
    const current = defineCustomResourceDefinitions(platformNaming, emulate('1.36'));
    const properties = {
      long: { type: 'string', maxLength: 2, default: 'abc' },
      ruled: { type: 'integer', default: 2, [key]: [{ rule: 'self > 3' }] },
    };
    const found = createDefinition(current, definitionOf([version('v1', true, { type: 'object', properties })]));
    expect(found?.errors.map(({ message, later = message }) => later)).toEqual([
      'Too long: may not be more than 2 bytes',
      'Invalid value: 2: failed rule: self > 3',
    ]);
  });

  it('name the operands of logical operators that are not bool', () => {
    const [error] = laterErrors(ruled({ rule: 'true && 1' }));
    expect(error).toContain("<input>:1:9: expected type 'bool' but found 'int'");
  });

  it('print versions with all their fields', () => {
    const versions = ['v1', 'v2'].map((name) => version(name, false));
    const fields = '"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null';
    const printed = (name: string) =>
      `{"Name":"${name}","Served":true,"Storage":false,${fields},"AdditionalPrinterColumns":null,"SelectableFields":null}`;
    expect(laterErrors(versions)[0]).toBe(
      `Invalid value: [${printed('v1')},${printed('v2')}]: must have exactly one version marked as storage version`,
    );
  });

  it('do not repeat the field in the rule', () => {
    expect(laterErrors([{ name: 'v1', served: true, storage: true }])).toEqual(['Required value']);
    expect(laterErrors(ruled({ rule: 'true', message: ' ' }))).toEqual([
      'Invalid value: " ": must be non-empty if specified',
    ]);
    expect(laterErrors(ruled({ rule: 'true ||\nfalse' }))).toEqual([undefined]);
    expect(laterErrors(ruled({ rule: 'true', fieldPath: '.b' }))).toEqual([
      'Invalid value: ".b": must be a valid path',
    ]);
  });
});

type Rule = Readonly<Record<string, string | boolean>>;

function definition(rule: Rule): JsonObject {
  const inner = () => ({ type: 'string', [key]: [{ ...rule }] });
  const rules = { [key]: [{ ...rule }] };
  const root = { type: 'object', ...rules, properties: { a: inner() }, items: inner() };
  return { spec: { versions: [{ schema: { openAPIV3Schema: root } }] } };
}

describe('fields of rules that came after 1.27', () => {
  it('are dropped everywhere by 1.27, and reported like unknown fields', () => {
    const later = { reason: 'FieldValueInvalid', fieldPath: '.a', optionalOldSelf: true };
    const dropped = (version: EmulatedVersion | undefined) => {
      const release = emulate(version);
      const cut = cutSchemas(release.machinery, (lifetime) => release.has(lifetime, 'machinery'));
      const body = definition({ rule: 'true', ...later });
      const told: string[] = [];
      schemaFunctions(cut(schemaOfDefinitions), { decoding: 'typed' }).prune(body, (path) => told.push(path));
      return { body, told };
    };
    expect(dropped(undefined)).toEqual({ body: definition({ rule: 'true', ...later }), told: [] });
    const root = 'spec.versions[0].schema.openAPIV3Schema';
    const places = [`${root}.${key}[0]`, `${root}.properties.a.${key}[0]`];
    expect(dropped('1.27')).toEqual({
      body: definition({ rule: 'true' }),
      told: places.flatMap((place) => [`${place}.reason`, `${place}.fieldPath`, `${place}.optionalOldSelf`]),
    });
  });

  it('must have a known reason and an existing field', () => {
    const schema = { type: 'object' as const, properties: { a: { type: 'string' as const } } };
    const check = { expressions: expressionsOf(emulate()), costs: new CostAccount(), known: [], requireCheap: true };
    const errors = (rule: object) => [
      ...ruleErrors({ ...schema, [key]: [{ rule: 'true', ...rule }] }, 'schema', check),
    ];
    expect(errors({ reason: 'FieldValueRequired', fieldPath: '.a' })).toEqual([]);
    expect(errors({ reason: 'Other' }).map(({ field }) => field)).toEqual([`schema.${key}[0].reason`]);
    expect(errors({ fieldPath: '.b' }).map(({ field }) => field)).toEqual([`schema.${key}[0].fieldPath`]);
  });
});
