/** Where the contents of a volume come from: the checks of each kind of source. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { dns1123Label, dns1123Subdomain } from '../../../runtime/objects/dns-names.js';
import { forbidden, invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { isString, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { parseQuantity } from '../../../runtime/objects/quantity.js';
import { checkDriverName } from '../../shared/driver-name.js';
import { checkChoice, checkName, checkPresent, checkRange, type FieldErrors } from '../../shared/field-checks.js';
import { checkDescendingPath, checkFileMode, checkKeyToPath, checkNoBacksteps } from '../../shared/paths.js';
import { hasAt, objectsAt, textsAt } from '../../shared/reading.js';
import { checkClaimTemplate } from '../volumes/claim-spec.js';
import { checkFc, checkIscsi } from './network-disks.js';
import { checkDownwardFile, checkProjected } from './projected-files.js';

/** Checks one source at its path. */
export type SourceCheck = (source: JsonObject, path: string, names: Naming) => FieldErrors;

/** A source of which some fields have to be there. */
function needing(...keys: readonly string[]): SourceCheck {
  return function* check(source, path) {
    for (const key of keys) yield* checkPresent(source, key, path);
  };
}

/** A source of which some lists have to be there. */
function listing(...keys: readonly string[]): SourceCheck {
  return function* check(source, path) {
    for (const key of keys) if (textsAt(source, key).length === 0) yield required(`${path}.${key}`);
  };
}

function both(first: SourceCheck, second: SourceCheck): SourceCheck {
  return function* check(source, path, names) {
    yield* first(source, path, names);
    yield* second(source, path, names);
  };
}

