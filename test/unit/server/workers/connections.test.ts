/** Handing connections to workers, which in this test only record them. */
import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Connections, defineConnections } from '../../../../server/workers/connections.js';

/** Makes a worker that records its connections. */
class FakeWorker extends EventEmitter {
  readonly got: { readonly id: number; readonly socket: Socket }[] = [];

  send(message: { readonly kindforgeConnection: { readonly id: number } }, socket: Socket): void {
    this.got.push({ id: message.kindforgeConnection.id, socket });
  }

  takeAll(): void {
    for (const { id } of this.got) this.emit('message', { kindforgeTaken: id });
  }
}

const asProcess = (worker: unknown): ChildProcess => worker as ChildProcess;

function give(connections: Connections, count: number): readonly Socket[] {
  const sockets = Array.from({ length: count }, () => new Socket());
  for (const socket of sockets) connections.give(socket, false);
  return sockets;
}

describe('connections', () => {
  it('go to workers in turn, and close here once a worker has accepted them', () => {
    const connections = defineConnections();
    const workers = [new FakeWorker(), new FakeWorker()];
    for (const worker of workers) connections.add(asProcess(worker));
    const sockets = give(connections, 6);
    expect(workers.map(({ got }) => got.length)).toEqual([3, 3]);
    expect(sockets.some(({ destroyed }) => destroyed)).toBe(false);
    for (const worker of workers) worker.takeAll();
    expect(sockets.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('skip a worker that accepts none', () => {
    const connections = defineConnections();
    const [stuck, quick] = [new FakeWorker(), new FakeWorker()];
    for (const worker of [stuck, quick]) connections.add(asProcess(worker));
    for (let i = 0; i < 10; i++) {
      give(connections, 1);
      quick.takeAll();
    }
    expect([stuck.got.length, quick.got.length]).toEqual([1, 9]);
  });

  it('go to another worker if theirs ends before it has accepted them', () => {
    const connections = defineConnections();
    const [a, b] = [new FakeWorker(), new FakeWorker()];
    connections.add(asProcess(a));
    const sockets = give(connections, 2);
    connections.add(asProcess(b));
    a.emit('exit', null, 'SIGKILL');
    expect(b.got.map(({ socket }) => socket)).toEqual(sockets);
    give(connections, 1);
    expect(a.got).toHaveLength(2);
  });

  it('wait until there is a worker, and close at the end', () => {
    const connections = defineConnections();
    const worker = new FakeWorker();
    const early = give(connections, 2);
    connections.add(asProcess(worker));
    expect(worker.got.map(({ socket }) => socket)).toEqual(early);
    connections.remove(asProcess(worker));
    const late = give(connections, 1);
    connections.end();
    const afterEnd = give(connections, 1);
    expect([...late, ...afterEnd].every(({ destroyed }) => destroyed)).toBe(true);
    expect(worker.got).toHaveLength(2);
  });
});
