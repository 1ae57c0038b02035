/** The spec of a volume of the cluster: what it holds, who can use it, and where its contents are. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { dns1123Label, dns1123Subdomain } from '../../runtime/objects/dns-names.js';
import { forbidden, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { formatQuantity } from '../../runtime/objects/quantity.js';
import { checkDriverName } from './driver-name.js';
import { checkName, checkPresent, checkText, type FieldErrors, hasAt, textsAt } from './field-checks.js';
import { checkNodeSelector } from './node-selector.js';
import { checkNoBacksteps } from './paths.js';
import { quantitiesAt } from './resources.js';
import { type SourceCheck, volumeSources } from './volume-sources.js';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'] as const;

/** The errors of a spec at a path; `inline`: of a volume that only exists within another object. */
export function* checkVolumeSpec(spec: JsonObject, path: string, names: Naming, inline = false): FieldErrors {
  if (inline) yield* checkInline(spec, path);
  yield* checkAccessModes(textsAt(spec, 'accessModes'), `${path}.accessModes`);
  if (!inline) yield* checkCapacity(spec, `${path}.capacity`);
  const affinity = objectAt(spec, 'nodeAffinity');
  if (affinity && !inline) {
    const terms = objectAt(affinity, 'required');
    if (terms) yield* checkNodeSelector(terms, `${path}.nodeAffinity.required`);
    else yield required(`${path}.nodeAffinity.required`, 'must specify required node constraints');
  }
  yield* checkSources(spec, path, names);
  const target = stringAt(objectAt(spec, 'hostPath'), 'path');
  if (/^\/[/.]*$/.test(target) && stringAt(spec, 'persistentVolumeReclaimPolicy') === 'Recycle') {
    yield forbidden(`${path}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'");
  }
  const storageClass = stringAt(spec, 'storageClassName');
  if (storageClass !== '' && !inline) yield* checkText(`${path}.storageClassName`, storageClass, dns1123Subdomain);
}

/** A volume within another object has no life of its own. */
function* checkInline(spec: JsonObject, path: string): FieldErrors {
  const where = 'in the context of inline volumes';
  const rule = `may not be specified ${where}`;
  for (const key of ['claimRef', 'capacity']) if (hasAt(spec, key)) yield forbidden(`${path}.${key}`, rule);
  if (!hasAt(spec, 'csi')) yield required(`${path}.csi`, `has to be specified ${where}`);
  const policy = stringAt(spec, 'persistentVolumeReclaimPolicy');
  if (policy !== '' && policy !== 'Retain') {
    yield forbidden(`${path}.persistentVolumeReclaimPolicy`, `may only be Retain ${where}`);
  }
  if (hasAt(spec, 'nodeAffinity')) yield forbidden(`${path}.nodeAffinity`, rule);
  if (stringAt(spec, 'storageClassName') !== '') yield forbidden(`${path}.storageClassName`, rule);
  if (stringAt(spec, 'volumeMode') === 'Block') {
    yield forbidden(`${path}.volumeMode`, `may not specify volumeMode other than Filesystem ${where}`);
  }
}

function* checkAccessModes(modes: readonly string[], path: string): FieldErrors {
  const single = 'ReadWriteOncePod';
  if (modes.length === 0) yield required(path);
  for (const mode of modes) {
    if (!accessModes.some((known) => known === mode)) yield notSupported(path, mode, accessModes);
  }
  if (modes.includes(single) && modes.some((mode) => mode !== single && accessModes.some((one) => one === mode))) {
    yield forbidden(path, `may not use ${single} with other access modes`);
  }
}

function* checkCapacity(spec: JsonObject, path: string): FieldErrors {
  const capacity = objectAt(spec, 'capacity') ?? {};
  const names = Object.keys(capacity);
  if (names.length === 0) yield required(path);
  if (names.length !== 1 || names[0] !== 'storage') yield notSupported(path, capacity, ['storage']);
  for (const [name, amount] of quantitiesAt(spec, 'capacity')) {
    if (amount.digits > 0n) continue;
    const at = `${path}[${name}]`;
    if (amount.digits < 0n) yield invalidValue(at, formatQuantity(amount), 'must be a valid resource quantity');
    yield invalidValue(at, formatQuantity(amount), 'must be greater than zero');
  }
}

/** Where the contents may be, in the order in which the first of several counts. */
const kinds = [
  ['hostPath'],
  ['gcePersistentDisk', 'persistentDisk'],
  ...['awsElasticBlockStore', 'glusterfs', 'flocker', 'nfs', 'rbd', 'quobyte', 'cephfs', 'iscsi', 'cinder', 'fc'],
  ...['flexVolume', 'azureFile', 'vsphereVolume', 'photonPersistentDisk', 'portworxVolume', 'azureDisk', 'scaleIO'],
  ...['local', 'storageos', 'csi'],
].map((kind) => (typeof kind === 'string' ? [kind] : kind));

function* checkSources(spec: JsonObject, path: string, names: Naming): FieldErrors {
  let count = 0;
  for (const [kind = '', reportedAs = kind] of kinds) {
    const source = objectAt(spec, kind);
    if (!source) continue;
    count++;
    if (count > 1 && kind !== 'flexVolume') {
      yield forbidden(`${path}.${kind === 'cephfs' ? 'cephFS' : kind}`, 'may not specify more than 1 volume type');
      continue;
    }
    yield* checkSource(kind, source, `${path}.${reportedAs}`, names);
    if (kind === 'local' && !hasAt(spec, 'nodeAffinity')) {
      yield required(`${path}.nodeAffinity`, 'Local volume requires node affinity');
    }
  }
  if (count === 0) yield required(path, 'must specify a volume type');
}

const shared: ReadonlyMap<string, SourceCheck> = new Map(volumeSources);

function* checkSource(kind: string, source: JsonObject, path: string, names: Naming): FieldErrors {
  if (kind === 'local') yield* checkLocal(source, path);
  else if (kind === 'csi') yield* checkDriver(source, path);
  else yield* shared.get(kind)?.(source, path, names) ?? [];
  // Secrets of volumes of the cluster are in some namespace, where those of pods are in the pod's own.
  const secret = objectAt(source, 'secretRef');
  if (secret && (kind === 'cinder' || kind === 'storageos'))
    yield* checkPresent(secret, 'namespace', `${path}.secretRef`);
  if (kind === 'glusterfs' && hasAt(source, 'endpointsNamespace')) yield* checkEndpointsNamespace(source, path);
  if (kind === 'azureFile' && hasAt(source, 'secretNamespace')) yield* checkPresent(source, 'secretNamespace', path);
}

function* checkLocal(source: JsonObject, path: string): FieldErrors {
  const target = stringAt(source, 'path');
  if (target === '') yield required(`${path}.path`);
  else yield* checkNoBacksteps(`${path}.path`, target);
}

function* checkEndpointsNamespace(source: JsonObject, path: string): FieldErrors {
  const at = `${path}.endpointsNamespace`;
  const namespace = stringAt(source, 'endpointsNamespace');
  const rule = 'if the endpointnamespace is set, it must be a valid namespace name';
  if (namespace === '') yield invalidValue(at, namespace, rule);
  else yield* checkText(at, namespace, dns1123Label);
}

const driverSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const;

function* checkDriver(source: JsonObject, path: string): FieldErrors {
  yield* checkDriverName(stringAt(source, 'driver'), `${path}.driver`);
  yield* checkPresent(source, 'volumeHandle', path);
  for (const key of driverSecrets) {
    const secret = objectAt(source, key);
    if (!secret) continue;
    yield* checkName(`${path}.${key}.name`, stringAt(secret, 'name'), dns1123Subdomain);
    yield* checkName(`${path}.${key}.namespace`, stringAt(secret, 'namespace'), dns1123Label);
  }
}

/** Names of the fields that say where the contents of a volume are. */
export const sourceKinds: readonly string[] = kinds.map(([kind = '']) => kind);
