import { describe, expect, it } from 'vitest';
import type { ServeFlags } from '../../../../../bin/flags/serve/index.js';
import { readServeOptions } from '../../../../../bin/flags/serve-options.js';
import { readAuthorizationModes } from '../../../../../server/text/authorization-modes.js';
import { usualFlags } from '../../../../support/serving.js';

const authentication = (flags: Partial<ServeFlags>) => readServeOptions({ ...usualFlags, ...flags }).authentication;

describe('modes of authorization', () => {
  it('are names in an order', () =>
    expect(readAuthorizationModes('RBAC, AlwaysDeny')).toEqual({ ok: true, value: ['RBAC', 'AlwaysDeny'] }));

  it.each([
    ['', '(nothing) is unknown; use names of: ABAC, AlwaysAllow, AlwaysDeny, Node, RBAC, Webhook, separated by commas'],
    [
      'RBAC,x,Nobody',
      'x, Nobody is unknown; use names of: ABAC, AlwaysAllow, AlwaysDeny, Node, RBAC, Webhook, separated by commas',
    ],
    [
      'Nodes,RBAC',
      'Nodes is unknown; did you mean `Node`? use names of: ABAC, AlwaysAllow, AlwaysDeny, Node, RBAC, Webhook, separated by commas',
    ],
    ['RBAC,AlwaysAllow,RBAC', 'RBAC is given twice'],
  ])('%j is wrong', (text, problem) => {
    const read = readAuthorizationModes(text);
    expect(read.ok || read.failure.message).toBe(problem);
    expect(() => readServeOptions({ ...usualFlags, authorizationMode: text })).toThrow(
      `--authorization-mode ${problem}`,
    );
  });
});

describe('a file about authentication', () => {
  it('decides who needs no credentials, unless a flag does', () => {
    expect(authentication({ authenticationConfig: 'a' })).toMatchObject({ configFile: 'a' });
    expect(authentication({ authenticationConfig: 'a' })).not.toHaveProperty('anonymous');
    expect(authentication({ authenticationConfig: 'a', anonymousAuth: 'false' })).toMatchObject({
      anonymous: 'refused',
    });
  });

  it('replaces the flags about a provider', () =>
    expect(() => authentication({ authenticationConfig: 'a', oidcGroupsClaim: 'g' })).toThrow(
      '--authentication-config file and --oidc-* flags are mutually exclusive',
    ));
});

describe('the webhook of authorization', () => {
  const authorization = (flags: Partial<ServeFlags>) => readServeOptions({ ...usualFlags, ...flags }).authorization;

  it('is called and cached according to the flags', () => {
    const flags = { authorizationMode: 'Webhook', authorizationWebhookConfigFile: 'hook' };
    expect(authorization(flags)).toEqual({
      modes: ['Webhook'],
      webhook: { configFile: 'hook' },
    });
    expect(
      authorization({
        ...flags,
        authorizationWebhookVersion: 'v1',
        authorizationWebhookCacheAuthorizedTtl: '0s',
        authorizationWebhookCacheUnauthorizedTtl: '1m',
      }),
    ).toHaveProperty('webhook', { configFile: 'hook', authorizedTtlMs: 0, unauthorizedTtlMs: 60_000, version: 'v1' });
    expect(authorization({})).toEqual({ modes: ['RBAC'] });
  });

  it('may come from a file, which contradicts the flags that it replaces', () => {
    expect(authorization({ authorizationConfig: 'a', authorizationPolicyFile: 'p' })).toEqual({
      configFile: 'a',
      policyFile: 'p',
    });
    for (const flags of [{ authorizationMode: 'RBAC' }, { authorizationWebhookVersion: 'v1' }]) {
      expect(() => authorization({ authorizationConfig: 'a', ...flags })).toThrow(
        '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
      );
    }
  });

  it.each([
    [{ authorizationWebhookVersion: 'v2' }, '--authorization-webhook-version v2: must be v1 or v1beta1'],
    [
      { authorizationWebhookCacheAuthorizedTtl: 'x' },
      '--authorization-webhook-cache-authorized-ttl x: must be a duration from 0s to 24h',
    ],
    [
      { authorizationWebhookCacheUnauthorizedTtl: '-1s' },
      '--authorization-webhook-cache-unauthorized-ttl -1s: must be a duration from 0s to 24h',
    ],
  ])('cannot be %j', (flags, problem) => expect(() => authorization(flags)).toThrow(problem));
});

