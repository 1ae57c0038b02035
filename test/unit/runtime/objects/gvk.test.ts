import { describe, expect, it } from 'vitest';
import {
  compareVersions,
  defaultListKind,
  defaultSingular,
  formatGroupVersion,
  formatKind,
  groupVersionProblem,
  parseGroupVersion,
  qualifiedName,
} from '../../../../runtime/objects/gvk.js';

describe('group versions', () => {
  it.each([
    ['v1', '', 'v1'],
    ['apps/v1', 'apps', 'v1'],
    ['', '', ''],
    ['/', '', ''],
    ['/v1', '', 'v1'],
    ['apps/', 'apps', ''],
  ])('reads %j', (text, group, version) => {
    expect(parseGroupVersion(text)).toEqual({ group, version });
  });

  it('refuses more than one slash', () => {
    expect(parseGroupVersion('a/b/c')).toBeUndefined();
    expect(groupVersionProblem('a/b/c')).toBe('unexpected GroupVersion string: a/b/c');
  });

  it('writes names as messages have them', () => {
    expect([formatGroupVersion('', 'v1'), formatGroupVersion('apps', 'v1')]).toEqual(['v1', 'apps/v1']);
    expect([qualifiedName('', 'pods'), qualifiedName('apps', 'deployments')]).toEqual(['pods', 'deployments.apps']);
    expect(formatKind({ group: '', version: 'v1', kind: 'Pod' })).toBe('/v1, Kind=Pod');
    expect([defaultSingular('IPAddress'), defaultListKind('IPAddress')]).toEqual(['ipaddress', 'IPAddressList']);
  });
});

describe('order of versions', () => {
  it('prefers stable to beta to alpha, then higher numbers, then the alphabet', () => {
    const preferred = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
    expect([...preferred].reverse().sort(compareVersions)).toEqual(preferred);
  });

  it('is not fooled by numbers beyond 2^53', () => {
    expect(compareVersions('v9007199254740993', 'v9007199254740992')).toBe(-1);
    expect(compareVersions('v1', 'v1')).toBe(0);
  });
});
