/**
 * The field numbers of the messages that every API shares. The wire format of release 1.27 defines them for every
 * server.
 */
import type { ProtobufMessage } from '../../contract/index.js';

/**
 * Messages by id. Messages with a JSON form of their own (times, quantities) are here with their fields on the wire.
 */
export const metaMessages: Readonly<Record<string, ProtobufMessage>> = {
  'autoscaling/v1#/Scale': {
    metadata: [1, 'meta/v1#/ObjectMeta', 'always'],
    spec: [2, 'autoscaling/v1#/ScaleSpec', 'always'],
    status: [3, 'autoscaling/v1#/ScaleStatus', 'always'],
  },
  'autoscaling/v1#/ScaleSpec': {
    replicas: [1, 'int32', 'always'],
  },
  'autoscaling/v1#/ScaleStatus': {
    replicas: [1, 'int32', 'always'],
    selector: [2, 'string', 'always'],
  },
  'meta/v1#/APIGroup': {
    name: [1, 'string', 'always'],
    versions: [2, 'repeated meta/v1#/GroupVersionForDiscovery'],
    preferredVersion: [3, 'meta/v1#/GroupVersionForDiscovery', 'always'],
    serverAddressByClientCIDRs: [4, 'repeated meta/v1#/ServerAddressByClientCIDR'],
  },
  'meta/v1#/APIGroupList': {
    groups: [1, 'repeated meta/v1#/APIGroup'],
  },
  'meta/v1#/APIResource': {
    name: [1, 'string', 'always'],
    namespaced: [2, 'bool', 'always'],
    kind: [3, 'string', 'always'],
    verbs: [4, 'meta/v1#/Verbs'],
    shortNames: [5, 'repeated string'],
    singularName: [6, 'string', 'always'],
    categories: [7, 'repeated string'],
    group: [8, 'string', 'always'],
    version: [9, 'string', 'always'],
    storageVersionHash: [10, 'string', 'always'],
  },
  'meta/v1#/APIResourceList': {
    groupVersion: [1, 'string', 'always'],
    resources: [2, 'repeated meta/v1#/APIResource'],
  },
  'meta/v1#/APIVersions': {
    versions: [1, 'repeated string'],
    serverAddressByClientCIDRs: [2, 'repeated meta/v1#/ServerAddressByClientCIDR'],
  },
  'meta/v1#/Condition': {
    type: [1, 'string', 'always'],
    status: [2, 'string', 'always'],
    observedGeneration: [3, 'int64', 'always'],
    lastTransitionTime: [4, 'meta/v1#/Time', 'always'],
    reason: [5, 'string', 'always'],
    message: [6, 'string', 'always'],
  },
  'meta/v1#/DeleteOptions': {
    gracePeriodSeconds: [1, 'int64'],
    preconditions: [2, 'meta/v1#/Preconditions'],
    orphanDependents: [3, 'bool'],
    propagationPolicy: [4, 'string'],
    dryRun: [5, 'repeated string'],
  },
  'meta/v1#/Duration': {
    duration: [1, 'int64'],
  },
  'meta/v1#/FieldsV1': {
    Raw: [1, 'bytes'],
  },
  'meta/v1#/GroupVersionForDiscovery': {
    groupVersion: [1, 'string', 'always'],
    version: [2, 'string', 'always'],
  },
  'meta/v1#/IntOrString': {
    type: [1, 'int64'],
    intVal: [2, 'int32'],
    strVal: [3, 'string'],
  },
  'meta/v1#/LabelSelector': {
    matchLabels: [1, 'map string'],
    matchExpressions: [2, 'repeated meta/v1#/LabelSelectorRequirement'],
  },
  'meta/v1#/LabelSelectorRequirement': {
    key: [1, 'string', 'always'],
    operator: [2, 'string', 'always'],
    values: [3, 'repeated string'],
  },
  'meta/v1#/ListMeta': {
    selfLink: [1, 'string', 'always'],
    resourceVersion: [2, 'string', 'always'],
    continue: [3, 'string', 'always'],
    remainingItemCount: [4, 'int64'],
  },
  'meta/v1#/ManagedFieldsEntry': {
    manager: [1, 'string', 'always'],
    operation: [2, 'string', 'always'],
    apiVersion: [3, 'string', 'always'],
    time: [4, 'meta/v1#/Time'],
    fieldsType: [6, 'string', 'always'],
    fieldsV1: [7, 'meta/v1#/FieldsV1'],
    subresource: [8, 'string', 'always'],
  },
  'meta/v1#/MicroTime': {
    seconds: [1, 'int64'],
    nanos: [2, 'int32'],
  },
  'meta/v1#/ObjectMeta': {
    name: [1, 'string', 'always'],
    generateName: [2, 'string', 'always'],
    namespace: [3, 'string', 'always'],
    selfLink: [4, 'string', 'always'],
    uid: [5, 'string', 'always'],
    resourceVersion: [6, 'string', 'always'],
    generation: [7, 'int64', 'always'],
    creationTimestamp: [8, 'meta/v1#/Time', 'always'],
    deletionTimestamp: [9, 'meta/v1#/Time'],
    deletionGracePeriodSeconds: [10, 'int64'],
    labels: [11, 'map string'],
    annotations: [12, 'map string'],
    ownerReferences: [13, 'repeated meta/v1#/OwnerReference'],
    finalizers: [14, 'repeated string'],
    managedFields: [17, 'repeated meta/v1#/ManagedFieldsEntry'],
  },
  'meta/v1#/OwnerReference': {
    kind: [1, 'string', 'always'],
    name: [3, 'string', 'always'],
    uid: [4, 'string', 'always'],
    apiVersion: [5, 'string', 'always'],
    controller: [6, 'bool'],
    blockOwnerDeletion: [7, 'bool'],
  },
  'meta/v1#/PartialObjectMetadata': {
    metadata: [1, 'meta/v1#/ObjectMeta', 'always'],
  },
  'meta/v1#/PartialObjectMetadataList': {
    metadata: [1, 'meta/v1#/ListMeta', 'always'],
    items: [2, 'repeated meta/v1#/PartialObjectMetadata'],
  },
  'meta/v1#/Preconditions': {
    uid: [1, 'string'],
    resourceVersion: [2, 'string'],
  },
  'meta/v1#/Quantity': {
    string: [1, 'string'],
  },
  'meta/v1#/RawExtension': {
    raw: [1, 'bytes'],
  },
  'meta/v1#/ServerAddressByClientCIDR': {
    clientCIDR: [1, 'string', 'always'],
    serverAddress: [2, 'string', 'always'],
  },
  'meta/v1#/Status': {
    metadata: [1, 'meta/v1#/ListMeta', 'always'],
    status: [2, 'string', 'always'],
    message: [3, 'string', 'always'],
    reason: [4, 'string', 'always'],
    details: [5, 'meta/v1#/StatusDetails'],
    code: [6, 'int32', 'always'],
  },
  'meta/v1#/StatusCause': {
    reason: [1, 'string', 'always'],
    message: [2, 'string', 'always'],
    field: [3, 'string', 'always'],
  },
  'meta/v1#/StatusDetails': {
    name: [1, 'string', 'always'],
    group: [2, 'string', 'always'],
    kind: [3, 'string', 'always'],
    causes: [4, 'repeated meta/v1#/StatusCause'],
    retryAfterSeconds: [5, 'int32', 'always'],
    uid: [6, 'string', 'always'],
  },
  'meta/v1#/Time': {
    seconds: [1, 'int64'],
    nanos: [2, 'int32'],
  },
  'meta/v1#/Verbs': {
    '': [1, 'repeated string'],
  },
  'meta/v1#/WatchEvent': {
    type: [1, 'string', 'always'],
    object: [2, 'meta/v1#/RawExtension', 'always'],
  },
  'meta/v1beta1#/PartialObjectMetadataList': {
    items: [1, 'repeated meta/v1#/PartialObjectMetadata'],
    metadata: [2, 'meta/v1#/ListMeta', 'always'],
  },
};

/** Fields of these messages in which a zero is a value. In all other fields a zero means that the field is not set. */
const meaningfulZeros: ReadonlySet<string> = new Set([
  'meta/v1#/APIResource.namespaced',
  'meta/v1#/DeleteOptions.gracePeriodSeconds',
  'meta/v1#/DeleteOptions.orphanDependents',
  'meta/v1#/DeleteOptions.propagationPolicy',
  'meta/v1#/ListMeta.remainingItemCount',
  'meta/v1#/ObjectMeta.deletionGracePeriodSeconds',
  'meta/v1#/OwnerReference.blockOwnerDeletion',
  'meta/v1#/OwnerReference.controller',
  'meta/v1#/Preconditions.resourceVersion',
  'meta/v1#/Preconditions.uid',
  'autoscaling/v1#/ScaleStatus.replicas',
]);

/**
 * Returns whether to keep a zero from the wire. Clients write zeros for all unset metadata. Keeps zeros of a kind's own
 * fields, because its schema decides about them.
 */
export function keepsZero(message: string, field: string): boolean {
  return !Object.hasOwn(metaMessages, message) || meaningfulZeros.has(`${message}.${field}`);
}
