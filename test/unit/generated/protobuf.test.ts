import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registry as ofAllReleases } from '../../../generated/registry.js';
import { decodeJson, encodeJson } from '../../../runtime/codec/json.js';
import { ProtobufReader } from '../../../runtime/codec/protobuf/reader.js';
import type {
  JsonObject,
  JsonValue,
  ProtobufMessage,
  ResourceModule,
  Schema,
} from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { kubernetesNaming, platformNaming } from '../../../runtime/objects/names/naming.js';
import { apiRelease, emulate, isReached } from '../../../runtime/objects/release.js';
import { underNaming } from '../../../runtime/registry/module-naming.js';
import { modulesInRelease } from '../../../runtime/registry/modules-in-release.js';
import { serveResource } from '../../../runtime/resource/serve-resource.js';
import { loadAll, type ServedResource } from '../../../runtime/resource/served-resource.js';
import { toObject } from '../../../runtime/write/decode.js';
import { settleEmptyLists } from '../../../runtime/write/stages/fields.js';
import { kindHandlers } from '../../../strategies/index.js';
import { typedObject } from '../../support/arbitrary-typed-objects.js';
import { effort } from '../../support/effort.js';
import { protobufjsType, rewritten } from '../../support/protobufjs-messages.js';
import { type Golden, goldenObjects, hasGolden } from '../runtime/codec/protobuf/reference-messages.js';

/** Random objects of each kind that are sent in JSON and in protobuf. */
const numRuns = effort('KINDFORGE_KIND_OBJECTS', 20, 60);

/** The golden objects are of this release. */
const registry = modulesInRelease(ofAllReleases, emulate('1.27'));

await loadAll(registry);
const kinds = kindHandlers(platformNaming);

const resources = registry.map(
  (module) => [`${module.names.kind} of ${module.group}/${module.version}`, module] as const,
);

/** Returns the stored form of an object that a client sends; undefined if it is refused. */
function stored(resource: ServedResource, sent: JsonObject): JsonObject | undefined {
  const decoded = toObject(resource, structuredClone(sent));
  if (!decoded.ok) return undefined;
  settleEmptyLists(resource.emptyLists, decoded.value.object);
  return decoded.value.object;
}

function codecOf(resource: ServedResource): NonNullable<ServedResource['protobuf']> {
  if (resource.protobuf === undefined) throw new Error('the kind has no protobuf form');
  return resource.protobuf;
}

describe.each(resources.filter(([, { served, virtual }]) => served && !virtual))(
  '%s',
  (_name, module: ResourceModule) => {
    const handlers = kinds.find(({ resource }) => module.storage && resource.source === module.source);
    const resource = serveResource(module, { handlers });

    it('is stored as the same object, whether it was sent in JSON or in protobuf', () => {
      fc.assert(
        fc.property(typedObject(resource.schema), (sent) => {
          const object = stored(resource, sent);
          if (object === undefined) throw new Error('the object is none of the kind');
          // Autoscalers with such a list are refused, and protobuf cannot tell it from none.
          fc.pre(!encodeJson(object).includes('"policies":[]'));
          const body = codecOf(resource).encode(object);
          const decoded = codecOf(resource).decode(body);
          if (!decoded.ok) throw new Error(decoded.problem);
          expect(stored(resource, decoded.value)).toEqual(object);
          expect(Buffer.from(codecOf(resource).encode(decoded.value)).equals(body)).toBe(true);
        }),
        { numRuns },
      );
    });

    it('is read by protobufjs, which writes it again as the same bytes', async () => {
      const { protobuf } = await module.code();
      if (protobuf === undefined) throw new Error('the kind has no protobuf form');
      const type = protobufjsType(protobuf);
      fc.assert(
        fc.property(typedObject(resource.schema), (sent) => {
          const item = codecOf(resource).encodeItem(stored(resource, sent) ?? {});
          expect(rewritten(type, item).toString('hex')).toBe(Buffer.from(item).toString('hex'));
        }),
        { numRuns: 20 },
      );
    });
  },
);

/** Lists messages that are written for fields which the smallest object of a kind does not have, by their place. */
async function messagesOfAbsentFields(module: ResourceModule): Promise<readonly string[]> {
  const { schema, protobuf } = await module.code();
  const messages = Object.assign({}, ...(protobuf?.libraries ?? []), protobuf?.messages);
  const found = new Set<string>();
  const walk = (node: Schema, id: string, seen: readonly string[]): void => {
    if (seen.includes(id)) return;
    const message: ProtobufMessage = messages[id] ?? {};
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      const [, type = '', presence] = message[name] ?? [];
      const isMessage = type.includes('#') && !type.includes(' ');
      if (isMessage && presence === 'always' && child['x-kindforge-presence'] !== 'always') found.add(`${id}.${name}`);
      const within =
        child.items ?? (typeof child.additionalProperties === 'object' ? child.additionalProperties : child);
      walk(within, type.slice(type.lastIndexOf(' ') + 1), [...seen, id]);
    }
  };
  if (protobuf !== undefined) walk(schema, protobuf.message, []);
  return [...found];
}

it('has nothing for times and other messages that an object of a built-in kind does not have', async () =>
  expect((await Promise.all(registry.map(messagesOfAbsentFields))).flat()).toEqual([]));

