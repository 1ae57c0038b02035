/** When `metadata.generation` starts and counts, by the rule of the resource. */
import { describe, expect, it } from 'vitest';
import type { GenerationRule, JsonObject } from '../../../../../runtime/contract/index.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import { countGeneration, startGeneration } from '../../../../../runtime/write/stages/generation.js';
import { widget, widgets } from '../../../../support/widgets.js';

const served = (generation: GenerationRule) => serveResource({ ...widgets, generation });

describe('generation of a new object', () => {
  it.each<[GenerationRule, number | undefined]>([
    ['counted', 1],
    ['after-change', undefined],
    ['none', 7],
  ])('%s: starts at %s, whatever the client says', (rule, expected) => {
    const object = widget('a', {}, { generation: 7 });
    startGeneration({ write: { resource: served(rule) }, object });
    expect(object.metadata.generation).toBe(expected);
  });
});

describe('generation of a changed object', () => {
  const counted = (rule: GenerationRule, before: number | undefined, changes: JsonObject): number | undefined => {
    const metadata = before === undefined ? {} : { generation: before };
    const old = widget('a', { size: 1 }, { ...metadata, labels: { a: 'b' } });
    const object = { ...widget('a', { size: 1 }, metadata), ...changes };
    countGeneration({ write: { resource: served(rule) }, object, old });
    return object.metadata.generation;
  };

  it.each<[string, JsonObject, number]>([
    ['the spec', { spec: { size: 2 } }, 5],
    ['a field that came', { extra: true }, 5],
    ['metadata only', {}, 4],
    ['the status', { status: { ready: true } }, 4],
    ['the version it was written in', { apiVersion: 'example.com/v2' }, 4],
  ])('after a change of %s', (_what, changes, expected) => {
    expect(counted('counted', 4, changes)).toBe(expected);
  });

  it('counts a status that has no subresource of its own', () => {
    const resource = serveResource({ ...widgets, subresources: [] });
    const old = widget('a', {}, { generation: 4 });
    const object = { ...widget('a', {}, { generation: 4 }), status: { ready: true } };
    countGeneration({ write: { resource }, object, old });
    expect(object.metadata.generation).toBe(5);
    const same = { ...object, metadata: { generation: 5, labels: { a: 'b' } } };
    countGeneration({ write: { resource }, object: same, old: object });
    expect(same.metadata.generation).toBe(5);
  });

  it('counts a field that went', () => {
    const old = { ...widget('a', { size: 1 }, { generation: 4 }), extra: true, status: { ready: true } };
    const object = widget('a', { size: 1 }, { generation: 4 });
    countGeneration({ write: { resource: served('counted') }, object, old });
    expect(object.metadata.generation).toBe(5);
  });

  it('starts with the first change where creation set none', () => {
    expect(counted('after-change', undefined, { spec: { size: 2 } })).toBe(1);
  });

  it('is left alone where the resource does not count', () => {
    expect(counted('none', 4, { spec: { size: 2 } })).toBe(4);
    expect(counted('none', undefined, { spec: { size: 2 } })).toBeUndefined();
  });
});
