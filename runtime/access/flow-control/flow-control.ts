/** Flow control: requests run in the seats of their priority level, or wait in queues for a seat. */
import type { AccessAttributes } from '../../contract/index.js';
import type { MaybePromise } from '../../objects/turns.js';
import { type ApiRequest, type ApiResponse, isStreamed, type Turns } from '../../request/api-request.js';
import type { PipelineServices } from '../../request/verb-request.js';
import { isConnection, isMutating } from '../authorization.js';
import { OpenWatches, seatsOf, workAfter } from './demand.js';
import type { Account, Waiting } from './fair-queues.js';
import type { FlowCounts, FlowObserver, RefusalReason } from './flow-observer.js';
import { type Flow, type FlowTarget, followFlowControl } from './follow.js';
import { Levels } from './levels.js';
import type { PriorityLevel } from './priority-level.js';
import { answerTooMany, type LimitRequests, whenDone } from './simple-limits.js';
import { SharedTurns } from './turns.js';

export interface FlowControlOptions {
  readonly services: Pick<PipelineServices, 'store' | 'follow' | 'resource'>;
  /** The served group of flow schemas and priority levels. */
  readonly group: string;
  /** The seats of the whole server. */
  readonly seats: number;
  /** The longest wait of a request, in milliseconds. */
  readonly waitMs: number;
  readonly observer: FlowObserver;
  /** Returns the headers that name the flow schema and priority level of a request: names and values by turns. */
  readonly tagsOf: (flow: Flow) => readonly string[];
}

export interface FlowControl {
  readonly limit: LimitRequests;
  readonly turns: Turns;
  readonly levels: Levels;
  /** Counts the requests that wait now. */
  waiting(): { readonly reading: number; readonly mutating: number };
}

/** The interval of checks for requests that have waited too long or lost their client, in milliseconds. */
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
  /** The account of the queue in which it waited. */
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

  /** Runs a request that does not wait. If the answer is synchronous, this costs two clock reads. */
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

  /** Holds the seats of a request until its answer exists, or until a stream has been sent. */
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
    const later = isMutating(attributes) ? this.#workAfter(attributes, counts) : undefined;
    if (later) {
      level.seats += later.seats;
      setTimeout(() => this.#free(level, later.seats), later.ms);
    }
    this.#free(level, seats);
  }

  #workAfter(attributes: AccessAttributes, counts: FlowCounts): ReturnType<typeof workAfter> {
    const watches = this.#watches.countOf(attributes);
    counts.watched(watches);
    return workAfter(watches);
  }

  #free(level: PriorityLevel, seats: number): void {
    const now = performance.now();
    level.seats -= seats;
    level.noteDemand(now);
    this.levels.adjustIfDue(now);
    this.turns.resume(level);
  }

  /** Queues a request, or refuses it if the queue is full. */
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
          counts.unqueued(seats);
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
          if (isQueued) counts.unqueued(seats);
          counts.refused(reason, isQueued ? performance.now() - since : undefined);
          this.turns.refuse(() => answer(answerTooMany()));
        },
      };
      const before = this.#enqueue(level, item);
      if (typeof before === 'string') return item.refuse(before);
      isQueued = true;
      counts.queued(seats, before);
      this.turns.wait(level);
      this.#looking ??= setInterval(() => this.#look(), lookMs).unref();
    });
  }

  /** Retries once without the requests of disconnected clients, which may fill the queue. */
  #enqueue(level: PriorityLevel, item: Waiting): number | RefusalReason {
    const before = level.enqueue(item, this.turns.turn);
    if (before !== 'queue-full' || !dropGone(level)) return before;
    return level.enqueue(item, this.turns.turn);
  }

  /** Refuses requests that have waited too long. */
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

/** Drops requests of disconnected clients. Returns whether there were any. */
function dropGone(level: PriorityLevel): boolean {
  const gone = level.takeAll((item) => item.isGone());
  for (const item of gone) item.refuse('cancelled');
  return gone.length > 0;
}

/** The cost of reading a request and starting its answer, in milliseconds. */
const transportMs = 0.02;

/** The cost of later turns, in milliseconds: decoding, committing and encoding a write. */
const laterMs = 0.1;

/** The cost of sending a body, in milliseconds per byte. */
const byteMs = 5e-7;

/** Returns the milliseconds that a request will still take after its handler has returned. */
function unseenMs(answer: MaybePromise<ApiResponse>): number {
  if (answer instanceof Promise) return transportMs + laterMs;
  const { body } = answer;
  if (body instanceof Uint8Array) return transportMs + body.length * byteMs;
  if ('stream' in body) return transportMs + laterMs;
  return transportMs + body.reduce((bytes, chunk) => bytes + chunk.length, 0) * byteMs;
}
