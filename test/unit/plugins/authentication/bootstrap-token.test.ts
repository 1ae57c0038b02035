/** Bootstrap tokens, as the secrets that hold them say. */
import { describe, expect, it } from 'vitest';
import { defineBootstrapTokens } from '../../../../plugins/index.js';
import type { ApiObject, AuthenticationContext, Authenticator } from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/naming.js';
import { testAuthenticator } from '../../../support/authenticator-suite.js';

const now = Date.parse('2026-11-20T12:00:00Z');
const tokens = defineBootstrapTokens(kubernetesNaming, () => now);
const sound = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true' };

/** A server with one secret in the namespace of the system. */
function contextWith(values: Readonly<Record<string, string>>, more: Partial<ApiObject> = {}): AuthenticationContext {
  const data = Object.fromEntries(
    Object.entries(values).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {},
    type: 'bootstrap.kubernetes.io/token',
    data,
    ...more,
  };
  return {
    update: () => Promise.reject(new Error('nothing is changed')),
    get: ({ resource, namespace, name }) =>
      `${namespace}/${resource}/${name}` === 'kube-system/secrets/bootstrap-token-abcdef' ? secret : undefined,
  };
}

const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const token = 'abcdef.0123456789abcdef';
const ask = (values: Readonly<Record<string, string>>, more?: Partial<ApiObject>) =>
  tokens.authenticate(bearing(token), contextWith({ ...sound, ...values }, more));

const here: Authenticator = {
  name: tokens.name,
  authenticate: (credentials) => tokens.authenticate(credentials, contextWith(sound)),
};
testAuthenticator({
  authenticator: here,
  recognized: bearing(token),
  name: 'system:bootstrap:abcdef',
  wrong: bearing('abcdef.0000000000000000'),
  foreign: bearing('abcdef'),
});

describe('a bootstrap token', () => {
  it('is of a user by its id, in the groups that it names', async () => {
    const groups = 'system:bootstrappers:b,system:bootstrappers:a:1,system:bootstrappers:b';
    expect(await ask({ 'auth-extra-groups': groups, expiration: '2026-11-20T14:00:01+02:00' })).toEqual({
      user: {
        name: 'system:bootstrap:abcdef',
        uid: '',
        groups: ['system:bootstrappers', 'system:bootstrappers:a:1', 'system:bootstrappers:b', 'system:authenticated'],
        extra: {},
      },
    });
  });

  it.each([
    [{ 'token-id': 'fedcba' }],
    [{ 'token-secret': '' }],
    [{ expiration: '2026-11-20T12:00:00Z' }],
    [{ expiration: '2099-12-31' }],
    [{ 'usage-bootstrap-authentication': 'True' }],
    [{ 'auth-extra-groups': 'system:masters' }],
    [{ 'auth-extra-groups': 'system:bootstrappers:a, system:bootstrappers:b' }],
  ])('is refused with %j', async (values) => {
    expect(await ask(values)).toHaveProperty('refused');
  });

  it('is refused where its secret is of another type, or on its way out', async () => {
    expect(await ask({}, { type: 'Opaque' })).toHaveProperty('refused');
    expect(await ask({}, { metadata: { deletionTimestamp: '2026-11-20T12:00:00Z' } })).toHaveProperty('refused');
  });

  it('is of another method where it has another form, or nobody has it', async () => {
    for (const other of ['abcdef:0123456789abcdef', `${token}.x`, 'ABCDEF.0123456789abcdef', 'zzzzzz.0123456789abcdef'])
      expect(await tokens.authenticate(bearing(other), contextWith(sound))).toBeUndefined();
    expect(await tokens.authenticate(bearing(token))).toBeUndefined();
  });
});
