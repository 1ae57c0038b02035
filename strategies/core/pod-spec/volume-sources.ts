/** The sources of volumes. */
import type {
  AzureDiskVolumeSource,
  CSIVolumeSource,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  EphemeralVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GitRepoVolumeSource,
  HostPathVolumeSource,
  ISCSIVolumeSource,
  KeyToPath,
  LocalObjectReference,
  NFSVolumeSource,
  QuobyteVolumeSource,
  StorageOSVolumeSource,
  Volume,
} from '../../../generated/types/core/v1/types.js';
import type { Draft, JsonObject } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported, required, stringList } from '../../../runtime/objects/field-error.js';
import { isString } from '../../../runtime/objects/guards.js';
import { dns1123Label, dns1123Subdomain } from '../../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { parseQuantity } from '../../../runtime/objects/scan/quantity.js';
import {
  checkBetween,
  checkName,
  checkOneOf,
  checkRequired,
  checkText,
  type FieldChecks,
  type FieldErrors,
} from '../../shared/field-checks.js';
import {
  checkDescendingPath,
  checkDriverName,
  checkKeyToPath,
  checkMode,
  checkNoBacksteps,
} from '../../shared/names.js';
import { checkClaimTemplate } from '../claim-spec.js';
import { checkDownwardFile, checkProjected } from './projected-files.js';

/** The check of each source. If several are set, the first in this order counts. */
export const volumeSources: FieldChecks<Omit<Draft<Volume>, 'name'>, [Naming]> = {
  emptyDir: checkEmptyDir,
  hostPath: checkHostPath,
  gitRepo: checkGitRepo,
  *gcePersistentDisk(source, path) {
    yield* checkRequired(source.pdName, `${path}.pdName`);
    yield* checkPartition(source, path);
  },
  *awsElasticBlockStore(source, path) {
    yield* checkRequired(source.volumeID, `${path}.volumeID`);
    yield* checkPartition(source, path);
  },
  *secret(source, path) {
    yield* checkRequired(source.secretName, `${path}.secretName`);
    yield* checkFiles(source, path);
  },
  nfs: checkNfs,
  iscsi: checkIscsi,
  glusterfs: needing('endpoints', 'path'),
  flocker: checkFlocker,
  persistentVolumeClaim: needing('claimName'),
  *rbd(source, path) {
    yield* checkMonitors(source, path);
    yield* checkRequired(source.image, `${path}.image`);
  },
  *cinder(source, path) {
    yield* checkRequired(source.volumeID, `${path}.volumeID`);
    yield* checkSecretName(source.secretRef, `${path}.secretRef`);
  },
  cephfs: checkMonitors,
  quobyte: checkQuobyte,
  downwardAPI: checkDownward,
  fc: checkFc,
  flexVolume: checkFlex,
  *configMap(source, path) {
    yield* checkRequired(source.name, `${path}.name`);
    yield* checkFiles(source, path);
  },
  azureFile: needing('secretName', 'shareName'),
  vsphereVolume: needing('volumePath'),
  photonPersistentDisk: needing('pdID'),
  portworxVolume: needing('volumeID'),
  azureDisk: checkAzureDisk,
  storageos: checkStorageOs,
  projected: checkProjected,
  scaleIO: needing('gateway', 'system', 'volumeName'),
  csi: checkCsi,
  ephemeral: checkEphemeral,
  *image(source, path) {
    yield* checkRequired(source.reference, `${path}.reference`);
  },
};

