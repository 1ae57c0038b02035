import { describe, expect, it } from 'vitest';
import type { ApiObjectLike, ObjectChange, ObjectMeta } from '../../../../client/index.js';
import {
  allOf,
  annotationsChanged,
  anyOf,
  fieldChanged,
  generationChanged,
  labelsChanged,
  type Predicate,
} from '../../../../controllers/kit/index.js';

interface Widget extends ApiObjectLike {
  spec?: { size?: string };
}

const widget = (metadata: ObjectMeta = {}, size = 'small'): Widget => ({
  apiVersion: 'v1',
  kind: 'Widget',
  metadata,
  spec: { size },
});
const change = (before: Widget, object: Widget): ObjectChange<Widget> => ({ type: 'changed', before, object });

const never: Predicate = () => false;
const sizeChanged = fieldChanged<Widget>(({ spec }) => spec?.size);

describe.each<[string, Predicate<Widget>, ObjectMeta, ObjectMeta, boolean]>([
  ['generationChanged', generationChanged, { generation: 1 }, { generation: 2 }, true],
  ['generationChanged', generationChanged, { generation: 1 }, { generation: 1, labels: { a: 'b' } }, false],
  ['generationChanged', generationChanged, { generation: 1 }, { generation: 1, deletionTimestamp: 'now' }, true],
  ['generationChanged', generationChanged, {}, { labels: { a: 'b' } }, true],
  ['labelsChanged', labelsChanged, { labels: { a: 'b' } }, { labels: { a: 'c' } }, true],
  ['labelsChanged', labelsChanged, {}, { labels: {}, annotations: { a: 'b' } }, false],
  ['annotationsChanged', annotationsChanged, {}, { annotations: { a: 'b' } }, true],
  ['annotationsChanged', annotationsChanged, { generation: 1 }, { generation: 2 }, false],
  ['anyOf', anyOf(never, labelsChanged), {}, { labels: { a: 'b' } }, true],
  ['anyOf', anyOf(never, labelsChanged), {}, {}, false],
  ['allOf', allOf(generationChanged, labelsChanged), {}, { labels: { a: 'b' } }, true],
  ['allOf', allOf(never, labelsChanged), {}, { labels: { a: 'b' } }, false],
])('%s', (_name, predicate, before, after, expected) => {
  it(`is ${expected} from ${JSON.stringify(before)} to ${JSON.stringify(after)}`, () =>
    expect(predicate(change(widget(before), widget(after)))).toBe(expected));
});

it('compares the result of a function', () => {
  expect(sizeChanged(change(widget({}, 'small'), widget({ generation: 2 }, 'small')))).toBe(false);
  expect(sizeChanged(change(widget({}, 'small'), widget({}, 'large')))).toBe(true);
});

it.each([generationChanged, labelsChanged, annotationsChanged, sizeChanged])(
  'accepts new and removed objects',
  (predicate) => {
    const object = widget();
    expect(predicate({ type: 'added', object })).toBe(true);
    expect(predicate({ type: 'removed', object, before: object })).toBe(true);
  },
);
