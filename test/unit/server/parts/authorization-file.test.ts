import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emulate } from '../../../../runtime/objects/release.js';
import type { AccessFileOptions } from '../../../../server/parts/access-file.js';
import { readAuthorizationFile } from '../../../../server/parts/authorization-file.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();
const file = join(folder, 'a.yaml');
const kubeconfig = join(folder, 'webhook.yaml');
writeFileSync(kubeconfig, '');
const options: AccessFileOptions = { release: emulate('latest'), featureEnabled: () => true };

const webhook = {
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'Deny',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: kubeconfig },
};
const conditions = (...expressions: readonly string[]) => ({
  matchConditionSubjectAccessReviewVersion: 'v1',
  matchConditions: expressions.map((expression) => ({ expression })),
});
const hook = (changes: object = {}, name = 'hook') => ({
  type: 'Webhook',
  name,
  webhook: { ...webhook, ...changes },
});

function read(authorizers: readonly object[], wanted: readonly 'RBAC'[] = [], changes = {}, version = 'v1') {
  const apiVersion = `apiserver.config.k8s.io/${version}`;
  writeFileSync(file, JSON.stringify({ apiVersion, kind: 'AuthorizationConfiguration', authorizers }));
  return readAuthorizationFile(file, { ...options, ...changes }, wanted);
}

/** Returns the problems without their places. */
function problemsOf(...given: Parameters<typeof read>): readonly string[] {
  const result = read(...given);
  return result.ok ? [] : result.problems.map((problem) => problem.replace(/^.*?:\d+:\d+: /, ''));
}

it('reads several webhooks among other authorizers, with defaults', () => {
  const result = read([
    hook({ authorizedTTL: '1m', cacheUnauthorizedRequests: false, ...conditions("request.user == 'a'") }, 'first'),
    hook({ failurePolicy: 'NoOpinion', subjectAccessReviewVersion: 'v1beta1' }, 'second'),
    { type: 'RBAC', name: 'rbac' },
  ]);
  expect(result).toMatchObject({
    ok: true,
    configuration: [
      {
        name: 'first',
        webhook: {
          kubeConfigFile: kubeconfig,
          version: 'v1',
          authorizedTtlMs: 60_000,
          unauthorizedTtlMs: 0,
          timeoutMs: 3000,
          onFailure: 'deny',
          matchConditions: [{ text: "request.user == 'a'" }],
        },
      },
      {
        name: 'second',
        webhook: { version: 'v1beta1', authorizedTtlMs: 300_000, unauthorizedTtlMs: 30_000, onFailure: 'no opinion' },
      },
      { type: 'RBAC', name: 'rbac', webhook: undefined },
    ],
  });
});

