/** PEM blocks and the text around them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pemBlocks } from '../../../../../runtime/codec/certificates/pem.js';
import { pem } from '../../../../support/certificates.js';

const read = (text: string) =>
  pemBlocks(Buffer.from(text)).map(({ type, hasHeaders, bytes }) => [type, hasHeaders, Buffer.from(bytes).toString()]);

const block = pem('THING', Buffer.from('content'));

describe('pemBlocks', () => {
  it('finds every block in order', () => {
    expect(read(block + pem('OTHER', Buffer.from('more')))).toEqual([
      ['THING', false, 'content'],
      ['OTHER', false, 'more'],
    ]);
  });

  it('skips text before, between and after', () => {
    expect(read(`Subject: x\n\n${block}between\n${block}after`)).toHaveLength(2);
  });

  it('accepts carriage returns, blanks at line ends and an end without a line break', () => {
    expect(read(block.replaceAll('\n', ' \r\n').trimEnd())).toEqual([['THING', false, 'content']]);
  });

  it('reports whether a block has headers', () => {
    expect(read(pem('THING', Buffer.from('content'), 'Proc-Type: 4\nKey: value\n\n'))).toEqual([
      ['THING', true, 'content'],
    ]);
  });

  it.each([
    ['an end of another type', block.replace('END THING', 'END OTHER')],
    ['no end', block.replace('-----END', '-----')],
    ['data that is no base64', block.replace('Y29', '#!#')],
    ['base64 without its padding', block.replace('=', '')],
    ['a first line that does not end', block.replace('BEGIN THING-----', 'BEGIN THING')],
    ['a mark that does not begin its line', block.replace('-----BEGIN', ' -----BEGIN')],
    ['something behind the end', block.trimEnd().concat('x')],
  ])('skips a block with %s, and finds the next', (_what, broken) => {
    expect(read(broken)).toEqual([]);
    expect(read(`${broken}\n${block}`)).toEqual([['THING', false, 'content']]);
  });

  it('finds a block in any surroundings', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('-----'));
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 1 })), text, (contents, around) => {
        const whole = contents.map((bytes) => `${around}\n${pem('A B', bytes)}`).join('');
        const found = pemBlocks(Buffer.from(whole));
        expect(found.map(({ bytes }) => [...bytes])).toEqual(contents.map((bytes) => [...bytes]));
      }),
    );
  });

  it('accepts texts that consist of marks only', () => {
    const lines = ['-----BEGIN A-----\n', '-----END A-----\n', '-----END B-----\n', 'a: b\n', 'AAAA\n'];
    const counts = lines.flatMap((first) => lines.map((second) => read((first + second).repeat(1000)).length));
    // Only a begin mark with its end mark after it makes a block.
    expect(counts.filter((count) => count > 0)).toEqual([1000, 999]);
  });
});
