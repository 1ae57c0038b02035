/** Reads an `AuthorizationConfiguration` file, with the rules and the words of a kube-apiserver. */
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { compileMatchCondition, type ReviewVersion } from '../../plugins/index.js';
import { configurationSchema } from '../../plugins/kit.js';
import type { Expression } from '../../runtime/cel/index.js';
import type { ConfigurationPath } from '../../runtime/contract/index.js';
import {
  duplicate,
  invalidValue,
  notSupported,
  required,
  tooMany,
  Verbatim,
} from '../../runtime/objects/field-error.js';
import { dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { formatDuration } from '../../runtime/objects/scan/duration.js';
import { type AuthorizationMode, authorizationModes } from '../authorization-mode.js';
import { isSystemError } from '../explain.js';
import {
  type AccessFileOptions,
  type AccessFileResult,
  accessVersions,
  duration,
  fieldRefuser,
  type Given,
  type RefuseField,
} from './access-file.js';
import { readPlacedDocument, withoutVersion } from './placed-document.js';

/** One element of `authorizers`. */
export interface ConfiguredAuthorizer {
  readonly type: AuthorizationMode;
  readonly name: string;
  /** Set for the type `Webhook`. */
  readonly webhook?: ConfiguredWebhook | undefined;
}

export interface ConfiguredWebhook {
  readonly kubeConfigFile: string;
  readonly version: ReviewVersion;
  /** 0 disables the cache. */
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly timeoutMs: number;
  readonly onFailure: 'no opinion' | 'deny';
  readonly matchConditions: readonly Expression[];
}

const introduced = { v1: '1.32', v1beta1: '1.30', v1alpha1: '1.29' };

const { fields, list, optional, text, truth } = configurationSchema;
const connection = fields({ type: optional(text, ''), kubeConfigFile: optional(text, undefined) });
const webhook = fields({
  authorizedTTL: optional(duration, 0n),
  cacheAuthorizedRequests: optional(truth, true),
  unauthorizedTTL: optional(duration, 0n),
  cacheUnauthorizedRequests: optional(truth, true),
  timeout: optional(duration, 0n),
  subjectAccessReviewVersion: optional(text, ''),
  matchConditionSubjectAccessReviewVersion: optional(text, ''),
  failurePolicy: optional(text, ''),
  connectionInfo: optional(connection, { type: '', kubeConfigFile: undefined }),
  matchConditions: list(fields({ expression: optional(text, '') })),
});
const authorizer = fields({
  type: optional(text, ''),
  name: optional(text, ''),
  webhook: optional(webhook, undefined),
});
const schema = fields({ authorizers: list(authorizer) });

type GivenAuthorizer = Given<typeof authorizer>;
type GivenWebhook = Given<typeof webhook>;

/** Reads the file. `wanted` are types that it must have. */
export function readAuthorizationFile(
  file: string,
  options: AccessFileOptions,
  wanted: readonly AuthorizationMode[] = [],
): AccessFileResult<readonly ConfiguredAuthorizer[]> {
  const problems: string[] = [];
  // Names the fields of a webhook as the reference does: as fields of the authorizer.
  const shown = (path: ConfigurationPath): ConfigurationPath =>
    path[2] === 'webhook' && path.length > 3 ? path.toSpliced(2, 1) : path;
  const { value, refuse, text: content } = readPlacedDocument(file, problems, shown);
  if (problems.length > 0) return { ok: false, problems, text: content };
  const apiVersions = accessVersions(introduced, options.release);
  const given = withoutVersion(value, { apiVersions, kind: 'AuthorizationConfiguration' }, refuse);
  const read = given === undefined ? undefined : schema(given, [], refuse);
  if (!read || problems.length > 0) return { ok: false, problems, text: content };
  const configuration = readAll(read.value.authorizers, options, fieldRefuser(refuse));
  if (problems.length === 0) {
    for (const [index, { type, name }] of configuration.entries()) {
      const expected = type.toLowerCase();
      if (type !== 'Webhook' && name !== expected)
        refuse(['authorizers', index, 'name'], `expected name ${expected} for authorizer ${type} instead of ${name}`);
    }
    const missing = wanted.filter((type) => !configuration.some((one) => one.type === type));
    if (missing.length > 0) refuse(['authorizers'], `missing required types: [${missing.toSorted().join(' ')}]`);
  }
  return problems.length > 0 ? { ok: false, problems, text: content } : { ok: true, configuration, text: content };
}

const isMode = (type: string): type is AuthorizationMode => authorizationModes.some((mode) => mode === type);

function readAll(
  all: readonly GivenAuthorizer[],
  options: AccessFileOptions,
  refuse: RefuseField,
): readonly ConfiguredAuthorizer[] {
  if (all.length === 0) refuse(['authorizers'], required('', 'at least one authorization mode must be defined'));
  const types = new Set<string>();
  const names = new Set<string>();
  return all.flatMap(({ type, name, webhook: given }, index) => {
    const path = ['authorizers', index];
    if (type === '') refuse([...path, 'type'], required(''));
    else if (!isMode(type)) refuse([...path, 'type'], notSupported('', type, authorizationModes));
    else if (types.has(type) && type !== 'Webhook') refuse([...path, 'type'], duplicate('', type));
    else {
      types.add(type);
      checkName(name, names, [...path, 'name'], refuse);
      const read = given && readWebhook(given, [...path, 'webhook'], options, type === 'Webhook' ? refuse : () => {});
      if (type === 'Webhook' && !given) refuse([...path, 'webhook'], required('', 'required when type=Webhook'));
      if (type !== 'Webhook' && given) {
        refuse([...path, 'webhook'], invalidValue('', 'non-null', 'may only be specified when type=Webhook'));
      }
      return [{ type, name, webhook: read }];
    }
    return [];
  });
}

function checkName(name: string, names: Set<string>, path: ConfigurationPath, refuse: RefuseField): void {
  const problems = dns1123Subdomain(name);
  if (name === '') refuse(path, required(''));
  else if (names.has(name)) refuse(path, duplicate('', name));
  else if (problems.length > 0) {
    refuse(path, invalidValue('', name, `authorizer name is invalid: ${problems.join(', ')}`));
  }
  names.add(name);
}

const second = 1_000_000_000n;

function readWebhook(
  given: GivenWebhook,
  path: ConfigurationPath,
  { featureEnabled }: AccessFileOptions,
  refuse: RefuseField,
): ConfiguredWebhook {
  const at = (...names: readonly string[]): ConfigurationPath => [...path, ...names];
  const { timeout, failurePolicy, matchConditions: conditions } = given;
  const authorized = given.authorizedTTL || 300n * second;
  const unauthorized = given.unauthorizedTTL || 30n * second;
  if (timeout === 0n) refuse(at('timeout'), required(''));
  else if (timeout > 30n * second || timeout < 0n) {
    refuse(at('timeout'), invalidValue('', formatDuration(timeout), 'must be > 0s and <= 30s'));
  }
  for (const [name, ttl] of [
    ['authorizedTTL', authorized],
    ['unauthorizedTTL', unauthorized],
  ] as const) {
    if (ttl < 0n) refuse(at(name), invalidValue('', formatDuration(ttl), 'must be > 0s'));
  }
  oneOf(given.subjectAccessReviewVersion, ['v1', 'v1beta1'], at('subjectAccessReviewVersion'), refuse);
  if (given.matchConditionSubjectAccessReviewVersion !== '' || conditions.length > 0) {
    const detail = 'required if match conditions are specified';
    const ofConditions = at('matchConditionSubjectAccessReviewVersion');
    oneOf(given.matchConditionSubjectAccessReviewVersion, ['v1'], ofConditions, refuse, detail);
  }
  oneOf(failurePolicy, ['NoOpinion', 'Deny'], at('failurePolicy'), refuse);
  checkConnection(given.connectionInfo, at('connectionInfo'), refuse);
  const milliseconds = (nanoseconds: bigint): number => Number(nanoseconds) / 1e6;
  return {
    kubeConfigFile: given.connectionInfo.kubeConfigFile ?? '',
    version: given.subjectAccessReviewVersion === 'v1' ? 'v1' : 'v1beta1',
    authorizedTtlMs: given.cacheAuthorizedRequests ? milliseconds(authorized) : 0,
    unauthorizedTtlMs: given.cacheUnauthorizedRequests ? milliseconds(unauthorized) : 0,
    timeoutMs: milliseconds(timeout),
    onFailure: failurePolicy === 'Deny' ? 'deny' : 'no opinion',
    matchConditions: readConditions(
      conditions.map(({ expression }) => expression),
      at('matchConditions'),
      featureEnabled('AuthorizeWithSelectors'),
      refuse,
    ),
  };
}

function oneOf(
  value: string,
  known: readonly string[],
  path: ConfigurationPath,
  refuse: RefuseField,
  detail = '',
): void {
  if (value === '') refuse(path, required('', detail));
  else if (!known.includes(value)) refuse(path, notSupported('', value, known));
}

function checkConnection(
  { type, kubeConfigFile: file }: GivenWebhook['connectionInfo'],
  path: ConfigurationPath,
  refuse: RefuseField,
): void {
  const ofFile = [...path, 'kubeConfigFile'];
  if (type === 'KubeConfigFile') {
    if (file === undefined || file === '') refuse(ofFile, required(''));
    else {
      const problem = fileProblem(file);
      if (problem !== undefined) refuse(ofFile, invalidValue('', file, problem));
    }
  } else if (type === 'InClusterConfig') {
    if (file !== undefined) refuse(ofFile, invalidValue('', file, 'can only be set when type=KubeConfigFile'));
    else refuse([...path, 'type'], invalidValue('', type, 'this server finds webhooks by KubeConfigFile only'));
  } else if (type === '') refuse([...path, 'type'], required(''));
  else {
    const value = new Verbatim(JSON.stringify({ Type: type, KubeConfigFile: file ?? null }));
    refuse([...path, 'type'], notSupported('', value, ['InClusterConfig', 'KubeConfigFile']));
  }
}

function fileProblem(file: string): string | undefined {
  if (!isAbsolute(file)) return 'must be an absolute path';
  try {
    return statSync(file).isFile() ? undefined : 'must be a regular file';
  } catch (error) {
    const isMissing = isSystemError(error) && error.code === 'ENOENT';
    const problem = error instanceof Error ? error.message : String(error);
    return `error loading file: ${isMissing ? `stat ${file}: no such file or directory` : problem}`;
  }
}

const mostConditions = 64;

function readConditions(
  conditions: readonly string[],
  path: ConfigurationPath,
  hasSelectors: boolean,
  refuse: RefuseField,
): readonly Expression[] {
  if (conditions.length > mostConditions) {
    refuse(path, tooMany('', conditions.length, mostConditions));
    return [];
  }
  return conditions.flatMap((expression, index) => {
    const at = [...path, index, 'expression'];
    if (expression.trim() === '') refuse(at, required(''));
    else if (conditions.indexOf(expression) < index) refuse(at, duplicate('', expression));
    else {
      const compiled = compileMatchCondition(expression, hasSelectors);
      if (compiled.ok) return [compiled.expression];
      refuse(at, invalidValue('', expression, compiled.mistake));
    }
    return [];
  });
}
