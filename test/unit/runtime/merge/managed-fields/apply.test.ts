/** Server-side apply: the configurations of each applier, and the resulting object and owners. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject, ManagedFieldsEntry, Schema } from '../../../../../runtime/contract/index.js';
import { fieldSetOf } from '../../../../../runtime/merge/field-set.js';
import { type ApplyRequest, applyConfiguration } from '../../../../../runtime/merge/managed-fields/apply.js';
import { updateManagedFields } from '../../../../../runtime/merge/managed-fields/update.js';
import { compileTypedPlan } from '../../../../../runtime/merge/typed/compile.js';
import { objectAt } from '../../../../../runtime/objects/guards.js';
import { shape } from '../typed/shapes.js';

const plan = compileTypedPlan(shape, 'structural');
const time = (second: number): string => `2024-01-01T00:00:${String(second).padStart(2, '0')}Z`;

type Rest = Partial<ApplyRequest>;

/** A world with one object in it. */
class World {
  live: ApiObject | undefined;
  clock = 0;

  request(manager: string, spec: JsonObject, rest: Rest = {}): ApplyRequest {
    const applied = { apiVersion: 'g/v1', kind: 'Shape', metadata: { name: 'x' }, spec };
    const base = { plan, applied, manager, apiVersion: 'g/v1', subresource: '', force: false, now: time(++this.clock) };
    return { ...base, ...(this.live === undefined ? {} : { live: this.live }), ...rest };
  }

  /** Calls apply, and returns the message of the failure, if any. */
  apply(manager: string, spec: JsonObject, rest: Rest = {}): string | undefined {
    const result = applyConfiguration(this.request(manager, spec, rest));
    if (!result.ok) return result.failure.message;
    this.live = result.value;
    return undefined;
  }

  update(manager: string, change: (object: ApiObject) => void): void {
    const created: ApiObject = { apiVersion: 'g/v1', kind: 'Shape', metadata: { name: 'x' } };
    const next = structuredClone(this.live ?? created);
    change(next);
    const write = { plan, next, manager, apiVersion: 'g/v1', subresource: '', now: time(++this.clock) };
    const entries = updateManagedFields(this.live === undefined ? write : { ...write, live: this.live });
    if (entries === undefined) delete next.metadata.managedFields;
    else next.metadata.managedFields = entries;
    this.live = next;
  }

  get spec(): unknown {
    return this.live?.spec;
  }

  get owners(): unknown {
    return Object.fromEntries((this.live?.metadata.managedFields ?? []).map(ownerOf));
  }
}

const ownerOf = ({ manager, operation, fieldsV1 }: ManagedFieldsEntry): [string, unknown] => [
  `${manager} ${operation}`,
  fieldsV1?.['f:spec'] ?? fieldsV1,
];

it('names the first thousand conflicts, and counts the rest', () => {
  const open: Schema = { type: 'object', additionalProperties: { type: 'string' } };
  const wide = compileTypedPlan({ type: 'object', properties: { spec: open } }, 'structural');
  const values = (value: string) => Object.fromEntries(Array.from({ length: 1002 }, (_, i) => [`k${i}`, value]));
  const world = new World();
  expect(world.apply('one', values('a'), { plan: wide })).toBeUndefined();
  const result = applyConfiguration(world.request('two', values('b'), { plan: wide }));
  if (result.ok) throw new Error('there is no conflict');
  const { message, details } = result.failure;
  expect(details?.causes).toHaveLength(1000);
  expect(message.split('\n')).toHaveLength(1002);
  expect(message).toMatch(/^Apply failed with 1002 conflicts: conflicts with "one":\n- \.spec\.k0\n/);
  expect(message).toMatch(/\nand 2 more$/);
});

it('returns objects of its own, which the caller may change', () => {
  const nested: Schema = { type: 'object', 'x-kindforge-presence': 'always', properties: { a: { type: 'string' } } };
  const spec: Schema = { type: 'object', 'x-kindforge-presence': 'always', properties: { nested, b: nested } };
  const typed = compileTypedPlan({ type: 'object', properties: { spec } }, 'typed');
  const first = new World();
  expect(first.apply('m', { b: { a: '1' } }, { plan: typed })).toBeUndefined();
  const part = objectAt(objectAt(first.live, 'spec'), 'nested');
  if (part) part.a = 'changed';
  const second = new World();
  expect(second.apply('m', { b: { a: '1' } }, { plan: typed })).toBeUndefined();
  expect(JSON.stringify(second.spec)).not.toContain('changed');
  expect(part).toBeDefined();
});

