/** Webhooks in an `AuthorizationConfiguration` file. */
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
import { formatDuration } from '../../runtime/objects/scan/duration.js';
import { isSystemError } from '../explain.js';
import { type AccessFileOptions, duration, type Given, type RefuseField } from './access-file.js';

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

const { fields, list, optional, text, truth } = configurationSchema;
const connection = fields({ type: optional(text, ''), kubeConfigFile: optional(text, undefined) });

/** The schema of `webhook` in an element of `authorizers`. */
export const webhookFields = fields({
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

type GivenWebhook = Given<typeof webhookFields>;

const second = 1_000_000_000n;

/** Reads the webhook of an authorizer, and refuses fields that it must not have. */
export function readWebhook(
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
