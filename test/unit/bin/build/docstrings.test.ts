import { describe, expect, it } from 'vitest';
import { withoutDocstrings, withoutHead } from '../../../../bin/build/docstrings.js';

describe('withoutDocstrings', () => {
  it('removes docstrings of declarations and members, and keeps the sentence about the file', () => {
    const text = `/** About the file. */
import { a } from './a.js';
/** A constant. */
export const b = {
    /**
     * A member,
     * on two lines.
     */
    c: 1,
};
/** A class. */
/** Twice. */
export class D {
    /** A method. */
    e() { return a; }
}
`;
    expect(withoutDocstrings(text)).toBe(`/** About the file. */
import { a } from './a.js';
export const b = {
    c: 1,
};
export class D {
    e() { return a; }
}
`);
  });

  it.each([
    ['// Why.\nexport const a = 1;\n'],
    ['const a = 1;\n/* Not a docstring. */\nexport const b = a;\n'],
    ['const a = 1;\nexport const b = [/** the first */ a];\n'],
    ['const a = 1; // Why.\n/** b */ export const b = a;\n'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is code.
    ['const a = 1;\nexport const b = `\n/** In a text. */\n${a}\n/** After a value. */\n`;\n'],
    ['const a = 1;\nexport const b = /\\/**a/.test(a);\n'],
  ])('keeps %j', (text) => expect(withoutDocstrings(text)).toBe(text));
});

it('withoutHead removes the sentence about the file, and keeps a docstring', () => {
  const rest = '/** A type. */\nexport interface A {}\n';
  expect(withoutHead(`/** About the file. */\n${rest}`)).toBe(rest);
  expect(withoutHead(rest)).toBe(rest);
});