describe('applying', () => {
  it('creates missing fields and owns the fields of the configuration', () => {
    const world = new World();
    world.apply('a', { size: 'x', labels: { l: '1' }, pair: { left: 'y' } });
    expect(world.live).toEqual({
      apiVersion: 'g/v1',
      kind: 'Shape',
      metadata: {
        name: 'x',
        managedFields: [
          {
            manager: 'a',
            operation: 'Apply',
            apiVersion: 'g/v1',
            time: time(1),
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:spec': { 'f:labels': { 'f:l': {} }, 'f:pair': { 'f:left': {} }, 'f:size': {} } },
          },
        ],
      },
      spec: { size: 'x', labels: { l: '1' }, pair: { left: 'y' } },
    });
  });

  it('again changes nothing and reports it', () => {
    const world = new World();
    world.apply('a', { size: 'x', set: ['s'] });
    const again = applyConfiguration(world.request('a', { size: 'x', set: ['s'] }));
    expect(again).toEqual({ ok: true, value: world.live });
    expect(again.ok && again.value.metadata.managedFields).toBe(world.live?.metadata.managedFields);
  });

  it('removes fields that the applier releases and nobody else owns', () => {
    const world = new World();
    world.apply('a', { size: 'x', labels: { l: '1', m: '1' }, ports: [{ port: 1 }, { port: 2 }] });
    world.apply('b', { labels: { m: '1' } });
    world.apply('a', { size: 'x', ports: [{ port: 2 }] });
    expect(world.spec).toEqual({ size: 'x', labels: { m: '1' }, ports: [{ port: 2 }] });
    world.apply('a', {});
    expect(world.spec).toEqual({ labels: { m: '1' } });
    world.apply('b', {});
    expect(world.live?.metadata.managedFields).toEqual([
      expect.objectContaining({ fieldsV1: { 'f:spec': {} } }),
      expect.anything(),
    ]);
  });

  it('keeps metadata, whoever releases the last of it', () => {
    const world = new World();
    const applied = { apiVersion: 'g/v1', kind: 'Shape', metadata: { name: 'x', labels: { l: '1' } } };
    world.apply('a', {}, { applied });
    world.update('u', (object) => {
      object.metadata.uid = 'u';
    });
    world.apply('a', { size: 'x' });
    expect(world.live?.metadata).toEqual({ name: 'x', uid: 'u', managedFields: [expect.anything()] });
  });

  it('keeps the part that updaters own of a field that an applier releases', () => {
    const world = new World();
    world.apply('a', { size: 'x', pair: { left: 'l' } });
    world.update('u', (object) => {
      object.spec = { size: 'y', pair: { left: 'l', right: 'r' } };
    });
    world.apply('a', {});
    expect(world.spec).toEqual({ size: 'y', pair: { right: 'r' } });
  });

  it('removes list items with all their fields, whoever owns parts of them', () => {
    const world = new World();
    world.apply('a', { ports: [{ port: 1 }, { port: 2 }] });
    world.update('u', (object) => {
      object.spec = { ports: [{ port: 1, note: 'n' }, { port: 2 }] };
    });
    world.apply('a', { ports: [{ port: 2 }] });
    expect(world.spec).toEqual({ ports: [{ port: 2 }] });
  });

  it('shares fields with the same value', () => {
    const world = new World();
    world.apply('a', { size: 'x' });
    world.apply('b', { size: 'x' });
    expect(world.owners).toEqual({ 'a Apply': { 'f:size': {} }, 'b Apply': { 'f:size': {} } });
    expect(world.live?.metadata.managedFields?.map(({ time: at }) => at)).toEqual([undefined, time(1)]);
  });

  it('merges lists by item, new ones after the items that they follow', () => {
    const world = new World();
    world.apply('a', { set: ['a', 'b', 'c'] });
    world.apply('b', { set: ['b', 'x'] });
    expect(world.spec).toEqual({ set: ['a', 'b', 'c', 'x'] });
    world.apply('b', { set: ['x', 'b'] });
    expect(world.spec).toEqual({ set: ['a', 'b', 'c', 'x'] });
  });

  it('takes over the order of keyed items if it names all, and of no others', () => {
    const world = new World();
    const items = (...numbers: number[]) => ({ ports: numbers.map((port) => ({ port, name: `n${port}` })) });
    world.apply('a', items(1, 2, 3));
    const before = world.live;
    world.apply('b', items(2, 1));
    expect(world.spec).toEqual(items(1, 2, 3));
    world.apply('a', items(3, 1, 2));
    expect(world.spec).toEqual(items(3, 1, 2));
    expect(before?.spec).toEqual(items(1, 2, 3));
  });

  it('changes only the fields of its path', () => {
    const world = new World();
    const resetFields = fieldSetOf([['f:spec', 'f:size']]);
    world.apply('a', { size: 'x', count: 1 }, { resetFields });
    expect(world.owners).toEqual({ 'a Apply': { 'f:count': {} } });
  });

  it('never changes its input', () => {
    const world = new World();
    world.apply('a', { labels: { l: '1' }, ports: [{ port: 1 }] });
    const request = world.request('b', { labels: { m: '1' }, ports: [{ port: 1, name: 'n' }] });
    const before = structuredClone([request.live, request.applied]);
    applyConfiguration(request);
    expect([request.live, request.applied]).toEqual(before);
  });
});

