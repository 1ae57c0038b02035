/** Changes of fields between releases: their paths, their gates, and their keywords. */
import { expect, it } from 'vitest';
import type { Schema } from '../../../../runtime/contract/index.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { defineFieldChanges } from '../../../../runtime/schema/field-changes.js';

const spring: Schema = {
  type: 'object',
  properties: {
    coils: { type: 'integer', 'x-kindforge-introduced': '1.30', 'x-kindforge-feature-gate': 'Coils' },
    name: {
      type: 'string',
      maxLength: 63,
      'x-kindforge-before': { '1.29': { maxLength: 10 }, '1.31': { maxLength: 20 } },
    },
  },
};

const lamp: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        springs: { type: 'array', items: spring },
        byName: { type: 'object', additionalProperties: spring },
        wick: {
          type: 'object',
          'x-kindforge-removed': '1.30',
          properties: { length: { type: 'integer', 'x-kindforge-introduced': '1.28' } },
        },
        later: { type: 'string', 'x-kindforge-introduced': '1.33' },
      },
    },
  },
};

const changes = (from: Parameters<typeof emulate>[0], to: Parameters<typeof emulate>[0], part: 'kinds' | 'machinery') =>
  defineFieldChanges(emulate(from), emulate(to), part)(lamp);

it('has the path of each field that is added, removed, or has other keywords', () => {
  expect(changes('1.29', '1.31', 'kinds')).toEqual([
    { change: 'comes', path: '.spec.springs[].coils', gate: 'Coils' },
    { change: 'changes', path: '.spec.springs[].name', before: { maxLength: 20 }, after: { maxLength: 63 } },
    { change: 'comes', path: '.spec.byName{}.coils', gate: 'Coils' },
    { change: 'changes', path: '.spec.byName{}.name', before: { maxLength: 20 }, after: { maxLength: 63 } },
    { change: 'goes', path: '.spec.wick' },
  ]);
});

it('is reversed if the releases are', () => {
  const turned = { comes: 'goes', goes: 'comes', changes: 'changes' };
  expect(changes('1.31', '1.27', 'kinds').map(({ change, path }) => ({ change: turned[change], path }))).toEqual(
    changes('1.27', '1.31', 'kinds').map(({ change, path }) => ({ change, path })),
  );
  expect(changes('1.31', '1.32', 'kinds')).toEqual([]);
});

it('uses the release of the machinery if the kind belongs to it', () => {
  const paths = (part: 'kinds' | 'machinery') => changes('1.27', undefined, part).map(({ path }) => path);
  expect(paths('kinds')).toEqual([]);
  expect(paths('machinery')).toEqual([
    '.spec.springs[].coils',
    '.spec.springs[].name',
    '.spec.byName{}.coils',
    '.spec.byName{}.name',
    '.spec.wick.length',
    '.spec.later',
  ]);
});
