/** Rules for which the search finds an object that they refuse. */
import { describe, expect, it } from 'vitest';
import { compareSchemas } from '../../../../../generator/diff/compare/compare-schemas.js';
import type { Verdict } from '../../../../../generator/diff/difference.js';
import { createProver } from '../../../../../generator/diff/proof/index.js';
import type { Schema } from '../../../../../runtime/contract/index.js';
import { object, versionOf } from '../../../../support/gate/version.js';

const text: Schema = { type: 'string' };
const ruled = (schema: Schema, rule: string): Schema => ({ ...schema, 'x-kubernetes-validations': [{ rule }] });

/** Returns the verdict on the only difference of two specs, or of two statuses that a subresource writes. */
function verdict(before: Schema, after: Schema, part: 'spec' | 'status' = 'spec'): Verdict | undefined {
  const empty = object({});
  const [old, later] = [before, after].map((each) =>
    part === 'spec' ? versionOf('things', each) : versionOf('things', empty, each),
  );
  if (old === undefined || later === undefined) return undefined;
  const prover = createProver(old, later);
  return compareSchemas(old.version.schema, later.version.schema)
    .map((each) => prover.judge({ resource: 'things.example.com', version: 'v1', ...each }))
    .at(-1);
}

const map: Schema = { type: 'object', additionalProperties: text };
const list: Schema = { type: 'array', items: object({ name: text }, { required: ['name'] }) };

describe('a rule that is new', () => {
  it.each<[string, Schema, string]>([
    ['values of a map', map, 'self.size() < 7'],
    ['the names in a map', map, 'self.all(key, key.size() < 30)'],
    ['a name that a map may not have', map, "!('reserved' in self)"],
    ['items of a list', list, 'size(self) <= 9'],
    ['the length of a text', text, 'self.size() <= 41'],
  ])('is broken by %s', (_what, schema, rule) => {
    expect(verdict(object({ a: schema }), object({ a: ruled(schema, rule) }))).toMatchObject({
      kind: 'break',
      witness: { effect: 'writers' },
    });
  });

  it('about changes of a status is broken by an update of the status subresource', () => {
    const ready: Schema = { type: 'integer' };
    const found = verdict(object({ ready }), object({ ready: ruled(ready, 'self == oldSelf') }), 'status');
    expect(found).toMatchObject({ kind: 'break', effects: ['writers'], witness: { subresource: 'status' } });
    const witness = found?.kind === 'break' ? found.witness : undefined;
    expect(witness?.before?.status).not.toEqual(witness?.object.status);
  });

  it('about a field that may not be removed is broken by an update without it', () => {
    const part = object({ name: text, more: list }, { required: ['name', 'more'] });
    const before = object({ part, a: text, b: text, c: text });
    const found = verdict(before, ruled(before, '!has(oldSelf.part) || has(self.part)'));
    expect(found).toMatchObject({ kind: 'break', witness: { before: { spec: { part: {} } }, object: {} } });
  });

  it('about names is broken by an object with another name', () => {
    const [old, later] = [versionOf('things', object({ a: text })), versionOf('things', object({ a: text }))];
    const schema = ruled(later.version.schema, "self.metadata.name == 'default'");
    const prover = createProver(old, { ...later, version: { ...later.version, schema } });
    const [difference] = compareSchemas(old.version.schema, schema);
    const found = difference && prover.judge({ resource: 'things.example.com', version: 'v1', ...difference });
    expect(found).toMatchObject({
      kind: 'break',
      effects: ['writers', 'stored'],
      witness: { object: { metadata: {} } },
    });
  });
});

describe('a difference of objects that all have one name', () => {
  it('is shown by an object of that name', () => {
    const [old, later] = [{ maxLength: 9 }, { maxLength: 3 }].map((more) => {
      const named = versionOf('things', object({ a: { ...text, ...more } }));
      const schema = ruled(named.version.schema, "self.metadata.name == 'default'");
      return { ...named, version: { ...named.version, schema } };
    });
    const [difference] = old && later ? compareSchemas(old.version.schema, later.version.schema) : [];
    const found =
      old && later && difference
        ? createProver(old, later).judge({ resource: 'things.example.com', version: 'v1', ...difference })
        : undefined;
    expect(found).toMatchObject({ kind: 'break', witness: { object: { metadata: { name: 'default' } } } });
  });
});

