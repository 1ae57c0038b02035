/**
 * Texts for both readers of YAML: the reader of definitions (YAML 1.2, by `yaml`), and the reader of request bodies
 * (like servers in Go, by `js-yaml`). Both return the same value unless the text gives a reason.
 */
import type { JsonValue } from '../../runtime/contract/index.js';

/** The result of a reader: a value or a refusal. */
export type Reading = { readonly value: JsonValue } | 'refused';

export interface YamlText {
  readonly about: string;
  readonly text: string;
  /** The result of both readers, unless they differ. */
  readonly both?: Reading;
  readonly differs?: {
    readonly why: string;
    /**
     * The result of reading definitions. An ambiguous scalar also counts as a refusal, although users only get a
     * warning.
     */
    readonly definitions: Reading;
    readonly bodies: Reading;
  };
}

const same = (about: string, text: string, value: JsonValue): YamlText => ({ about, text, both: { value } });
const refused = (about: string, text: string): YamlText => ({ about, text, both: 'refused' });
const differs = (about: string, text: string, why: string, definitions: Reading, bodies: Reading): YamlText => ({
  about,
  text,
  differs: { why, definitions, bodies },
});

const versions = 'YAML 1.1 and 1.2 disagree, so a definition has to say which it means';
const onlyJson = 'a definition is kept as JSON with texts as keys, and says so before a server turns them into texts';
const dialects = 'servers are laxer than YAML 1.2, and manifests make use of it';

