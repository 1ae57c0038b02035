import fc from 'fast-check';
import { dump } from 'js-yaml';
import { expect, it } from 'vitest';
import { escapeTerminal } from '../../../../runtime/objects/terminal.js';

it.each([
  ['plain text, äöü, 漢字 😀', 'plain text, äöü, 漢字 😀'],
  ['a\tb\nc', 'a\tb\nc'],
  ['\u001b[2K\u001b[1A', '^[[2K^[[1A'],
  ['a\rb', 'a\\rb'],
  ['\u001b]0;title\u0007', '^[]0;title^G'],
  ['\u0000\u0008\u007f\u009b', '^@^H\\u007f\\u009b'],
])('escapes %j as %j', (text, escaped) => expect(escapeTerminal(text)).toBe(escaped));

const controls = fc.string({ unit: fc.integer({ min: 0, max: 0xa1 }).map((code) => String.fromCharCode(code)) });

it('leaves no control character except tab and line feed, and changes nothing the second time', () => {
  fc.assert(
    fc.property(controls, (text) => {
      const escaped = escapeTerminal(text);
      expect([...escaped].filter((one) => /\p{Cc}/u.test(one) && one !== '\t' && one !== '\n')).toEqual([]);
      expect(escapeTerminal(escaped)).toBe(escaped);
    }),
  );
});

it('does not change the value of JSON, nor YAML', () => {
  fc.assert(
    fc.property(controls, (text) => {
      expect(JSON.parse(escapeTerminal(JSON.stringify(text)))).toBe(text);
      const yaml = dump({ text });
      expect(escapeTerminal(yaml)).toBe(yaml);
    }),
  );
});
