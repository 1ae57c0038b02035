import { expect, it } from 'vitest';
import type { Clock, Transport, TransportRequest } from '../../../../client/index.js';
import { NotLeadingError, type RunningControllers, runAsLeader } from '../../../../controllers/kit/index.js';

/** The common time, and processes that may each be stopped in it. */
class World {
  now = 0;
  readonly clocks: ProcessClock[] = [];
  /** Advances all clocks in small steps, and runs everything that is due. */
  async pass(ms: number, step = 250, each: () => void = () => {}): Promise<void> {
    for (const end = this.now + ms; this.now < end; ) {
      this.now += step;
      for (const clock of this.clocks) await clock.runDue();
      await new Promise((resolve) => setImmediate(resolve));
      each();
    }
  }
}

class ProcessClock implements Clock {
  isStopped = false;
  readonly #timers = new Set<{ readonly due: number; readonly act: () => void }>();

  constructor(readonly world: World) {
    world.clocks.push(this);
  }

  monotonicMs = (): number => this.world.now;
  wallMs = (): number => this.world.now;

  after(ms: number, act: () => void): () => void {
    const timer = { due: this.world.now + ms, act };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  async runDue(): Promise<void> {
    if (this.isStopped) return;
    for (const timer of [...this.#timers].sort((a, b) => a.due - b.due)) {
      if (timer.due > this.world.now || !this.#timers.delete(timer)) continue;
      timer.act();
      for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

interface Lease {
  metadata: { name?: string; resourceVersion?: string };
  spec?: { holderIdentity?: string; leaseTransitions?: number };
}

/** A server that holds one lease, and writes it only over the version that the writer has read. */
class LeaseServer {
  lease: Lease | undefined;
  isDown = false;
  #revision = 0;

  answer({ method, body }: TransportRequest): { readonly status: number; readonly body: object } {
    if (this.isDown) return { status: 500, body: { kind: 'Status', code: 500, reason: 'InternalError' } };
    if (method === 'GET')
      return this.lease ? { status: 200, body: this.lease } : { status: 404, body: status(404, 'NotFound') };
    const sent: Lease = JSON.parse(body ?? '{}');
    const isOver =
      method === 'POST'
        ? this.lease !== undefined
        : this.lease?.metadata.resourceVersion !== sent.metadata.resourceVersion;
    if (isOver) return { status: 409, body: status(409, method === 'POST' ? 'AlreadyExists' : 'Conflict') };
    this.lease = { ...sent, metadata: { ...sent.metadata, resourceVersion: `${++this.#revision}` } };
    return { status: 200, body: this.lease };
  }

  /** Makes a transport for requests that arrive after the present delay of the process. */
  transportFor(clock: Clock, delayMs: () => number): Transport {
    return {
      send: (request) =>
        new Promise((resolve, reject) => {
          request.signal?.addEventListener('abort', () => reject(request.signal?.reason));
          const arrive = (): void => {
            const { status: code, body } = this.answer(request);
            const text = JSON.stringify(body);
            resolve({ status: code, header: () => '', text: async () => text, chunks: async function* () {} });
          };
          if (delayMs() === 0) arrive();
          else clock.after(delayMs(), arrive);
        }),
    };
  }
}

const status = (code: number, reason: string): object => ({ kind: 'Status', code, reason });

interface Process {
  readonly name: string;
  readonly clock: ProcessClock;
  delayMs: number;
  /** Reports whether the process believes that it may write now. */
  mayWrite(): boolean;
  readonly running: RunningControllers;
}

function startProcess(world: World, server: LeaseServer, name: string): Process {
  const clock = new ProcessClock(world);
  let check: (() => void) | undefined;
  const process = { name, clock, delayMs: 0, mayWrite: () => check !== undefined && passes(check) };
  const running = runAsLeader(
    {
      client: { transport: server.transportFor(clock, () => process.delayMs), retry: { retries: 0 } },
      group: 'coordination.k8s.io',
      namespace: 'kube-system',
      name: 'test',
      identity: name,
      clock,
      onError: () => {},
    },
    (guard) => {
      check = guard;
      return {
        states: new Map([['one', 'running']]),
        stop: async () => {
          check = undefined;
        },
      };
    },
  );
  return Object.assign(process, { running });
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof NotLeadingError) return false;
    throw error;
  }
}

it('has one leader, and another within 20 seconds of its last renewal', async () => {
  const world = new World();
  const server = new LeaseServer();
  const [a, b] = [startProcess(world, server, 'a'), startProcess(world, server, 'b')];
  await world.pass(1000);
  const first = a.mayWrite() ? a : b;
  const second = first === a ? b : a;
  expect([first.mayWrite(), second.mayWrite()]).toEqual([true, false]);
  expect(first.running.states.get('one')).toBe('running');
  await world.pass(60_000);
  expect([first.mayWrite(), second.mayWrite()]).toEqual([true, false]);
  first.clock.isStopped = true;
  await world.pass(20_000);
  expect([first.mayWrite(), second.mayWrite()]).toEqual([false, true]);
  expect(server.lease?.spec).toMatchObject({ holderIdentity: second.name, leaseTransitions: 1 });
  first.clock.isStopped = false;
  // It wakes up, and may not write before it has noticed anything.
  expect(first.mayWrite()).toBe(false);
  await world.pass(5000);
  expect(first.running.states.size).toBe(0);
});

it('stops leading if the server no longer answers, before another may lead', async () => {
  const world = new World();
  const server = new LeaseServer();
  const process = startProcess(world, server, 'a');
  await world.pass(1000);
  server.isDown = true;
  await world.pass(7000);
  expect(process.mayWrite()).toBe(true);
  await world.pass(4000);
  expect(process.mayWrite()).toBe(false);
  await world.pass(2000);
  expect(process.running.states.size).toBe(0);
  server.isDown = false;
  await world.pass(4000);
  expect(process.mayWrite()).toBe(true);
});

it('does not lead while only one of its clocks allows it', async () => {
  const world = new World();
  const process = startProcess(world, new LeaseServer(), 'a');
  await world.pass(1000);
  process.clock.wallMs = () => world.now + 3_600_000;
  expect(process.mayWrite()).toBe(false);
});

it('releases the lease at once when it is stopped', async () => {
  const world = new World();
  const server = new LeaseServer();
  const [a, b] = [startProcess(world, server, 'a'), startProcess(world, server, 'b')];
  await world.pass(5000);
  const [first, second] = a.mayWrite() ? [a, b] : [b, a];
  const stopped = first.running.stop();
  await world.pass(3000);
  await stopped;
  expect(second.mayWrite()).toBe(true);
});

/** Returns numbers that look random and are the same each time. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

it('never has two writers, whatever stops, is delayed or fails', async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const random = randomOf(seed);
    const world = new World();
    const server = new LeaseServer();
    const processes = ['a', 'b', 'c'].map((name) => startProcess(world, server, name));
    let led = 0;
    const look = (): void => {
      const writing = processes.filter((one) => one.mayWrite());
      if (writing.length === 0) return;
      led++;
      expect(writing.map(({ name }) => name)).toEqual([server.lease?.spec?.holderIdentity]);
    };
    for (let i = 0; i < 25; i++) {
      for (const one of processes) {
        one.clock.isStopped = random() < 0.25;
        one.delayMs = random() < 0.3 ? Math.floor(random() * 8000) : 0;
      }
      server.isDown = random() < 0.15;
      await world.pass(Math.floor(random() * 25) * 1000, 500, look);
    }
    expect(led).toBeGreaterThan(0);
  }
}, 120_000);
