import { describe, expect, it } from 'vitest';
import { MAX_DOCUMENT_BYTES, parseDocument } from '../../../../generator/import/index.js';

const parse = (text: string) => parseDocument(Buffer.from(text), 'api.json');

describe('the text of a document', () => {
  it('may be JSON or YAML, with integers of 64 bits', () => {
    expect(parse('{"maximum": 9223372036854775807}')).toEqual({ values: [{ maximum: 9223372036854775807n }] });
    expect(parse('a:\n  - b\n')).toEqual({ values: [{ a: ['b'] }] });
  });

  it('may be several documents; empty ones do not count', () => {
    expect(parse('---\na: 1\n---\n---\nb: 2\n')).toEqual({ values: [{ a: 1 }, { b: 2 }] });
  });

  it.each([
    ['', 'api.json: the document is empty'],
    ['{"a": 1,\n "b": }x', /^api\.json:2:\d+ /],
    ['{"a": 1, "a": 2}', /^api\.json:1:10 /],
    ['['.repeat(1000), 'api.json:1:300 nested more than 300 levels deep'],
    [
      `a: &a [1, 1]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [*${i ? `b${i - 1}` : 'a'}, *${i ? `b${i - 1}` : 'a'}]`).join('\n')}`,
      /^api\.json:\d+:\d+ /,
    ],
  ])('is refused with the place of each mistake: %j', (text, problem) => {
    const { problems } = parse(text);
    expect(problems).toHaveLength(1);
    if (typeof problem === 'string') expect(problems?.[0]).toBe(problem);
    else expect(problems?.[0]).toMatch(problem);
  });

  it('is refused if it is not UTF-8, or too large', () => {
    expect(parseDocument(Uint8Array.of(0x61, 0xff), 'x').problems).toEqual([
      'x:1:2 the file is not UTF-8: byte 0xff at offset 1',
    ]);
    expect(parseDocument(new Uint8Array(MAX_DOCUMENT_BYTES + 1), 'x').problems).toEqual([
      `x: the document has ${MAX_DOCUMENT_BYTES + 1} bytes; at most 64 MiB are read`,
    ]);
  });
});
