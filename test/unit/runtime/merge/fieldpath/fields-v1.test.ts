/** FieldsV1: reading, printing, canonical order, what is skipped and refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../../runtime/contract/index.js';
import { paths } from '../../../../../runtime/merge/fieldpath/field-set.js';
import { decodeFieldSet, encodeFieldSet, parseFieldSet } from '../../../../../runtime/merge/fieldpath/fields-v1.js';
import { equalSets } from '../../../../../runtime/merge/fieldpath/set-algebra.js';
import { fields, set } from './arbitraries.js';

const canonical = (json: JsonValue): string | undefined => {
  const parsed = parseFieldSet(json);
  return parsed && JSON.stringify(encodeFieldSet(parsed));
};

describe('encoding', () => {
  it('and reading give the same set, by either reader', () => {
    fc.assert(
      fc.property(set, (a) => {
        const json = JSON.parse(JSON.stringify(encodeFieldSet(a)));
        expect(equalSets(decodeFieldSet(json), a)).toBe(true);
        expect(equalSets(parseFieldSet(json) ?? fields(), a)).toBe(true);
        expect(canonical(json)).toBe(JSON.stringify(json));
      }),
    );
  });

  it('marks containers that are owned themselves', () => {
    expect(encodeFieldSet(fields('a', 'a.b', 'c.d'))).toEqual({ 'f:a': { '.': {}, 'f:b': {} }, 'f:c': { 'f:d': {} } });
  });

  it('orders members, keyed items, set items and indexes, each by content', () => {
    const written = {
      'i:10': {},
      'i:9': {},
      'v:true': {},
      'v:"b"': {},
      'v:10': {},
      'v:9': {},
      'k:{"name":"a","port":443}': {},
      'k:{"name":"a","port":80}': {},
      'k:{"name":"a b","port":1}': {},
      'f:b': {},
      'f:a': { 'f:x': {}, '.': {} },
      'f:\ue000': {},
      'f:\u{1f600}': {},
    };
    const printed = JSON.parse(canonical(written) ?? '');
    expect(Object.keys(printed)).toEqual([
      'f:a',
      'f:b',
      'f:\ue000',
      'f:\u{1f600}',
      'k:{"name":"a","port":80}',
      'k:{"name":"a","port":443}',
      'k:{"name":"a b","port":1}',
      'v:9',
      'v:10',
      'v:"b"',
      'v:true',
      'i:9',
      'i:10',
    ]);
    expect(JSON.stringify(printed['f:a'])).toBe('{".":{},"f:x":{}}');
  });
});

describe('reading what clients wrote', () => {
  it('brings steps into canonical form', () => {
    const json = { 'k:{ "port": 80.0, "name": "x" }': {}, 'v: "<a>"': {}, 'i:+07': {} };
    expect(canonical(json)).toBe(
      JSON.stringify({ 'k:{"name":"x","port":80}': {}, 'v:"\\u003ca\\u003e"': {}, 'i:7': {} }),
    );
  });

  it('keeps whole numbers that a double cannot hold', () => {
    expect(canonical({ 'v:9007199254740993': {} })).toBe('{"v:9007199254740993":{}}');
    expect(canonical({ 'k:{"id":9007199254740993}': {} })).toBe('{"k:{\\"id\\":9007199254740993}":{}}');
  });

  it('skips steps of unknown kinds, and takes what holds nothing for the path itself', () => {
    expect(canonical({ 'f:data': { 'q:x': {} } })).toBe('{"f:data":{}}');
    expect(canonical({ 'f:data': 'text' })).toBe('{"f:data":{}}');
    expect(canonical({ 'q:x': {} })).toBe('{}');
    expect(canonical({ '.': {} })).toBe('{}');
  });

  it('refuses a text that is not a step', () => {
    expect(canonical({ fdata: {} })).toBeUndefined();
    expect(canonical({ f: {} })).toBeUndefined();
    expect(canonical({ 'k:name': {} })).toBeUndefined();
    expect(canonical({ 'k:["name"]': {} })).toBeUndefined();
    expect(canonical({ 'v:': {} })).toBeUndefined();
    expect(canonical({ 'i:x': {} })).toBeUndefined();
    expect(canonical({ [`v:${'['.repeat(100_000)}${']'.repeat(100_000)}`]: {} })).toBeUndefined();
  });

  it('keeps `__proto__` a name like any other', () => {
    const parsed = parseFieldSet(JSON.parse('{"f:__proto__":{"f:a":{}}}'));
    expect(parsed && [...paths(parsed)]).toEqual([['f:__proto__', 'f:a']]);
  });
});