export const yamlTexts: readonly YamlText[] = [
  same('block mappings and lists', 'a:\n  b: 1\n  c:\n  - x\n  - z: 2\n', { a: { b: 1, c: ['x', { z: 2 }] } }),
  same('flow mappings and lists', 'a: {b: 1, c: [x, {z: 2}]}', { a: { b: 1, c: ['x', { z: 2 }] } }),
  same('JSON', '{"a": [1, true, null, "b\\u00e9"]}', { a: [1, true, null, 'bé'] }),
  same('literal blocks', 'a: |\n  b\n   c\n\nd: |-\n  e\nf: |+\n  g\n\nh: i\n', {
    a: 'b\n c\n',
    d: 'e',
    f: 'g\n\n',
    h: 'i',
  }),
  same('folded blocks', 'a: >\n  b\n  c\n\n  d\ne: >-\n  f\n  g\n', { a: 'b c\nd\n', e: 'f g' }),
  same('hints of blocks', 'a:\n  b: |2\n     c\n    d\n', { a: { b: ' c\nd\n' } }),
  same('texts in quotes', 'a: \'it\'\'s\'\nb: "x\\ty\\x41"\nc: "d\n  e"\n', { a: "it's", b: 'x\ty\u0041', c: 'd e' }),
  same('plain texts of several lines', 'a: b\n  c\n\n  d\n', { a: 'b c\nd' }),
  same('comments', '# a\nb: c # d\n# e\nf: g#h\n', { b: 'c', f: 'g#h' }),
  same('lines that end as on Windows', 'a: 1\r\nb:\r\n- c\r\n', { a: 1, b: ['c'] }),
  same('nothing', 'a:\nb: ~\nc: null\nd: Null\n', { a: null, b: null, c: null, d: null }),
  same('booleans', 'a: true\nb: False\nc: TRUE\n', { a: true, b: false, c: true }),
  same('numbers', 'a: [0, -1, 1.5, 1e3, -0.5, .5, 0x1F, 0o17]', { a: [0, -1, 1.5, 1000, -0.5, 0.5, 31, 15] }),
  same('64 bits', 'a: [9223372036854775807, -9223372036854775808]', {
    a: [9223372036854775807n, -9223372036854775808n],
  }),
  same('dates, which are texts', 'a: 2001-12-14\nb: 2001-12-14t21:59:43.10-05:00\n', {
    a: '2001-12-14',
    b: '2001-12-14t21:59:43.10-05:00',
  }),
  same('addresses and times, which are texts', 'a: 12:30:45\nb: 10.0.0.1\nc: fd00::1\n', {
    a: '12:30:45',
    b: '10.0.0.1',
    c: 'fd00::1',
  }),
  same('tags of the core schema', 'a: !!str 1\nb: !!int "2"\nc: !!float 3\nd: !!bool true\ne: !!null ~\n', {
    a: '1',
    b: 2,
    c: 3,
    d: true,
    e: null,
  }),
  same(
    'tags by their whole names',
    '%TAG !y! tag:yaml.org,2002:\n---\na: !y!str 1\nb: !<tag:yaml.org,2002:int> "2"\n',
    {
      a: '1',
      b: 2,
    },
  ),
  same('anchors and aliases', 'a: &x {b: 1}\nc: *x\nd: [*x, &y z, *y]\n', {
    a: { b: 1 },
    c: { b: 1 },
    d: [{ b: 1 }, 'z', 'z'],
  }),
  same('an anchor that is defined twice', 'a: &x 1\nb: &x 2\nc: *x\n', { a: 1, b: 2, c: 2 }),
  same('merges', 'a: &a {x: 1, z: 2}\nb: {<<: *a, z: 3}\n', { a: { x: 1, z: 2 }, b: { x: 1, z: 3 } }),
  same('merges of several', 'a: {<<: [{x: 1}, {x: 2, z: 3}]}\n', { a: { x: 1, z: 3 } }),
  same('merges of merges', 'a: &a {x: 1}\nb: &b {<<: *a, z: 2}\nc: {<<: *b}\n', {
    a: { x: 1 },
    b: { x: 1, z: 2 },
    c: { x: 1, z: 2 },
  }),
  same('merges with their tag', 'a: {!!merge <<: {x: 1}, z: 2}\n', { a: { x: 1, z: 2 } }),
  same('merges with their tag, of an alias', 'a: &a {x: 1}\nb:\n  !!merge <<: *a\n  z: 2\n', {
    a: { x: 1 },
    b: { x: 1, z: 2 },
  }),
  same('a quoted key is not a merge', 'a: {"<<": {x: 1}}\n', { a: { '<<': { x: 1 } } }),
  same(
    'keys named as members of prototypes',
    '__proto__: 1\nconstructor: 2\n',
    JSON.parse('{"__proto__":1,"constructor":2}'),
  ),
  same('explicit keys', '? a\n: b\n? "c d"\n: e\n', { a: 'b', 'c d': 'e' }),
  same('a bracket that ends as far left as its key', 'a: [\n  b\n]\nc: {\n  d: 1\n}\n', { a: ['b'], c: { d: 1 } }),
  same('brackets that continue further left', 'a:\n  b: [\n  c,\n d]\n  e: {f: 1,\ng: 2}\n', {
    a: { b: ['c', 'd'], e: { f: 1, g: 2 } },
  }),
  same('quotes that end further left', 'a:\n  b: \'{\n    "c": 1\n}\'\n', { a: { b: '{ "c": 1 }' } }),
  same('quotes that continue further left', 'a:\n  b: "c\nd\n\ne"\n', { a: { b: 'c d\ne' } }),
  refused('an alias without an anchor', 'a: *x'),
  refused('an alias within its own anchor', 'a: &x [*x]'),
  refused('null as a key', '~: a'),
  refused('a mapping as a key', '? {a: b}\n: c'),
  refused('a merge of a scalar', 'a: {<<: 1}'),
  refused('a scalar that its tag does not fit', 'a: !!int b'),
  refused('a mapping beside a key', 'a: b: c'),
  refused('an open quote', 'a: "b'),
  refused('an open bracket', 'a: [b'),
  refused('a tab that indents', 'a:\n\tb: 1'),
  refused('control characters', 'a: \0'),
  refused('infinite numbers', 'a: .inf'),
  refused('a bomb of aliases', bomb()),
  refused('600 levels', `${'['.repeat(600)}${']'.repeat(600)}`),
  differs(
    'a block without an end of its last line',
    'a: |\n  b',
    'YAML 1.2 has it end as other lines do',
    { value: { a: 'b\n' } },
    { value: { a: 'b' } },
  ),
  differs(
    'halves of surrogate pairs',
    '{a: "\\ud83d\\ude00"}',
    'only JSON writes characters so, which a server reads as JSON',
    { value: { a: '😀' } },
    'refused',
  ),
  differs(
    'a key before a merge that has it too',
    'a: {x: 1, <<: {x: 2}}',
    'by the rules of merges the own key counts; servers take what comes last',
    { value: { a: { x: 1 } } },
    { value: { a: { x: 2 } } },
  ),
  differs('words for booleans', 'a: yes', versions, 'refused', { value: { a: true } }),
  differs('numbers with a leading zero', 'a: 0777', versions, 'refused', { value: { a: 511 } }),
  differs('numbers with underscores', 'a: 1_000', versions, 'refused', { value: { a: 1000 } }),
  differs('keys that are booleans', 'on: a', versions, 'refused', { value: { true: 'a' } }),
  differs('keys that are numbers', '1.10: a', onlyJson, 'refused', { value: { '1.1': 'a' } }),
  differs('keys twice', 'a: 1\na: 2', 'a server warns and takes the last', 'refused', { value: { a: 2 } }),
  differs('tags of others', 'a: !x b', 'a definition has no use for them', 'refused', { value: { a: 'b' } }),
  differs('binary', 'a: !!binary YQ==', 'a definition has no use for it', 'refused', { value: { a: 'a' } }),
  differs(
    'colons before brackets',
    'a: [fd00::]',
    `YAML 1.2 takes this for a key; ${dialects}`,
    { value: { a: [{ 'fd00:': null }] } },
    { value: { a: ['fd00::'] } },
  ),
  differs(
    '400 levels',
    `${'['.repeat(400)}${']'.repeat(400)}`,
    'later steps recurse as deep as a definition is',
    'refused',
    { value: nested(400) },
  ),
];

function bomb(): string {
  const level = (at: number): string => `a${at}: &a${at} [${at === 0 ? 'x' : `*a${at - 1},`.repeat(9)}]`;
  return Array.from({ length: 30 }, (_, at) => level(at)).join('\n');
}

function nested(levels: number): JsonValue {
  let value: JsonValue = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}
