/** The sources of a persistent volume, and the check of each. */
import type {
  AzureFilePersistentVolumeSource,
  CinderPersistentVolumeSource,
  CSIPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  LocalVolumeSource,
  PersistentVolumeSpec,
  SecretReference,
  StorageOSPersistentVolumeSource,
} from '../../generated/types/core/v1/types.js';
import type { Draft } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, required } from '../../runtime/objects/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import {
  checkName,
  checkRequired,
  checkText,
  type FieldChecks,
  type FieldErrors,
  fieldsOf,
} from '../shared/field-checks.js';
import { checkDriverName, checkNoBacksteps } from '../shared/names.js';
import { volumeSources } from './pod-spec/volume-sources.js';

/** A field of the spec that holds a source. */
export type SourceKey = Exclude<
  keyof PersistentVolumeSpec,
  | 'capacity'
  | 'accessModes'
  | 'claimRef'
  | 'persistentVolumeReclaimPolicy'
  | 'storageClassName'
  | 'mountOptions'
  | 'volumeMode'
  | 'nodeAffinity'
  | 'volumeAttributesClassName'
>;

type Sources = Pick<Draft<PersistentVolumeSpec>, SourceKey>;

/** An endpoints namespace is a valid name. */
function* checkGlusterfs(source: Draft<GlusterfsPersistentVolumeSource>, path: string, names: Naming): FieldErrors {
  yield* volumeSources.glusterfs(source, path, names);
  const { endpointsNamespace: namespace } = source;
  const at = `${path}.endpointsNamespace`;
  if (namespace) yield* checkText(at, namespace, dns1123Label);
  else if (namespace === '') {
    yield invalidValue(at, namespace, 'if the endpointnamespace is set, it must be a valid namespace name');
  }
}

/** A secret has a name and a namespace. */
function* checkSecret(secret: Draft<SecretReference> | undefined, path: string): FieldErrors {
  if (!secret) return;
  yield* checkRequired(secret.name, `${path}.name`);
  yield* checkRequired(secret.namespace, `${path}.namespace`);
}

function* checkCinder({ volumeID, secretRef }: Draft<CinderPersistentVolumeSource>, path: string): FieldErrors {
  yield* checkRequired(volumeID, `${path}.volumeID`);
  yield* checkSecret(secretRef, `${path}.secretRef`);
}

function* checkAzureFile(source: Draft<AzureFilePersistentVolumeSource>, path: string): FieldErrors {
  yield* checkRequired(source.secretName, `${path}.secretName`);
  yield* checkRequired(source.shareName, `${path}.shareName`);
  if (source.secretNamespace === '') yield required(`${path}.secretNamespace`);
}

function* checkLocal(source: Draft<LocalVolumeSource>, path: string): FieldErrors {
  yield* checkRequired(source.path, `${path}.path`);
  yield* checkNoBacksteps(`${path}.path`, source.path ?? '');
}

function* checkStorageOs(source: Draft<StorageOSPersistentVolumeSource>, path: string): FieldErrors {
  const { volumeName = '', volumeNamespace, secretRef } = source;
  yield* checkName(`${path}.volumeName`, volumeName, dns1123Label);
  if (volumeNamespace) yield* checkText(`${path}.volumeNamespace`, volumeNamespace, dns1123Label);
  yield* checkSecret(secretRef, `${path}.secretRef`);
}

/** Secrets that a driver needs for single steps. */
const driverSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const satisfies readonly (keyof CSIPersistentVolumeSource)[];

function* checkCsi(source: Draft<CSIPersistentVolumeSource>, path: string): FieldErrors {
  yield* checkDriverName(source.driver ?? '', `${path}.driver`);
  yield* checkRequired(source.volumeHandle, `${path}.volumeHandle`);
  for (const key of driverSecrets) {
    const secret = source[key];
    if (!secret) continue;
    yield* checkName(`${path}.${key}.name`, secret.name ?? '', dns1123Subdomain);
    yield* checkName(`${path}.${key}.namespace`, secret.namespace ?? '', dns1123Label);
  }
}

/** The most characters of a volume's name and portal together, if the initiator is named. */
const maxPortal = 64;

function* checkIscsi(
  source: Draft<ISCSIPersistentVolumeSource>,
  path: string,
  names: Naming,
  volumeName: string,
): FieldErrors {
  const { targetPortal: portal = '', initiatorName, secretRef } = source;
  if (initiatorName !== undefined && volumeName.length + 1 + portal.length > maxPortal) {
    const rule =
      'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
    yield invalidValue(`${path}.targetportal`, portal, rule);
  }
  yield* volumeSources.iscsi(source, path, names);
  if (secretRef) yield* checkRequired(secretRef.name, `${path}.secretRef.name`);
}

/** The check of each source. If several are set, the first in this order counts. Some need the volume's name. */
const checks: FieldChecks<Sources, [Naming, string]> = {
  hostPath: volumeSources.hostPath,
  gcePersistentDisk: volumeSources.gcePersistentDisk,
  awsElasticBlockStore: volumeSources.awsElasticBlockStore,
  glusterfs: checkGlusterfs,
  flocker: volumeSources.flocker,
  nfs: volumeSources.nfs,
  rbd: volumeSources.rbd,
  quobyte: volumeSources.quobyte,
  cephfs: volumeSources.cephfs,
  iscsi: checkIscsi,
  cinder: checkCinder,
  fc: volumeSources.fc,
  flexVolume: volumeSources.flexVolume,
  azureFile: checkAzureFile,
  vsphereVolume: volumeSources.vsphereVolume,
  photonPersistentDisk: volumeSources.photonPersistentDisk,
  portworxVolume: volumeSources.portworxVolume,
  azureDisk: volumeSources.azureDisk,
  scaleIO: volumeSources.scaleIO,
  local: checkLocal,
  storageos: checkStorageOs,
  csi: checkCsi,
};

/** The fields of the spec that hold a source. */
export const sourceKeys = fieldsOf(checks);

/** A volume has one source. As in the reference, a flexible volume is checked even beside another source. */
export function* checkSource(
  spec: Draft<PersistentVolumeSpec>,
  volumeName: string,
  path: string,
  names: Naming,
): FieldErrors {
  const present = sourceKeys.filter((key) => spec[key]);
  for (const [i, key] of present.entries()) {
    if (i === 0 || key === 'flexVolume') {
      // Errors use a shorter name for this provider's disk.
      const reported = key === 'gcePersistentDisk' ? 'persistentDisk' : key;
      yield* checkOne(key, spec, `${path}.${reported}`, names, volumeName);
    } else {
      const reported = key === 'cephfs' ? 'cephFS' : key;
      yield forbidden(`${path}.${reported}`, 'may not specify more than 1 volume type');
    }
    if (i === 0 && key === 'local' && !spec.nodeAffinity) {
      yield required(`${path}.nodeAffinity`, 'Local volume requires node affinity');
    }
  }
  if (present.length === 0) yield required(path, 'must specify a volume type');
}

function* checkOne<Key extends SourceKey>(
  key: Key,
  spec: Sources,
  path: string,
  names: Naming,
  volumeName: string,
): FieldErrors {
  const source = spec[key];
  if (source) yield* checks[key](source, path, names, volumeName);
}
