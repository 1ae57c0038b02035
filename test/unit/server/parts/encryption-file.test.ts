import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEncryptionFile } from '../../../../server/parts/encryption-file.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const file = join(scratchFolder(), 'e.yaml');
const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n';
const secret = Buffer.alloc(32, 1).toString('base64');

function read(text: string) {
  writeFileSync(file, text);
  return readEncryptionFile(file);
}

/** Returns the problems without the name of the file. */
function problemsOf(text: string): readonly string[] {
  const result = read(text);
  return result.ok ? [] : result.problems.map((problem) => problem.replaceAll(file, 'e.yaml'));
}

const withProviders = (...providers: readonly string[]): string =>
  `${head}  - resources: [secrets]\n    providers:\n${providers.map((one) => `      - ${one}\n`).join('')}`;

const withResources = (...resources: readonly string[]): string =>
  head + resources.map((one) => `  - { resources: [${one}], providers: [{ identity: {} }] }\n`).join('');

describe('a file of encryption', () => {
  it('has resources and their providers', () => {
    const text = `${head}  - resources: [secrets, configmaps, widgets.shop.example.com]
    providers:
      - aescbc: { keys: [{ name: key2, secret: ${secret} }, { name: key1, secret: MDEyMzQ1Njc4OWFiY2RlZg== }] }
      - secretbox: { keys: [{ name: box, secret: ${secret} }] }
      - kms: { apiVersion: v2, name: vault, endpoint: unix:///run/kms.sock, timeout: 500ms }
      - identity: {}
  - resources: ['*.apps', '*.batch']
    providers:
      - aesgcm: { keys: [{ name: a, secret: ${secret} }] }
      - kms: { apiVersion: v2, name: other, endpoint: unix:///run/kms.sock }
`;
    const bytes = Buffer.alloc(32, 1);
    expect(read(text)).toEqual({
      ok: true,
      resources: [
        {
          resources: ['secrets', 'configmaps', 'widgets.shop.example.com'],
          providers: [
            {
              aescbc: [
                { name: 'key2', secret: bytes },
                { name: 'key1', secret: Buffer.from('0123456789abcdef') },
              ],
            },
            { secretbox: [{ name: 'box', secret: bytes }] },
            { kms: { name: 'vault', endpoint: 'unix:///run/kms.sock', timeoutMs: 500 } },
            { identity: true },
          ],
        },
        {
          resources: ['*.apps', '*.batch'],
          providers: [
            { aesgcm: [{ name: 'a', secret: bytes }] },
            { kms: { name: 'other', endpoint: 'unix:///run/kms.sock', timeoutMs: 3000 } },
          ],
        },
      ],
    });
  });
});

const key = (more = `secret: ${secret}`, name = 'a'): string => `{ keys: [{ name: ${name}, ${more} }] }`;
const place = 'e.yaml:6:9: resources[0].providers[0]';
const kms = (settings: string): string =>
  withProviders(`kms: { ${settings.includes('apiVersion') ? '' : 'apiVersion: v2, '}${settings} }`);

