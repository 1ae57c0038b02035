/** Starts workers, and starts them again when they end. */
import { type ChildProcess, fork } from 'node:child_process';
import type { OnProblem } from '../option-error.js';
import { type Answers, type Calls, openCalls } from './calls.js';
import { workerVariable } from './role.js';

/** Milliseconds before the restart of a worker. They double each time that a worker ends soon after its start. */
const firstPauseMs = 100;
const longestPauseMs = 30_000;
/** A worker that ends before this many milliseconds has ended soon after its start. */
const soonMs = 10_000;
/** The number of starts in a row that may fail while no worker answers. */
const mostFailures = 5;
/** Milliseconds that a worker has to confirm that it stops. A frozen one would never end. */
const confirmMs = 5_000;

/**
 * Halves the memory for short-lived values, which is the largest part of what an idle worker adds. Requests cost no more
 * CPU time. An option of the server's own command line comes later, so it wins.
 */
const youngGeneration = '--max-semi-space-size=8';

export interface SuperviseOptions {
  readonly count: number;
  /** Answers the calls of a worker. */
  readonly answers: Answers;
  /** Called whenever the number of workers that answer requests changes. */
  readonly onCount: (answering: number) => void;
  /** Called with each worker that answers requests from now on. */
  readonly onReady: (worker: ChildProcess) => void;
  /** Called with each worker that is about to stop. */
  readonly onLeave: (worker: ChildProcess) => void;
  /** Called before each restart of a worker. */
  readonly onRestart: () => void;
  readonly onProblem: OnProblem;
  /** Called once if no worker can start any more. */
  readonly onEnd: (error: Error) => void;
}

export interface Supervised {
  /** Resolves once all workers answer requests. If one ends before, rejects with the reason. */
  readonly started: Promise<void>;
  /** The workers that answer requests. */
  readonly answering: readonly Calls[];
  /** Asks all workers to stop, and resolves once they have ended. */
  stop(): Promise<void>;
}

/** A place among the workers. When its process ends, another one takes the place. */
interface Seat {
  readonly number: number;
  worker: ChildProcess | undefined;
  calls: Calls | undefined;
  isReady: boolean;
  /** The reason in the worker's own words, if it does not start. */
  failure: string | undefined;
  /** Starts in a row that have failed. */
  failures: number;
  timer: NodeJS.Timeout | undefined;
}

/** Starts workers, which run the same program as this process, with the same arguments. */
export function supervise(options: SuperviseOptions): Supervised {
  const { count, answers, onCount, onReady, onLeave, onRestart, onProblem, onEnd } = options;
  const seats = Array.from({ length: count }, (_, i): Seat => newSeat(i + 1));
  const [, program = '', ...args] = process.argv;
  let isStopping = false;
  let hasStarted = false;
  let settle: { readonly done: () => void; readonly failed: (error: Error) => void } | undefined;
  const started = new Promise<void>((resolve, reject) => {
    settle = { done: resolve, failed: reject };
  });
  const noteReady = (seat: Seat): void => {
    seat.isReady = true;
    if (seat.worker) onReady(seat.worker);
    const ready = seats.filter(({ isReady }) => isReady).length;
    onCount(ready);
    if (ready < count || hasStarted) return;
    hasStarted = true;
    settle?.done();
  };
  const fail = (error: Error): void => {
    if (hasStarted) onEnd(error);
    else settle?.failed(error);
  };
  const noteEnd = (seat: Seat, beganAt: number, how: string): void => {
    const { isReady, failure } = seat;
    seat.calls?.end();
    Object.assign(seat, { worker: undefined, calls: undefined, isReady: false, failure: undefined });
    const answering = seats.filter((one) => one.isReady).length;
    onCount(answering);
    if (isStopping) return;
    const text = isReady
      ? `worker ${seat.number} has ended: ${how}`
      : `worker ${seat.number} does not start: ${failure ?? how}`;
    seat.failures = isReady && performance.now() - beganAt > soonMs ? 0 : seat.failures + 1;
    const isHopeless = !isReady && answering === 0 && seat.failures > mostFailures;
    if (!hasStarted || isHopeless) {
      isStopping = true;
      fail(new WorkerError(text));
      return;
    }
    const pauseMs = Math.min(firstPauseMs * 2 ** Math.max(0, seat.failures - 1), longestPauseMs);
    if (isReady || seat.failures <= 2) onProblem(`${text}; it is started again`);
    seat.timer = setTimeout(() => {
      onRestart();
      start(seat);
    }, pauseMs);
  };
  const start = (seat: Seat): void => {
    const beganAt = performance.now();
    const worker = fork(program, args, {
      execArgv: [youngGeneration, ...process.execArgv],
      env: { ...process.env, [workerVariable]: String(seat.number) },
      serialization: 'advanced',
    });
    seat.worker = worker;
    seat.calls = openCalls(
      {
        send: (message, sent) =>
          worker.connected ? void worker.send(message, sent) : sent(new Error('not connected')),
        onMessage: (hear) => void worker.on('message', hear),
      },
      {
        ...answers,
        ready: () => noteReady(seat),
        leave: () => onLeave(worker),
        failed: (reason) => {
          seat.failure = String(reason);
        },
      },
    );
    worker.once('error', () => undefined);
    worker.once('exit', (code, signal) => noteEnd(seat, beganAt, signal ? `signal ${signal}` : `exit code ${code}`));
  };
  for (const seat of seats) start(seat);
  return {
    started,
    get answering() {
      return seats.flatMap(({ isReady, calls }) => (isReady && calls ? [calls] : []));
    },
    async stop() {
      isStopping = true;
      await Promise.all(seats.map(endOf));
    },
  };
}

/** Thrown if a worker does not start. */
export class WorkerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WorkerError';
  }
}

const newSeat = (number: number): Seat => ({
  number,
  worker: undefined,
  calls: undefined,
  isReady: false,
  failure: undefined,
  failures: 0,
  timer: undefined,
});

/** Stops a worker. Kills it at once if it does not answer requests yet, and soon if it does not confirm. */
async function endOf({ worker, calls, isReady, timer }: Seat): Promise<void> {
  clearTimeout(timer);
  if (!worker || worker.exitCode !== null || worker.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => void worker.once('exit', () => resolve()));
  if (isReady) calls?.call('stop', undefined, confirmMs).catch(() => void worker.kill('SIGKILL'));
  else worker.kill('SIGKILL');
  await ended;
}