/** The two forms of iSCSI names, by prefix. */
const nameForms: readonly (readonly [prefix: string, form: RegExp])[] = [
  ['iqn', /^iqn\.\d{4}-\d{2}\.([a-zA-Z0-9.-]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[a-zA-Z0-9]{16}$/],
  ['naa', /^naa.[a-zA-Z0-9]{32}$/],
];

function* checkQualifiedName(name: string, path: string): FieldErrors {
  const form = nameForms.find(([prefix]) => name.startsWith(prefix));
  if (!form) yield invalidValue(path, name, 'must be valid format starting with iqn, eui, or naa');
  else if (!form[1].test(name)) yield invalidValue(path, name, 'must be valid format');
}

const luns: readonly [number, number] = [0, 255];

/** Checks an iSCSI disk. */
function* checkIscsi(source: Draft<ISCSIVolumeSource>, path: string): FieldErrors {
  const { iqn, chapAuthDiscovery, chapAuthSession, secretRef, initiatorName } = source;
  yield* checkRequired(source.targetPortal, `${path}.targetPortal`);
  if (iqn) yield* checkQualifiedName(iqn, `${path}.iqn`);
  else yield required(`${path}.iqn`);
  yield* checkBetween(source.lun, `${path}.lun`, luns);
  if ((chapAuthDiscovery || chapAuthSession) && !secretRef) yield required(`${path}.secretRef`);
  if (initiatorName !== undefined) yield* checkQualifiedName(initiatorName, `${path}.initiatorname`);
}

/** Checks a Fibre Channel disk, which is identified in one of two ways. */
function* checkFc(source: Draft<FCVolumeSource>, path: string): FieldErrors {
  const { targetWWNs = [], wwids = [] } = source;
  const at = `${path}.targetWWNs`;
  if (targetWWNs.length === 0 && wwids.length === 0) {
    yield required(at, 'must specify either targetWWNs or wwids, but not both');
  }
  if (targetWWNs.length > 0 && wwids.length > 0) {
    yield invalidValue(at, stringList(targetWWNs), 'targetWWNs and wwids can not be specified simultaneously');
  }
  if (targetWWNs.length === 0) return;
  if (source.lun === undefined) yield required(`${path}.lun`, 'lun is required if targetWWNs is specified');
  yield* checkBetween(source.lun, `${path}.lun`, luns);
}

/** Creates a check for required texts. */
function needing<T extends JsonObject>(...fields: readonly (keyof T & string)[]) {
  return function* check(source: T, path: string): FieldErrors {
    for (const field of fields) {
      const text = source[field];
      yield* checkRequired(isString(text) ? text : undefined, `${path}.${field}`);
    }
  };
}

function* checkMonitors({ monitors }: { monitors?: readonly string[] | null | undefined }, path: string): FieldErrors {
  if (!monitors?.length) yield required(`${path}.monitors`);
}

function* checkEmptyDir({ sizeLimit }: Draft<EmptyDirVolumeSource>, path: string): FieldErrors {
  const quantity = sizeLimit === undefined ? undefined : parseQuantity(sizeLimit);
  if (quantity?.ok && quantity.value.digits < 0n) {
    yield forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity');
  }
}

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
] as const;

/** Checks a path of the node. */
function* checkHostPath(source: Draft<HostPathVolumeSource>, path: string): FieldErrors {
  if (!source.path) {
    yield required(`${path}.path`);
    return;
  }
  yield* checkNoBacksteps(`${path}.path`, source.path);
  yield* checkOneOf(source.type, `${path}.type`, hostPathTypes);
}

function* checkGitRepo(source: Draft<GitRepoVolumeSource>, path: string): FieldErrors {
  yield* checkRequired(source.repository, `${path}.repository`);
  yield* checkDescendingPath(`${path}.directory`, source.directory ?? '');
}

/** A partition is counted from 1; zero means none. A wrong one is reported twice. */
function* checkPartition(source: { partition?: number | undefined }, path: string): FieldErrors {
  for (const _ of checkBetween(source.partition, `${path}.partition`, [0, 255])) {
    yield* checkBetween(source.partition, `${path}.partition`, [1, 255]);
  }
}

/** Checks files made from keys of a config map or secret. */
function* checkFiles(
  source: { defaultMode?: number | undefined; items?: readonly Draft<KeyToPath>[] | undefined },
  path: string,
): FieldErrors {
  yield* checkMode(source.defaultMode, `${path}.defaultMode`);
  for (const [i, item] of (source.items ?? []).entries()) yield* checkKeyToPath(item, `${path}.items[${i}]`);
}

function* checkNfs(source: Draft<NFSVolumeSource>, path: string): FieldErrors {
  const { path: target = '' } = source;
  yield* checkRequired(source.server, `${path}.server`);
  yield* checkRequired(source.path, `${path}.path`);
  if (!target.startsWith('/')) yield invalidValue(`${path}.path`, target, 'must be an absolute path');
}

