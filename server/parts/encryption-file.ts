/** Reads an `EncryptionConfiguration` file, by the rules and in the words of kube-apiserver. */
import { configurationSchema } from '../../plugins/kit.js';
import type { ConfigurationPath, RefuseConfiguration } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, required, stringList } from '../../runtime/objects/field-error.js';
import { parseDuration } from '../../runtime/objects/scan/duration.js';
import type { NamedKey } from '../../runtime/storage/index.js';
import { readPlacedDocument, withoutVersion } from './placed-document.js';

/** A key service, as the file names it. */
export interface KmsProvider {
  readonly name: string;
  /** As in `unix:///run/kms.sock`. */
  readonly endpoint: string;
  /** The time limit of one call. */
  readonly timeoutMs: number;
}

/** One element of `providers`. It has exactly one member. */
export interface EncryptionProvider {
  readonly identity?: true;
  readonly aescbc?: readonly NamedKey[];
  readonly aesgcm?: readonly NamedKey[];
  readonly secretbox?: readonly NamedKey[];
  readonly kms?: KmsProvider;
}

/** One element of `resources`. */
export interface EncryptedResources {
  readonly resources: readonly string[];
  readonly providers: readonly EncryptionProvider[];
}

/** The content, or all mistakes in the file, each with its place. */
export type EncryptionFileResult =
  | { readonly ok: true; readonly resources: readonly EncryptedResources[] }
  | { readonly ok: false; readonly problems: readonly string[] };

const format = { apiVersions: ['apiserver.config.platform.io/v1'], kind: 'EncryptionConfiguration' };

const { fields, list, optional, text, whole } = configurationSchema;
const keys = fields({ keys: list(fields({ name: optional(text, ''), secret: optional(text, '') })) });
const provider = fields({
  identity: optional(fields({}), undefined),
  aescbc: optional(keys, undefined),
  aesgcm: optional(keys, undefined),
  secretbox: optional(keys, undefined),
  kms: optional(
    fields({
      apiVersion: optional(text, 'v1'),
      name: optional(text, ''),
      endpoint: optional(text, ''),
      timeout: optional(text, '3s'),
      cachesize: optional(whole(), undefined),
    }),
    undefined,
  ),
});
const schema = fields({ resources: list(fields({ resources: list(text), providers: list(provider) })) });

type GivenProvider = NonNullable<ReturnType<typeof provider>>['value'];
type GivenKeys = NonNullable<ReturnType<typeof keys>>['value']['keys'];

/** Reads the file. No message contains a key. */
export function readEncryptionFile(file: string): EncryptionFileResult {
  const problems: string[] = [];
  const { value, refuse } = readPlacedDocument(file, problems);
  if (problems.length > 0) return { ok: false, problems };
  const given = withoutVersion(value, format, refuse);
  const read = given === undefined ? undefined : schema(given, [], refuse);
  if (!read || problems.length > 0) return { ok: false, problems };
  const resources = readAll(read.value.resources, refuse);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, resources };
}

interface GivenResources {
  readonly resources: readonly string[];
  readonly providers: readonly GivenProvider[];
}

function readAll(all: readonly GivenResources[], refuse: RefuseConfiguration): readonly EncryptedResources[] {
  if (all.length === 0) refuse(['resources'], required('', 'at least one resources is required').message);
  const earlier: string[] = [];
  const services: string[] = [];
  return all.map(({ resources, providers }, index) => {
    const [ofResources, ofProviders] = [
      ['resources', index, 'resources'],
      ['resources', index, 'providers'],
    ];
    checkResources(resources, ofResources, refuse);
    for (const [at, resource] of resources.entries()) {
      const mask = [wildcardOf(resource), '*.*'].find((one) => one !== resource && earlier.includes(one));
      if (mask !== undefined) {
        refuse([...ofResources, at], `resource ${JSON.stringify(resource)} is masked by earlier rule "${mask}"`);
      }
    }
    earlier.push(...resources);
    if (providers.length === 0) {
      const name = `resources[${index}].providers`;
      refuse(ofProviders, required('', `at least one ${name} is required`).message);
    }
    return {
      resources,
      providers: providers.map((one, at) => readProvider(one, [...ofProviders, at], services, refuse)),
    };
  });
}

/** Splits `deployments.apps`; the core group is empty, also in `*.`. */
function partsOf(resource: string): { readonly plural: string; readonly group: string } {
  const dot = resource.indexOf('.');
  return dot < 0 ? { plural: resource, group: '' } : { plural: resource.slice(0, dot), group: resource.slice(dot + 1) };
}

const wildcardOf = (resource: string): string => `*.${partsOf(resource).group}`;

function checkResources(resources: readonly string[], path: ConfigurationPath, refuse: RefuseConfiguration): void {
  if (resources.length === 0) {
    const name = `resources[${path[1]}].resources`;
    refuse(path, required('', `at least one ${name} is required`).message);
  }
  const overlap = overlapOf(resources);
  if (overlap) refuse(path, invalidValue('', stringList(resources), overlap).message);
  for (const [index, resource] of resources.entries()) {
    const problem = nameProblem(resource);
    if (problem) refuse([...path, index], invalidValue('', resource, problem).message);
  }
}

function overlapOf(resources: readonly string[]): string {
  const names = resources.map((one) => `${partsOf(one).plural}.${partsOf(one).group}`);
  if (new Set(names).size < names.length) return 'the same resource cannot be specified multiple times';
  const isMasked = names.some((name) => name !== '*.*' && (names.includes('*.*') || isInGroup(name, names)));
  return isMasked
    ? "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked"
    : '';
}