/** Lists the numbers of the written fields of an object with nothing in the part at `path`. */
function writtenOf(kind: string, version: string, path: readonly number[], object: JsonObject): readonly number[] {
  const module = registry.find((each) => each.names.kind === kind && each.version === version);
  if (module === undefined) throw new Error(`${kind} is no kind`);
  let reader = new ProtobufReader(codecOf(serveResource(module)).encodeItem(object));
  for (const number of path) {
    while (reader.next() && reader.field !== number) reader.skip();
    reader = reader.message();
  }
  const numbers: number[] = [];
  while (reader.next()) {
    numbers.push(reader.field);
    reader.skip();
  }
  return numbers;
}

it.each<[string, string, readonly number[], JsonObject, readonly number[]]>([
  ['CronJob', 'v1', [3], { status: {} }, []],
  ['Job', 'v1', [3], { status: {} }, [4, 5, 6, 7]],
  ['HorizontalPodAutoscaler', 'v1', [3], { status: {} }, [3, 4]],
  ['HorizontalPodAutoscaler', 'v2', [3], { status: {} }, [3, 4]],
  ['Lease', 'v1', [2], { spec: {} }, []],
  ['Node', 'v1', [2, 5], { spec: { taints: [{ key: 'a', effect: 'NoExecute' }] } }, [1, 2, 3]],
  ['Pod', 'v1', [3], { status: {} }, [1, 3, 4, 5, 6, 9, 11, 14]],
  ['Pod', 'v1', [1], { metadata: {} }, [1, 2, 3, 4, 5, 6, 7, 8]],
  ['Pod', 'v1', [3, 2], { status: { conditions: [{ type: 'a', status: 'True' }] } }, [1, 2, 3, 4, 5, 6]],
])('writes of %s %s at %j only what is always there', (kind, version, path, object, numbers) =>
  expect(writtenOf(kind, version, path, object)).toEqual(numbers),
);

/** Removes nulls. JSON of the reference has null for some absent lists, and protobuf has nothing. */
function withoutNulls(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item) ?? null);
  if (!isObject(value)) return value ?? undefined;
  const entries = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(entries.map(([key, child]) => [key, withoutNulls(child)]));
}

/**
 * Removes empty schemas of items. The reference writes null for one that holds neither a schema nor a list, and when
 * read again, null is not such a schema, so nothing is written.
 */
function withoutEmptyItems(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmptyItems);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key, child]) => key !== 'items' || child !== null);
  return Object.fromEntries(entries.map(([key, child]) => [key, withoutEmptyItems(child ?? null)]));
}

describe.skipIf(!hasGolden)('golden objects of the reference', () => {
  const named = registry.map((module) => serveResource(underNaming(module, kubernetesNaming)));
  const resourceOf = ({ group, version, kind }: Golden): ServedResource | undefined =>
    named.find(({ module }) => group === module.group && version === module.version && module.names.kind === kind);
  const objects = hasGolden ? goldenObjects() : [];
  const golden = objects.flatMap((each) => {
    const resource = resourceOf(each);
    return resource === undefined ? [] : [[`${resource.apiVersion} ${each.kind}`, resource, each] as const];
  });

  it('are all of kinds and versions that there are', () => {
    expect(objects).toHaveLength(137);
    expect(objects.filter((each) => resourceOf(each) === undefined).map(({ kind }) => kind)).toEqual([]);
  });

  it('are there for all built-in kinds', () => {
    const found = new Set(golden.map(([, resource]) => resource));
    const isRecorded = ({ module: { stability } }: ServedResource): boolean =>
      stability?.introduced === undefined || isReached(stability.introduced, apiRelease);
    const without = named.filter((resource) => isRecorded(resource) && !found.has(resource));
    // The reference has lost these altogether, or has no object of theirs among the golden ones.
    expect(without.map(({ apiVersion, module }) => `${apiVersion} ${module.names.kind}`)).toEqual([
      'apiextensions.k8s.io/v1beta1 CustomResourceDefinition',
      'apiregistration.k8s.io/v1beta1 APIService',
      'apps/v1beta1 ReplicaSet',
      'extensions/v1beta1 PodSecurityPolicy',
    ]);
  });

  /** Reads an object's protobuf that was written from its JSON, and returns its JSON. */
  const read = (resource: ServedResource, object: JsonObject): JsonValue | undefined => {
    const decoded = toObject(resource, structuredClone(object));
    if (!decoded.ok) throw new Error(decoded.problem);
    expect(decoded.value.unknownFields).toEqual([]);
    const { metadata, ...rest } = decoded.value.object;
    const again = decodeJson(encodeJson(resource.module.withoutMetadata ? rest : { metadata, ...rest }));
    return again.ok ? again.value : undefined;
  };

  it.each(golden)('%s is the same object in JSON', (_kind, resource, { object }) =>
    expect(read(resource, object)).toEqual(withoutEmptyItems(object)),
  );

  it.each(golden)('%s is the same bytes', (_kind, resource, { object, bytes }) =>
    expect(Buffer.from(codecOf(resource).encode(object)).toString('hex')).toBe(bytes.toString('hex')),
  );

  it.each(golden)('%s is the same object', (_kind, resource, { object, bytes }) => {
    const decoded = codecOf(resource).decode(bytes);
    expect(decoded.ok && withoutNulls(decoded.value)).toEqual(withoutNulls(object));
  });
});
