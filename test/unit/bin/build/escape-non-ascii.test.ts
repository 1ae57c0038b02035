import { expect, it } from 'vitest';
import { escapeNonAscii } from '../../../../bin/build/escape-non-ascii.js';

it('characters of regular expressions are escaped, and mean the same', () => {
  expect(escapeNonAscii('/(?:µs|[\\w￼])/')).toBe('/(?:\\u00b5s|[\\w\\ufffc])/');
  expect(new RegExp(escapeNonAscii('^µs$')).test('µs')).toBe(true);
});

it('a character that is two code units is refused', () => expect(() => escapeNonAscii('/😀/')).toThrow('😀'));
