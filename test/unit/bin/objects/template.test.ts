import { describe, expect, it } from 'vitest';
import { WrongFlag } from '../../../../bin/objects/failure.js';
import { readOutput } from '../../../../bin/objects/output-format.js';
import { cellsOfObject, readColumns, readColumnsFile, readTemplate } from '../../../../bin/objects/template.js';

const object = {
  kind: 'Box',
  none: null,
  wide: 9223372036854775807n,
  half: 0.5,
  on: true,
  items: [
    { name: 'a', ports: [1, 2] },
    { name: 'b', ports: [] },
  ],
  map: { b: '<x>', a: [1, null] },
};

describe('a template', () => {
  it.each([
    ['plain', 'plain'],
    ['{.kind}', 'Box'],
    ['{.kind}{"\\t"}{.half} {.on}\n', 'Box\t0.5 true\n'],
    ['{.wide}', '9223372036854775807'],
    ['{.none}|{.absent}|', 'null||'],
    ['{.items[*].name}', 'a b'],
    ['{.map}', '{"a":[1,null],"b":"\\u003cx\\u003e"}'],
    ['{range .items[*]}{.name}:{range .ports[*]}<{@}>{end}{"\\n"}{end}.', 'a:<1><2>\nb:\n.'],
    ['{range .absent[*]}x{end}', ''],
    ['{"}"}{\'{"\'}{"\\u00e9"}', '}{"é'],
    ["{.items[*]['name','ports']}", 'a b [1,2] []'],
    ['', ''],
  ])('%j is %j', (template, text) => expect(readTemplate(template)(object)).toBe(text));

  it('reads any number of values, at any depth', () => {
    const many = { items: Array.from({ length: 20_000 }, (_, i) => ({ i })) };
    expect(readTemplate('{.items[*].i}')(many).split(' ')).toHaveLength(20_000);
    const text = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
    expect(readTemplate('{.a}')({ a: JSON.parse(text) })).toBe(text);
    expect(cellsOfObject({ a: JSON.parse(text) }, readColumns('A:.a'))[0]).toHaveLength(9_000 * 7 + 1);
  });

  it.each(['{', '{.a', '{"a}', '{"a" .b}', '{"\\q"}', '{range .a}', '{end}', '{a}', '{}', '{.a[x]}'])(
    '%s is refused',
    (template) => expect(() => readTemplate(template)).toThrow(WrongFlag),
  );
});

describe('columns', () => {
  it.each([
    ['A:.kind,B:kind,C:{.kind},D:{kind}', ['Box', 'Box', 'Box', 'Box']],
    ['A:.none,B:.absent,C:.items[*].name', ['<nil>', '<none>', 'a,b']],
    ['A:.map,B:.items', ['map[a:[1 <nil>] b:<x>]', '[map[name:a ports:[1 2]] map[name:b ports:[]]]']],
    ["A:.items[0,1].name,B:.items[?(@.name=='a,b')].name,C:.wide", ['a,b', '<none>', '9223372036854775807']],
  ])('%s', (text, cells) => expect(cellsOfObject(object, readColumns(text))).toEqual(cells));

  it.each(['A', 'A:', ':.a', 'A:.a,', 'A:.a[', 'A:{}'])('%s are refused', (text) =>
    expect(() => readColumns(text)).toThrow(WrongFlag),
  );

  it('in a file have two lines', () => {
    expect(readColumnsFile('KIND  HALF\n.kind  half\n').map(({ heading }) => heading)).toEqual(['KIND', 'HALF']);
    for (const text of ['', 'A B\n.a', '\n.a']) expect(() => readColumnsFile(text)).toThrow(WrongFlag);
  });
});

describe('an output format', () => {
  it.each([
    ['jsno', '-o jsno is not an output format', 'did you mean `json`?'],
    ['json=x', '-o json=x is not an output format', 'did you mean `json`?'],
    ['jsonpath', '-o jsonpath needs a value', "Write it as in -o jsonpath='{.metadata.name}'"],
    ['constructor', '-o constructor is not an output format', 'There are table, wide, yaml'],
  ])('%s is refused', (text, message, advice) =>
    expect(() => readOutput(text)).toThrow(
      expect.objectContaining({ message, advice: [expect.stringContaining(advice)] }),
    ),
  );
});
