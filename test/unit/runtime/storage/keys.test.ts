import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareKeys,
  isPlainlyOrdered,
  isUnder,
  keyProblem,
  rangeOf,
  resourceOf,
} from '../../../../runtime/storage/keys.js';

const text = fc.string({ unit: 'grapheme', maxLength: 6 });

describe('keys', () => {
  it('compare like their UTF-8 bytes', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareKeys(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 2000 },
    );
  });

  it('compare by < if one of them is plain', () => {
    fc.assert(
      fc.property(text.filter(isPlainlyOrdered), text, (a, b) => {
        expect(a < b).toBe(compareKeys(a, b) < 0);
      }),
      { numRuns: 2000 },
    );
    expect(isPlainlyOrdered('g/things/ü')).toBe(true);
    expect(isPlainlyOrdered('g/things/\uffee')).toBe(false);
    expect(isPlainlyOrdered('g/things/𝄞')).toBe(false);
  });

  it('are in the range of their prefixes and no others', () => {
    const key = fc
      .array(fc.constantFrom('a', 'b', '/', '0', '.', '𝄞'), { maxLength: 5 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(key, key, (prefix, other) => {
        const range = rangeOf(prefix);
        const inRange = range
          ? compareKeys(other, range.start) >= 0 && (range.end === undefined || compareKeys(other, range.end) < 0)
          : other === prefix;
        expect(inRange).toBe(isUnder(prefix, other));
      }),
      { numRuns: 2000 },
    );
  });

  it('name their resource', () => {
    expect(resourceOf('g/things/ns/name')).toBe('g/things/');
    expect(resourceOf('/pods/ns/name')).toBe('/pods/');
    expect(resourceOf('g/things/')).toBe('g/things/');
    expect(resourceOf('g/')).toBe('');
    expect(resourceOf('')).toBe('');
  });

  it('are refused if they cannot be stored', () => {
    expect(keyProblem('g/things/a')).toBeUndefined();
    expect(keyProblem(`g/things/${'ü'.repeat(700)}`)).toBeUndefined();
    expect(keyProblem(`g/things/${'ü'.repeat(750)}`)).toContain('1500 bytes');
    expect(keyProblem('g/things/')).toContain('incomplete');
    expect(keyProblem('g/things/\udc00')).toContain('surrogate');
    expect(keyProblem('g/things/𝄞')).toBeUndefined();
  });
});