describe('a mistake in it', () => {
  it.each<[string, string, string]>([
    ['nothing', '', 'e.yaml:1:1: begin it with apiVersion: apiserver.config.platform.io/v1 and kind: Encryption'],
    ['another kind', head.replace('Encryption', 'Egress'), 'e.yaml:2:7: kind: "EgressConfiguration": must be Encrypt'],
    ['no resources', head, 'e.yaml:3:1: resources: Required value: at least one resources is required'],
    ['an unknown field', `${withProviders('identity: {}')}x: 1\n`, 'e.yaml:7:1: x: unknown field'],
    [
      'no providers',
      `${head}  - { resources: [secrets] }\n`,
      'e.yaml:4:5: resources[0].providers: Required value: at least one resources[0].providers is required',
    ],
    [
      'no resource',
      `${head}  - { providers: [{ identity: {} }] }\n`,
      'e.yaml:4:5: resources[0].resources: Required value: at least one resources[0].resources is required',
    ],
    [
      'an empty provider',
      withProviders('{}'),
      `${place}: provider does not contain any of the expected providers: KMS, `,
    ],
    [
      'two providers in one',
      withProviders(`{ identity: {}, aescbc: ${key()} }`),
      `${place}: more than one provider specified in a single element, should split into different list elements`,
    ],
    [
      'no keys',
      withProviders('aescbc: {}'),
      ' resources[0].providers[0].aescbc.keys: Required value: at least one keys is',
    ],
    [
      'no name',
      withProviders(`aescbc: ${key(undefined, '""')}`),
      'aescbc.keys[0].name: Required value: name is a mandatory',
    ],
    [
      'no secret',
      withProviders('secretbox: { keys: [{ name: a }] }'),
      'secretbox.keys[0].secret: Required value: secret is a mandatory field for a key',
    ],
    [
      'a secret that is not base64',
      withProviders(`aesgcm: ${key('secret: not-base64!')}`),
      'aesgcm.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded',
    ],
    [
      'a key of AES with a wrong length',
      withProviders(`aescbc: ${key('secret: c2hvcnQ=')}`),
      'Invalid value: "REDACTED": secret is not of the expected length, got 5, expected one of [16 24 32]',
    ],
    [
      'a key of secretbox with a wrong length',
      withProviders(`secretbox: ${key('secret: MDEyMzQ1Njc4OWFiY2RlZg==')}`),
      'Invalid value: "REDACTED": secret is not of the expected length, got 16, expected one of [32]',
    ],
    [
      'a name twice',
      withProviders(`aescbc: { keys: [{ name: a, secret: ${secret} }, { name: a, secret: ${secret} }] }`),
      'resources[0].providers[0].aescbc.keys[1].name: Duplicate value: "a"',
    ],
    [
      'KMS v1',
      kms('apiVersion: v1, name: a, endpoint: unix:///a'),
      'kms.apiVersion: Invalid value: "v1": KMS v1 is not supported',
    ],
    [
      'KMS of the default version',
      withProviders('kms: { name: a, endpoint: unix:///a }'),
      'kms.apiVersion: Invalid value: "v1": KMS v1 is not supported; use a provider of v2 and write apiVersion: v2',
    ],
    [
      'KMS of another version',
      kms('apiVersion: v3, name: a, endpoint: unix:///a'),
      'kms.apiVersion: Invalid value: "v3": unsupported apiVersion apiVersion for KMS provider',
    ],
    [
      'no name of KMS',
      kms('endpoint: unix:///a'),
      'kms.name: Required value: name is a mandatory field for a provider',
    ],
    [
      'a colon in a name',
      kms('name: "a:b", endpoint: unix:///a'),
      '"a:b": invalid KMS provider name a:b, must not contain \':\'',
    ],
    [
      'two of a name',
      withProviders(...Array(2).fill('kms: { apiVersion: v2, name: a, endpoint: unix:///a }')),
      'resources[0].providers[1].kms.name: Invalid value: "a": duplicate KMS provider name a, names must be unique',
    ],
    ['no endpoint', kms('name: a'), 'kms.endpoint: Invalid value: "": endpoint is a mandatory field for a kms'],
    [
      'an endpoint elsewhere',
      kms('name: a, endpoint: tcp://10.0.0.1:1'),
      'Invalid value: "tcp://10.0.0.1:1": unsupported scheme "tcp" for KMS provider, only unix is supported',
    ],
    ['no time', kms('name: a, endpoint: unix:///a, timeout: 0s'), '"0s": timeout should be a positive value'],
    ['a negative time', kms('name: a, endpoint: unix:///a, timeout: -1s'), '"-1s": timeout should be a positive value'],
    [
      'a cache',
      kms('name: a, endpoint: unix:///a, cachesize: 5'),
      'kms.cachesize: Invalid value: 5: cachesize is not supp',
    ],
    [
      'a capital',
      withResources('Secrets'),
      'resources[0].resources[0]: Invalid value: "Secrets": resource name should',
    ],
    [
      'everything',
      withResources("'*'"),
      `Invalid value: "*": use '*.' to encrypt all the resources from core API group`,
    ],
    [
      'a resource without API',
      withResources('serviceipallocations'),
      'resources which do not have REST API/s cannot be',
    ],
    ['later events', withResources('events.events.k8s.io'), "Use 'events' instead in the config file"],
    ['extensions', withResources('ingresses.extensions'), "'extensions' group has been removed and cannot be used"],
    ['any group', withResources('"widgets.*"'), 'encrypting the same resource across groups is not supported'],
    [
      'a resource twice',
      withResources('secrets, secrets'),
      '[]string{"secrets", "secrets"}: the same resource cannot be specified multiple times',
    ],
    [
      'an overlap',
      withResources('secrets, "*."'),
      "using overlapping resources such as 'secrets' and '*.' in the same",
    ],
    [
      'an overlap with all',
      withResources('a.apps, "*.*"'),
      "using overlapping resources such as 'secrets' and '*.' in",
    ],
    ['a masked one', withResources("'*.'", 'secrets'), 'resource "secrets" is masked by earlier rule "*."'],
    ['one that all masks', withResources("'*.*'", "'*.apps'"), 'resource "*.apps" is masked by earlier rule "*.*"'],
  ])('%s', (_, text, problem) => {
    const problems = problemsOf(text);
    expect(problems.join('\n')).toContain(problem);
    expect(problems.join('\n')).not.toContain(secret);
  });

  it('is reported with the others', () => {
    const text = withProviders(`aescbc: ${key('secret: c2hvcnQ=')}`, `aesgcm: ${key('secret: eA==')}`);
    expect(problemsOf(text)).toHaveLength(2);
  });

  it('is ignored in an accepted order', () => {
    expect(problemsOf(withResources('secrets', "'*.'", "'*.*'"))).toEqual([]);
    expect(problemsOf(withResources('secrets', 'secrets'))).toEqual([]);
  });

  it('is a file that cannot be read', () => {
    expect(readEncryptionFile('/nowhere/e.yaml')).toMatchObject({
      ok: false,
      problems: [expect.stringMatching(/^\/nowhere\/e.yaml cannot be read: ENOENT/)],
    });
  });
});
