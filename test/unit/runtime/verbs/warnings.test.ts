/** Warning headers: quoted, free of what no header may hold, and of bounded size. */
import { describe, expect, it } from 'vitest';
import { warn } from '../../../../runtime/verbs/verb-request.js';
import { warningHeaders } from '../../../../runtime/verbs/warnings.js';
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
    ['a\r\nSet-Cookie: x', '299 - "a Set-Cookie: x"'],
    ['a\u0000\u007f\u0085b', '299 - "a b"'],
    ['café', '299 - "café"'],
    ['→', String.raw`299 - "\u{2192}"`],
    ['😀', String.raw`299 - "\u{1f600}"`],
  ])('spell %j so that it fits into a header', (text, header) => {
    expect(headersOf(text)).toEqual({ warning: [header] });
  });

  it('stop before they take too much together', () => {
    const texts = Array.from({ length: 100 }, (_, i) => `${i} ${'x'.repeat(100)}`);
    const headers = headersOf(...texts).warning ?? [];
    expect(headers.length).toBeGreaterThan(10);
    expect(headers.join('').length).toBeLessThanOrEqual(4096);
  });

  it('say at least one thing, however long', () => {
    expect(headersOf('x'.repeat(5000), 'y').warning).toHaveLength(1);
  });
});
