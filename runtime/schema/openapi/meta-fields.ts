/** The fields of the types that every API shares. */
import type { Schema } from '../../contract/index.js';

export const text = (description: string): Schema => ({ description, type: 'string' });
export const flag = (description: string): Schema => ({ description, type: 'boolean' });
export const int64 = (description: string): Schema => ({ description, type: 'integer', format: 'int64' });
export const int32 = (description: string): Schema => ({ description, type: 'integer', format: 'int32' });
export const list = (description: string, items: Schema): Schema => ({
  description,
  type: 'array',
  items,
  ...marked({ 'x-kubernetes-list-type': 'atomic' }),
});
export const texts = (description: string): Schema => list(description, { type: 'string' });
/** Returns keywords for the merge of lists, which documents have since release 1.30. */
const marked = (keywords: Schema): Schema => ({
  ...keywords,
  'x-kindforge-before': { '1.30': Object.fromEntries(Object.keys(keywords).map((name) => [name, null])) },
});
export const textMap = (description: string): Schema => ({
  description,
  type: 'object',
  additionalProperties: { type: 'string' },
});
export const shared = (name: string, description?: string): Schema => ({
  ...(description === undefined ? {} : { description }),
  'x-kindforge-type': `meta/v1#/${name}`,
});
/** Makes a field that is always present. */
export const always = (field: Schema): Schema => ({ ...field, 'x-kindforge-presence': 'always' });
/** Makes a field that a release added. */
export const since = (introduced: string, field: Schema): Schema => ({
  ...field,
  'x-kindforge-introduced': introduced,
});
/** Makes an object type. Required fields are always written. */
export const object = (description: string, properties: Record<string, Schema>, required?: string[]): Schema => ({
  description,
  type: 'object',
  ...(required === undefined ? {} : { required }),
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, required?.includes(name) ? always(field) : field]),
  ),
});

/** The two fields that identify the type of an object. */
export const typeMeta = {
  apiVersion: text('Group and version of the object, as in `apps/v1`; only the version for the core group.'),
  kind: text('Kind of the object, in CamelCase. Cannot be changed.'),
} satisfies Record<string, Schema>;

export const kindOf = (description: string, properties: Record<string, Schema>, required?: string[]): Schema =>
  object(description, { ...typeMeta, ...properties }, required);

/** The descriptions of fields that are also columns in the Tables of most kinds. */
export const columnWords = {
  name: 'Name, unique within the namespace and kind. Cannot be changed.',
  creationTimestamp: 'When the server created the object. Set by the server.',
} as const;

export const objectMeta = object('Metadata that every stored object has.', {
  annotations: textMap('Free-form notes of tools and users. Not selectable.'),
  creationTimestamp: always(shared('Time', columnWords.creationTimestamp)),
  deletionGracePeriodSeconds: int64('Seconds the object may take to finish after its deletion. Set by the server.'),
  deletionTimestamp: shared(
    'Time',
    'When the server will remove the object. Set by the server after a request to delete it.',
  ),
  finalizers: {
    ...texts('Tasks that must finish before the object is removed. The owner of each task removes its entry.'),
    ...marked({ 'x-kubernetes-list-type': 'set' }),
    'x-kubernetes-patch-strategy': 'merge',
  },
  generateName: text('Beginning of a name that the server completes; used if `name` is empty.'),
  generation: int64('Counts the changes of the desired state. Set by the server.'),
  labels: textMap('Keys and values to select and group objects.'),
  managedFields: list('Which manager owns which fields. Set by the server.', shared('ManagedFieldsEntry')),
  name: text(columnWords.name),
  namespace: text('Namespace the object is in; empty for cluster-wide kinds. Cannot be changed.'),
  ownerReferences: {
    ...list('Objects this one depends on. It is removed when all of them are gone.', shared('OwnerReference')),
    ...marked({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['uid'] }),
    'x-kubernetes-patch-merge-key': 'uid',
    'x-kubernetes-patch-strategy': 'merge',
  },
  resourceVersion: text('Opaque version of the stored object, for watches and for refusing lost updates.'),
  selfLink: text('No longer filled in.'),
  uid: text('Identifier that no other object ever has. Set by the server.'),
});
