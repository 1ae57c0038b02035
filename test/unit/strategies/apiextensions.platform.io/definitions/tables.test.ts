/** Replays public tables of definitions, of changes to them, and of schemas: the errors, and their places. */

import { describe, expect, it } from 'vitest';
import type { ApiObject, FieldError, JsonObject, JsonValue } from '../../../../../runtime/contract/index.js';
import { isApiObject } from '../../../../../runtime/objects/guards.js';
import { kubernetesNaming } from '../../../../../runtime/objects/names/naming.js';
import { emulate } from '../../../../../runtime/objects/release.js';
import { finish } from '../../../../../runtime/objects/turns.js';
import { defineCustomResourceDefinitions } from '../../../../../strategies/apiextensions.platform.io/customresourcedefinitions.js';
import { expressionsOf } from '../../../../../strategies/apiextensions.platform.io/definitions/expressions.js';
import { deprecationWarningProblems } from '../../../../../strategies/apiextensions.platform.io/definitions/spec.js';
import { schemaErrors } from '../../../../../strategies/apiextensions.platform.io/definitions/version-schema.js';
import { firstErrorsPaced } from '../../../../../strategies/shared/field-checks.js';
import { contextOf } from '../../../../support/handlers-suite.js';
import { tableRows } from '../../../../support/shared.js';

interface Expected {
  readonly errorType: string;
  readonly path: string;
}

interface Case {
  readonly name: string;
  readonly resource: JsonObject;
  readonly old: JsonObject;
  readonly errors: readonly Expected[] | null;
  readonly input: JsonObject;
  readonly statusEnabled: boolean;
  readonly opts: { readonly [option: string]: JsonValue };
  readonly expectedErrors: readonly Expected[] | null;
  readonly deprecated: boolean;
  readonly warning: string | null;
  readonly want: readonly string[] | null;
}

const rows = tableRows<Case>('apiextensions-apiserver_pkg_apis_apiextensions_validation');

const casesOf = (test: string): readonly Case[] => rows.filter((row) => row.test === test).map((row) => row.case);

const handlers = defineCustomResourceDefinitions(kubernetesNaming);

const ours = (errors: readonly FieldError[]): string[] =>
  errors.map(({ reason, field }) => `${reason} ${field}`).sort();
const theirs = (errors: readonly Expected[] | null): string[] =>
  (errors ?? []).map(({ errorType, path }) => `${errorType} ${path}`).sort();

/** Rows of definitions that cannot be replayed, by the reason. */
const unplayed: readonly (readonly [reason: string, names: RegExp])[] = [
  [
    'the row has lost its conversionReviewVersions',
    /^webhookconfig: .*(port|CABundle|both|blank)|missing_webhookconfig/,
  ],
  [
    'fields that this version of the kind does not have',
    /^(top-level and per-version|per-version fields)|without preserveUnknownFields=false/,
  ],
  [
    'the row has lost its versions, or that it keeps unknown fields',
    /^bad names 01|unknown-field: false|without pruning/,
  ],
  ['JSON holds no such text', /^non-utf-8/],
];

/** Reports whether rows of schemas can be replayed. Broken ones cannot, nor can rows from before defaults. */
const isPlayedSchema = ({ input, opts, expectedErrors }: Case): boolean =>
  !('$panic' in input) && (opts.allowDefaults === true || !JSON.stringify(expectedErrors ?? []).includes('.default"'));

const isPlayed = ({ name }: Case): boolean => !unplayed.some(([, names]) => names.test(name));

/** Prints one line if errors or their places differ. */
function difference(name: string, found: readonly FieldError[], expected: readonly Expected[] | null): string[] {
  const [mine, wanted] = [ours(found).join('\n  '), theirs(expected).join('\n  ')];
  return mine === wanted ? [] : [`${name}\n  ${wanted}\n found\n  ${mine}`];
}

const asObject = (value: JsonObject): ApiObject =>
  isApiObject(value) ? value : { apiVersion: '', kind: '', metadata: {}, ...value };

describe.skipIf(rows.length === 0)('tables (skipped if they are not beside the checkout)', () => {
  it('definitions', () => {
    const cases = casesOf('TestValidateCustomResourceDefinition').filter(isPlayed);
    const wrong = cases.flatMap(({ name, resource, errors }) =>
      difference(name, handlers.validateCreate?.(asObject(resource), contextOf()) ?? [], errors),
    );
    expect(wrong).toEqual([]);
    expect(cases.length).toBeGreaterThan(40);
  });

  it('changes of definitions', () => {
    const cases = casesOf('TestValidateCustomResourceDefinitionUpdate').filter(isPlayed);
    const wrong = cases.flatMap(({ name, resource, old, errors }) =>
      difference(name, handlers.validateUpdate?.(asObject(resource), asObject(old), contextOf()) ?? [], errors),
    );
    expect(wrong).toEqual([]);
    expect(cases.length).toBeGreaterThan(30);
  });

  it('selectable fields', () => {
    const cases = casesOf('TestSelectableFields');
    const wrong = cases.flatMap(({ name, resource, errors }) =>
      difference(name, handlers.validateCreate?.(asObject(resource), contextOf()) ?? [], errors),
    );
    expect(wrong).toEqual([]);
    expect(cases.length).toBe(5);
  });

  it('schemas', () => {
    const cases = casesOf('TestValidateCustomResourceDefinitionValidation').filter(isPlayedSchema);
    const wrong = cases.flatMap(({ name, input, opts, statusEnabled, expectedErrors }) => {
      const ratchets = {
        requireKnownTypes: opts.requireValidPropertyType === true,
        requireStructure: opts.requireStructuralSchema === true,
        requirePrunedDefaults: () => opts.requirePrunedDefaults === true,
        requireAtomicSets: opts.requireAtomicSetType === true,
        requireListKeys: opts.requireMapListKeysMapSetValidation === true,
        requireCheapRules: true,
      };
      const check = { ratchets, expressions: expressionsOf(emulate()) };
      const errors = finish(firstErrorsPaced(schemaErrors(input, 'spec.validation', statusEnabled, check)));
      return difference(name, errors, expectedErrors);
    });
    expect(wrong).toEqual([]);
    expect(cases.length).toBeGreaterThan(90);
  });

  it('warnings of deprecated versions', () => {
    for (const { name, deprecated, warning, want } of casesOf('Test_validateDeprecationWarning').filter(isPlayed)) {
      expect(warning === null ? [] : deprecationWarningProblems(deprecated, warning), name).toEqual(want ?? []);
    }
  });
});