describe('mistakes of a file', () => {
  const rbac = { type: 'RBAC', name: 'rbac' };
  it.each<[string, readonly object[], string]>([
    ['no authorizers', [], 'authorizers: Required value: at least one authorization mode must be defined'],
    ['no type', [{ name: 'a' }], 'authorizers[0].type: Required value'],
    [
      'an unknown type',
      [{ type: 'Magic', name: 'a' }],
      'authorizers[0].type: Unsupported value: "Magic": supported values: "ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"',
    ],
    ['a type twice', [rbac, { ...rbac, name: 'b' }], 'authorizers[1].type: Duplicate value: "RBAC"'],
    ['no name', [{ type: 'RBAC' }], 'authorizers[0].name: Required value'],
    ['a name twice', [hook(), hook()], 'authorizers[1].name: Duplicate value: "hook"'],
    [
      'another name',
      [{ type: 'RBAC', name: 'b' }],
      'authorizers[0].name: expected name rbac for authorizer RBAC instead of b',
    ],
    [
      'an invalid name',
      [hook({}, 'Hook')],
      "authorizers[0].name: Invalid value: \"Hook\": authorizer name is invalid: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    [
      'no webhook',
      [{ type: 'Webhook', name: 'a' }],
      'authorizers[0].webhook: Required value: required when type=Webhook',
    ],
    [
      'a webhook of another type',
      [{ ...rbac, webhook }],
      'authorizers[0].webhook: Invalid value: "non-null": may only be specified when type=Webhook',
    ],
    ['no timeout', [hook({ timeout: undefined })], 'authorizers[0].timeout: Required value'],
    [
      'a long timeout',
      [hook({ timeout: '60s' })],
      'authorizers[0].timeout: Invalid value: "1m0s": must be > 0s and <= 30s',
    ],
    [
      'a negative time',
      [hook({ authorizedTTL: '-1s' })],
      'authorizers[0].authorizedTTL: Invalid value: "-1s": must be > 0s',
    ],
    [
      'a time without unit',
      [hook({ timeout: 3 })],
      'authorizers[0].timeout: 3 is not a duration: a number and a unit, such as 30s',
    ],
    [
      'another version',
      [hook({ subjectAccessReviewVersion: 'v2' })],
      'authorizers[0].subjectAccessReviewVersion: Unsupported value: "v2": supported values: "v1", "v1beta1"',
    ],
    [
      'conditions without a version',
      [hook({ matchConditions: [{ expression: 'true' }] })],
      'authorizers[0].matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified',
    ],
    [
      'another policy',
      [hook({ failurePolicy: 'Allow' })],
      'authorizers[0].failurePolicy: Unsupported value: "Allow": supported values: "NoOpinion", "Deny"',
    ],
    ['no connection', [hook({ connectionInfo: undefined })], 'authorizers[0].connectionInfo.type: Required value'],
    [
      'another connection',
      [hook({ connectionInfo: { type: 'Magic' } })],
      'authorizers[0].connectionInfo.type: Unsupported value: {"Type":"Magic","KubeConfigFile":null}: supported values: "InClusterConfig", "KubeConfigFile"',
    ],
    [
      'a relative path',
      [hook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'a' } })],
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "a": must be an absolute path',
    ],
    [
      'a missing file',
      [hook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/none' } })],
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/none": error loading file: stat /none: no such file or directory',
    ],
    ['an empty condition', [hook(conditions(' '))], 'authorizers[0].matchConditions[0].expression: Required value'],
    [
      'a condition twice',
      [hook(conditions('true', 'true'))],
      'authorizers[0].matchConditions[1].expression: Duplicate value: "true"',
    ],
    [
      'a condition of another type',
      [hook(conditions('request.user'))],
      'authorizers[0].matchConditions[0].expression: Invalid value: "request.user": must evaluate to bool but got string',
    ],
    [
      'a condition about no field',
      [hook(conditions('request.name'))],
      `authorizers[0].matchConditions[0].expression: Invalid value: "request.name": compilation failed: ERROR: <input>:1:8: undefined field 'name'\n | request.name\n | .......^`,
    ],
    [
      'many conditions',
      [hook(conditions(...Array.from({ length: 65 }, (_, i) => `${i} > 0`)))],
      'authorizers[0].matchConditions: Too many: 65: must have at most 64 items',
    ],
    ['an unknown field', [{ ...rbac, nmae: 'a' }], 'authorizers[0].nmae: unknown field; did you mean `name`?'],
  ])('%s', (_name, authorizers, problem) => expect(problemsOf(authorizers)).toEqual([problem]));

  it('have their place', () => {
    writeFileSync(
      file,
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers:\n  - type: RBAC\n    name: a\n',
    );
    const problem = `${file}:5:11: authorizers[0].name: expected name rbac for authorizer RBAC instead of a`;
    expect(readAuthorizationFile(file, options)).toMatchObject({ ok: false, problems: [problem] });
  });

  it('include types that must stay, and selectors without their gate', () => {
    expect(problemsOf([hook()], ['RBAC'])).toEqual(['authorizers: missing required types: [RBAC]']);
    const selecting = [hook(conditions('has(request.resourceAttributes.fieldSelector)'))];
    expect(problemsOf(selecting)).toEqual([]);
    expect(problemsOf(selecting, [], { featureEnabled: () => false })).toEqual([
      expect.stringContaining("undefined field 'fieldSelector'"),
    ]);
  });

  it('include versions of later releases', () => {
    const early = { release: emulate('1.30') };
    expect(problemsOf([rbac], [], early, 'v1beta1')).toEqual([]);
    expect(problemsOf([rbac], [], early)).toEqual([
      expect.stringContaining(
        'apiVersion: "apiserver.config.k8s.io/v1": must be one of apiserver.config.platform.io/v1beta1',
      ),
    ]);
  });
});
