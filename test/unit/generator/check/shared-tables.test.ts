/** The checks against public tables of cases and against recorded definitions, if these are beside the checkout. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkDefinition } from '../../../../generator/check/definition.js';
import { packageRoot } from '../../../../generator/check/package-root.js';
import { checkRules } from '../../../../generator/check/schema/validations.js';
import { severityOf } from '../../../../generator/diagnostics/codes.js';
import type { Problem } from '../../../../generator/diagnostics/problem.js';
import { readCustomResource } from '../../../../generator/model/custom-resource.js';
import type { JsonObject, Schema } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/objects/guards.js';

const shared = join(packageRoot(), '..', 'shared');
const table = join(shared, 'suites/tables/apiextensions-apiserver_pkg_apis_apiextensions_validation.jsonl');
const recordings = join(shared, 'conformance/suites/crd.json');

interface Row {
  readonly test: string;
  readonly case: {
    readonly name: string;
    readonly resource: JsonObject;
    readonly errors: readonly { readonly path: string }[] | null;
    readonly input: JsonObject;
    readonly expectedErrors: readonly { readonly path: string }[] | null;
    readonly schema: Schema;
    readonly fieldPath: string;
    readonly errMsg: string;
  };
}

const rows: readonly Row[] = existsSync(table)
  ? readFileSync(table, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : [];
const rowsOf = (...tests: string[]): readonly Row['case'][] =>
  rows.filter((row) => tests.includes(row.test)).map((row) => row.case);

const errorsOf = (value: JsonObject): readonly Problem[] => {
  const source = { path: 'a.yaml', hash: '' };
  const definition = { kind: 'CustomResourceDefinition', value } as const;
  const problems: Problem[] = [];
  const context = { types: new Map(), cycles: new Set(), isIncomplete: false };
  checkDefinition(definition, readCustomResource(value, source), context, (problem) => problems.push(problem));
  return problems.filter((problem) => severityOf(problem.code, false) === 'error');
};

/** Cases about facts that are not in a definition's text, or that later checks of expressions cover. */
const NOT_OURS =
  /storedVersions|stored_version|preserveUnknownFields=false|per-version fields|CABundle|embedded metadata defaults/;
const EXPRESSIONS =
  /transition rule|nested rule|cost|messageExpression|optionalOldSelf|x-kubernetes-validations (rule|for unknown)|invalid rule in/;

describe.skipIf(rows.length === 0)('definition validation cases (skipped without ../shared)', () => {
  const definitions = rowsOf('TestValidateCustomResourceDefinition', 'TestSelectableFields');
  test.each(definitions.filter(({ name }) => !NOT_OURS.test(name)).map((row) => [row.name, row] as const))(
    '%s',
    (_, row) => {
      const errors = errorsOf(row.resource);
      expect(errors.length > 0, errors.map((each) => each.message).join('; ')).toBe((row.errors ?? []).length > 0);
    },
  );

  /** These rows are bare schemas, and no definition could have some of them. So the test compares refusals only. */
  const schemas = rowsOf('TestValidateCustomResourceDefinitionValidation').filter(
    ({ name, expectedErrors }) => !EXPRESSIONS.test(name) && (expectedErrors ?? []).length > 0,
  );
  test.each(schemas.map((row) => [row.name, row] as const))('schema: %s', (_, row) => {
    const versions = [{ name: 'v1', served: true, storage: true, schema: row.input }];
    const names = { plural: 'things', kind: 'Thing' };
    const spec = { group: 'example.com', names, scope: 'Cluster', versions };
    expect(errorsOf({ metadata: { name: 'things.example.com' }, spec })).not.toEqual([]);
  });

  test.each(rowsOf('TestValidateFieldPath').map((row) => [row.name, row] as const))('field path: %s', (_, row) => {
    const raw: JsonObject = { 'x-kubernetes-validations': [] };
    const rule = { rule: 'true', fieldPath: row.fieldPath };
    const schema: Schema = { ...row.schema, 'x-kubernetes-validations': [rule] };
    const problems: Problem[] = [];
    const report = (each: Problem): unknown => problems.push(each);
    checkRules(raw, schema, [], false, report);
    expect(problems.filter(({ path }) => path.at(-1) === 'fieldPath').length > 0).toBe(row.errMsg !== '');
  });
});

interface Scenario {
  readonly steps: readonly {
    readonly request?: { readonly method: string; readonly path: string; readonly body?: JsonObject };
    readonly response?: {
      readonly status: number;
      readonly body?: { readonly details?: { readonly causes?: unknown; readonly kind?: string } };
    };
  }[];
}

describe.skipIf(!existsSync(recordings))('definitions in recordings (skipped without ../shared)', () => {
  const scenarios: readonly Scenario[] = existsSync(recordings) ? JSON.parse(readFileSync(recordings, 'utf8')) : [];
  const posts = scenarios
    .flatMap((scenario) => scenario.steps)
    .flatMap(({ request, response }) => {
      const isPost = request?.method === 'POST' && /\/customresourcedefinitions(\?|$)/.test(request.path);
      return isPost && isObject(request.body) && response !== undefined ? [{ body: request.body, response }] : [];
    });

  test('finds no errors in a definition that a server accepts', () => {
    const accepted = posts.filter(({ response }) => response.status === 201);
    expect(accepted.length).toBeGreaterThan(10);
    expect(accepted.flatMap(({ body }) => errorsOf(body).map((each) => each.message))).toEqual([]);
  });

  test('finds errors in a definition that a server refuses for its content', () => {
    const refused = posts.filter(
      ({ response: { status, body } }) => status === 422 && body?.details?.kind === 'CustomResourceDefinition',
    );
    expect(refused.length).toBeGreaterThan(3);
    expect(
      refused.filter(({ body }) => errorsOf(body).length === 0).map(({ response }) => JSON.stringify(response.body)),
    ).toEqual([]);
  });
});
