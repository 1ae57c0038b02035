/** The versions that are served by default. */
import { describe, expect, it } from 'vitest';
import type { ResourceModule, Stability } from '../../../../runtime/contract/index.js';
import { isRemoved, servedByDefault } from '../../../../runtime/registry/served-versions.js';
import { moduleOf } from '../../../support/modules.js';

const inVersion = (version: string, stability?: Stability, plural = 'widgets'): ResourceModule =>
  moduleOf('example.com', plural, 'Widget', { version, ...(stability === undefined ? {} : { stability }) });

const isServed = (...modules: readonly ResourceModule[]): boolean[] => modules.map(servedByDefault(modules));

describe('by default', () => {
  it('a stable version is served, an alpha is not, and one without a stability is', () => {
    expect(
      isServed(inVersion('v1', { level: 'stable' }), inVersion('v1alpha1', { level: 'alpha', introduced: '1.5' })),
    ).toEqual([true, false]);
    expect(isServed(inVersion('v1alpha1'), inVersion('v1beta1'))).toEqual([true, true]);
  });

  it.each([
    ['1.21', true],
    ['1.9', true],
    ['1.22', false],
    ['1.27', false],
    [undefined, false],
  ])('a beta introduced in %s: %s', (introduced, served) => {
    const life: Stability = introduced === undefined ? { level: 'beta' } : { level: 'beta', introduced };
    expect(isServed(inVersion('v1beta1', life))).toEqual([served]);
  });

  it('a later beta is served if the resource had one before 1.22, but not because another resource had one', () => {
    const first = inVersion('v1beta1', { level: 'beta', introduced: '1.20', removed: '1.26' });
    const later = inVersion('v1beta3', { level: 'beta', introduced: '1.26' });
    const other = inVersion('v1beta3', { level: 'beta', introduced: '1.26' }, 'gadgets');
    expect(isServed(later, first, other)).toEqual([true, true, false]);
    const alpha = inVersion('v1alpha1', { level: 'alpha', introduced: '1.20' });
    expect(isServed(alpha, later)).toEqual([false, false]);
  });
});

it('a version is gone from the release on that removes it', () => {
  const version = inVersion('v1', { level: 'stable', removed: '1.27' });
  expect(['1.26', '1.27', '1.28'].map((release) => isRemoved(version, release))).toEqual([false, true, true]);
  expect(isRemoved(inVersion('v1'), '1.27')).toBe(false);
});
