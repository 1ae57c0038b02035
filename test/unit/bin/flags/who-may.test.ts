/** The flags that say who may do what, and who is who without credentials. */
import { describe, expect, it } from 'vitest';
import type { ServeFlags } from '../../../../bin/flags/serve-flags.js';
import { readServeOptions } from '../../../../bin/flags/serve-options.js';
import { readAuthorizationModes } from '../../../../server/text/authorization-modes.js';
import { usualFlags } from '../../../support/serving.js';

const authentication = (flags: Partial<ServeFlags>) => readServeOptions({ ...usualFlags, ...flags }).authentication;

describe('modes of authorization', () => {
  it('are names in an order', () => {
    const read = readAuthorizationModes('RBAC, AlwaysDeny');
    expect(read).toEqual({ ok: true, value: ['RBAC', 'AlwaysDeny'] });
  });

  it.each([
    ['', '(nothing) is unknown; use names of: ABAC, AlwaysAllow, AlwaysDeny, RBAC, separated by commas'],
    ['RBAC,rbac,Node', 'rbac, Node is unknown; use names of: ABAC, AlwaysAllow, AlwaysDeny, RBAC, separated by commas'],
    ['RBAC,AlwaysAllow,RBAC', 'RBAC is given twice'],
  ])('%j is wrong', (text, problem) => {
    const read = readAuthorizationModes(text);
    expect(read.ok || read.failure.message).toBe(problem);
    expect(() => readServeOptions({ ...usualFlags, authorizationMode: text })).toThrow(
      `--authorization-mode: ${problem}`,
    );
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
    expect(authentication(more)?.anonymous).toBe(expected);
  });

  it.each([
    [{}, true],
    [{ anonymousAuth: 'false' }, true],
    [{ tokenAuthFile }, false],
    [{ allowEveryone: true }, false],
  ])('with %j make the server have an administrator of its own: %s', (more, expected) => {
    expect(authentication(more)?.administrator).toBe(expected);
  });

  it('are not said twice whom they come from', () => {
    const refused = () => authentication({ allowEveryone: true, anonymousAuth: 'true' });
    expect(refused).toThrow('--allow-everyone and --anonymous-auth cannot be used together; leave one out');
  });

  it('are let in or not, and nothing else', () => {
    const refused = () => authentication({ anonymousAuth: 'maybe' });
    expect(refused).toThrow('--anonymous-auth maybe is unknown; use true or false');
  });
});
