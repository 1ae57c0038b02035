/** The golden objects of the reference: decoded, they equal their JSON; encoded again, they have the same bytes. */
import { describe, expect, it } from 'vitest';
import { compileProtobuf } from '../../../../../runtime/codec/protobuf/codec.js';
import { metaMessages } from '../../../../../runtime/codec/protobuf/meta-messages.js';
import type { JsonObject, JsonValue } from '../../../../../runtime/contract/index.js';
import { isObject } from '../../../../../runtime/objects/guards.js';
import { goldenObjects, hasGolden, referenceMessages } from './reference-messages.js';

/** Groups with another package name than their first label. */
const packages: Readonly<Record<string, string>> = { '': 'core', 'internal.apiserver.k8s.io': 'apiserverinternal' };

/**
 * Removes nulls: JSON of the reference has null for some absent lists, while protobuf and our objects have no value.
 */
function withoutNulls(value: JsonObject): JsonObject {
  const entries = Object.entries(value).filter(([, child]) => child !== null && child !== undefined);
  return Object.fromEntries(entries.map(([key, child]) => [key, clean(child)]));
}

function clean(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => clean(item) ?? null);
  return isObject(value) ? withoutNulls(value) : value;
}

describe.skipIf(!hasGolden)('golden objects', () => {
  const messages = hasGolden ? referenceMessages() : {};
  const objects = hasGolden ? goldenObjects() : [];

  it('have the numbers of metadata that the runtime knows', () => {
    for (const [id, message] of Object.entries(metaMessages)) {
      const fields = Object.entries(message).map(([name, [number, type]]) => [name, [number, type]] as const);
      expect(Object.fromEntries(fields), id).toEqual(messages[id]);
    }
  });

  it('exist', () => {
    expect(objects).toHaveLength(137);
  });

  it.each(objects.map((golden) => [`${golden.group}/${golden.version} ${golden.kind}`, golden] as const))(
    '%s',
    (_name, { group, version, kind, object, bytes }) => {
      const message = `${packages[group] ?? group.split('.')[0]}/${version}#/${kind}`;
      const codec = compileProtobuf({ message, messages });
      const decoded = codec.decode(bytes);
      if (!decoded.ok) throw new Error(decoded.problem);
      expect(withoutNulls(decoded.value)).toEqual(withoutNulls(object));
      expect(Buffer.from(codec.encode(decoded.value)).toString('base64')).toBe(bytes.toString('base64'));
    },
  );
});
