import { describe, expect, test } from 'vitest';
import { findOffset, indexPositions } from '../../../../generator/load/positions.js';
import { lineCounter } from '../../../../runtime/objects/lines.js';

const at = (text: string, path: (string | number)[], part: 'key' | 'value' = 'value', document = 0): string => {
  const positions = indexPositions(text)[document];
  return positions === undefined ? 'no document' : text.slice(findOffset(positions, path, part)).slice(0, 5);
};

const TEXT = `spec:
  names: { plural: widgets, kind: 'Widget' }
  list:
    - one
    - two: |
        text
      three: >-
        text
  empty:
  "quoted": "value"
`;

describe('findOffset', () => {
  test.each([
    [[], 'value', 'spec:'],
    [['spec'], 'key', 'spec:'],
    [['spec'], 'value', 'names'],
    [['spec', 'names'], 'value', '{ plu'],
    [['spec', 'names', 'kind'], 'key', 'kind:'],
    [['spec', 'names', 'kind'], 'value', "'Widg"],
    [['spec', 'list', 0], 'value', 'one\n '],
    [['spec', 'list', 1], 'value', 'two: '],
    [['spec', 'list', 1, 'two'], 'value', '|\n   '],
    [['spec', 'list', 1, 'three'], 'value', '>-\n  '],
    [['spec', 'empty'], 'value', 'empty'],
    [['spec', 'quoted'], 'key', '"quot'],
    [['spec', 'quoted'], 'value', '"valu'],
  ] as const)('finds %j %s', (path, part, text) => {
    expect(at(TEXT, [...path], part)).toBe(text);
  });

  test('returns the parent for a value that does not exist', () => {
    expect(at(TEXT, ['spec', 'names', 'singular', 'x'])).toBe('{ plu');
    expect(at(TEXT, ['nothing', 'at', 'all'], 'key')).toBe('spec:');
  });

  test('follows aliases and merges', () => {
    const text = 'a: &a { k: value }\nb: *a\nc: { <<: *a }\nd: { <<: [{ x: first }, { x: other, y: second }] }';
    expect(at(text, ['b'])).toBe('*a\nc:');
    expect(at(text, ['b', 'k'])).toBe('value');
    expect(at(text, ['c', 'k'], 'key')).toBe('k: va');
    expect(at(text, ['d', 'x'])).toBe('first');
    expect(at(text, ['d', 'y'])).toBe('secon');
  });

  test('takes the first of two equal keys', () => {
    expect(at('a: first\na: second', ['a'])).toBe('first');
  });

  test('finds values in later documents, also after a document with a syntax error', () => {
    expect(at('a: 1\n---\nb: two', ['b'], 'value', 1)).toBe('two');
    expect(at('a: "\n---\nb: two\n---\nc: [', ['b'], 'value', 1)).toBe('two\n-');
  });

  test('ignores keys of prototypes', () => {
    expect(at('constructor: { toString: text }', ['constructor', 'toString'])).toBe('text}'.slice(0, 4).concat(' '));
  });
});

describe('lineCounter', () => {
  test('counts lines of every kind and characters', () => {
    const place = lineCounter('a\r\nb\rc\n😀d');
    expect(place(0)).toEqual({ line: 1, column: 1 });
    expect(place(3)).toEqual({ line: 2, column: 1 });
    expect(place(5)).toEqual({ line: 3, column: 1 });
    expect(place(9)).toEqual({ line: 4, column: 2 });
  });

  test('returns the end for offsets beyond it', () => {
    expect(lineCounter('')(0)).toEqual({ line: 1, column: 1 });
    expect(lineCounter('a\n')(99)).toEqual({ line: 2, column: 1 });
  });
});
