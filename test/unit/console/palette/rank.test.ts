/** Ranking names by a typed text. */
import { describe, expect, it } from 'vitest';
import { ranked, scoreOf } from '../../../../packages/console/src/pages/palette/rank.js';

describe('a name', () => {
  it('fits best if it is the text, then if it begins with it, has a word that does, contains it, has its letters', () => {
    const names = ['p-xo-d', 'tripod', 'PersistentOldDisk', 'my-pods', 'pods', 'pod'];
    expect(names.toSorted((a, b) => scoreOf(b, 'POD') - scoreOf(a, 'POD'))).toEqual([
      'pod',
      'pods',
      'my-pods',
      'PersistentOldDisk',
      'tripod',
      'p-xo-d',
    ]);
    expect(scoreOf('node', 'pod')).toBe(0);
  });

  it.each([
    ['CSIDriver', 'cd'],
    ['VolumeCSIDriver', 'csid'],
    ['CSIDriver', 'csdr'],
    ['CustomResourceDefinition', 'crd'],
    ['CustomResourceDefinition', 'crdef'],
    ['ConfigMap', 'cm'],
    ['my-app-7f9c', 'ma7'],
    ['ДругойМир', 'дм'],
  ])('%s is found by the starts of its words: %s', (name, text) => {
    expect(scoreOf(name, text)).toBeGreaterThan(3);
    expect(scoreOf(name, text)).toBeLessThan(4);
  });

  it('is judged at once, however long it and the text are', () => {
    const before = performance.now();
    for (let i = 0; i < 500; i++) scoreOf('aA'.repeat(60), `${'a'.repeat(50)}b`);
    expect(performance.now() - before).toBeLessThan(500);
  });

  it.each(['日本語', 'שלום', '👩‍👩‍👧', '<img src=x>', '.*+?^$', '\u202Eabc'])(
    'fits itself, in any script: %j',
    (name) => {
      expect(scoreOf(name, name)).toBe(6);
      expect(scoreOf(`x-${name}`, name)).toBeGreaterThan(1);
    },
  );

  it('fits an empty text, whatever it is', () => expect(scoreOf('x', '')).toBeGreaterThan(0));
});

describe('entries', () => {
  it('rank by the best of their names, and only some are shown', () => {
    const kinds = [
      { kind: 'Deployment', names: ['deployments', 'deploy'] },
      { kind: 'Pod', names: ['pods', 'po'] },
      { kind: 'PodTemplate', names: ['podtemplates'] },
    ];
    expect(ranked(kinds, 'po', ({ names }) => names, 2).map(({ kind }) => kind)).toEqual(['Pod', 'PodTemplate']);
    expect(ranked(kinds, 'zz', ({ names }) => names, 2)).toEqual([]);
  });
});
