/** Projected volumes, and references to fields and resources of the pod itself. */
import type {
  ClusterTrustBundleProjection,
  DownwardAPIProjection,
  DownwardAPIVolumeFile,
  ObjectFieldSelector,
  PodCertificateProjection,
  ProjectedVolumeSource,
  ResourceFieldSelector,
  SecretProjection,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { annotationKey, qualifiedNameCheck } from '../../../runtime/objects/names/name-checks.js';
import type { Release } from '../../../runtime/objects/release.js';
import { canonicalQuantity } from '../../../runtime/objects/scan/quantity.js';
import { checkRequired, checkText, type FieldChecks, type FieldErrors, setFields } from '../../shared/field-checks.js';
import { checkFilePath, checkKeyToPath, checkMode } from '../../shared/names.js';

/** Returns the fields that environment variables may use, sorted. */
export const envFields = (release: Release): readonly string[] =>
  release.does('addressesOfNodes') ? [...oldEnvFields, 'status.hostIPs'].sort() : oldEnvFields;

const oldEnvFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
];

/** Fields that files may use. */
const fileFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
] as const;

/** All fields with a name, including fields that only some references may use. */
const knownFields: ReadonlySet<string> = new Set([
  ...oldEnvFields,
  ...fileFields,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

/** Older names of fields. */
const olderNames: ReadonlyMap<string, string> = new Map([['spec.host', 'spec.nodeName']]);

/** Maps with selectable entries, as in `metadata.labels['key']`, and the rule for their keys. */
const maps = new Map([
  ['metadata.annotations', annotationKey],
  ['metadata.labels', qualifiedNameCheck],
]);

/** Checks a reference to a field of the pod. */
export function* checkFieldSelector(
  { apiVersion: version = '', fieldPath: field = '' }: Draft<ObjectFieldSelector>,
  path: string,
  allowed: readonly string[],
): FieldErrors {
  if (version === '') yield required(`${path}.apiVersion`);
  else if (field === '') yield required(`${path}.fieldPath`);
  else {
    const [, map = '', key = ''] = /^([^[]+)\['(.*)'\]$/s.exec(field) ?? [];
    const current = olderNames.get(field) ?? field;
    const problem = unknownField(version, current, map, allowed);
    const check = maps.get(map);
    if (problem) yield invalidValue(`${path}.fieldPath`, field, `error converting fieldPath: ${problem}`);
    else if (check) yield* checkText(path, key, check);
    else if (!allowed.includes(current)) yield notSupported(`${path}.fieldPath`, current, allowed);
  }
}

function unknownField(version: string, field: string, map: string, allowed: readonly string[]): string | undefined {
  if (version !== 'v1') return `unsupported pod version: ${version}`;
  if (map !== '') return maps.has(map) ? undefined : `field label does not support subscript: ${field}`;
  return knownFields.has(field) || allowed.includes(field) ? undefined : `field label not supported: ${field}`;
}

const resources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
] as const;

const isHugePages = (resource: string): boolean => /^(limits|requests)\.hugepages-/.test(resource);

/** Checks a reference to a resource of a container; files must name the container. */
export function* checkResourceSelector(
  { resource = '', containerName = '', divisor = '' }: Draft<ResourceFieldSelector>,
  path: string,
  inFile: boolean,
): FieldErrors {
  if (inFile && containerName === '') yield required(`${path}.containerName`);
  else if (resource === '') yield required(`${path}.resource`);
  else if (!resources.some((known) => known === resource) && !isHugePages(resource)) {
    yield notSupported(`${path}.resource`, resource, resources);
  }
  yield* checkDivisor(divisor || '0', resource, `${path}.divisor`);
}

const cpuDivisors = ['1m', '1'] as const;
const byteDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'] as const;

function* checkDivisor(text: string, resource: string, path: string): FieldErrors {
  const written = canonicalQuantity(text);
  const divisor = written.ok ? written.value : '';
  const kind = kindOf(resource);
  const allowed: readonly string[] = kind === 'cpu' ? cpuDivisors : byteDivisors;
  if (divisor === '0' || kind === undefined || allowed.includes(divisor)) return;
  const listed = kind === 'cpu' ? '1m and 1' : byteDivisors.join(', ');
  yield invalidValue(path, resource, `only divisor's values ${listed} are supported with the ${kind} resource`);
}

/** The words of messages for resources with a divisor. */
const kinds: ReadonlyMap<string | undefined, string> = new Map([
  ['cpu', 'cpu'],
  ['memory', 'memory'],
  ['ephemeral-storage', 'local ephemeral storage'],
]);

function kindOf(resource: string): string | undefined {
  if (isHugePages(resource)) return 'hugepages';
  return kinds.get(resources.find((known) => known === resource)?.split('.')[1]);
}

/** Checks a file with a field of the pod or a resource of one of its containers. */
export function* checkDownwardFile(file: Draft<DownwardAPIVolumeFile>, path: string): FieldErrors {
  const { fieldRef: field, resourceFieldRef: resource } = file;
  yield* checkRequired(file.path, `${path}.path`);
  yield* checkFilePath(`${path}.path`, file.path ?? '');
  if (field) {
    yield* checkFieldSelector(field, `${path}.fieldRef`, fileFields);
    if (resource) {
      yield invalidValue(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    }
  } else if (resource) yield* checkResourceSelector(resource, `${path}.resourceFieldRef`, true);
  else yield required(path, 'one of fieldRef and resourceFieldRef is required');
  yield* checkMode(file.mode, `${path}.mode`);
}

/** The path of a volume, and the file paths that are already used. */
type VolumeFiles = readonly [volume: string, taken: Set<string>];

const projections: FieldChecks<Draft<VolumeProjection>, VolumeFiles> = {
  secret: checkKeys,
  configMap: checkKeys,
  downwardAPI: checkDownward,
  serviceAccountToken: checkToken,
  clusterTrustBundle: checkTrustBundle,
  podCertificate: checkCertificate,
};

/** The sources of a projected volume must not create the same file twice. */
export function* checkProjected(volume: Draft<ProjectedVolumeSource>, path: string): FieldErrors {
  yield* checkMode(volume.defaultMode, `${path}.defaultMode`);
  const taken = new Set<string>();
  for (const [i, source] of (volume.sources ?? []).entries()) {
    const at = `${path}.sources[${i}]`;
    const set = [...setFields(source, at, projections, path, taken)];
    for (const { errors } of set) yield* errors;
    if (set.length > 1) yield forbidden(at, 'may not specify more than 1 volume type');
  }
}

function* checkKeys(source: Draft<SecretProjection>, path: string, ...files: VolumeFiles): FieldErrors {
  yield* checkRequired(source.name, `${path}.name`);
  for (const [i, item] of (source.items ?? []).entries()) {
    yield* checkKeyToPath(item, `${path}.items[${i}]`);
    yield* checkPlace(item.path, source.name ?? '', ...files);
  }
}

function* checkDownward(source: Draft<DownwardAPIProjection>, path: string, ...files: VolumeFiles): FieldErrors {
  for (const file of source.items ?? []) {
    yield* checkDownwardFile(file, path);
    yield* checkPlace(file.path, file.path ?? '', ...files);
  }
}

function* checkPlace(place = '', shown: string, ...[volume, taken]: VolumeFiles): FieldErrors {
  if (place === '') return;
  if (taken.has(place)) yield invalidValue(volume, shown, 'conflicting duplicate paths');
  taken.add(place);
}

const shortestLife = 10 * 60;
const longestLife = 2 ** 32;

function* checkToken(source: Draft<ServiceAccountTokenProjection>, path: string, volume: string): FieldErrors {
  const { expirationSeconds: seconds = 0 } = source;
  const at = `${path}.expirationSeconds`;
  if (seconds < shortestLife) yield invalidValue(at, seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > longestLife) yield invalidValue(at, seconds, 'may not specify a duration larger than 2^32 seconds');
  // As in the reference, the path is expected in the volume and may be any text.
  yield* checkRequired(source.path, `${volume}.path`);
}

function* checkTrustBundle(
  { name, signerName, labelSelector, path: place = '' }: Draft<ClusterTrustBundleProjection>,
  path: string,
  ...[volume, taken]: VolumeFiles
): FieldErrors {
  if (name !== undefined && signerName !== undefined) {
    yield invalidValue(path, name, 'only one of name and signerName may be used');
  } else if (name !== undefined) {
    if (name === '') yield required(`${path}.name`, 'must be a valid object name');
    if (labelSelector)
      yield invalidValue(`${path}.labelSelector`, name, 'labelSelector must be unset if name is specified');
  } else if (signerName === undefined) {
    yield required(path, 'either name or signerName must be specified');
  } else if (signerName === '') yield required(`${path}.signerName`, 'must be a valid signer name');
  yield* checkRequired(place, `${path}.path`);
  yield* checkFilePath(`${path}.path`, place);
  yield* checkPlace(place, place, volume, taken);
}

const keyTypes = ['ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519', 'RSA3072', 'RSA4096'] as const;

function* checkCertificate(
  source: Draft<PodCertificateProjection>,
  path: string,
  ...[volume, taken]: VolumeFiles
): FieldErrors {
  const { signerName = '', keyType = '' } = source;
  if (signerName === '') yield required(`${path}.signerName`, 'must be a valid signer name');
  if (!keyTypes.some((known) => known === keyType)) yield notSupported(`${path}.keyType`, keyType, keyTypes);
  for (const field of ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const) {
    const place = source[field] ?? '';
    if (place !== '') yield* checkFilePath(`${path}.${field}`, place);
    yield* checkPlace(place, place, volume, taken);
  }
}