const isInGroup = (name: string, names: readonly string[]): boolean =>
  !name.startsWith('*.') && names.includes(wildcardOf(name));

const withoutApi = ['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'];

function nameProblem(resource: string): string {
  const { plural, group } = partsOf(resource);
  if (resource.toLowerCase() !== resource) return 'resource name should not contain capital letters';
  if (resource === '*')
    return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  if (withoutApi.includes(resource)) return 'resources which do not have REST API/s cannot be encrypted';
  if (/^events\.(k8s|platform)\.io$/.test(group)) {
    return "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";
  }
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption";
  if (group === '*' && plural !== '*') return 'encrypting the same resource across groups is not supported';
  return '';
}

const kinds = ['aesgcm', 'aescbc', 'secretbox', 'kms', 'identity'] as const;

function readProvider(
  given: GivenProvider,
  path: ConfigurationPath,
  services: string[],
  refuse: RefuseConfiguration,
): EncryptionProvider {
  const [kind, more] = kinds.filter((one) => given[one] !== undefined);
  if (kind === undefined) {
    refuse(path, 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity');
  } else if (more !== undefined) {
    refuse(path, 'more than one provider specified in a single element, should split into different list elements');
  }
  const { aescbc, aesgcm, secretbox, kms } = given;
  if (kms) return { kms: readKms(kms, [...path, 'kms'], services, refuse) };
  if (aescbc) return { aescbc: readKeys(aescbc.keys, AES_LENGTHS, [...path, 'aescbc', 'keys'], refuse) };
  if (aesgcm) return { aesgcm: readKeys(aesgcm.keys, AES_LENGTHS, [...path, 'aesgcm', 'keys'], refuse) };
  if (secretbox) return { secretbox: readKeys(secretbox.keys, [32], [...path, 'secretbox', 'keys'], refuse) };
  return { identity: true };
}

/** Bytes of a key of AES-128, AES-192 and AES-256. */
const AES_LENGTHS: readonly number[] = [16, 24, 32];

function readKeys(
  given: GivenKeys,
  lengths: readonly number[],
  path: ConfigurationPath,
  refuse: RefuseConfiguration,
): readonly NamedKey[] {
  if (given.length === 0) refuse(path, required('', 'at least one keys is required').message);
  return given.map(({ name, secret }, index) => {
    const at = [...path, index];
    if (name === '') refuse([...at, 'name'], required('', 'name is a mandatory field for a key').message);
    else if (given.findIndex((one) => one.name === name) < index) {
      refuse([...at, 'name'], duplicate('', name).message);
    }
    const problem = secretProblem(secret, lengths);
    if (problem) refuse([...at, 'secret'], problem);
    return { name, secret: Buffer.from(secret, 'base64') };
  });
}

function secretProblem(secret: string, lengths: readonly number[]): string {
  if (secret === '') return required('', 'secret is a mandatory field for a key').message;
  const bytes = Buffer.from(secret, 'base64');
  if (bytes.toString('base64') !== secret) {
    return invalidValue('', 'REDACTED', 'secrets must be base64 encoded').message;
  }
  if (lengths.includes(bytes.length)) return '';
  const detail = `secret is not of the expected length, got ${bytes.length}, expected one of [${lengths.join(' ')}]`;
  return invalidValue('', 'REDACTED', detail).message;
}

function readKms(
  { apiVersion, name, endpoint, timeout, cachesize }: NonNullable<GivenProvider['kms']>,
  path: ConfigurationPath,
  services: string[],
  refuse: RefuseConfiguration,
): KmsProvider {
  const wrong = (field: string, value: string, detail: string): void =>
    refuse([...path, field], invalidValue('', value, detail).message);
  if (name === '') refuse([...path, 'name'], required('', 'name is a mandatory field for a provider').message);
  if (name.includes(':')) wrong('name', name, `invalid KMS provider name ${name}, must not contain ':'`);
  if (services.includes(name)) wrong('name', name, `duplicate KMS provider name ${name}, names must be unique`);
  services.push(name);
  const timeoutMs = Number((parseDuration(timeout) ?? 0n) / 1_000_000n);
  if (timeoutMs <= 0) wrong('timeout', timeout, 'timeout should be a positive value');
  const endpointProblem = problemOfEndpoint(endpoint);
  if (endpointProblem) wrong('endpoint', endpoint, endpointProblem);
  if (apiVersion === 'v1') {
    wrong('apiVersion', apiVersion, 'KMS v1 is not supported; use a provider of v2 and write apiVersion: v2');
  } else if (apiVersion !== 'v2') {
    wrong('apiVersion', apiVersion, 'unsupported apiVersion apiVersion for KMS provider, only v2 is supported');
  } else if (cachesize !== undefined) {
    refuse([...path, 'cachesize'], invalidValue('', cachesize, 'cachesize is not supported in v2').message);
  }
  return { name, endpoint, timeoutMs };
}

function problemOfEndpoint(endpoint: string): string {
  if (endpoint === '') return 'endpoint is a mandatory field for a kms';
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(endpoint) ?? [];
  return scheme === 'unix'
    ? ''
    : `unsupported scheme ${JSON.stringify(scheme)} for KMS provider, only unix is supported`;
}
