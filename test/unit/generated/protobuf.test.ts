/** The protobuf form of every built-in kind: objects come back from it, and are the bytes that the reference has. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../generated/registry.js';
import type { JsonObject, JsonValue, ResourceModule } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { kubernetesNaming, platformNaming } from '../../../runtime/objects/naming.js';
import { toObject } from '../../../runtime/pipeline/decode.js';
import { type ServedResource, serveResource } from '../../../runtime/pipeline/served-resource.js';
import { kindOf, underNaming } from '../../../runtime/server/named-modules.js';
import { strategies } from '../../../strategies/index.js';
import { typedObject } from '../../support/arbitrary-typed-objects.js';
import { goldenObjects, hasGolden } from '../runtime/codec/protobuf/reference-messages.js';

const kinds = strategies(platformNaming);

const resources = registry.map(
  (module) => [`${module.names.kind} of ${module.group}/${module.version}`, module] as const,
);

/** What is stored of an object that a client sends; undefined where it is refused. */
function stored(resource: ServedResource, sent: JsonObject): JsonObject | undefined {
  const decoded = toObject(resource, structuredClone(sent));
  return decoded.ok ? decoded.value.object : undefined;
}

function codecOf(resource: ServedResource): NonNullable<ServedResource['protobuf']> {
  if (resource.protobuf === undefined) throw new Error('the kind has no protobuf form');
  return resource.protobuf;
}

describe.each(resources.filter(([, { served, virtual }]) => served && !virtual))(
  '%s',
  (_name, module: ResourceModule) => {
    // Strategies know the version that is stored.
    const strategy = kinds.find(({ kind }) => module.storage && kind === kindOf(module));
    const resource = serveResource(module, { strategy });

    it('is stored as the same object, whether it was sent in JSON or in protobuf', () => {
      fc.assert(
        fc.property(typedObject(module.schema), (sent) => {
          const object = stored(resource, sent);
          if (object === undefined) throw new Error('the object is none of the kind');
          const body = codecOf(resource).encode(object);
          const decoded = codecOf(resource).decode(body);
          if (!decoded.ok) throw new Error(decoded.problem);
          expect(stored(resource, decoded.value)).toEqual(object);
          expect(Buffer.from(codecOf(resource).encode(decoded.value)).equals(body)).toBe(true);
        }),
        { numRuns: 60 },
      );
    });
  },
);

/** JSON of the reference has null for some lists that are not there; protobuf has nothing. */
function withoutNulls(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item) ?? null);
  if (!isObject(value)) return value ?? undefined;
  const entries = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(entries.map(([key, child]) => [key, withoutNulls(child)]));
}

describe.skipIf(!hasGolden)('golden objects of the reference', () => {
  const named = registry.map((module) => serveResource(underNaming(module, kubernetesNaming)));
  const golden = (hasGolden ? goldenObjects() : []).flatMap((each) => {
    const resource = named.find(
      ({ module: { group, version, names } }) =>
        group === each.group && version === each.version && names.kind === each.kind,
    );
    return resource === undefined ? [] : [[each.kind, resource, each] as const];
  });

  it('are there for all built-in kinds', () => {
    const found = new Set(golden.map(([, resource]) => resource));
    const without = named.filter((resource) => !found.has(resource));
    // The reference has lost this version altogether.
    expect(without.map(({ apiVersion }) => apiVersion)).toEqual(['apiregistration.k8s.io/v1beta1']);
  });

  it.each(golden)('%s is the same bytes', (_kind, resource, { object, bytes }) => {
    expect(Buffer.from(codecOf(resource).encode(object)).toString('hex')).toBe(bytes.toString('hex'));
  });

  it.each(golden)('%s is the same object', (_kind, resource, { object, bytes }) => {
    const decoded = codecOf(resource).decode(bytes);
    expect(decoded.ok && withoutNulls(decoded.value)).toEqual(withoutNulls(object));
  });
});
