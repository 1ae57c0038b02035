/** Recorded writes of four kinds: objects, owners and conflicts after each of them. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject, JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { getOwn, isObject, objectAt } from '../../../../runtime/objects/guards.js';
import { schemaFunctions } from '../../../../runtime/schema/index.js';
import {
  managerOf,
  type RecordedKind,
  type RecordedRequest,
  RecordedServer,
  withoutTimes,
  withoutUids,
} from './recorded-exchanges.js';

interface Step {
  readonly request?: RecordedRequest;
  readonly response?: { readonly status: number; readonly body?: JsonValue };
  readonly pick?: readonly string[];
  /** The waiting time before the request. */
  readonly sleepMs?: number;
}

interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

const text: Schema = { type: 'string' };
const textMap: Schema = { type: 'object', additionalProperties: text };
const textSet: Schema = { type: 'array', items: text, 'x-kubernetes-list-type': 'set' };

/** Drops empty values; nulls in maps of texts become empty ones. */
function withoutEmpty(object: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    if (value === null || value === undefined) continue;
    if (typeof value !== 'object') kept[key] = value;
    else if (Array.isArray(value)) {
      if (value.length > 0) kept[key] = value.map((item) => (isObject(item) ? withoutEmpty(item) : item));
    } else if (Object.keys(value).length > 0) kept[key] = fillTexts(value);
  }
  return kept;
}

function fillTexts(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, value ?? '']));
}

function normalizeMetadata({ metadata }: ApiObject): ApiObject['metadata'] {
  const { creationTimestamp: _, selfLink: __, ...rest } = metadata;
  return withoutEmpty(rest);
}

const configMap: RecordedKind = {
  kind: 'ConfigMap',
  decoding: 'typed',
  versions: [
    {
      apiVersion: 'v1',
      schema: { type: 'object', properties: { data: textMap, binaryData: textMap, immutable: { type: 'boolean' } } },
    },
  ],
  hasStatus: false,
  normalize: (object) => {
    const { apiVersion, kind, data = null, binaryData = null, immutable = null } = object;
    return { apiVersion, kind, ...withoutEmpty({ data, binaryData, immutable }), metadata: normalizeMetadata(object) };
  },
};

const always = { 'x-kindforge-presence': 'always' } as const;
const claims: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', properties: { name: text, unsuitableNodes: textSet } },
};

const scheduling: RecordedKind = {
  kind: 'PodSchedulingContext',
  decoding: 'typed',
  versions: [
    {
      apiVersion: 'resource.k8s.io/v1alpha2',
      schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', ...always, properties: { potentialNodes: textSet, selectedNode: text } },
          status: { type: 'object', ...always, properties: { resourceClaims: claims } },
        },
      },
    },
  ],
  hasStatus: true,
  normalize: (object) => {
    const { apiVersion, kind } = object;
    const spec = withoutEmpty(objectAt(object, 'spec') ?? {});
    const status = withoutEmpty(objectAt(object, 'status') ?? {});
    return { apiVersion, kind, spec, status, metadata: normalizeMetadata(object) };
  },
};

/** Returns a custom resource as the scenario itself defines it. */
function customResource(definition: JsonObject): RecordedKind {
  const spec = objectAt(definition, 'spec') ?? {};
  const group = String(spec.group);
  const names = objectAt(spec, 'names') ?? {};
  const versions = (Array.isArray(spec.versions) ? spec.versions : []).filter(isObject);
  const schemas = versions.map((version) => {
    const schema: Schema = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema') ?? {};
    return { apiVersion: `${group}/${String(version.name)}`, schema };
  });
  const functions = schemaFunctions(schemas[0]?.schema ?? {}, { decoding: 'structural' });
  return {
    kind: String(names.kind),
    decoding: 'structural',
    versions: schemas,
    hasStatus: versions.some((version) => objectAt(objectAt(version, 'subresources'), 'status') !== undefined),
    normalize: (object) => {
      const copy = structuredClone(object);
      functions.prune(copy, () => {});
      functions.applyDefaults(copy);
      return { ...copy, metadata: normalizeMetadata(object) };
    },
  };
}

/** Returns the paths of a kind's objects, with name and subresource. */
function pathOf(kind: RecordedKind, plural: string): RegExp {
  const groups = kind.versions.map(({ apiVersion }) => (apiVersion === 'v1' ? 'api/v1' : `apis/${apiVersion}`));
  return new RegExp(`^/(${groups.join('|')})/namespaces/[^/]+/${plural}(?:/([^/?]+))?(?:/([^/?]+))?(?:\\?|$)`);
}

/** Returns the part of a response that field ownership decides. */
function facts(body: JsonValue | undefined): JsonObject {
  if (!isObject(body)) return {};
  const metadata = objectAt(body, 'metadata');
  const picked = (name: string, whole: JsonValue | undefined): JsonValue => getOwn(body, name) ?? whole ?? null;
  return {
    data: picked('data', undefined),
    spec: picked('spec', undefined),
    status: picked('status', undefined),
    labels: picked('metadata.labels', metadata?.labels),
    annotations: picked('metadata.annotations', metadata?.annotations),
    finalizers: picked('metadata.finalizers', metadata?.finalizers),
    managedFields: withoutTimes(picked('metadata.managedFields', metadata?.managedFields)),
  };
}

