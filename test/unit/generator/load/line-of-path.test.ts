import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lineOfPath } from '../../../../generator/load/line-of-path.js';
import { parseYaml } from '../../../../generator/load/parse-yaml.js';
import { findOffset, indexPositions } from '../../../../generator/load/positions.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { shared } from '../../../support/shared.js';

type Path = readonly (string | number)[];

function* pathsOf(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  // A path that does not exist has the place of the value around it.
  if (isObject(value)) yield [...path, 'nowhere', 0];
  if (Array.isArray(value)) yield [...path, value.length];
  if (Array.isArray(value)) for (const [at, item] of value.entries()) yield* pathsOf(item, [...path, at]);
  else if (isObject(value)) for (const [key, item] of Object.entries(value)) yield* pathsOf(item, [...path, key]);
}

/** Checks all paths of a text: each path that is found by lines must be at the parser's place. */
function told(text: string, take: (index: number) => boolean = () => true): { told: number; all: number } {
  const positions = indexPositions(text);
  const sum = { told: 0, all: 0 };
  for (const [document, value] of parseYaml(text).documents.entries()) {
    const known = positions[document];
    if (known === undefined) throw new Error('the document has no positions');
    for (const path of pathsOf(value)) {
      if (!take(sum.all++)) continue;
      const value = lineOfPath(text, document, path, 'value');
      if (value !== undefined) expect({ path, value }).toEqual({ path, value: findOffset(known, path, 'value') });
      const found = lineOfPath(text, document, path, 'key');
      if (found === undefined) continue;
      sum.told++;
      expect({ document, path, at: found }).toEqual({ document, path, at: findOffset(known, path, 'key') });
    }
  }
  return sum;
}

describe('lineOfPath', () => {
  test.each([
    ['mappings and lists', 'a:\n  b: 1\n  c:\n  - d: 2\n    e:\n      - x\n      - y\n  - f\ng: 3\n', 15, 15],
    [
      'comments, blank lines, and text that looks like keys',
      '# a: 1\n\na: |\n  b: 2\n # no\nb:\n  # c: 1\n\n  c: >-\n     a:\nd: e\n',
      6,
      6,
    ],
    ['keys in quotes', '"a": 1\n\'b\':\n  "c d": 2\n$ref: x\n', 6, 6],
    ['documents, an empty one among them', '---\na: 1\n---\n---\n# none\n---\nb:\n- c: 1\n', 8, 8],
    ['a document before the first mark', '# first\na: 1\n---\nb: 2\n', 4, 4],
    ['lines that end as on Windows', 'a:\r\n  b:\r\n  - c: 1\r\n    d: 2\r\ne: 1\r\n', 10, 10],
    ['what is written in flow style is not told', 'a: { b: 1 }\nc: [1]\nd: 1\n', 4, 8],
    ['nor are merges and aliases', 'a: &a\n  b: 1\nc: *a\nd:\n  <<: *a\n  e: 1\nf: 1\n', 5, 12],
    ['nor is JSON', '{"a": {"b": 1}}\n', 0, 4],
    ['nor is what stands beside a mark', '--- { a: 1 }\n', 0, 2],
    ['nor are texts with directives', '%YAML 1.2\n---\na: 1\n', 0, 2],
  ])('%s', (_what, text, some, all) => {
    expect(told(text)).toEqual({ told: some, all });
  });

  test.each([
    ['a: b\n', ['a'], 'b\n'],
    ['a:   "b: c" # d\n', ['a'], '"b: c'],
    ['a: >-\n  b\n', ['a'], '>-\n  '],
    ['a: # none\n  - b\n', ['a'], '- b\n'],
    ['a:\n- b: { c: 1 }\n', ['a', 0, 'b'], '{ c: '],
    ['a: &x 1\n', ['a'], undefined],
    ['a: !!str 1\n', ['a'], undefined],
    ['a:\nb: 1\n', ['a'], undefined],
  ] as const)('finds where values begin in %j', (text, path, start) => {
    const offset = lineOfPath(text, 0, path, 'value');
    expect(offset === undefined ? undefined : text.slice(offset, offset + 5)).toBe(start);
  });

  test('finds no lines of a missing document, or of paths inside a text', () => {
    expect(lineOfPath('a:\n  b: 1\n', 1, ['a'], 'key')).toBeUndefined();
    expect(lineOfPath('a:\n  b: 1\n', 0, ['a', 'b', 'c'], 'key')).toBeUndefined();
    expect(lineOfPath('a:\n  b\n', 0, ['a', 'b'], 'key')).toBeUndefined();
    expect(lineOfPath('a:\n  b: 1\n', 0, [], 'key')).toBeUndefined();
  });
});

const folder = shared('crds', 'definitions');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));

test.skipIf(files.length === 0)('finds the same lines as the parser in real definitions', () => {
  const sums = files
    .filter((_, index) => index % 24 === 0)
    .map((path) => told(readFileSync(join(folder, path), 'utf8'), (index) => index % 67 === 0));
  expect(sums.reduce((sum, each) => sum + each.told, 0)).toBeGreaterThan(200);
  expect(sums.filter(({ told: some }) => some === 0)).toEqual([]);
});
