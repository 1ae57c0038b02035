/** Where the contents of a persistent volume are: the checks of each kind of source. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { dns1123Label, dns1123Subdomain } from '../../../runtime/objects/dns-names.js';
import { forbidden, invalidValue, required } from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { checkDriverName } from '../../shared/driver-name.js';
import { checkName, checkPresent, checkText, type FieldErrors } from '../../shared/field-checks.js';
import { checkNoBacksteps } from '../../shared/paths.js';
import { hasAt } from '../../shared/reading.js';
import { volumeSources } from '../pod-spec/volume-sources.js';

/** Checks one source at its path. */
type SourceCheck = (source: JsonObject, path: string, names: Naming) => FieldErrors;

/** The check of a source that pods and persistent volumes describe with the same words. */
const asInPods = (key: keyof typeof volumeSources): SourceCheck => volumeSources[key];

function* checkGlusterfs(source: JsonObject, path: string, names: Naming): FieldErrors {
  yield* asInPods('glusterfs')(source, path, names);
  if (!hasAt(source, 'endpointsNamespace')) return;
  const [at, namespace] = [`${path}.endpointsNamespace`, stringAt(source, 'endpointsNamespace')];
  if (namespace !== '') yield* checkText(at, namespace, dns1123Label);
  else yield invalidValue(at, namespace, 'if the endpointnamespace is set, it must be a valid namespace name');
}

/** A secret of which both name and namespace have to be there. */
function* checkSecret(source: JsonObject, path: string): FieldErrors {
  const secret = objectAt(source, 'secretRef');
  if (!secret) return;
  yield* checkPresent(secret, 'name', `${path}.secretRef`);
  yield* checkPresent(secret, 'namespace', `${path}.secretRef`);
}

function* checkCinder(source: JsonObject, path: string): FieldErrors {
  yield* checkPresent(source, 'volumeID', path);
  yield* checkSecret(source, path);
}

function* checkAzureFile(source: JsonObject, path: string): FieldErrors {
  yield* checkPresent(source, 'secretName', path);
  yield* checkPresent(source, 'shareName', path);
  if (hasAt(source, 'secretNamespace')) yield* checkPresent(source, 'secretNamespace', path);
}

function* checkLocal(source: JsonObject, path: string): FieldErrors {
  yield* checkPresent(source, 'path', path);
  yield* checkNoBacksteps(`${path}.path`, stringAt(source, 'path'));
}

function* checkStorageOs(source: JsonObject, path: string): FieldErrors {
  yield* checkName(`${path}.volumeName`, stringAt(source, 'volumeName'), dns1123Label);
  const namespace = stringAt(source, 'volumeNamespace');
  if (namespace !== '') yield* checkText(`${path}.volumeNamespace`, namespace, dns1123Label);
  yield* checkSecret(source, path);
}

/** Secrets that a driver is given for single steps. */
const driverSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const;

function* checkCsi(source: JsonObject, path: string): FieldErrors {
  yield* checkDriverName(stringAt(source, 'driver'), `${path}.driver`);
  yield* checkPresent(source, 'volumeHandle', path);
  for (const key of driverSecrets) {
    const secret = objectAt(source, key);
    if (!secret) continue;
    yield* checkName(`${path}.${key}.name`, stringAt(secret, 'name'), dns1123Subdomain);
    yield* checkName(`${path}.${key}.namespace`, stringAt(secret, 'namespace'), dns1123Label);
  }
}

/** Characters that the name of a volume and its portal may have together where the initiator is named. */
const maxPortal = 64;

function iscsiOf(volumeName: string): SourceCheck {
  return function* check(source, path, names) {
    const portal = stringAt(source, 'targetPortal');
    if (hasAt(source, 'initiatorName') && volumeName.length + 1 + portal.length > maxPortal) {
      const rule =
        'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
      yield invalidValue(`${path}.targetportal`, portal, rule);
    }
    yield* asInPods('iscsi')(source, path, names);
    const secret = objectAt(source, 'secretRef');
    if (secret) yield* checkPresent(secret, 'name', `${path}.secretRef`);
  };
}

/** A kind of source: the field that has it, its check, and how errors call the field where they differ from it. */
interface Source {
  readonly key: string;
  readonly check: SourceCheck;
  readonly reported?: string;
  readonly reportedAsMany?: string;
}

/** Kinds of sources in the order in which the first of several counts. */
function sourcesOf(volumeName: string): readonly Source[] {
  return [
    { key: 'hostPath', check: asInPods('hostPath') },
    { key: 'gcePersistentDisk', check: asInPods('gcePersistentDisk'), reported: 'persistentDisk' },
    { key: 'awsElasticBlockStore', check: asInPods('awsElasticBlockStore') },
    { key: 'glusterfs', check: checkGlusterfs },
    { key: 'flocker', check: asInPods('flocker') },
    { key: 'nfs', check: asInPods('nfs') },
    { key: 'rbd', check: asInPods('rbd') },
    { key: 'quobyte', check: asInPods('quobyte') },
    { key: 'cephfs', check: asInPods('cephfs'), reportedAsMany: 'cephFS' },
    { key: 'iscsi', check: iscsiOf(volumeName) },
    { key: 'cinder', check: checkCinder },
    { key: 'fc', check: asInPods('fc') },
    { key: 'flexVolume', check: asInPods('flexVolume') },
    { key: 'azureFile', check: checkAzureFile },
    { key: 'vsphereVolume', check: asInPods('vsphereVolume') },
    { key: 'photonPersistentDisk', check: asInPods('photonPersistentDisk') },
    { key: 'portworxVolume', check: asInPods('portworxVolume') },
    { key: 'azureDisk', check: asInPods('azureDisk') },
    { key: 'scaleIO', check: asInPods('scaleIO') },
    { key: 'local', check: checkLocal },
    { key: 'storageos', check: checkStorageOs },
    { key: 'csi', check: checkCsi },
  ];
}

/** Fields of a spec that say where the contents are. */
export const sourceKeys: readonly string[] = sourcesOf('').map(({ key }) => key);

/** The one source of a spec. A flexible volume is looked at even beside another, as it always was. */
export function* checkSource(spec: JsonObject, volumeName: string, path: string, names: Naming): FieldErrors {
  let found = false;
  for (const { key, check, reported = key, reportedAsMany = key } of sourcesOf(volumeName)) {
    const source = objectAt(spec, key);
    if (!source) continue;
    if (found && key !== 'flexVolume') {
      yield forbidden(`${path}.${reportedAsMany}`, 'may not specify more than 1 volume type');
    } else {
      yield* check(source, `${path}.${reported}`, names);
      if (key === 'local' && !objectAt(spec, 'nodeAffinity')) {
        yield required(`${path}.nodeAffinity`, 'Local volume requires node affinity');
      }
    }
    found = true;
  }
  if (!found) yield required(path, 'must specify a volume type');
}