/** Returns the facts of a recording: a whole object, or the recorded fields of a part. */
function shown(step: Step, all: JsonObject): JsonObject {
  const pick = step.pick;
  if (pick === undefined) return all;
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => pick.includes(name) || pick.includes(`metadata.${name}`)),
  );
}

function sorted(list: unknown): unknown[] {
  return Array.isArray(list) ? list.map((item) => JSON.stringify(item, ['field', 'message', 'reason'])).sort() : [];
}

/** Scenarios with recorded answers that follow other rules than this product, or other layers. */
const elsewhere = [
  // An empty list of entries does not reset ownership here.
  /managedFields: an empty list resets/,
  // Bodies that are text, or contain values of earlier answers.
  /unknown and (repeated|duplicate)/,
  /resourceVersion in a patch is a precondition/,
];

const folder = new URL('../../../../../shared/conformance/suites/', import.meta.url);

function scenarios(area: string): Scenario[] {
  const file = new URL(`${area}.json`, folder);
  const all: Scenario[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  return all.filter(({ name }) => !elsewhere.some((pattern) => pattern.test(name)));
}

/** Plays a step and returns how many answers were compared. */
function playStep(server: RecordedServer, at: RegExp, step: Step): number {
  const { request, response } = step;
  if (step.sleepMs !== undefined && step.sleepMs >= 1000) server.sleep();
  const [, prefix, name, subresource = ''] = at.exec(request?.path ?? '') ?? [];
  if (!request || prefix === undefined || request.method === 'GET' || request.path?.includes('dryRun')) return 0;
  const given = isObject(request.body) ? objectAt(request.body, 'metadata')?.name : undefined;
  const key = name ?? (typeof given === 'string' ? given : '');
  if (request.method === 'DELETE') server.delete(key);
  if (request.method === 'DELETE' || key === '' || !Object.hasOwn(request, 'body')) return 0;
  const conflict = response?.status === 409 && JSON.stringify(response.body).includes('FieldManagerConflict');
  if (response !== undefined && response.status >= 300 && !conflict) return 0;
  const apiVersion = prefix.replace(/^apis?\//, '');
  const force = request.path?.includes('force=true') ?? false;
  const played = server.play({ key, apiVersion, subresource, manager: managerOf(request), force, request });
  if (response === undefined || !isObject(response.body)) return 0;
  const context = JSON.stringify([request, played]);
  expect(played.status, context).toBe(conflict ? 'refused' : 'stored');
  if (played.status === 'stored') {
    const recorded = withoutUids(shown(step, facts(response.body)));
    expect(withoutUids(shown(step, facts(played.object))), context).toEqual(recorded);
    return 1;
  }
  const causes = getOwn(response.body, 'details.causes') ?? objectAt(response.body, 'details')?.causes ?? null;
  // The reference lists managers in no particular order.
  if (causes !== null) expect(sorted(withoutUids(played.failure.details?.causes))).toEqual(sorted(withoutUids(causes)));
  const message = getOwn(response.body, 'message') ?? null;
  if (message !== null) expect(withoutUids(played.failure.message)).toBe(withoutUids(message));
  return 1;
}

/** Defines one test for each scenario that writes objects of the kind, and one for their number. */
function replay(
  kindOf: (scenario: Scenario) => RecordedKind | undefined,
  plural: string,
  areas: readonly string[],
  least: number,
): void {
  let compared = 0;
  for (const scenario of areas.flatMap(scenarios)) {
    const kind = kindOf(scenario);
    if (kind === undefined) continue;
    const at = pathOf(kind, plural);
    if (!scenario.steps.some(({ request }) => request?.method !== 'GET' && at.test(request?.path ?? ''))) continue;
    it(scenario.name, () => {
      const server = new RecordedServer(kind);
      for (const step of scenario.steps) compared += playStep(server, at, step);
    });
  }
  it(`are ${least} or more`, () => expect(compared).toBeGreaterThanOrEqual(least));
}

const absent = !existsSync(folder);

describe.skipIf(absent)('recorded writes of ConfigMaps (skipped without ../shared)', () => {
  replay(() => configMap, 'configmaps', ['apply', 'metadata', 'random', 'patch', 'content'], 400);
});

describe.skipIf(absent)('recorded writes of PodSchedulingContexts (skipped without ../shared)', () => {
  replay(() => scheduling, 'podschedulingcontexts', ['apply', 'random', 'patch', 'resources'], 100);
});

describe.skipIf(absent)('recorded writes of custom resources (skipped without ../shared)', () => {
  const defined = ({ steps }: Scenario): RecordedKind | undefined => {
    const bodies = steps.map(({ request }) => request?.body).filter((body) => isObject(body));
    const definition = bodies.find((body) => body.kind === 'CustomResourceDefinition');
    return definition && customResource(definition);
  };
  replay(defined, 'shapes', ['apply'], 50);
});
