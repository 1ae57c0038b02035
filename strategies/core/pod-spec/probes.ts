/** What is done to find out how a container does, and when it starts and stops. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { getOwn, isInteger, isString, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { httpHeaderName, portName, portNumberProblems } from '../../../runtime/objects/network-names.js';
import { checkNotNegative, checkText, type FieldErrors } from '../../shared/field-checks.js';
import { hasAt, integerAt, objectsAt, textsAt } from '../../shared/reading.js';

type HandlerCheck = (handler: JsonObject, path: string) => FieldErrors;

/** The ways there are, in the order in which the first of several is taken. */
const handlers: readonly (readonly [key: string, check: HandlerCheck])[] = [
  ['exec', checkExec],
  ['httpGet', checkHttp],
  ['tcpSocket', checkPort],
  ['grpc', checkPort],
];

/** Exactly one way to do it. */
function* checkHandler(object: JsonObject, path: string): FieldErrors {
  const found = handlers.filter(([key]) => hasAt(object, key));
  for (const [i, [key, check]] of found.entries()) {
    if (i === 0) yield* check(objectAt(object, key) ?? {}, `${path}.${key}`);
    else yield forbidden(`${path}.${key}`, 'may not specify more than 1 handler type');
  }
  if (found.length === 0) yield required(path, 'must specify a handler type');
}

function* checkExec(exec: JsonObject, path: string): FieldErrors {
  if (textsAt(exec, 'command').length === 0) yield required(`${path}.command`);
}

const schemes = ['HTTP', 'HTTPS'] as const;

function* checkHttp(http: JsonObject, path: string): FieldErrors {
  if (stringAt(http, 'path') === '') yield required(`${path}.path`);
  yield* checkPort(http, path);
  const scheme = stringAt(http, 'scheme');
  if (!schemes.some((known) => known === scheme)) yield notSupported(`${path}.scheme`, scheme, schemes);
  for (const header of objectsAt(http, 'httpHeaders')) {
    yield* checkText(`${path}.httpHeaders`, stringAt(header, 'name'), httpHeaderName);
  }
}

/** A port by number or by name. */
function* checkPort(handler: JsonObject, path: string): FieldErrors {
  const port = getOwn(handler, 'port') ?? 0;
  if (isString(port)) yield* checkText(`${path}.port`, port, portName);
  else if (isInteger(port)) {
    for (const problem of portNumberProblems(port)) yield invalidValue(`${path}.port`, port, problem);
  }
}

const numbers = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function* checkProbe(probe: JsonObject, path: string): FieldErrors {
  yield* checkHandler(probe, path);
  for (const number of numbers) yield* checkNotNegative(probe, number, path);
  const grace = integerAt(probe, 'terminationGracePeriodSeconds');
  if (grace !== undefined && grace <= 0) {
    yield invalidValue(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than 0');
  }
}

/** The probes of a container that keeps running. */
export function* checkProbes(container: JsonObject, path: string): FieldErrors {
  yield* checkLiveness(container, 'livenessProbe', path);
  const readiness = objectAt(container, 'readinessProbe');
  if (readiness) {
    yield* checkProbe(readiness, `${path}.readinessProbe`);
    const grace = integerAt(readiness, 'terminationGracePeriodSeconds');
    if (grace !== undefined) {
      const at = `${path}.readinessProbe.terminationGracePeriodSeconds`;
      yield invalidValue(at, grace, 'must not be set for readinessProbes');
    }
  }
  yield* checkLiveness(container, 'startupProbe', path);
}

/** A probe whose failure ends the container: one success says that it lives. */
function* checkLiveness(container: JsonObject, key: string, path: string): FieldErrors {
  const probe = objectAt(container, key);
  if (!probe) return;
  yield* checkProbe(probe, `${path}.${key}`);
  const successes = integerAt(probe, 'successThreshold') ?? 0;
  if (successes !== 1 && successes !== 1n)
    yield invalidValue(`${path}.${key}.successThreshold`, successes, 'must be 1');
}

/** What is done after a container has started and before it is stopped. */
export function* checkLifecycle(container: JsonObject, path: string): FieldErrors {
  const lifecycle = objectAt(container, 'lifecycle');
  for (const key of ['postStart', 'preStop']) {
    const handler = objectAt(lifecycle, key);
    if (handler) yield* checkHandler(handler, `${path}.lifecycle.${key}`);
  }
}
