import { expect, it } from 'vitest';
import { readLabelSelector } from '../../../../client/cache/label-selector.js';
import { parseLabelSelector } from '../../../../runtime/objects/selectors/labels.js';

const labelSets: readonly Readonly<Record<string, string>>[] = [
  {},
  { app: 'web' },
  { app: 'web', tier: 'cache' },
  { app: 'db', stage: 'live' },
  { stage: 'test', old: '' },
  { app: '7', size: '12' },
  { app: '3', size: 'twelve' },
  { 'example.com/kind': 'web', app: '' },
];

it.each([
  '',
  'app=web',
  'app==web',
  'app!=web',
  'app',
  '!app',
  ' app = web , tier != cache ',
  'stage in (test, live)',
  'stage notin (test,live),app',
  'example.com/kind=web',
  'app=',
  'app!=',
  '!old,stage',
  'app in (web),tier in (cache)',
  'size>3',
  'app < 7,size>11',
])('%j', (selector) => {
  const parsed = parseLabelSelector(selector);
  if (!parsed.ok) throw new Error(parsed.failure.message);
  const { value } = parsed;
  expect(labelSets.map(readLabelSelector(selector))).toEqual(labelSets.map((labels) => value.matches(labels)));
});

it.each(['app=web,,tier', '=web', 'app in web', 'app in (web', 'a b', '!', 'app=web,', 'app=!x', 'a>b', 'a>'])(
  'refuses %j',
  (selector) => expect(() => readLabelSelector(selector)).toThrow(TypeError),
);