describe('requests without credentials', () => {
  const tokenAuthFile = 'tokens.csv';
  it.each([
    [{}, 'anonymous'],
    [{ authorizationMode: 'AlwaysAllow' }, 'refused'],
    [{ allowEveryone: true }, 'administrator'],
    [{ allowEveryone: true, tokenAuthFile }, 'administrator'],
    [{ tokenAuthFile }, 'anonymous'],
    [{ tokenAuthFile, authorizationMode: 'AlwaysDeny' }, 'anonymous'],
    [{ tokenAuthFile, authorizationMode: 'RBAC,AlwaysAllow' }, 'refused'],
    [{ tokenAuthFile, anonymousAuth: 'false' }, 'refused'],
    [{ tokenAuthFile, authorizationMode: 'AlwaysAllow', anonymousAuth: 'true' }, 'anonymous'],
    [{ anonymousAuth: 'true' }, 'anonymous'],
    [{ anonymousAuth: 'false' }, 'refused'],
  ])('with %j are %s', (more, expected) => expect(authentication(more)?.anonymous).toBe(expected));

  it.each([
    [{}, true],
    [{ anonymousAuth: 'false' }, true],
    [{ tokenAuthFile }, true],
    [{ tokenAuthFile, administrator: 'false' }, false],
    [{ allowEveryone: true }, false],
  ])('with %j make the server have an administrator of its own: %s', (more, expected) =>
    expect(authentication(more)?.administrator).toBe(expected),
  );

  it('have only one setting for their origins', () => {
    const refused = () => authentication({ allowEveryone: true, anonymousAuth: 'true' });
    expect(refused).toThrow('--allow-everyone and --anonymous-auth cannot be used together; leave one out');
  });

  it('are allowed or refused, and nothing else', () =>
    expect(() => authentication({ anonymousAuth: 'maybe' })).toThrow('--anonymous-auth maybe: must be true or false'));
});

it('name plugins with commas between them, in one or several flags', () => {
  const flags = { enableAdmissionPlugins: ['A, B', 'C'], disableAdmissionPlugins: ['D', ''] };
  expect(readServeOptions({ ...usualFlags, ...flags, admissionControlConfigFile: 'a.yaml' }).admission).toMatchObject({
    enable: ['A', 'B', 'C'],
    disable: ['D'],
    configurationFile: 'a.yaml',
  });
  expect(readServeOptions(usualFlags).admission).toEqual({ enable: [], disable: [], serviceAddresses: {} });
});

it('need the name of a file', () =>
  expect(() => readServeOptions({ ...usualFlags, admissionControlConfigFile: '' })).toThrow(
    '--admission-control-config-file (nothing): must be the path of a file',
  ));

it('accepts addresses of webhooks by Service', () => {
  const { admission } = readServeOptions({ ...usualFlags, serviceResolver: ['a/b=https://x:1', 'a/c=https://y/?z=1'] });
  expect(admission?.serviceAddresses).toEqual({ 'a/b': 'https://x:1', 'a/c': 'https://y/?z=1' });
});

it('refuses a Service without an address', () =>
  expect(() => readServeOptions({ ...usualFlags, serviceResolver: ['a/b'] })).toThrow(
    '--service-resolver a/b: must be a service with its address',
  ));

it('reads how requests reach API servers behind this one', () => {
  const flags = { proxyClientCertFile: 'a.crt', proxyClientKeyFile: 'a.key', enableAggregatorRouting: true };
  expect(readServeOptions({ ...usualFlags, ...flags }).aggregation).toEqual({
    proxyCertificate: { certFile: 'a.crt', keyFile: 'a.key' },
    toEndpoints: true,
  });
  expect(readServeOptions(usualFlags).aggregation?.proxyCertificate).toBeUndefined();
});
