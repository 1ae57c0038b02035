/** All calls of a server to other servers: one pool of connections for each host, and one circuit for each target. */
import type { EventSubject } from '../../runtime/contract/index.js';
import { type CallOutcome, Circuit, type CircuitState, mostLate, pauseMs } from './circuit.js';
import { CallTurns, Gate } from './gate.js';
import { openPool, type Pool, type PoolAnswer, type PoolCall, type PoolTarget, type Sent } from './pool.js';

/** The deadline of a call. */
export interface CallTime {
  /** The time limit of the whole call, with the wait for a connection, milliseconds. */
  readonly timeoutMs: number;
  /**
   * Set if the call has less time than calls to its target usually have. If it is late then, this is not the target's
   * fault.
   */
  readonly isShortened?: boolean | undefined;
}

/** A call. Must not reject. */
type Call<T> = (signal: AbortSignal) => Promise<Sent<T>>;

/** One target of calls, such as a webhook of a configuration. */
export interface Target {
  /** Sends a call. Never rejects. */
  send(call: PoolCall & CallTime): Promise<PoolAnswer>;
  /**
   * Makes a call with the caller's own connections. If the call may not be made, resolves to the result of `refused`.
   */
  run<T>(time: CallTime, call: Call<T>, refused: (problem: string) => T): Promise<T>;
  /** Closes connections that no other target uses, once their calls have ended. */
  close(): void;
}

/** A circuit that has opened or closed. */
export interface CircuitChange {
  readonly state: 'open' | 'closed';
  /** The name of the target. */
  readonly target: string;
  /** A sentence about the change. */
  readonly message: string;
  /** The objects that name the target; none if only options of the server do. */
  readonly subjects: readonly EventSubject[];
}

/** The shortest timeout that can show that a target has stopped answering, milliseconds. */
const leastMs = 1000;

/** The words of the reference if no answer came in time. */
export const deadlineExceeded = 'context deadline exceeded';

/** Opens targets, and limits the calls to all of them together. */
export class OutgoingCalls {
  readonly #hosts = new Shared<Host>();
  readonly #lines = new Shared<Line>();
  readonly #turns = new CallTurns();
  readonly #followers = new Set<(change: CircuitChange) => void>();

  /** `onProblem` gets a sentence when a circuit opens or closes; `clock` returns milliseconds. */
  constructor(
    private readonly onProblem: (problem: string) => void = () => {},
    private readonly clock?: () => number,
    /** Whether reviews of users and rights have a null as their creation time. */
    readonly unsetTimes = false,
  ) {}

  /** Returns the state of each circuit, by the name of its target. */
  *circuits(): Iterable<readonly [name: string, state: CircuitState]> {
    for (const { circuit } of this.#lines.values()) yield [circuit.name, circuit.state];
  }

  /** Calls a function with each change of a circuit, until the returned function is called. It must not throw. */
  follow(onChange: (change: CircuitChange) => void): () => void {
    this.#followers.add(onChange);
    return () => this.#followers.delete(onChange);
  }

  /**
   * Opens a target. `name` is its URL without a query; `subject` is the object that names it. It connects at the first
   * call.
   */
  open(name: string, to: PoolTarget, subject?: EventSubject): Target {
    const key = JSON.stringify([to.origin, to.ca, to.serverName, to.cert, to.key, to.insecure]);
    const host = this.#hosts.take(key, () => ({ gate: new Gate(), pool: openPool(to) }));
    const line = this.#lines.take(name, () => new Line(name, this.#turns, this.#changed, this.clock));
    const release = line.addSubject(subject);
    let isInUse = true;
    const run: Target['run'] = (time, call, refused) => line.run(host.gate, time, call, refused);
    return {
      run,
      send: (call) =>
        run(
          call,
          (signal) => host.pool.send(call, signal),
          (problem) => ({ ok: false, problem }),
        ),
      close: () => {
        if (!isInUse) return;
        isInUse = false;
        release();
        this.#lines.release(name);
        this.#hosts.release(key)?.pool.close();
      },
    };
  }

  readonly #changed = (change: CircuitChange): void => {
    this.onProblem(change.message);
    for (const follow of this.#followers) follow(change);
  };
}

/** Values that targets share. A value is released with its last target. */
class Shared<T> {
  readonly #known = new Map<string, { readonly value: T; users: number }>();

