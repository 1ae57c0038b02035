/** Warning headers: quoted, free of what no header may hold, and of bounded size. */
import { describe, expect, it } from 'vitest';
import { warn } from '../../../../runtime/request/verb-request.js';
import { warningHeaders } from '../../../../runtime/request/warnings.js';
import { verbRequest } from '../../../support/verb-requests.js';

function headersOf(...texts: string[]) {
  const verb = verbRequest();
  for (const text of texts) warn(verb, text);
  return warningHeaders(verb);
}

describe('warnings', () => {
  it('are no header where there are none', () => {
    expect(headersOf()).toEqual({});
  });

  it('are one header each, in order, each text once', () => {
    expect(headersOf('b', 'a', 'b')).toEqual({ warning: ['299 - "b"', '299 - "a"'] });
  });

  it.each([
    ['unknown field "spec.x"', String.raw`299 - "unknown field \"spec.x\""`],
    ['a\\b', String.raw`299 - "a\\b"`],
    ['café', '299 - "caf\u00c3\u00a9"'],
    ['→', '299 - "\u00e2\u0086\u0092"'],
  ])('spell %j so that it fits into a header', (text, header) => {
    expect(headersOf(text)).toEqual({ warning: [header] });
  });

  it.each(['a\r\nSet-Cookie: x', 'a\tb', 'a\u0000b', 'a\u007fb', 'a\u0085b'])(
    'leave out %j, which no header may hold',
    (text) => {
      expect(headersOf(text)).toEqual({});
      expect(headersOf(text, 'b')).toEqual({ warning: ['299 - "b"'] });
    },
  );

  it('are whole as long as they take little together', () => {
    const texts = ['x'.repeat(4000), 'y'.repeat(96)];
    expect(headersOf(...texts)).toEqual({ warning: texts.map((text) => `299 - "${text}"`) });
  });

  it('are cut where they would take too much', () => {
    const texts = ['x'.repeat(4000), `${'😀'.repeat(255)}ab`, 'z'];
    const [first, second, third] = headersOf(...texts).warning ?? [];
    expect(first).toBe(`299 - "${'x'.repeat(256)}"`);
    expect(Buffer.from(second ?? '', 'latin1').toString()).toBe(`299 - "${'😀'.repeat(255)}a"`);
    expect(third).toBe('299 - "z"');
  });

  it('are left out where even that is too much', () => {
    const texts = Array.from({ length: 100 }, (_, i) => `${i % 10} ${'x'.repeat(98)}${i}`);
    expect(headersOf(...texts).warning).toHaveLength(41);
    const long = Array.from({ length: 100 }, (_, i) => `${i} ${'x'.repeat(1000)}`);
    expect(headersOf(...long).warning).toHaveLength(16);
  });
});
