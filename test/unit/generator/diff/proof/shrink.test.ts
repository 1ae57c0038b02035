/** Witnesses are as small as possible while they stay true. */
import { expect, it } from 'vitest';
import { shrink } from '../../../../../generator/diff/proof/shrink.js';
import { isObject } from '../../../../../runtime/objects/guards.js';

it('leaves out all fields that are not needed, except apiVersion, kind and metadata', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'Any',
    metadata: { name: 'a' },
    spec: { list: ['x', 'wanted', 'y'], other: { deep: 1 } },
    status: { phase: 'on' },
  };
  const small = shrink(object, (each) => JSON.stringify(each).includes('wanted'));
  expect(small).toEqual({ apiVersion: 'v1', kind: 'Any', metadata: { name: 'a' }, spec: { list: ['wanted'] } });
});

it('makes texts as short as possible', () => {
  const isLong = (object: unknown): boolean =>
    isObject(object) && typeof object.text === 'string' && object.text.length > 3;
  expect(shrink({ text: 'something long' }, isLong).text).toHaveLength(4);
});