  take(key: string, make: () => T): T {
    const known = this.#known.get(key) ?? { value: make(), users: 0 };
    this.#known.set(key, known);
    known.users++;
    return known.value;
  }

  /** Returns the value if this was the last user. */
  release(key: string): T | undefined {
    const known = this.#known.get(key);
    if (!known || --known.users > 0) return undefined;
    this.#known.delete(key);
    return known.value;
  }

  *values(): Iterable<T> {
    for (const { value } of this.#known.values()) yield value;
  }
}

interface Host {
  readonly gate: Gate;
  readonly pool: Pool;
}

const pauseSeconds = pauseMs / 1000;

const isOpen = `it did not answer earlier calls in time, and is called again every ${pauseSeconds} s`;

const values: Readonly<Record<CircuitState, number>> = { closed: 0, 'half-open': 0.5, open: 1 };

/** Returns the state of each circuit as metrics show it. */
export const circuitSamples = (calls: OutgoingCalls): readonly CircuitSample[] =>
  [...calls.circuits()].map(([target, state]) => ({ labels: { target }, value: values[state] }));

interface CircuitSample {
  readonly labels: { readonly target: string };
  readonly value: number;
}

/** The calls of one target. */
class Line {
  readonly circuit: Circuit;
  /** The calls behind the gate. They give up when the circuit opens. */
  readonly #waiting = new Set<AbortController>();
  readonly #subjects = new Set<EventSubject>();

  constructor(
    name: string,
    private readonly turns: CallTurns,
    onChange: (change: CircuitChange) => void,
    clock?: () => number,
  ) {
    this.circuit = new Circuit(
      name,
      (state) => {
        const message =
          state === 'closed'
            ? `${name} answers again`
            : `${name} did not answer ${mostLate} calls in time, and is called again every ${pauseSeconds} s`;
        onChange({ state, target: name, message, subjects: [...this.#subjects] });
        if (state === 'open') for (const one of this.#waiting) one.abort('open');
      },
      clock,
    );
  }

  /** Adds an object that names the target. Returns a function that removes it again. */
  addSubject(subject: EventSubject | undefined): () => void {
    // Each webhook of a configuration has its own copy.
    const own = subject && { ...subject };
    if (own) this.#subjects.add(own);
    return () => own && this.#subjects.delete(own);
  }

  async run<T>(gate: Gate, time: CallTime, call: Call<T>, refused: (problem: string) => T): Promise<T> {
    const turn = this.turns.take();
    if (turn) await turn;
    const admitted = this.circuit.admit();
    const answer = admitted ? await this.#run(admitted, gate, time, call, refused) : refused(isOpen);
    await this.turns.take();
    return answer;
  }

  async #run<T>(
    admitted: symbol,
    gate: Gate,
    time: CallTime,
    call: Call<T>,
    refused: (problem: string) => T,
  ): Promise<T> {
    const { circuit } = this;
    const late: CallOutcome = time.isShortened || time.timeoutMs < leastMs ? 'unknown' : 'late';
    const ending = new AbortController();
    // A timer may fire up to a millisecond early, before the deadline has passed.
    const timer = setTimeout(() => ending.abort(late), Math.ceil(time.timeoutMs) + 1);
    let outcome: CallOutcome = 'unknown';
    let hasEntered = false;
    try {
      hasEntered = await this.#enter(gate, ending);
      if (hasEntered) {
        const { answer, isLate } = await call(ending.signal);
        outcome = isLate ? late : 'ended';
        return answer;
      }
      if (circuit.state !== 'closed') return refused(isOpen);
      outcome = late;
      return refused(deadlineExceeded);
    } finally {
      clearTimeout(timer);
      circuit.note(admitted, outcome);
      if (hasEntered) gate.leave(outcome);
    }
  }

  async #enter(gate: Gate, ending: AbortController): Promise<boolean> {
    this.#waiting.add(ending);
    try {
      return await gate.enter(ending.signal);
    } finally {
      this.#waiting.delete(ending);
    }
  }
}