function* checkEmptyDir(source: JsonObject, path: string): FieldErrors {
  const limit = source.sizeLimit;
  const quantity = isString(limit) ? parseQuantity(limit) : undefined;
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

/** A path of the node itself. */
function* checkHostPath(source: JsonObject, path: string): FieldErrors {
  const target = stringAt(source, 'path');
  if (target === '') {
    yield required(`${path}.path`);
    return;
  }
  yield* checkNoBacksteps(`${path}.path`, target);
  yield* checkChoice(source, 'type', path, hostPathTypes);
}

function* checkGitRepo(source: JsonObject, path: string): FieldErrors {
  yield* checkPresent(source, 'repository', path);
  yield* checkDescendingPath(`${path}.directory`, stringAt(source, 'directory'));
}

/** A disk of which a partition may be meant. */
function* checkPartition(source: JsonObject, path: string): FieldErrors {
  for (const _ of checkRange(source, 'partition', path, [0, 255])) {
    yield* checkRange(source, 'partition', path, [1, 255]);
  }
}

/** Files made of the keys of a config map or secret. */
function filesOf(nameKey: string): SourceCheck {
  return function* check(source, path) {
    yield* checkPresent(source, nameKey, path);
    yield* checkFileMode(source, 'defaultMode', path);
    for (const [i, item] of objectsAt(source, 'items').entries()) yield* checkKeyToPath(item, `${path}.items[${i}]`);
  };
}

function* checkNfs(source: JsonObject, path: string): FieldErrors {
  yield* checkPresent(source, 'server', path);
  yield* checkPresent(source, 'path', path);
  const target = stringAt(source, 'path');
  if (!target.startsWith('/')) yield invalidValue(`${path}.path`, target, 'must be an absolute path');
}

function* checkFlocker(source: JsonObject, path: string): FieldErrors {
  const [name, uuid] = [stringAt(source, 'datasetName'), stringAt(source, 'datasetUUID')];
  if (name === '' && uuid === '') yield required(path, 'one of datasetName and datasetUUID is required');
  if (name !== '' && uuid !== '') {
    yield invalidValue(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
  }
  if (name.includes('/')) yield invalidValue(`${path}.datasetName`, name, "must not contain '/'");
}

function* checkSecretName(source: JsonObject, path: string): FieldErrors {
  const secret = objectAt(source, 'secretRef');
  if (secret) yield* checkPresent(secret, 'name', `${path}.secretRef`);
}

function* checkQuobyte(source: JsonObject, path: string): FieldErrors {
  const registry = stringAt(source, 'registry');
  const [at, tenant] = [`${path}.registry`, stringAt(source, 'tenant')];
  if (registry === '') {
    yield required(at, 'must be a host:port pair or multiple pairs separated by commas');
  } else if (tenant.length > 64) {
    yield required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters');
  } else if (!registry.split(',').every((pair) => /^([^:[\]]*|\[[^[\]]*\]):[^:]*$/.test(pair))) {
    yield invalidValue(at, registry, 'must be a host:port pair or multiple pairs separated by commas');
  }
  yield* checkPresent(source, 'volume', path);
}

/** Names of options that belong to the server. */
function* checkFlex(source: JsonObject, path: string, { id }: Naming): FieldErrors {
  yield* checkPresent(source, 'driver', path);
  const reserved = id === 'kubernetes' ? ['kubernetes.io', 'k8s.io'] : ['platform.io'];
  for (const key of Object.keys(objectAt(source, 'options') ?? {})) {
    const namespace = `.${(key.split('/', 1)[0] ?? '').toLowerCase()}`;
    if (!reserved.some((domain) => namespace.endsWith(`.${domain}`))) continue;
    const are = reserved.length > 1 ? 'namespaces are' : 'namespace is';
    yield invalidValue(`${path}.options[${key}]`, key, `${reserved.join(' and ')} ${are} reserved`);
  }
}

function* checkDownward(source: JsonObject, path: string): FieldErrors {
  yield* checkFileMode(source, 'defaultMode', path);
  // Errors of single files are told of the whole source.
  for (const file of objectsAt(source, 'items')) yield* checkDownwardFile(file, path);
}

const managedDisk =
  '/subscriptions/{sub-id}/resourceGroups/{group-name}/providers/Microsoft.Compute/disks/{disk-id}' as const;
const blobDisk = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd' as const;

/** A disk of Azure, addressed in the way of its kind. */
function* checkAzureDisk(source: JsonObject, path: string): FieldErrors {
  yield* checkPresent(source, 'diskName', path);
  yield* checkPresent(source, 'diskURI', path);
  yield* checkChoice(source, 'cachingMode', path, ['None', 'ReadOnly', 'ReadWrite']);
  yield* checkChoice(source, 'kind', path, ['Dedicated', 'Managed', 'Shared']);
  if (!hasAt(source, 'kind')) return;
  const [uri, managed] = [stringAt(source, 'diskURI'), stringAt(source, 'kind') === 'Managed'];
  if (uri.startsWith(managed ? '/subscriptions/' : 'https://')) return;
  yield notSupported(`${path}.diskURI`, uri, [managed ? managedDisk : blobDisk]);
}

function* checkStorageOs(source: JsonObject, path: string): FieldErrors {
  yield* checkName(`${path}.volumeName`, stringAt(source, 'volumeName'), dns1123Label);
  const namespace = stringAt(source, 'volumeNamespace');
  if (namespace !== '') yield* checkName(`${path}.volumeNamespace`, namespace, dns1123Label);
  yield* checkSecretName(source, path);
}

function* checkCsi(source: JsonObject, path: string): FieldErrors {
  yield* checkDriverName(stringAt(source, 'driver'), `${path}.driver`);
  const secret = objectAt(source, 'nodePublishSecretRef');
  if (!secret) return;
  yield* checkName(`${path}.nodePublishSecretRef.name`, stringAt(secret, 'name'), dns1123Subdomain);
}

function* checkEphemeral(source: JsonObject, path: string): FieldErrors {
  const template = objectAt(source, 'volumeClaimTemplate');
  if (template) yield* checkClaimTemplate(template, `${path}.volumeClaimTemplate`);
  else yield required(`${path}.volumeClaimTemplate`);
}

/** The kinds of sources by the field that has them, in the order in which the first of several counts. */
export const volumeSources: readonly (readonly [key: string, check: SourceCheck])[] = [
  ['emptyDir', checkEmptyDir],
  ['hostPath', checkHostPath],
  ['gitRepo', checkGitRepo],
  ['gcePersistentDisk', both(needing('pdName'), checkPartition)],
  ['awsElasticBlockStore', both(needing('volumeID'), checkPartition)],
  ['secret', filesOf('secretName')],
  ['nfs', checkNfs],
  ['iscsi', checkIscsi],
  ['glusterfs', needing('endpoints', 'path')],
  ['flocker', checkFlocker],
  ['persistentVolumeClaim', needing('claimName')],
  ['rbd', both(listing('monitors'), needing('image'))],
  ['cinder', both(needing('volumeID'), checkSecretName)],
  ['cephfs', listing('monitors')],
  ['quobyte', checkQuobyte],
  ['downwardAPI', checkDownward],
  ['fc', checkFc],
  ['flexVolume', checkFlex],
  ['configMap', filesOf('name')],
  ['azureFile', needing('secretName', 'shareName')],
  ['vsphereVolume', needing('volumePath')],
  ['photonPersistentDisk', needing('pdID')],
  ['portworxVolume', needing('volumeID')],
  ['azureDisk', checkAzureDisk],
  ['storageos', checkStorageOs],
  ['projected', checkProjected],
  ['scaleIO', needing('gateway', 'system', 'volumeName')],
  ['csi', checkCsi],
  ['ephemeral', checkEphemeral],
];
