/** Probes, and the handlers that run when a container starts and stops. */
import type {
  Container,
  ExecAction,
  GRPCAction,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  PodSpec,
  Probe,
  TCPSocketAction,
} from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { isString } from '../../../runtime/objects/guards.js';
import { httpHeaderName, portName, portNumberProblems } from '../../../runtime/objects/names/network-names.js';
import type { Release } from '../../../runtime/objects/release.js';
import { notNegativeFields } from '../../shared/counts.js';
import {
  checkOneOf,
  checkRequired,
  checkText,
  type FieldChecks,
  type FieldErrors,
  setFields,
} from '../../shared/field-checks.js';

/** Checks the probes of a container that keeps running. */
export function* checkProbes(container: Draft<Container>, path: string): FieldErrors {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  if (livenessProbe) yield* checkEndingProbe(livenessProbe, `${path}.livenessProbe`);
  if (readinessProbe) yield* checkReadiness(readinessProbe, `${path}.readinessProbe`);
  if (startupProbe) yield* checkEndingProbe(startupProbe, `${path}.startupProbe`);
}

/** Checks what happens at start and stop. */
export function* checkLifecycle(
  { postStart, preStop, stopSignal }: Draft<Lifecycle> = {},
  path: string,
  pod: Draft<PodSpec>,
  release: Release,
): FieldErrors {
  if (postStart) yield* checkLifecycleHandler(postStart, `${path}.postStart`, pod, release);
  if (preStop) yield* checkLifecycleHandler(preStop, `${path}.preStop`, pod, release);
  if (stopSignal) yield* checkStopSignal(stopSignal, `${path}.stopSignal`, pod);
}

type Handler = Pick<Draft<Probe>, 'exec' | 'grpc' | 'httpGet' | 'tcpSocket'>;

const handlers: FieldChecks<Handler> = { exec: checkExec, httpGet: checkHttp, tcpSocket: checkPort, grpc: checkPort };

function* checkExec({ command = [] }: Draft<ExecAction>, path: string): FieldErrors {
  if (command.length === 0) yield required(`${path}.command`);
}

const schemes = ['HTTP', 'HTTPS'] as const;

function* checkHttp(http: Draft<HTTPGetAction>, path: string): FieldErrors {
  const { scheme = '', httpHeaders = [] } = http;
  yield* checkRequired(http.path, `${path}.path`);
  yield* checkPort(http, path);
  if (!schemes.some((known) => known === scheme)) yield notSupported(`${path}.scheme`, scheme, schemes);
  for (const { name = '' } of httpHeaders) yield* checkText(`${path}.httpHeaders`, name, httpHeaderName);
}

/** A port is a number or a name. */
function* checkPort(
  { port = 0 }: Draft<GRPCAction> | Draft<HTTPGetAction> | Draft<TCPSocketAction>,
  path: string,
): FieldErrors {
  const problems = isString(port) ? portName(port) : portNumberProblems(port);
  for (const problem of problems) yield invalidValue(`${path}.port`, port, problem);
}

const numbers = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

/** A handler has exactly one kind. */
function* checkHandler(handler: Handler, path: string): FieldErrors {
  const found = setFields(handler, path, handlers);
  for (const [i, { field, errors }] of found.entries()) {
    if (i === 0) yield* errors;
    else yield forbidden(`${path}.${field}`, 'may not specify more than 1 handler type');
  }
  if (found.length === 0) yield required(path, 'must specify a handler type');
}

function* checkProbe(probe: Draft<Probe>, path: string): FieldErrors {
  const { terminationGracePeriodSeconds: grace } = probe;
  yield* checkHandler(probe, path);
  yield* notNegativeFields(probe, numbers, path);
  if (grace !== undefined && grace <= 0) {
    yield invalidValue(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than 0');
  }
}

/** A readiness probe does not end the container, so it has no termination grace period. */
function* checkReadiness(probe: Draft<Probe>, path: string): FieldErrors {
  const { terminationGracePeriodSeconds: grace } = probe;
  yield* checkProbe(probe, path);
  if (grace === undefined) return;
  yield invalidValue(`${path}.terminationGracePeriodSeconds`, grace, 'must not be set for readinessProbes');
}

/** A probe that can end the container needs exactly one success. */
function* checkEndingProbe(probe: Draft<Probe>, path: string): FieldErrors {
  const { successThreshold: successes = 0 } = probe;
  yield* checkProbe(probe, path);
  if (successes !== 1) yield invalidValue(`${path}.successThreshold`, successes, 'must be 1');
}

/** A handler may also do nothing but wait. */
function* checkLifecycleHandler(
  handler: Draft<LifecycleHandler>,
  path: string,
  pod: Draft<PodSpec>,
  release: Release,
): FieldErrors {
  const { sleep, ...others } = handler;
  if (!sleep) {
    yield* checkHandler(handler, path);
    return;
  }
  const hasOther = setFields<Handler, []>(others, path, handlers).length > 0;
  if (hasOther) {
    yield* checkHandler(handler, path);
    yield forbidden(`${path}.sleep`, 'may not specify more than 1 handler type');
  } else yield* checkSleep(sleep.seconds ?? 0, `${path}.sleep`, pod, release);
}

/** A container does not wait longer than it has time to stop. */
function* checkSleep(
  seconds: number | bigint,
  path: string,
  { terminationGracePeriodSeconds: grace }: Draft<PodSpec>,
  release: Release,
): FieldErrors {
  if (grace === undefined) return;
  const mayBeZero = release.does('zeroSleeps');
  if (seconds <= grace && (mayBeZero ? seconds >= 0 : seconds > 0)) return;
  const least = mayBeZero ? 'non-negative' : 'greater than 0';
  const cure = mayBeZero ? '' : '. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.';
  yield invalidValue(path, seconds, `must be ${least} and less than terminationGracePeriodSeconds (${grace})${cure}`);
}

const windowsSignals = ['SIGKILL', 'SIGTERM'] as const;

/** The operating system of the pod decides about the signals, so the pod must name it. */
function* checkStopSignal(signal: string, path: string, { os }: Draft<PodSpec>): FieldErrors {
  if (!os) yield forbidden(path, 'may not be set for containers with empty `spec.os.name`');
  // The schema has the signals of Linux.
  else if (os.name === 'windows') yield* checkOneOf(signal, path, windowsSignals);
}
