import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exactValue,
  parseFieldSelector,
  splitTerm,
  splitTerms,
  unescapeValue,
  unknownField,
  unsupportedField,
} from '../../../../../runtime/objects/selectors/field-selectors.js';
import { tableRows, tablesAbsent } from '../shared-data.js';

const escapeValue = (value: string): string => value.replace(/[\\,=]/g, '\\$&');

function selects(text: string, fields: Record<string, string>): boolean {
  const parsed = parseFieldSelector(text);
  if (!parsed.ok) throw new Error(parsed.failure.message);
  return parsed.value.matches(fields);
}

function problem(text: string): string | undefined {
  const parsed = parseFieldSelector(text);
  return parsed.ok ? undefined : parsed.failure.message;
}

describe('field selectors', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['', {}, true],
    [',', {}, true],
    ['a=b', { a: 'b' }, true],
    ['a==b', { a: 'c' }, false],
    ['a!=b', {}, true],
    ['a=', {}, true],
    ['a!=', {}, false],
    ['a=b,c!=d,', { a: 'b', c: 'x' }, true],
    ['a=b\\,c\\=d\\\\', { a: 'b,c=d\\' }, true],
    ['constructor=', {}, true],
  ])('%j of %j', (text, fields, expected) => {
    expect(selects(text, fields)).toBe(expected);
  });

  it.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['x in (a,b)', "invalid selector: 'x in (a,b)'; can't understand 'b)'"],
    ['a===b', 'invalid field selector: unescaped character in value: 61'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
    ['a=b\\x', 'invalid field selector: invalid escape sequence: \\x'],
  ])('refuses %j', (text, message) => {
    expect(problem(text)).toBe(message);
  });

  it('have the one value that they allow', () => {
    const parsed = parseFieldSelector('metadata.name=a,x!=b');
    expect(parsed.ok && exactValue(parsed.value, 'metadata.name')).toBe('a');
    expect(parsed.ok && exactValue(parsed.value, 'x')).toBeUndefined();
  });

  it('have two messages for an unknown field', () => {
    expect(unknownField('a').message).toBe(
      '"a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
    expect(unsupportedField('a').message).toBe('field label not supported: a');
  });

  it('read back every escaped value', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(unescapeValue(escapeValue(value))).toEqual({ ok: true, value });
        expect(selects(`a=${escapeValue(value)}`, { a: value })).toBe(true);
      }),
    );
  });
});

describe.skipIf(tablesAbsent)('public tables', () => {
  it('TestSplitTerms', () => {
    const rows = tableRows('apimachinery_pkg_fields', 'TestSplitTerms');
    for (const row of rows) expect(splitTerms(String(row.key))).toEqual(row.case ?? []);
    expect(rows).toHaveLength(13);
  });

  it('TestSplitTerm', () => {
    for (const row of tableRows('apimachinery_pkg_fields', 'TestSplitTerm')) {
      const { lhs, op, rhs, ok } = Object(row.case);
      const split = splitTerm(String(row.key));
      expect(split).toEqual(ok ? { field: lhs, operator: op === '!=' ? '!=' : '=', value: rhs } : undefined);
    }
  });

  it('TestSelectorParse', () => {
    const rows = tableRows('apimachinery_pkg_fields', 'TestSelectorParse').map((row) => String(row.case));
    const refused = ['x=a||y=b', 'x==a==b', 'x=a,b', 'x in (a)', 'x in (a,b,c)', 'x'];
    expect(rows.filter((text) => problem(text) !== undefined)).toEqual(refused);
  });

  it('TestEscapeValue', () => {
    for (const row of tableRows('apimachinery_pkg_fields', 'TestEscapeValue')) {
      if (row.key === undefined) expect(unescapeValue(String(row.case)).ok).toBe(false);
      else expect(escapeValue(String(row.key))).toBe(row.case);
    }
  });
});
