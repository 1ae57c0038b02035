import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../../../../runtime/objects/field-error.js';
import { tokenize } from '../../../../../runtime/objects/selectors/label-parser.js';
import {
  labelSelectorOf,
  parseLabelSelector,
  validateLabelSelector,
} from '../../../../../runtime/objects/selectors/labels.js';
import { tableRows, tablesAbsent } from '../shared-data.js';

function selects(text: string, labels: Record<string, string>): boolean {
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) throw new Error(parsed.failure.message);
  return parsed.value.matches(labels);
}

function problem(text: string): string | undefined {
  const parsed = parseLabelSelector(text);
  return parsed.ok ? undefined : parsed.failure.message;
}

describe('label selectors', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['', {}, true],
    ['  ', { a: 'b' }, true],
    ['a=b', { a: 'b' }, true],
    ['a==b', { a: 'c' }, false],
    ['a!=b', {}, true],
    ['a!=b', { a: 'b' }, false],
    ['a', { a: '' }, true],
    ['!a', { a: '' }, false],
    ['! a', {}, true],
    ['a=', { a: '' }, true],
    ['a=', {}, false],
    ['a in (x,y)', { a: 'y' }, true],
    ['a in ()', { a: '' }, true],
    ['a in (,x)', { a: '' }, true],
    ['a in (x,)', { a: '' }, true],
    ['a in (x,,y)', { a: '' }, true],
    ['a notin (x)', {}, true],
    ['a notin ()', { a: '' }, false],
    ['in in (notin)', { in: 'notin' }, true],
    ['in,notin', { in: '', notin: '' }, true],
    ['a>5', { a: '6' }, true],
    ['a>5', { a: '5' }, false],
    ['a<5', { a: '-7' }, true],
    ['a<5', { a: 'x' }, false],
    ['a<5', {}, false],
    ['a>9223372036854775806', { a: '9223372036854775807' }, true],
    ['a>0', { a: '9223372036854775808' }, false],
    ['x\n=\ta,y', { x: 'a', y: '1' }, true],
    ['constructor', {}, false],
    ['constructor!=x', {}, true],
  ])('%j of %j', (text, labels, expected) => {
    expect(selects(text, labels)).toBe(expected);
  });

  it.each([
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['a=b,', "found '', expected: identifier after ','"],
    [',a', "found ',', expected: !, identifier, or 'end of string'"],
    ['a in', "unable to parse requirement: found '' expected: '('"],
    ['a in (x', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (=', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['a in (x,=', "unable to parse requirement: found '=', expected: ',', or identifier"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['a=!b', "unable to parse requirement: found '!', expected: identifier"],
    ['a===b', "unable to parse requirement: found '=', expected: identifier"],
    [
      'a>b',
      "unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
    [
      'a>',
      "unable to parse requirement: values[0]: Invalid value: \"\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
    ['/a', 'unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty'],
  ])('refuses %j', (text, message) => {
    expect(problem(text)).toBe(message);
  });

  it('reports a wrong value at its place among the sorted values', () => {
    expect(problem('a in (b,-c)')).toMatch(
      /^unable to parse requirement: values\[0\]\[a\]: Invalid value: "-c": a valid label must be/,
    );
  });

  it('ends at a NUL', () => {
    expect(tokenize('a\0b').map(({ kind }) => kind)).toEqual(['identifier', 'end']);
  });

  it('never crash, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab=!(),>< \tin\0é"') }), (text) => {
        expect(['boolean', 'object']).toContain(typeof parseLabelSelector(text).ok);
      }),
    );
  });

  it('take linear time for long texts', () => {
    expect(problem('a=b,'.repeat(200_000))).toBe("found '', expected: identifier after ','");
    expect(problem(`a in (${',x'.repeat(200_000)}`)).toContain("found '', expected");
  });

  it('agree with a simple implementation', () => {
    const name = fc.constantFrom('a', 'b');
    const value = fc.constantFrom('x', 'y', 'z');
    const labels = fc.dictionary(name, value, { noNullPrototype: true });
    fc.assert(
      fc.property(
        name,
        fc.constantFrom('in', 'notin'),
        fc.array(value, { minLength: 1 }),
        labels,
        (key, operator, values, set) => {
          const held = set[key];
          const found = held !== undefined && values.includes(held);
          expect(selects(`${key} ${operator} (${values.join(',')})`, set)).toBe(operator === 'in' ? found : !found);
        },
      ),
    );
  });
});

describe('selector objects', () => {
  it('select nothing when absent and everything when empty', () => {
    const absent = labelSelectorOf(undefined);
    const empty = labelSelectorOf({});
    expect([absent.ok && absent.value.matches({}), empty.ok && empty.value.matches({})]).toEqual([false, true]);
  });

  it('join labels and expressions', () => {
    const made = labelSelectorOf({
      matchLabels: { a: 'b' },
      matchExpressions: [
        { key: 'c', operator: 'In', values: ['x', 'y'] },
        { key: 'd', operator: 'DoesNotExist' },
      ],
    });
    const matches = made.ok ? made.value.matches : () => false;
    expect(matches({ a: 'b', c: 'y' })).toBe(true);
    expect(matches({ a: 'b', c: 'y', d: '' })).toBe(false);
    expect(matches({ c: 'y' })).toBe(false);
  });

  it('refuse unknown operators', () => {
    const made = labelSelectorOf({ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] });
    expect(made.ok ? '' : made.failure.message).toBe('"Gt" is not a valid label selector operator');
  });

  it('are validated field by field', () => {
    const selector = {
      matchLabels: { 'not ok!': 'x' },
      matchExpressions: [
        { key: 'a', operator: 'In' },
        { key: 'a', operator: 'Exists', values: ['x'] },
        { key: 'a', operator: 'Near' },
        { key: 'a', operator: 'In', values: ['-'] },
      ],
    };
    const texts = validateLabelSelector(selector, 'spec.selector').map(fieldErrorText);
    expect(texts[0]).toMatch(/^spec\.selector\.matchLabels: Invalid value: "not ok!": name part must consist/);
    expect(texts.slice(1, 4)).toEqual([
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      'spec.selector.matchExpressions[2].operator: Invalid value: "Near": not a valid selector operator',
    ]);
    expect(texts[4]).toMatch(/^spec\.selector\.matchExpressions\[3\]\.values\[0\]: Invalid value: "-": a valid label/);
  });
});

describe.skipIf(tablesAbsent)('public tables', () => {
  it('TestLabelSelectorParse', () => {
    for (const row of tableRows('apimachinery_pkg_labels', 'TestLabelSelectorParse')) {
      const { selector, labels, valid } = Object(row.case);
      // The table is about selectors of the form `key=value`. All valid ones select their labels.
      if (valid) expect([selector, selects(selector, labels)]).toEqual([selector, true]);
    }
  });

  it('TestSelectorParse', () => {
    const rows = tableRows('apimachinery_pkg_labels', 'TestSelectorParse').map((row) => String(row.case));
    const refused = ['x=a||y=b', 'x==a==b', '!x=a', 'x<a'];
    expect(rows.filter((text) => problem(text) !== undefined)).toEqual(refused);
  });

  it('TestSetSelectorParser', () => {
    const rows = tableRows('apimachinery_pkg_labels', 'TestSetSelectorParser');
    for (const row of rows) {
      const { In, Valid } = Object(row.case);
      expect([In, problem(String(In)) === undefined]).toEqual([In, Valid]);
    }
    expect(rows.length).toBeGreaterThan(30);
  });
});
