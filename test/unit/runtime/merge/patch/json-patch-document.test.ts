/** JSON Pointer: parsing, indexes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseIndex,
  parseLooseIndex,
  parseLoosePointer,
  parsePointer,
} from '../../../../../runtime/merge/patch/json-patch-document.js';

describe('pointers', () => {
  it('parse by RFC 6901', () => {
    expect(parsePointer('')).toEqual([]);
    expect(parsePointer('/')).toEqual(['']);
    expect(parsePointer('/a~1b/m~0n/~01')).toEqual(['a/b', 'm~n', '~1']);
    expect(parsePointer('/a~2')).toEqual(['a~2']);
    expect(parsePointer('a')).toBeUndefined();
  });

  it('parse loosely from the first slash on', () => {
    expect(parseLoosePointer('x/a')).toEqual(['a']);
    expect(parseLoosePointer('x')).toBeUndefined();
    expect(parseLoosePointer('')).toEqual([]);
  });

  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (tokens) => {
        const written = tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
        expect(parsePointer(written)).toEqual(tokens);
      }),
    );
  });
});

describe('indexes', () => {
  it('are plain decimals', () => {
    expect(['0', '10', '01', '-1', '1e0', '', '+1', '1.0'].map(parseIndex)).toEqual([0, 10, ...Array(6)]);
  });

  it('may have signs and zeros in the loose dialect', () => {
    expect(['01', '-1', '+1', '1e0', ''].map(parseLooseIndex)).toEqual([1, -1, 1, undefined, undefined]);
  });
});
