/** Refuses invalid or contradictory options before the server opens anything. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Naming, namingOf } from '../runtime/objects/names/naming.js';
import { originPatternProblem } from '../runtime/server/index.js';
import { checkAggregated } from './aggregated/option.js';
import { checkControllers } from './controllers/choose.js';
import { checkFolder } from './load-definitions.js';
import { OptionError } from './option-error.js';
import type { LeaseTimes, StartOptions } from './options.js';
import { checkAuthentication } from './parts/check-authentication.js';
import { checkAuthorization } from './parts/check-authorization.js';
import { checkLimits } from './parts/check-limits.js';
import { checkSigning } from './parts/open-signers.js';
import { LARGEST_LIMIT, SMALLEST_LIMIT } from './text/object-size.js';
import { checkTransport } from './transport/check-transport.js';

/** Throws an `OptionError` that names the option and its valid values. */
export function checkOptions(options: StartOptions): void {
  namingIn(options);
  checkTransport(options);
  checkOrigins(options.corsAllowedOrigins);
  checkAuthorization(options.authorization);
  checkAuthentication(options);
  checkAggregated(options);
  checkObjectSize(options.maxObjectBytes);
  checkLimits(options.limits);
  checkWorkers(options.workers);
  checkTime('shutdownDelayMs', options.shutdownDelayMs);
  checkTime('livezGraceMs', options.livezGraceMs);
  checkControllers(options.controllers);
  checkLeadership(options.coordinatedLeadership);
  checkSigning(options.signing);
  if (typeof options.schemas === 'string') checkFolder(options.schemas);
  checkPages(options.pages);
}

/** Returns the naming of the options. Throws an `OptionError` if it does not exist. */
export function namingIn({ naming: id = 'platform' }: Pick<StartOptions, 'naming'>): Naming {
  const naming = namingOf(id);
  if (naming) return naming;
  throw new OptionError((nameOf) => `${nameOf('naming')} ${id}: must be platform or kubernetes`);
}

function checkOrigins(patterns: readonly string[] = []): void {
  for (const pattern of patterns) {
    const problem = originPatternProblem(pattern);
    if (problem === undefined) continue;
    throw new OptionError((nameOf) => `${nameOf('corsAllowedOrigins')} ${pattern || '(nothing)'} ${problem}`);
  }
}

function checkObjectSize(bytes = SMALLEST_LIMIT): void {
  if (Number.isInteger(bytes) && bytes >= SMALLEST_LIMIT && bytes <= LARGEST_LIMIT) return;
  throw new OptionError(
    (nameOf) =>
      `${nameOf('maxObjectBytes')} ${bytes}: must be a number of bytes from ${SMALLEST_LIMIT} to ${LARGEST_LIMIT}`,
  );
}

function checkPages(folder: string | undefined): void {
  if (folder === undefined || statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.isFile()) return;
  throw new OptionError(
    (nameOf) => `${nameOf('pages')} ${folder}: must be a folder with an index.html; build it first`,
  );
}

/** Checks the times of a lease by the rules of Kubernetes clients. */
function checkLeadership({ durationMs = 15_000, renewDeadlineMs = 10_000, retryMs = 2000 }: LeaseTimes = {}): void {
  const refuse = (name: keyof LeaseTimes, value: number, rule: string): never => {
    throw new OptionError((nameOf) => `${nameOf(`coordinatedLeadership.${name}`)} ${value}: must be ${rule}`);
  };
  if (!(retryMs >= 1)) refuse('retryMs', retryMs, 'at least a millisecond');
  if (!(renewDeadlineMs > 1.2 * retryMs)) refuse('renewDeadlineMs', renewDeadlineMs, 'more than 1.2 retry periods');
  if (!(durationMs > renewDeadlineMs)) refuse('durationMs', durationMs, 'longer than the renew deadline');
  if (!(durationMs >= 1000 && durationMs <= 86_400_000)) refuse('durationMs', durationMs, 'from a second to a day');
}

function checkWorkers(workers: StartOptions['workers'] = 1): void {
  if (workers === 'auto' || (Number.isInteger(workers) && workers >= 1 && workers <= 1024)) return;
  throw new OptionError(
    (nameOf) => `${nameOf('workers')} ${workers}: must be a number from 1 to 1024, or auto for one per core`,
  );
}

/** Checks a time. More than a day is surely a mistake, and more than timers can wait. */
function checkTime(option: 'livezGraceMs' | 'shutdownDelayMs', milliseconds = 0): void {
  if (milliseconds >= 0 && milliseconds <= 86_400_000) return;
  throw new OptionError(
    (nameOf) => `${nameOf(option)} ${milliseconds}: must be a number of milliseconds from 0 to 86400000`,
  );
}
