/** Warnings for users of deprecated versions. */
import { describe, expect, it } from 'vitest';
import type { Deprecation, Stability } from '../../../../runtime/contract/index.js';
import { deprecationOf } from '../../../../runtime/resource/deprecation.js';
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
