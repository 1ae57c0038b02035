import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emulate } from '../../../../runtime/objects/release.js';
import {
  type AuthenticationFileOptions,
  readAuthenticationFile,
} from '../../../../server/parts/authentication-file.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const file = join(scratchFolder(), 'a.yaml');
const options: AuthenticationFileOptions = {
  release: emulate('latest'),
  featureEnabled: () => true,
  ownIssuers: ['https://own.example.com'],
  isAnonymousGiven: false,
};

const issuer = { url: 'https://id.example.com', audiences: ['shop'] };
const username = { claim: 'sub', prefix: '' };
const jwt = (changes: object = {}) => ({ issuer, claimMappings: { username }, ...changes });

function read(content: object, changes: Partial<AuthenticationFileOptions> = {}, version = 'v1') {
  const apiVersion = `apiserver.config.k8s.io/${version}`;
  writeFileSync(file, JSON.stringify({ apiVersion, kind: 'AuthenticationConfiguration', ...content }));
  return readAuthenticationFile(file, { ...options, ...changes });
}

/** Returns the problems without their places. */
function problemsOf(...given: Parameters<typeof read>): readonly string[] {
  const result = read(...given);
  return result.ok ? [] : result.problems.map((problem) => problem.replace(/^.*?:\d+:\d+: /, ''));
}

it('has issuers, rules, mappings, and paths that need no credentials', () => {
  const text = "'idp:' + claims.sub";
  const content = {
    anonymous: { enabled: true, conditions: [{ path: '/livez' }] },
    jwt: [
      jwt({
        issuer: { ...issuer, discoveryURL: 'https://keys.example.com/openid', audienceMatchPolicy: 'MatchAny' },
        claimValidationRules: [
          { claim: 'hd', requiredValue: 'example.com' },
          { expression: 'claims.exp > 0', message: 'no end' },
        ],
        claimMappings: {
          username: { expression: text },
          groups: { claim: 'roles', prefix: 'idp:' },
          uid: { claim: 'id' },
          extra: [{ key: 'example.com/tenant', valueExpression: 'claims.tenant' }],
        },
        userValidationRules: [{ expression: "!user.username.startsWith('system:')", message: 'reserved' }],
      }),
    ],
  };
  expect(read(content)).toMatchObject({
    ok: true,
    configuration: {
      anonymous: { enabled: true, paths: ['/livez'] },
      jwt: [
        {
          issuerUrl: issuer.url,
          discoveryUrl: 'https://keys.example.com/openid',
          audiences: ['shop'],
          groupsClaim: 'roles',
          rules: {
            username: { expression: { text } },
            groups: { claim: 'roles', prefix: 'idp:' },
            uid: { claim: 'id', prefix: '' },
            extra: new Map([['example.com/tenant', { text: 'claims.tenant' }]]),
            requiredClaims: new Map([['hd', 'example.com']]),
            claimRules: [{ expression: { text: 'claims.exp > 0' }, message: 'no end' }],
            userRules: [{ message: 'reserved' }],
          },
        },
      ],
    },
  });
  // A file may have no issuers yet.
  expect(read({}, {}, 'v1alpha1')).toMatchObject({ ok: true, configuration: { jwt: [], anonymous: undefined } });
});

describe('mistakes of an issuer', () => {
  const url = (text: string) => ({ issuer: { ...issuer, url: text } });
  it.each<[object, string | readonly string[]]>([
    [url(''), 'url: Required value'],
    [url('http://id.example.com'), 'url: Invalid value: "http://id.example.com": URL scheme must be https'],
    [url('id'), 'url: Invalid value: "id": URL scheme must be https'],
    [url('https://a:b@c'), 'url: Invalid value: "https://a:b@c": URL must not contain a username or password'],
    [url('https://a?b=c'), 'url: Invalid value: "https://a?b=c": URL must not contain a query'],
    [url('https://a#b'), 'url: Invalid value: "https://a#b": URL must not contain a fragment'],
    [
      url('https://own.example.com'),
      'url: Invalid value: "https://own.example.com": URL must not overlap with disallowed issuers: [https://own.example.com]',
    ],
    [
      { issuer: { ...issuer, discoveryURL: `${issuer.url}/` } },
      `discoveryURL: Invalid value: "${issuer.url}/": discoveryURL must be different from URL`,
    ],
    [{ issuer: { url: issuer.url } }, 'audiences: Required value: at least one jwt[0].issuer.audiences is required'],
    [
      { issuer: { ...issuer, audiences: ['', 'a', 'a'], audienceMatchPolicy: 'MatchAny' } },
      ['audiences[0]: Required value', 'audiences[2]: Duplicate value: "a"'],
    ],
    [
      { issuer: { ...issuer, audiences: ['a', 'b'] } },
      'audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences',
    ],
    [
      { issuer: { ...issuer, audienceMatchPolicy: 'MatchAll' } },
      'audienceMatchPolicy: Invalid value: "MatchAll": audienceMatchPolicy must be empty or MatchAny for single audience',
    ],
    [
      { issuer: { ...issuer, certificateAuthority: 'none' } },
      'certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates',
    ],
  ])('%j', (changes, problems) =>
    expect(problemsOf({ jwt: [jwt(changes)] })).toEqual([problems].flat().map((one) => `jwt[0].issuer.${one}`)),
  );

  it('include a URL that another issuer has, and more issuers than 64', () => {
    const discoveryURL = 'https://keys.example.com';
    const one = jwt({ issuer: { ...issuer, discoveryURL } });
    expect(problemsOf({ jwt: [one, one] })).toEqual([
      `jwt[1].issuer.url: Duplicate value: "${issuer.url}"`,
      `jwt[1].issuer.discoveryURL: Duplicate value: "${discoveryURL}"`,
    ]);
    expect(problemsOf({ jwt: Array.from({ length: 65 }, () => one) })).toEqual([
      'jwt: Too many: 65: must have at most 64 items',
    ]);
  });
});