describe('objects as deep as decoding allows', () => {
  it('are compared, merged and given up', () => {
    let deep: JsonObject = { end: 1 };
    for (let i = 0; i < 995; i++) deep = { x: deep };
    const world = new World();
    expect(world.apply('a', { anything: deep })).toBeUndefined();
    world.update('u', (object) => {
      object.metadata.labels = { l: '1' };
      object.spec = { anything: deep, size: 'x' };
    });
    expect(world.apply('b', { anything: structuredClone(deep) })).toBeUndefined();
    expect(world.apply('a', {})).toBeUndefined();
    expect(world.apply('b', {})).toBeUndefined();
    expect(world.spec).toEqual({ size: 'x' });
  });
});

describe('conflicts', () => {
  const conflicted = (): World => {
    const world = new World();
    world.apply('a', { size: 'x', count: 1 });
    world.update('u', (object) => {
      object.spec = { size: 'x', count: 1, labels: { l: '1' } };
    });
    return world;
  };

  it('have one cause per field and manager', () => {
    const world = conflicted();
    const result = applyConfiguration(world.request('b', { size: 'y', count: 2, labels: { l: '2' } }));
    expect(result.ok || result.failure).toEqual({
      reason: 'Conflict',
      message:
        'Apply failed with 3 conflicts: conflicts with "a":\n- .spec.count\n- .spec.size\nconflicts with "u" using g/v1:\n- .spec.labels.l',
      details: {
        causes: [
          { reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.spec.count' },
          { reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.spec.size' },
          { reason: 'FieldManagerConflict', message: 'conflict with "u" using g/v1', field: '.spec.labels.l' },
        ],
      },
    });
    expect(world.apply('b', { count: 2 })).toBe('Apply failed with 1 conflict: conflict with "a": .spec.count');
  });

  it('name the subresource', () => {
    const world = new World();
    world.apply('a', { size: 'x' }, { subresource: 'status' });
    const message = 'Apply failed with 1 conflict: conflict with "a" with subresource "status": .spec.size';
    expect(world.apply('b', { size: 'y' })).toBe(message);
    expect(world.apply('a', { size: 'y' })).toBe(message);
  });

  it('are overcome by force, which takes the fields', () => {
    const world = conflicted();
    expect(world.apply('b', { size: 'y' }, { force: true })).toBeUndefined();
    expect(world.spec).toEqual({ size: 'y', count: 1, labels: { l: '1' } });
    expect(world.owners).toEqual({
      'a Apply': { 'f:count': {} },
      'b Apply': { 'f:size': {} },
      'u Update': { 'f:labels': { '.': {}, 'f:l': {} } },
    });
  });

  it('do not occur if the value is the same, or nobody owns it', () => {
    const world = conflicted();
    expect(world.apply('b', { size: 'x', pair: { left: 'l' } })).toBeUndefined();
  });

  it('come for whole atomic lists and maps', () => {
    const world = new World();
    world.apply('a', { plain: ['x'], atomicLabels: { x: '1' } });
    expect(world.apply('b', { plain: ['y'], atomicLabels: { y: '1' } })).toBe(
      'Apply failed with 2 conflicts: conflicts with "a":\n- .spec.atomicLabels\n- .spec.plain',
    );
  });
});

describe('an object without owners', () => {
  it('has no particular owner before the first apply', () => {
    const world = new World();
    world.live = { apiVersion: 'g/v1', kind: 'Shape', metadata: { name: 'x' }, spec: { size: 'x', count: 1 } };
    const message = 'Apply failed with 1 conflict: conflict with "before-first-apply" using g/v1: .spec.size';
    expect(world.apply('a', { size: 'y' })).toBe(message);
    expect(world.apply('a', { size: 'x' })).toBeUndefined();
    expect(world.owners).toEqual({
      'a Apply': { 'f:size': {} },
      'before-first-apply Update': { '.': {}, 'f:count': {}, 'f:size': {} },
    });
  });
});

describe('refusals', () => {
  const world = new World();
  const message = (applied: JsonObject): string | undefined => {
    const result = applyConfiguration({ ...world.request('a', {}), applied });
    return result.ok ? undefined : `${result.failure.reason}: ${result.failure.message}`;
  };
  const base = { apiVersion: 'g/v1', kind: 'Shape', metadata: { name: 'x', namespace: 'ns' } };

  it('of another version', () => {
    const text = 'Incorrect version specified in apply patch. Specified patch version: g/v2, expected: g/v1';
    expect(message({ ...base, apiVersion: 'g/v2' })).toBe(`BadRequest: ${text}`);
    expect(message({})).toMatch(/Specified patch version: , expected: g\/v1$/);
  });

  it('of managed fields, except null', () => {
    const refused = 'BadRequest: metadata.managedFields must be nil';
    expect(message({ ...base, metadata: { name: 'x', managedFields: [] } })).toBe(refused);
    expect(message({ ...base, metadata: { name: 'x', managedFields: null } })).toBeUndefined();
  });

  it('of values that do not match the type, with all mistakes', () => {
    const prefix = 'BadRequest: failed to create typed patch object (ns/x; g/v1, Kind=Shape): ';
    expect(message({ ...base, spec: { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] } })).toBe(
      `${prefix}.spec.ports: duplicate entries for key [port=1,protocol="TCP"]`,
    );
    expect(message({ ...base, spec: { size: 1, nope: 2 } })).toBe(
      `${prefix}errors:\n  .spec.size: expected string, got number\n  .spec.nope: field not declared in schema`,
    );
    expect(message({ ...base, metadata: 'text' })).toMatch(
      /\(\/; g\/v1, Kind=Shape\): \.metadata: expected map, got string$/,
    );
  });

  it('do not concern fields with inherited names', () => {
    expect(message({ ...base, spec: { labels: { constructor: 'x', toString: 'y' } } })).toBeUndefined();
  });
});

describe('the move from client-side apply', () => {
  const annotation = 'example.com/last-applied';
  const clientSide = { manager: 'cli', annotation };
  const lastApplied = (spec: JsonObject): string =>
    JSON.stringify({ apiVersion: 'g/v1', kind: 'Shape', metadata: { name: 'x' }, spec });

  const world = (): World => {
    const created = new World();
    created.update('client', (object) => {
      object.metadata.annotations = { [annotation]: lastApplied({ count: 1, size: 'x' }) };
      object.spec = { size: 'x', count: 1, labels: { l: '1' } };
    });
    return created;
  };

  it('takes over the fields that this client applied before, and updates the annotation', () => {
    const moved = world();
    expect(moved.apply('cli', { size: 'y', count: 1 }, { clientSide })).toBeUndefined();
    expect(moved.spec).toEqual({ size: 'y', count: 1, labels: { l: '1' } });
    expect(moved.live?.metadata.annotations?.[annotation]).toBe(`${lastApplied({ count: 1, size: 'y' })}\n`);
  });

  it('conflicts over fields with another value by now, and over fields never applied', () => {
    const changed = world();
    changed.update('human', (object) => {
      object.spec = { size: 'z', count: 1, labels: { l: '1' } };
    });
    const messageOfOne = (path: string): RegExp => new RegExp(`^Apply failed with 1 conflict: .*: ${path}$`);
    expect(changed.apply('cli', { size: 'y', count: 2 }, { clientSide })).toMatch(messageOfOne('.spec.size'));
    expect(world().apply('cli', { labels: { l: '2' } }, { clientSide })).toMatch(messageOfOne('.spec.labels.l'));
  });

  it('applies to that client only', () => {
    expect(world().apply('other', { size: 'y' }, { clientSide })).toMatch(/^Apply failed with 1 conflict/);
    expect(world().apply('cli', { size: 'y' })).toMatch(/^Apply failed with 1 conflict/);
  });

  it('removes the annotation if it would be too large', () => {
    const moved = world();
    moved.update('client', (object) => {
      object.metadata.annotations = { ...object.metadata.annotations, big: 'x'.repeat(256 * 1024) };
    });
    expect(moved.apply('cli', { size: 'y', labels: { l: '1' } }, { clientSide })).toBeUndefined();
    expect(Object.keys(moved.live?.metadata.annotations ?? {})).toEqual(['big']);
  });

  it('ignores an annotation without a configuration of this version', () => {
    for (const text of ['nonsense', '[]', '{"apiVersion":"g/v0","spec":{"size":"x"}}']) {
      const broken = world();
      broken.update('client', (object) => {
        object.metadata.annotations = { [annotation]: text };
      });
      expect(broken.apply('cli', { size: 'y' }, { clientSide })).toMatch(/^Apply failed with 1 conflict/);
    }
  });
});

describe('several versions', () => {
  const renamed: Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { bulk: { type: 'string' } } } },
  };
  const oldPlan = compileTypedPlan(renamed, 'structural');
  const rename = (object: JsonObject, from: string, to: string): JsonObject => {
    const { [from]: value, ...rest } = objectAt(object, 'spec') ?? {};
    return { ...object, spec: value === undefined ? rest : { ...rest, [to]: value } };
  };
  const versions: NonNullable<ApplyRequest['versions']> = {
    versionOf: (version) => (version === 'g/v1' ? { plan } : version === 'g/v0' ? { plan: oldPlan } : undefined),
    convert: (object, _from, to) => ({
      ok: true,
      value: to === 'g/v0' ? rename(object, 'size', 'bulk') : rename(object, 'bulk', 'size'),
    }),
  };

  it("name conflicts under their owners' names of the fields", () => {
    const world = new World();
    const applied = { apiVersion: 'g/v0', kind: 'Shape', metadata: { name: 'x' }, spec: { bulk: 'x' } };
    world.apply('a', {}, { applied, apiVersion: 'g/v0', plan: oldPlan, versions });
    world.live = {
      ...rename(world.live ?? {}, 'bulk', 'size'),
      apiVersion: 'g/v1',
      kind: 'Shape',
      metadata: world.live?.metadata ?? {},
    };
    expect(world.apply('b', { size: 'y' }, { versions })).toMatch(/: \.spec\.bulk$/);
    expect(world.apply('a', { count: 1 }, { versions })).toBeUndefined();
    expect(world.spec).toEqual({ count: 1 });
  });

  it('that were removed fail the apply to a custom resource', () => {
    const world = new World();
    const entry = { manager: 'a', operation: 'Update', apiVersion: 'g/v9', fieldsType: 'FieldsV1' } as const;
    world.live = { apiVersion: 'g/v1', kind: 'Shape', metadata: { managedFields: [entry] }, spec: { size: 'x' } };
    const gone = 'request to convert CR to an invalid group/version: g/v9';
    for (const known of [{ versions }, {}])
      expect(world.apply('b', { count: 1 }, { ...known, isCustom: true })).toBe(gone);
    expect(world.apply('b', { count: 1 }, { versions })).toBeUndefined();
  });

  it('fail the apply when a conversion fails', () => {
    const world = new World();
    const entry = {
      manager: 'a',
      operation: 'Apply',
      apiVersion: 'g/v0',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:bulk': {} } },
    } as const;
    world.live = { apiVersion: 'g/v1', kind: 'Shape', metadata: { managedFields: [entry] }, spec: { size: 'x' } };
    const failure = { reason: 'InternalError', message: 'no way' } as const;
    const broken = { ...versions, convert: () => ({ ok: false, failure }) as const };
    expect(world.apply('b', { size: 'x' }, { versions: broken })).toBe('no way');
  });
});