function* checkFlocker(
  { datasetName: name = '', datasetUUID: uuid = '' }: Draft<FlockerVolumeSource>,
  path: string,
): FieldErrors {
  if (name === '' && uuid === '') yield required(path, 'one of datasetName and datasetUUID is required');
  if (name !== '' && uuid !== '') {
    yield invalidValue(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
  }
  if (name.includes('/')) yield invalidValue(`${path}.datasetName`, name, "must not contain '/'");
}

function* checkSecretName(secret: Draft<LocalObjectReference> | undefined, path: string): FieldErrors {
  if (secret) yield* checkRequired(secret.name, `${path}.name`);
}

function* checkQuobyte(source: Draft<QuobyteVolumeSource>, path: string): FieldErrors {
  const { registry = '', tenant = '' } = source;
  const at = `${path}.registry`;
  if (registry === '') {
    yield required(at, 'must be a host:port pair or multiple pairs separated by commas');
  } else if (tenant.length > 64) {
    yield required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters');
  } else {
    // Each wrong pair is an error of the whole field.
    for (const pair of registry.split(',')) {
      if (/^([^:[\]]*|\[[^[\]]*\]):[^:]*$/.test(pair)) continue;
      yield invalidValue(at, registry, 'must be a host:port pair or multiple pairs separated by commas');
    }
  }
  yield* checkRequired(source.volume, `${path}.volume`);
}

/** A flexible driver's options must not have names of the platform. */
function* checkFlex(source: Draft<FlexVolumeSource>, path: string, { id }: Naming): FieldErrors {
  yield* checkRequired(source.driver, `${path}.driver`);
  const reserved = id === 'kubernetes' ? ['kubernetes.io', 'k8s.io'] : ['platform.io'];
  for (const option of Object.keys(source.options ?? {})) {
    const namespace = `.${(option.split('/', 1)[0] ?? '').toLowerCase()}`;
    if (!reserved.some((domain) => namespace.endsWith(`.${domain}`))) continue;
    const are = reserved.length > 1 ? 'namespaces are' : 'namespace is';
    yield invalidValue(`${path}.options[${option}]`, option, `${reserved.join(' and ')} ${are} reserved`);
  }
}

function* checkDownward(source: Draft<DownwardAPIVolumeSource>, path: string): FieldErrors {
  yield* checkMode(source.defaultMode, `${path}.defaultMode`);
  // Errors about single files name the whole source.
  for (const file of source.items ?? []) yield* checkDownwardFile(file, path);
}

const managedDisk =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}' as const;
const blobDisk = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd' as const;

/** The address of an Azure disk depends on its kind. */
function* checkAzureDisk(source: Draft<AzureDiskVolumeSource>, path: string): FieldErrors {
  const { kind, diskURI: uri = '' } = source;
  yield* checkRequired(source.diskName, `${path}.diskName`);
  yield* checkRequired(source.diskURI, `${path}.diskURI`);
  yield* checkOneOf(source.cachingMode, `${path}.cachingMode`, ['None', 'ReadOnly', 'ReadWrite']);
  yield* checkOneOf(source.kind, `${path}.kind`, ['Dedicated', 'Managed', 'Shared']);
  if (kind === undefined || uri.startsWith(kind === 'Managed' ? '/subscriptions/' : 'https://')) return;
  yield notSupported(`${path}.diskURI`, uri, [kind === 'Managed' ? managedDisk : blobDisk]);
}

function* checkStorageOs(source: Draft<StorageOSVolumeSource>, path: string): FieldErrors {
  const { volumeName = '', volumeNamespace, secretRef } = source;
  yield* checkName(`${path}.volumeName`, volumeName, dns1123Label);
  if (volumeNamespace) yield* checkName(`${path}.volumeNamespace`, volumeNamespace, dns1123Label);
  yield* checkSecretName(secretRef, `${path}.secretRef`);
}

function* checkCsi({ driver = '', nodePublishSecretRef: secret }: Draft<CSIVolumeSource>, path: string): FieldErrors {
  yield* checkDriverName(driver, `${path}.driver`);
  // As in the reference, the error about a malformed name omits the field that holds it.
  if (secret?.name) yield* checkText(`${path}.name`, secret.name, dns1123Subdomain);
  else if (secret) yield required(`${path}.nodePublishSecretRef.name`);
}

function* checkEphemeral({ volumeClaimTemplate }: Draft<EphemeralVolumeSource>, path: string): FieldErrors {
  if (volumeClaimTemplate) yield* checkClaimTemplate(volumeClaimTemplate, `${path}.volumeClaimTemplate`);
  else yield required(`${path}.volumeClaimTemplate`);
}
