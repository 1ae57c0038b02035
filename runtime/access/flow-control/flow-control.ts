/** Flow control: requests are executed in the seats of their priority level, and wait in queues while there is none. */
import type { AccessAttributes } from '../../contract/index.js';
import type { MaybePromise } from '../../objects/turns.js';
import { type ApiRequest, type ApiResponse, isStreamed, type Turns } from '../../request/api-request.js';
import type { PipelineServices } from '../../request/services.js';
import { seatsOf } from './demand.js';
import type { Account, Waiting } from './fair-queues.js';
import type { FlowObserver } from './flow-observer.js';
import { type Flow, type FlowTarget, followFlowControl } from './follow.js';
import { Levels } from './levels.js';
import { answerTooMany, type LimitRequests, whenDone } from './limiting.js';
import { isConnection, isMutating } from './max-in-flight.js';
import { OpenWatches } from './open-watches.js';
import type { PriorityLevel } from './priority-level.js';
import type { RefusalReason } from './refusal-reason.js';
import { SharedTurns } from './turns.js';

export interface FlowControlOptions {
  readonly services: Pick<PipelineServices, 'store' | 'follow' | 'resource'>;
  /** The group of flow schemas and priority levels, as it is served. */
  readonly group: string;
  /** Seats of the whole server. */
  readonly seats: number;
  /** How long a request may wait, milliseconds. */
  readonly waitMs: number;
  readonly observer: FlowObserver;
  /** The headers that tell what a request falls under: names and values by turns. */
  readonly tagsOf: (flow: Flow) => readonly string[];
}

/** Flow control of a server. */
export interface FlowControl {
  readonly limit: LimitRequests;
  readonly turns: Turns;
  readonly levels: Levels;
  /** The requests that wait at this moment. */
  waiting(): { readonly reading: number; readonly mutating: number };
}

/** How often requests are looked for that have waited too long, or whose clients have gone, milliseconds. */
const lookMs = 250;

export function defineFlowControl(options: FlowControlOptions): FlowControl {
  const control = new Control(options);
  return {
    limit: (request, attributes, run) => control.admit(request, attributes, run),
    turns: control.turns,
    levels: control.levels,
    waiting: () => control.waiting(),
  };
}

type Run = () => MaybePromise<ApiResponse>;

/** A request that holds seats. */
interface Execution {
  readonly target: FlowTarget;
  readonly attributes: AccessAttributes;
  readonly seats: number;
  readonly began: number;
  /** That of the queue that it has waited in. */
  readonly account?: Account;
}

const isBeingMade = ({ body }: ApiResponse): boolean => isStreamed(body) && body.ends === true;

class Control {
  readonly levels: Levels;
  readonly turns = new SharedTurns();
  readonly #options: FlowControlOptions;
  readonly #targetOf: (attributes: AccessAttributes) => FlowTarget | undefined;
  readonly #watches = new OpenWatches();
  #looking: NodeJS.Timeout | undefined;

  constructor(options: FlowControlOptions) {
    const { services, group, seats, observer } = options;
    this.#options = options;
    this.levels = new Levels(seats, observer, () => performance.now());
    this.#targetOf = followFlowControl(services, group, this.levels, observer);
  }

  admit(request: ApiRequest, attributes: AccessAttributes, run: Run): MaybePromise<ApiResponse> {
    const target = this.#targetOf(attributes);
    if (!target) return run();
    const { level } = target;
    this.turns.note(attributes.user.name);
    if (request.tags) request.tags.flow = this.#options.tagsOf(target);
    if (isConnection(attributes)) return run();
    if (level.spec.isExempt) return this.#run(target, attributes, 1, run);
    const seats = this.#seatsOf(attributes, request);
    const { turns } = this;
    if (turns.isCalm && level.hasRoom(seats, turns.turn)) return this.#run(target, attributes, seats, run);
    return this.#wait({ target, attributes, seats, began: 0 }, request, run);
  }

  waiting(): ReturnType<FlowControl['waiting']> {
    const items = [...this.levels.all].flatMap((level) => [...level.queued()].flatMap(([, { items }]) => items));
    const mutating = items.filter(({ attributes }) => isMutating(attributes)).length;
    return { reading: items.length - mutating, mutating };
  }

