/** Recorded writes of ConfigMaps: objects, owners and conflicts after each of them. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject, JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { compileTypedPlan } from '../../../../runtime/merge/index.js';
import { getOwn, isObject, objectAt } from '../../../../runtime/objects/guards.js';
import { managerOf, type RecordedRequest, RecordedServer, withoutTimes, withoutUids } from './recorded-exchanges.js';

interface Step {
  readonly request?: RecordedRequest;
  readonly response?: { readonly status: number; readonly body?: JsonValue };
  readonly pick?: readonly string[];
  /** Waited before the request. */
  readonly sleepMs?: number;
}

const textMap: Schema = { type: 'object', additionalProperties: { type: 'string' } };
const configMap: Schema = {
  type: 'object',
  properties: { data: textMap, binaryData: textMap, immutable: { type: 'boolean' } },
};

/** Nulls become empty texts, and what is empty is absent. */
function normalize(object: ApiObject): ApiObject {
  const { data, binaryData, immutable, ...rest } = object;
  const kept: JsonObject = {};
  if (isObject(data) && Object.keys(data).length > 0) {
    kept.data = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, value ?? '']));
  }
  if (isObject(binaryData) && Object.keys(binaryData).length > 0) kept.binaryData = binaryData;
  if (typeof immutable === 'boolean') kept.immutable = immutable;
  const { creationTimestamp: _, selfLink: __, ...metadata } = rest.metadata;
  for (const key of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const) {
    const value: JsonValue | undefined = metadata[key];
    if (value === null || (value !== undefined && Object.keys(value).length === 0)) delete metadata[key];
    else if (isObject(value)) for (const name of Object.keys(value)) value[name] ??= '';
  }
  return { ...rest, ...kept, metadata };
}

const plan = compileTypedPlan(configMap, 'typed');
const path = /^\/api\/v1\/namespaces\/[^/]+\/configmaps(?:\/([^/?]+))?(?:\?|$)/;

/** What of an answer the ownership layers decide. */
function facts(body: JsonValue | undefined): JsonObject {
  if (!isObject(body)) return {};
  const metadata = objectAt(body, 'metadata');
  const picked = (name: string, whole: JsonValue | undefined): JsonValue => getOwn(body, name) ?? whole ?? null;
  return {
    data: picked('data', undefined),
    labels: picked('metadata.labels', metadata?.labels),
    annotations: picked('metadata.annotations', metadata?.annotations),
    finalizers: picked('metadata.finalizers', metadata?.finalizers),
    managedFields: withoutTimes(picked('metadata.managedFields', metadata?.managedFields)),
  };
}

/** The facts that a recording shows: all of a whole object, those picked of a part. */
function shown(step: Step, all: JsonObject): JsonObject {
  const pick = step.pick;
  if (pick === undefined) return all;
  return Object.fromEntries(Object.entries(all).filter(([name]) => pick.includes(name) || pick.includes(`metadata.${name}`)));
}

function sorted(list: unknown): unknown[] {
  return Array.isArray(list) ? list.map((item) => JSON.stringify(item, ['field', 'message', 'reason'])).sort() : [];
}

/** Steps whose recorded answer follows another rule than this product's, or other layers. */
const elsewhere = [
  // A list of no entries does not reset ownership here.
  /managedFields: an empty list resets/,
];

const areas = ['apply', 'metadata', 'random', 'patch'];
const folder = new URL('../../../../../shared/conformance/suites/', import.meta.url);

describe.skipIf(!existsSync(folder))('recorded writes of ConfigMaps (skipped without ../shared)', () => {
  let compared = 0;
  for (const area of areas) {
    const file = new URL(`${area}.json`, folder);
    const scenarios: { name: string; steps: Step[] }[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
    for (const { name, steps } of scenarios) {
      if (elsewhere.some((pattern) => pattern.test(name))) continue;
      it(`${area}: ${name}`, () => {
        const server = new RecordedServer(plan, { apiVersion: 'v1', kind: 'ConfigMap' }, normalize);
        for (const step of steps) compared += playStep(server, step);
      });
    }
  }

  it('were many', () => expect(compared).toBeGreaterThan(300));
});

/** Plays a step and returns how many answers were compared. */
function playStep(server: RecordedServer, step: Step): number {
  const { request, response } = step;
  if (step.sleepMs !== undefined) server.sleep();
  const match = path.exec(request?.path ?? '');
  if (!request || !match || request.method === 'GET' || request.path?.includes('dryRun')) return 0;
  if (request.method === 'DELETE') {
    if (match[1] !== undefined) server.forget(match[1]);
    return 0;
  }
  const body = request.body;
  const named = isObject(body) ? objectAt(body, 'metadata')?.name : undefined;
  const key = match[1] ?? (typeof named === 'string' ? named : undefined);
  if (key === undefined || !Object.hasOwn(request, 'body')) return 0;
  const conflict = response?.status === 409 && JSON.stringify(response.body).includes('FieldManagerConflict');
  if (response !== undefined && response.status >= 300 && !conflict) return 0;
  const force = request.path?.includes('force=true') ?? false;
  const played = server.play(key, request, managerOf(request), force);
  if (response === undefined) return 0;
  if (played.status === 'refused') {
    const recorded = isObject(response.body) ? response.body : {};
    expect(conflict && played.failure.reason, JSON.stringify([request, played])).toBe('Conflict');
    const causes = getOwn(recorded, 'details.causes') ?? objectAt(recorded, 'details')?.causes ?? null;
    // The reference lists managers in no particular order.
    if (causes !== null) expect(sorted(withoutUids(played.failure.details?.causes))).toEqual(sorted(withoutUids(causes)));
    const message = getOwn(recorded, 'message') ?? null;
    if (message !== null) expect(withoutUids(played.failure.message)).toBe(withoutUids(message));
    return 1;
  }
  expect(conflict, JSON.stringify(request)).toBe(false);
  if (!isObject(response.body)) return 0;
  expect(withoutUids(shown(step, facts(played.object))), JSON.stringify(request)).toEqual(
    withoutUids(shown(step, facts(response.body))),
  );
  return 1;
}