describe('mistakes of rules and mappings', () => {
  const rules = (...claimValidationRules: readonly object[]) => ({ claimValidationRules });
  const mapped = (changes: object) => ({ claimMappings: { username, ...changes } });
  const extra = (...list: readonly object[]) => mapped({ extra: list });
  const both = "claim and expression can't both be set";
  it.each<[object, readonly string[]]>([
    [rules({ claim: 'a', expression: 'true' }), [`claimValidationRules[0]: Invalid value: "a": ${both}`]],
    [rules({}), ['claimValidationRules[0]: Required value: claim or expression is required']],
    [
      rules({ claim: 'a', message: 'm' }, { claim: 'a' }),
      [
        'claimValidationRules[0].message: Invalid value: "m": may not be specified when claim is set',
        'claimValidationRules[1].claim: Duplicate value: "a"',
      ],
    ],
    [
      rules({ expression: 'true', requiredValue: 'v' }, { expression: 'true' }),
      [
        'claimValidationRules[0].requiredValue: Invalid value: "v": may not be specified when expression is set',
        'claimValidationRules[1].expression: Duplicate value: "true"',
      ],
    ],
    [
      rules({ expression: 'claims.a' }),
      ['claimValidationRules[0].expression: Invalid value: "claims.a": must evaluate to bool'],
    ],
    [
      rules({ expression: 'user.a' }),
      [
        `claimValidationRules[0].expression: Invalid value: "user.a": compilation failed: ERROR: <input>:1:1: undeclared reference to 'user' (in container '')\n | user.a\n | ^`,
      ],
    ],
    [mapped({ username: {} }), ['claimMappings.username: Required value: claim or expression is required']],
    [mapped({ username: { claim: 'a', expression: 'b' } }), [`claimMappings.username: Invalid value: "": ${both}`]],
    [
      mapped({ username: { claim: 'a' }, groups: { claim: 'b' } }),
      ['username', 'groups'].map(
        (one) =>
          `claimMappings.${one}.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing`,
      ),
    ],
    [
      mapped({ groups: { expression: 'claims.a', prefix: 'p' } }),
      ['claimMappings.groups.prefix: Invalid value: "p": may not be specified when expression is set'],
    ],
    [mapped({ uid: { claim: 'a', expression: 'b' } }), [`claimMappings.uid: Invalid value: "": ${both}`]],
    [
      mapped({ username: { expression: 'claims.email' } }),
      [
        'claimMappings.username.expression: Invalid value: "claims.email": claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression',
      ],
    ],
    [
      {
        ...mapped({ username: { expression: 'claims.email' } }),
        ...rules({ expression: 'claims.?email_verified.orValue(true) == true' }),
      },
      [],
    ],
    [
      extra({ key: '' }, { key: 'a', valueExpression: "''" }, { key: 'A.b/c', valueExpression: "''" }),
      [
        'claimMappings.extra[0].key: Required value',
        'claimMappings.extra[0].valueExpression: Required value',
        'claimMappings.extra[1].key: Invalid value: "a": must be a domain-prefixed path (such as "acme.io/foo")',
        expect.stringMatching(/^claimMappings\.extra\[2\]\.key: Invalid value: "A\.b": a lowercase RFC 1123 subdomain/),
        'claimMappings.extra[2].key: Invalid value: "A.b/c": must be lowercase',
      ],
    ],
    [
      extra({ key: 'a.k8s.io/b', valueExpression: "'a'" }, { key: 'a.b/c', valueExpression: "'a'" }, { key: 'a.b/c' }),
      [
        'claimMappings.extra[0].key: Invalid value: "a.k8s.io/b": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use',
        'claimMappings.extra[2].key: Duplicate value: "a.b/c"',
      ],
    ],
    [
      { userValidationRules: [{}, { expression: 'user.uid' }, { expression: 'user.uid' }] },
      [
        'userValidationRules[0].expression: Required value',
        'userValidationRules[1].expression: Invalid value: "user.uid": must evaluate to bool',
        'userValidationRules[2].expression: Duplicate value: "user.uid"',
      ],
    ],
  ])('%j', (changes, problems) => {
    const expected = problems.map((one) =>
      typeof one === 'string' ? `jwt[0].${one}` : expect.stringMatching(/^jwt\[0\]\./),
    );
    expect(problemsOf({ jwt: [jwt(changes)] })).toEqual(expected);
  });
});

it('refuses anonymous without its gate, beside the flag, and disabled with paths', () => {
  const anonymous = { enabled: true, conditions: [{ path: '/livez' }] };
  expect(problemsOf({ anonymous }, { featureEnabled: () => false })).toEqual([
    'anonymous: Forbidden: anonymous is not supported when AnonymousAuthConfigurableEndpoints feature gate is disabled',
  ]);
  expect(problemsOf({ anonymous }, { isAnonymousGiven: true })).toEqual([
    'anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file',
  ]);
  expect(problemsOf({ anonymous: { ...anonymous, enabled: false } })).toEqual([
    'anonymous.conditions: Invalid value: [{"Path":"/livez"}]: enabled should be set to true when conditions are defined',
  ]);
});