  /** Executes a request that need not wait. Where its answer is there at once this costs two looks at the clock. */
  #run(target: FlowTarget, attributes: AccessAttributes, seats: number, run: Run): MaybePromise<ApiResponse> {
    const { level, counts } = target;
    const began = performance.now();
    counts.dispatched(seats);
    const answer = run();
    if (answer instanceof Promise || isBeingMade(answer)) {
      return this.#hold({ target, attributes, seats, began }, answer);
    }
    const now = performance.now();
    counts.executed(now - began, false);
    if (!level.spec.isExempt) {
      if (this.turns.inTurn) level.passed(seats, this.turns.turn);
      level.demand.add(seats, now - began);
      this.levels.adjustIfDue(now);
    }
    return answer;
  }

  /** Holds the seats of a request until its answer is there, or has been sent where it is made meanwhile. */
  #hold(execution: Execution, answer: MaybePromise<ApiResponse>): MaybePromise<ApiResponse> {
    const { target, seats, began } = execution;
    target.level.seats += seats;
    target.level.executing++;
    target.counts.began(seats);
    if (!target.level.spec.isExempt) target.level.noteDemand(began);
    const answered = (known: ApiResponse): ApiResponse => {
      const done = whenDone(known, () => this.#release(execution));
      const isWatch = execution.attributes.verb === 'watch';
      return isWatch ? this.#watches.counted(execution.attributes, done) : done;
    };
    if (!(answer instanceof Promise)) return answered(answer);
    return answer.then(answered, (error: unknown) => {
      this.#release(execution);
      throw error;
    });
  }

  #release({ target: { level, counts }, attributes, seats, began, account }: Execution): void {
    const now = performance.now();
    level.executing--;
    counts.ended(seats);
    counts.executed(now - began, attributes.verb === 'watch');
    if (level.spec.isExempt) {
      level.seats -= seats;
      return;
    }
    if (account && level.wasShortSince(began)) account.spent += seats * (now - began);
    const later = isMutating(attributes) ? this.#watches.workAfter(attributes) : undefined;
    if (later) {
      level.seats += later.seats;
      setTimeout(() => this.#free(level, later.seats), later.ms);
    }
    this.#free(level, seats);
  }

  #free(level: PriorityLevel, seats: number): void {
    const now = performance.now();
    level.seats -= seats;
    level.noteDemand(now);
    this.levels.adjustIfDue(now);
    this.turns.resume(level);
  }

  /** Has a request wait for its turn, or refuses it where too many do. */
  #wait(execution: Execution, request: ApiRequest, run: Run): Promise<ApiResponse> {
    const { target, attributes, seats } = execution;
    const { level, counts, schema } = target;
    return new Promise((answer, fail) => {
      const since = performance.now();
      let isQueued = false;
      const item: Waiting = {
        attributes,
        schema: schema.name,
        flow: schema.flowOf(attributes),
        seats,
        since,
        isGone: () => request.isGone?.() === true,
        execute: (account) => {
          const began = performance.now();
          counts.unqueued();
          counts.dispatched(seats, began - since);
          try {
            const known = run();
            answer(this.#hold({ ...execution, began, account }, known));
            return unseenMs(known);
          } catch (error) {
            fail(error);
            return 0;
          }
        },
        refuse: (reason) => {
          if (isQueued) counts.unqueued();
          counts.refused(reason, isQueued ? performance.now() - since : undefined);
          this.turns.refuse(() => answer(answerTooMany()));
        },
      };
      const before = this.#enqueue(level, item);
      if (typeof before === 'string') return item.refuse(before);
      isQueued = true;
      counts.queued(before);
      this.turns.wait(level);
      this.#looking ??= setInterval(() => this.#look(), lookMs).unref();
    });
  }

  /** A queue that is full may be so of requests whose clients have gone. */
  #enqueue(level: PriorityLevel, item: Waiting): number | RefusalReason {
    const before = level.enqueue(item, this.turns.turn);
    if (before !== 'queue-full' || !dropGone(level)) return before;
    return level.enqueue(item, this.turns.turn);
  }

  /** Refuses what has waited too long. */
  #look(): void {
    const now = performance.now();
    const { waitMs } = this.#options;
    let waiting = 0;
    for (const level of [...this.turns.waitingLevels]) {
      dropGone(level);
      for (const item of level.takeAll(({ since }) => now - since >= waitMs)) item.refuse('time-out');
      level.noteDemand(now);
      waiting += level.waiting;
    }
    if (waiting > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  #seatsOf(attributes: AccessAttributes, request: ApiRequest): number {
    const { store, resource } = this.#options.services;
    return seatsOf(attributes, request, (group, plural) => {
      const found = resource(group, plural);
      return found ? store.count(found.keyPrefix) : 0;
    });
  }
}

/** Drops requests whose clients have gone; whether there were any. */
function dropGone(level: PriorityLevel): boolean {
  const gone = level.takeAll((item) => item.isGone());
  for (const item of gone) item.refuse('cancelled');
  return gone.length > 0;
}

/** To read a request and to begin its answer, milliseconds. */
const transportMs = 0.02;

/** Work of later turns: a write is decoded, committed and encoded then. */
const laterMs = 0.1;

/** To send a body, for each byte. */
const byteMs = 5e-7;

/** Milliseconds that a request is going to take from where its handler has returned. */
function unseenMs(answer: MaybePromise<ApiResponse>): number {
  if (answer instanceof Promise) return transportMs + laterMs;
  const { body } = answer;
  if (body instanceof Uint8Array) return transportMs + body.length * byteMs;
  if ('stream' in body) return transportMs + laterMs;
  return transportMs + body.reduce((bytes, chunk) => bytes + chunk.length, 0) * byteMs;
}
