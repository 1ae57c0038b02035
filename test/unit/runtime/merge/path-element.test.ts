/** Steps of paths: texts, order, and how messages show them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalElement,
  inOrder,
  keyElement,
  printPath,
  valueElement,
} from '../../../../runtime/merge/path-element.js';
import { element } from './arbitraries.js';

describe('texts', () => {
  it('escape what the format escapes', () => {
    expect(valueElement('<a&b>\u2028\b"\\b')).toBe('v:"\\u003ca\\u0026b\\u003e\\u2028\\u0008\\"\\\\b"');
    expect(
      keyElement([
        ['name', 'x'],
        ['port', 80],
        ['on', true],
      ]),
    ).toBe('k:{"name":"x","port":80,"on":true}');
    expect(valueElement(2n ** 63n - 1n)).toBe('v:9223372036854775807');
    expect(valueElement({ b: [1, null], a: 'x' })).toBe('v:{"a":"x","b":[1,null]}');
  });

  it.each([...' !"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~\u007fé\u2027\n\t'])(
    'have %j unescaped if JSON does',
    (char) => {
      const escaped = '<>&'.includes(char);
      const json = JSON.stringify(`a${char}b`);
      const expected = escaped ? `"a\\u00${char.charCodeAt(0).toString(16)}b"` : json;
      expect(valueElement(`a${char}b`)).toBe(`v:${expected}`);
    },
  );

  it('are their own canonical form', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const text = valueElement(JSON.parse(JSON.stringify(json)));
        expect(canonicalElement(text)).toBe(text);
      }),
    );
  });
});

describe('order', () => {
  it('is the same wherever the steps come from', () => {
    const shuffled = fc
      .uniqueArray(element, { maxLength: 8 })
      .chain((steps) => fc.tuple(fc.constant(steps), fc.shuffledSubarray(steps, { minLength: steps.length })));
    fc.assert(
      fc.property(shuffled, ([steps, others]) => {
        expect(inOrder(others)).toEqual(inOrder(steps));
      }),
    );
  });

  it('is members, keyed items, set items and indexes, each by content', () => {
    const steps = ['f:a', 'f:b', 'k:{"name":"a"}', 'k:{"name":"b","port":2}', 'k:{"port":9}', 'k:{"port":10}', 'v:2'];
    const more = ['v:10', 'v:"10"', 'v:"2"', 'v:true', 'v:[1]', 'v:{"a":1}', 'i:2', 'i:10'];
    expect(inOrder([...steps, ...more].toReversed())).toEqual([...steps, ...more]);
  });
});

describe('in messages', () => {
  it('look like paths into the object', () => {
    expect(printPath(['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:name'])).toBe(
      '.spec.ports[port=80,protocol="TCP"].name',
    );
    expect(printPath(['f:metadata', 'f:finalizers', 'v:"a/b"'])).toBe('.metadata.finalizers[="a/b"]');
    expect(printPath(['f:list', 'v:1', 'i:3'])).toBe('.list[=1][3]');
    expect(printPath(['f:data', 'f:a b.c'])).toBe('.data.a b.c');
  });
});
