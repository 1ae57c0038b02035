/** Warnings for users of deprecated versions. */
import { describe, expect, it, vi } from 'vitest';
import type { Deprecation, Stability } from '../../../../runtime/contract/index.js';
import { codeOf, deprecationOf, loadAll, loadCode } from '../../../../runtime/resource/preparation.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import { moduleOf } from '../../../support/modules.js';

const notice = (group: string, stability?: Stability, deprecation?: Deprecation) =>
  deprecationOf(
    moduleOf(group, 'widgets', 'Widget', {
      version: 'v1beta1',
      ...(stability === undefined ? {} : { stability }),
      ...(deprecation === undefined ? {} : { deprecation }),
    }),
    '1.27',
  );

describe('the notice of a version', () => {
  it('is made of its stability', () => {
    const life = { level: 'beta', introduced: '1.20', deprecated: '1.26' } as const;
    expect(notice('example.com', life)).toEqual({ message: 'example.com/v1beta1 Widget is deprecated in v1.26+' });
    expect(notice('', { ...life, removed: '1.29' })).toEqual({
      message: 'v1beta1 Widget is deprecated in v1.26+, unavailable in v1.29+',
      removedRelease: '1.29',
    });
    const full = { ...life, removed: '1.29', replacement: { version: 'v1' } };
    expect(notice('example.com', full)?.message).toBe(
      'example.com/v1beta1 Widget is deprecated in v1.26+, unavailable in v1.29+; use example.com/v1 Widget',
    );
    const moved = { ...life, replacement: { group: '', version: 'v2', kind: 'Thing' } };
    expect(notice('example.com', moved)?.message).toBe(
      'example.com/v1beta1 Widget is deprecated in v1.26+; use v2 Thing',
    );
  });

  it('is that of the definition where there is one', () => {
    const own = { message: 'use something else' };
    expect(notice('example.com', undefined, own)).toEqual(own);
    expect(notice('example.com', { level: 'beta' }, own)).toEqual(own);
    const life = { level: 'beta', deprecated: '1.26', removed: '1.29' } as const;
    expect(notice('example.com', life, own)).toEqual({ ...own, removedRelease: '1.29' });
  });

  it('comes with the release that deprecates it, not before', () => {
    expect(notice('example.com', { level: 'beta', deprecated: '1.28' }, { message: 'soon' })).toBeUndefined();
    expect(notice('example.com', { level: 'beta', deprecated: '1.27' })).toBeDefined();
    expect(notice('example.com', { level: 'beta' })).toBeUndefined();
    expect(notice('example.com')).toBeUndefined();
  });
});

const lamps = moduleOf('shop.example.com', 'lamps', 'Lamp');
const code = codeOf(lamps);

describe('code that is loaded', () => {
  it('is there at once for all who ask later, under whatever name', async () => {
    const load = vi.fn(() => Promise.resolve(code));
    const lazy = { ...lamps, code: load };
    expect(await loadCode(lazy)).toBe(code);
    expect(loadCode({ ...lazy, group: 'renamed' })).toBe(code);
    expect(codeOf(lazy)).toBe(code);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('needs no waiting where all of it is there', async () => {
    const lazy = { ...lamps, code: () => Promise.resolve(code) };
    expect(loadAll([lamps])).toBe(undefined);
    await loadAll([lamps, lazy]);
    expect(loadAll([lamps, lazy])).toBe(undefined);
  });
});

describe('a served resource', () => {
  const family = ['v1', 'v2'].map((version) => ({ ...lamps, version, code: async () => code }));
  const [one = lamps, other = lamps] = family;

  it('has its description before its code, and refuses to do without that', async () => {
    const resource = serveResource(one, { family });
    expect(resource.apiVersion).toBe('shop.example.com/v1');
    expect(() => resource.schema).toThrow('the code of shop.example.com/v1 lamps is used before it is loaded');
    await resource.ready();
    expect(resource.schema).toBe(code.schema);
    expect(resource.ready()).toBe(undefined);
    // Objects may have to be converted to the other version.
    expect(codeOf(other)).toBe(code);
  });
});
