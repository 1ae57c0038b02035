/** Handlers of a kind, called through a version that is not the stored one. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, HandlerContext, Handlers, JsonObject } from '../../../../runtime/contract/index.js';
import { versionSource } from '../../../../runtime/resource/other-versions.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import type { ServedResource } from '../../../../runtime/resource/served-resource.js';
import { defineConversion } from '../../../../runtime/schema/index.js';
import { moduleOf } from '../../../support/modules.js';

const stored = serveResource(moduleOf('example.com', 'parts', 'Part', { version: 'v2' }));
const conversion = defineConversion([{ move: { field: 'old', stored: 'new' } }]);
const through = (handlers: Handlers) =>
  serveResource(moduleOf('example.com', 'parts', 'Part', { storage: false, conversion }), { stored, handlers })
    .handlers;

const object = (more: JsonObject): ApiObject => ({ apiVersion: 'example.com/v1', kind: 'Part', metadata: {}, ...more });
const context: HandlerContext = {
  user: { name: 'u', uid: '', groups: [], extra: {} },
  subresource: '',
  now: '2024-05-06T07:08:09Z',
  featureEnabled: () => false,
  warn() {},
};

describe('handlers', () => {
  it('see objects of the stored version', () => {
    const seen: unknown[] = [];
    const handlers = through({
      validate: (each) => {
        seen.push(each.new);
        return [];
      },
      validateUpdate: (each, old) => {
        seen.push([each.new, old.new]);
        return [];
      },
      columns: { Size: (each) => Number(each.new) },
    });
    handlers?.validate?.(object({ old: 1 }), context);
    handlers?.validateUpdate?.(object({ old: 2 }), object({ old: 1 }), context);
    expect(seen).toEqual([1, [2, 1]]);
    expect(handlers?.columns?.Size?.(object({ old: 3 }), 0)).toBe(3);
  });

  it('change objects as if these were of the stored version', () => {
    const handlers = through({
      prepareForCreate: (each) => {
        each.new = 'set';
        delete each.gone;
      },
    });
    const given = object({ old: 'sent', gone: 1 });
    handlers?.prepareForCreate?.(given, context);
    expect(given).toEqual(object({ old: 'set' }));
  });

  it('are all passed on, and receive objects of the stored version', async () => {
    const seen = new Map<string, unknown>();
    const see =
      <R>(hook: string, answer: R) =>
      (each: ApiObject): R => {
        seen.set(hook, each.new);
        return answer;
      };
    const all: Required<Handlers> = {
      changeOrder: ['new'],
      errorOrder: ['new'],
      updateChecks: [],
      subresourceChecks: [],
      checksAgain: 'new',
      metadataChecks: 'last',
      orphanWarning: 'orphans',
      marksFirst: 'alone',
      propagation: () => 'Orphan',
      validateName: () => ['bad'],
      canonicalize: () => {},
      prepareForCreate: see('prepareForCreate', undefined),
      prepareForUpdate: see('prepareForUpdate', undefined),
      prepareForDelete: see('prepareForDelete', undefined),
      prepareChecks: see('prepareChecks', []),
      validate: see('validate', []),
      validateCreate: see('validateCreate', []),
      validateUpdate: see('validateUpdate', []),
      warn: see('warn', []),
      mayRemove: see('mayRemove', true),
      gracePeriod: see('gracePeriod', 1),
      selectableFields: { old: see('selectableFields', 'x') },
      columns: { Size: see('columns', 'x') },
      allocation: {
        holds: (each) => [`held/${each.new}`],
        assign: async (each, old) => {
          seen.set('assign', [each.new, old?.new]);
          each.new = 'given';
          return undefined;
        },
      },
    };
    const made = through(all);
    const { canonicalize: _own, ...passedOn } = all;
    expect(Object.keys(made ?? {}).sort()).toEqual(Object.keys(passedOn).sort());
    const given = object({ old: 'sent' });
    for (const hook of ['prepareForCreate', 'prepareForDelete', 'validate', 'validateCreate'] as const)
      made?.[hook]?.(given, context);
    made?.prepareForUpdate?.(given, given, context);
    made?.prepareChecks?.(given, undefined, context);
    made?.validateUpdate?.(given, given, context);
    made?.warn?.(given, undefined);
    made?.mayRemove?.(given);
    made?.gracePeriod?.(given, undefined);
    made?.selectableFields?.old?.(given);
    made?.columns?.Size?.(given, 0);
    const claims = { isTaken: () => false, take: async () => true, objectsOf: async () => undefined };
    await made?.allocation?.assign(given, object({ old: 'before' }), claims, context);
    expect(seen.get('assign')).toEqual(['sent', 'before']);
    seen.delete('assign');
    expect([...new Set(seen.values())]).toEqual(['sent']);
    expect(seen.size).toBe(12);
    expect(given).toEqual(object({ old: 'given' }));
    const inStore = { apiVersion: 'example.com/v2', kind: 'Part', metadata: {}, new: 'kept' };
    expect([given, inStore].map((each) => made?.allocation?.holds(each))).toEqual([['held/given'], ['held/kept']]);
  });

  it('are absent if the kind has none, and so is canonicalize, which decoding calls', () => {
    expect(through({ canonicalize: () => {} })).toEqual({});
  });
});

const served = new Map<string, ServedResource>();
const sibling = (apiVersion: string) => served.get(apiVersion);
for (const [group, version] of [
  ['', 'v1'],
  ['notes.example.com', 'v1'],
  ['notes.example.com', 'v2'],
] as const) {
  const resource = serveResource(moduleOf(group, 'notes', 'Note', { version }), { sibling });
  served.set(resource.apiVersion, resource);
}

describe('the versions of objects that are served in two groups', () => {
  it.each([
    ['notes.example.com', ['notes.example.com/v1', 'notes.example.com/v2']],
    ['', ['v1']],
  ])('are, for a write in %j, the versions of that group', (group, versions) => {
    const source = versionSource(group, sibling);
    expect([...served.keys()].filter((apiVersion) => source.versionOf(apiVersion)).sort()).toEqual(versions);
  });
});