describe('a removed field inside a choice with at most one member', () => {
  const choice = object({ b: text, deep: object({ name: text, list: { type: 'array', items: text } }) });
  const before = object({ choice: { ...choice, minProperties: 1, maxProperties: 1 } });

  it('is found', () => {
    const { list: _, ...kept } = choice.properties?.deep?.properties ?? {};
    const deep = object(kept);
    const after = object({ choice: { ...before.properties?.choice, properties: { b: text, deep } } });
    expect(verdict(before, after)).toMatchObject({ kind: 'break', effects: ['writers', 'stored'] });
  });
});

describe('a map that becomes an object with fields', () => {
  it('is shown to break by a name that no field has', () => {
    const found = verdict(object({ m: map }), object({ m: object({ a: text }) }));
    const witness = found?.kind === 'break' ? found.witness : undefined;
    expect(witness?.old).not.toEqual(witness?.new);
    expect(witness?.object.spec).not.toHaveProperty(['m', 'a']);
  });
});

it('a difference that no object can meet is undecided', () => {
  const impossible = { ...text, minLength: 3, maxLength: 1 };
  const found = verdict(
    object({ part: object({ x: impossible, a: text }, { required: ['x'] }) }),
    object({ part: object({ x: impossible, a: { ...text, maxLength: 5 } }, { required: ['x'] }) }),
  );
  expect(found).toMatchObject({ kind: 'undecided', reason: 'no object could be made that has the field' });
});

describe('a removed field of objects with many rules', () => {
  const narrow = (schema: Schema): Schema => ({ ...schema, maxLength: 3 });

  it('is found beside a text that matches the pattern of a rule', () => {
    const image = ruled(text, "self.matches('^[^\\\\./]+(\\\\.[^\\\\./]+)+/[^/:@]+:[a-z]+$')");
    const of = (a: Schema): Schema => object({ image, a }, { required: ['image'] });
    expect(verdict(of(text), of(narrow(text)))).toMatchObject({ kind: 'break', effects: ['writers'] });
  });

  it('is found in an object of the kind that has the field', () => {
    const names = ['first', 'second', 'third'];
    const filter = (a: Schema): Schema => ({
      ...object(
        {
          type: { type: 'string', enum: names },
          ...Object.fromEntries(names.map((name) => [name, object({ a: name === 'third' ? a : text })])),
        },
        { required: ['type'] },
      ),
      'x-kubernetes-validations': names.map((name) => ({ rule: `has(self.${name}) == (self.type == '${name}')` })),
    });
    const of = (a: Schema): Schema => object({ filters: { type: 'array', items: filter(a) } });
    expect(verdict(of(text), of(narrow(text)))).toMatchObject({
      kind: 'break',
      witness: { object: { spec: { filters: [{ type: 'third' }] } } },
    });
  });

  it('is found by an update of a status that removes it', () => {
    const found = verdict(object({ a: text }), ruled(object({ a: text }), '!has(oldSelf.a) || has(self.a)'), 'status');
    expect(found).toMatchObject({ kind: 'break', witness: { subresource: 'status', before: { status: { a: 'a' } } } });
  });
});

it('a null that is kept rather than dropped breaks no client', () => {
  const open: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  expect(verdict(object({ a: object({ b: text }) }), object({ a: open }))).toMatchObject({ kind: 'safe' });
});

describe('a field that depends on the value of another one', () => {
  it('is found beside a text that rules compare with', () => {
    const port: Schema = { 'x-kubernetes-int-or-string': true };
    const of = (code: Schema): Schema =>
      ruled(object({ protocol: port, code }), "!has(self.code) || (has(self.protocol) && self.protocol == 'ICMP')");
    const before = of({ type: 'integer' });
    expect(
      verdict(object({ list: { type: 'array', items: before } }), object({ list: { type: 'array', items: of(text) } })),
    ).toMatchObject({ kind: 'break', witness: { object: { spec: { list: [{ protocol: 'ICMP' }] } } } });
  });

  it('is found with a value that the rules around it accept', () => {
    const of = (cidr: Schema): Schema =>
      ruled(object({ cidr: { ...cidr, format: 'cidr' } }), "!has(self.cidr) || !self.cidr.startsWith('fe80:')");
    expect(verdict(object({ a: of(text) }), object({ a: of({ ...text, maxLength: 8 }) }))).toMatchObject({
      kind: 'break',
    });
  });
});

it('a pattern that any line matches is broken by two lines', () => {
  const found = verdict(object({ a: text }), object({ a: { ...text, pattern: '^.*$' } }));
  expect(found).toMatchObject({ kind: 'break', witness: { object: { spec: { a: expect.stringContaining('\n') } } } });
});
