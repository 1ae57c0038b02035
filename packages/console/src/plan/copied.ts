/** Makes a new object from an existing one. */
import type { DynamicObject } from 'kindforge/client';
import { cleanCopy } from '../object/copy.js';
import { isRecord, type Place, valueAt, withValue } from '../schema/place.js';

/** The fields that the server assigns to one object of a kind. A copy must get its own values. */
const assigned: Readonly<Record<string, readonly Place[]>> = {
  Service: [
    ['spec', 'clusterIP'],
    ['spec', 'clusterIPs'],
    ['spec', 'healthCheckNodePort'],
  ],
  Pod: [['spec', 'nodeName']],
  PersistentVolumeClaim: [['spec', 'volumeName']],
  PersistentVolume: [['spec', 'claimRef']],
  Namespace: [['spec', 'finalizers']],
  ServiceAccount: [['secrets']],
  Job: [
    ['spec', 'selector'],
    ...['controller-uid', 'job-name', 'batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name'].map(
      (label) => ['spec', 'template', 'metadata', 'labels', label],
    ),
  ],
  CertificateSigningRequest: ['username', 'uid', 'groups', 'extra'].map((field) => ['spec', field]),
};

/** Returns a copy that can be created beside the object: under another name, without the values of the server. */
export function copyOf(object: DynamicObject): DynamicObject {
  const copy = cleanCopy(object);
  const { metadata, ...rest } = copy;
  const { name } = metadata;
  const kept = placesOf(object).reduce<unknown>(
    (at, place) => (valueAt(at, place) === undefined ? at : withValue(at, place, undefined)),
    rest,
  );
  return {
    apiVersion: copy.apiVersion,
    kind: copy.kind,
    metadata: { ...metadata, ...(name === undefined ? {} : { name: `${name}-copy` }) },
    ...(isRecord(kept) ? kept : {}),
  };
}

/**
 * Lists the assigned fields of an object. Empty if a user has chosen their values, as in a service without an address.
 */
function placesOf({ kind, spec }: DynamicObject): readonly Place[] {
  const isByHand =
    (kind === 'Service' && valueAt(spec, ['clusterIP']) === 'None') ||
    (kind === 'Job' && valueAt(spec, ['manualSelector']) === true);
  if (isByHand || !Object.hasOwn(assigned, kind)) return [];
  const ports = kind === 'Service' ? valueAt(spec, ['ports']) : [];
  const nodePorts = (Array.isArray(ports) ? ports : []).map((_, index) => ['spec', 'ports', index, 'nodePort']);
  return [...(assigned[kind] ?? []), ...nodePorts];
}
