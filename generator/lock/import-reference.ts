/** Copies the field numbers of the reference's kinds into a lock, when a kind is first defined here. */
import type { ProtobufField } from '../../runtime/contract/index.js';
import type { LockedMessage, ProtobufLock, ReservedField } from '../model/model.js';
import { messageIn } from './lock.js';
import type { PlannedMessage } from './plan.js';
import type { PlannedVersion } from './plan-model.js';

/** The reference's messages by full name (`k8s.io.api.storage.v1.CSIDriver`). */
export type ReferenceMessages = Readonly<Record<string, readonly ReferenceField[]>>;

export interface ReferenceField {
  readonly name: string;
  readonly number: number;
  readonly type: string;
  readonly label: 'optional' | 'repeated' | 'map';
}

/** JSON names of fields that have another name in protobuf. */
const jsonNames: ReadonlyMap<string, string> = new Map([
  ['Webhooks', 'webhooks'],
  ['Expression', 'expression'],
  ['uID', 'uid'],
  ['aPIGroup', 'apiGroup'],
  ['ref', '$ref'],
  ['schema', '$schema'],
  ['xKubernetesEmbeddedResource', 'x-kubernetes-embedded-resource'],
  ['xKubernetesIntOrString', 'x-kubernetes-int-or-string'],
  ['xKubernetesListMapKeys', 'x-kubernetes-list-map-keys'],
  ['xKubernetesListType', 'x-kubernetes-list-type'],
  ['xKubernetesMapType', 'x-kubernetes-map-type'],
  ['xKubernetesPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields'],
  ['xKubernetesValidations', 'x-kubernetes-validations'],
]);

const groupPackages: ReadonlyMap<string, string> = new Map([
  ['internal.apiserver', 'k8s.io.api.apiserverinternal'],
  ['apiextensions', 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions'],
  ['apiregistration', 'k8s.io.kube_aggregator.pkg.apis.apiregistration'],
]);

/**
 * Returns a lock with the reference's numbers for all of its versions. Other versions stay as they are. Fields of the
 * reference that the definition does not have are reserved.
 */
export function importReference(
  lock: ProtobufLock,
  versions: readonly PlannedVersion[],
  reference: ReferenceMessages,
): ProtobufLock {
  const next = new Map(lock);
  for (const { library, resource, messages } of versions) {
    const root = `${packageOf(library)}.${resource.names.kind}`;
    if (resource.decoding !== 'typed' || reference[root] === undefined) continue;
    const planned = new Map(messages.map((message) => [message.id, message]));
    importMessage(`${library}#/${resource.names.kind}`, root, planned, reference, next);
  }
  return next;
}

/** Converts `storage.platform.io/v1` into `k8s.io.api.storage.v1`. */
function packageOf(library: string): string {
  const [group = '', version = ''] = library.split('/');
  const label = group.replace(/\.platform\.io$/, '');
  return `${groupPackages.get(label) ?? `k8s.io.api.${label.split('.')[0]}`}.${version}`;
}

function importMessage(
  id: string,
  name: string,
  planned: ReadonlyMap<string, PlannedMessage>,
  reference: ReferenceMessages,
  lock: Map<string, LockedMessage>,
): void {
  const message = planned.get(id);
  if (message === undefined || lock.has(id)) return;
  const fields = new Map<string, ProtobufField>();
  const reserved: ReservedField[] = [];
  // Added before its parts, because they may refer back to it.
  lock.set(id, { fields, reserved });
  const own = new Map(message.fields.map((field) => [field.name, field]));
  for (const field of reference[name] ?? []) {
    const target = qualified(field, name);
    const jsonName = own.has(field.name) ? field.name : (jsonNames.get(field.name) ?? field.name);
    // A message with only the field `items` is just the list in JSON.
    const match = own.get(jsonName) ?? (own.size === 1 && field.name === 'items' ? own.get('') : undefined);
    if (match !== undefined) {
      fields.set(match.name, [field.number, match.type]);
      const inner = messageIn(match.type);
      if (inner !== undefined && target !== undefined) importMessage(inner, target, planned, reference, lock);
    } else if (target !== undefined && isInlined(target, own, reference)) {
      const inlineId = `${id}:${field.name}`;
      fields.set(field.name, [field.number, `inline ${inlineId}`]);
      const inlined = { ...message, id: inlineId };
      importMessage(inlineId, target, new Map([...planned, [inlineId, inlined]]), reference, lock);
      // The other fields of the outer message were never fields of the inner one, so none of them is reserved.
      lock.set(inlineId, { fields: lock.get(inlineId)?.fields ?? new Map(), reserved: [] });
    } else reserved.push({ name: jsonName, number: field.number, type: typeText(field) });
  }
}

/** Maximum depth of inlined messages; deeper ones refer back to themselves. */
const maxInlined = 3;

/** Returns whether all fields of a message are the object's own in JSON, directly or through inlined messages. */
function isInlined(
  target: string,
  own: ReadonlyMap<string, unknown>,
  reference: ReferenceMessages,
  depth = 1,
): boolean {
  const fields = reference[target] ?? [];
  const isOwn = (field: ReferenceField): boolean => {
    if (own.has(jsonNames.get(field.name) ?? field.name)) return true;
    const inner = qualified(field, target);
    return inner !== undefined && depth < maxInlined && isInlined(inner, own, reference, depth + 1);
  };
  return fields.length > 0 && fields.every(isOwn);
}

/** Returns the full name of the message that a field refers to. */
function qualified({ type, label }: ReferenceField, within: string): string | undefined {
  const name = label === 'map' ? type.slice('map<string, '.length, -1) : type;
  if (name.includes('.')) return name;
  return /^[A-Z]/.test(name) ? `${within.slice(0, within.lastIndexOf('.'))}.${name}` : undefined;
}

/** Returns a type for a removed field. It only needs to differ from other types. */
function typeText({ type, label }: ReferenceField): string {
  const name = label === 'map' ? type.slice('map<string, '.length, -1) : type;
  const text = /^[a-z0-9]+$/.test(name) ? name : 'bytes';
  return label === 'optional' ? text : `${label} ${text}`;
}
