/** The flags that say who may do what, and who is who without credentials. */
import { describe, expect, it } from 'vitest';
import { readAuthorizationModes } from '../../../../bin/serve/authorization.js';
import { readSettings } from '../../../../bin/serve/settings.js';

const flags = {
  host: '127.0.0.1',
  httpPort: '0',
  storage: 'memory',
  onDamage: 'refuse',
  historyWindow: '5m',
  historySize: '64Mi',
  naming: 'platform',
  authorizationMode: 'RBAC',
  serviceAccountIssuer: 'https://platform.local',
  serviceAccountKeyFile: [],
  featureGates: '',
  runtimeConfig: '',
  controllers: 'none',
  serviceClusterIpRange: '10.0.0.0/16',
  serviceNodePortRange: '30000-32767',
};

describe('modes of authorization', () => {
  it('are names in an order', () => {
    const read = readAuthorizationModes('RBAC, AlwaysDeny');
    expect(read).toEqual({ ok: true, value: ['RBAC', 'AlwaysDeny'] });
  });

  it.each([
    ['', '(nothing) is unknown; say names of: AlwaysAllow, AlwaysDeny, RBAC, with commas between'],
    ['RBAC,rbac,Node', 'rbac, Node is unknown; say names of: AlwaysAllow, AlwaysDeny, RBAC, with commas between'],
    ['RBAC,AlwaysAllow,RBAC', 'RBAC is given twice'],
  ])('%j is wrong', (text, problem) => {
    const read = readAuthorizationModes(text);
    expect(read.ok || read.failure.message).toBe(`--authorization-mode: ${problem}`);
  });
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
  ])('with %j are %s', (more, expected) => {
    const settings = readSettings({ ...flags, ...more });
    expect(settings.ok && settings.value.anonymous).toBe(expected);
  });

  it.each([
    [{}, true],
    [{ anonymousAuth: 'false' }, true],
    [{ tokenAuthFile }, false],
    [{ allowEveryone: true }, false],
  ])('with %j make the server have an administrator of its own: %s', (more, expected) => {
    const settings = readSettings({ ...flags, ...more });
    expect(settings.ok && settings.value.makesAdministrator).toBe(expected);
  });

  it('are not said twice whom they come from', () => {
    const settings = readSettings({ ...flags, allowEveryone: true, anonymousAuth: 'true' });
    expect(settings.ok || settings.failure.message).toBe('--allow-everyone and --anonymous-auth do not go together');
  });

  it('are let in or not, and nothing else', () => {
    const settings = readSettings({ ...flags, anonymousAuth: 'maybe' });
    expect(settings.ok || settings.failure.message).toBe('--anonymous-auth maybe is unknown; say true or false');
  });
});
