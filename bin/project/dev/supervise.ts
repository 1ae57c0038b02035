/**
 * Keeps one server running while users edit a project: if a change needs it, starts the next server and stops the last
 * one.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { relative } from 'node:path';
import { type Cause, type FromServer, isFromServer, type Ports, type ToServer, type Watched } from './messages.js';
import { type Changes, type Watching, watchFiles } from './watch.js';

/** Milliseconds that a server may take to stop before it is killed. */
const stopMs = 10_000;

/** The job of a process. A server that also generated code could not answer meanwhile. */
export type Role = 'server' | 'generator';

export interface SuperviseOptions {
  /** Starts a process for a role. It sends and receives the messages of `messages.ts`. */
  readonly spawn: (role: Role) => ChildProcess;
  readonly print: (line: string) => void;
  /** Ends everything. */
  readonly ended: AbortController;
}

/** Runs until `ended` is aborted. Resolves once everything has stopped. */
export async function supervise(options: SuperviseOptions): Promise<void> {
  const supervisor = new Supervisor(options);
  supervisor.start();
  const { signal } = options.ended;
  if (!signal.aborted) await once(signal, 'abort');
  await supervisor.stop();
}

class Supervisor {
  readonly #options: SuperviseOptions;
  /** The process that serves. */
  #serving: ChildProcess | undefined;
  /** The next process. It replaces the current one once it works. */
  #starting: ChildProcess | undefined;
  /** The process that generates, once there is a server. */
  #generating: ChildProcess | undefined;
  /** The reason why no server runs with the current definitions. */
  #failed: Cause | undefined;
  /** Whether code has changed since the start in flight began. */
  #again = false;
  /** Whether definitions have changed since that start began. */
  #late = false;
  #stopped = false;
  #ports: Ports = {};
  #hasServed = false;
  #watching: Watching | undefined;

  constructor(options: SuperviseOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#stopped) return;
    if (this.#starting) {
      this.#again = true;
      return;
    }
    const began = Date.now();
    const child = this.#options.spawn('server');
    this.#starting = child;
    child.on('message', (message) => {
      if (!isFromServer(message)) return;
      this.#hear(child, message, began).catch((error: unknown) => this.#options.print(`kindforge: ${error}`));
    });
    child.once('exit', (code, signal) => this.#ended(child, signal ?? `code ${code}`));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#watching?.close();
    const all = [this.#serving, this.#starting, this.#generating];
    await Promise.all(all.map((child) => child && stopped(child)));
  }

  /** Restarts the process that generates, because the code of a project may change the generated code, too. */
  async #generateAnew(): Promise<void> {
    const before = this.#generating;
    this.#generating = undefined;
    if (before) await stopped(before);
    if (!this.#stopped) this.#generating ??= this.#options.spawn('generator');
  }

  async #hear(child: ChildProcess, message: FromServer, began: number): Promise<void> {
    if (message.type === 'loaded') {
      this.#follow(message.watched, began);
      const before = this.#serving;
      this.#serving = undefined;
      if (before) await stopped(before);
      tell(child, { type: 'serve', ports: this.#ports, first: !this.#hasServed });
    } else if (message.type === 'failed') {
      this.#follow(message.watched, began);
      this.#failed = message.cause;
      const rest = this.#serving ? 'the previous version is still served' : 'nothing is served until this is corrected';
      this.#options.print(rest);
    } else if (message.type === 'serving') {
      this.#failed = undefined;
      this.#ports = message.ports;
      this.#hasServed = true;
      this.#serving = child;
      if (this.#late && !this.#again) tell(child, { type: 'definitions' });
      this.#late = false;
      this.#settled();
      await this.#generateAnew();
    } else if (message.type === 'replaced') {
      if (this.#generating) tell(this.#generating, { type: 'definitions' });
    } else if (message.type === 'end') {
      this.#options.ended.abort();
    } else {
      this.#options.print(`starting again: ${message.because}`);
      this.start();
    }
  }

  /** Handles a server that ended without being asked to stop. */
  #ended(child: ChildProcess, how: string): void {
    if (child === this.#starting) {
      this.#failed ??= 'code';
      this.#settled();
    } else if (child === this.#serving) {
      this.#serving = undefined;
      if (this.#stopped) return;
      this.#failed = 'code';
      this.#options.print(`the server ended (${how}); it starts again with the next change`);
    }
  }

  /** Handles the end of a start. */
  #settled(): void {
    this.#starting = undefined;
    const isOutdated = this.#again || this.#late;
    this.#again = false;
    this.#late = false;
    if (isOutdated) this.start();
  }

  /** Follows the files. Changes after `began` count, because the process may have read a file before its change. */
  #follow(watched: Watched, began: number): void {
    if (this.#stopped) return;
    this.#watching ??= watchFiles((changes) => this.#changed(changes));
    this.#watching.follow(watched, began);
  }

  /** Handles changes. Saving code without a change does not restart the server, but retries a failed start. */
  #changed({ code, same, definitions }: Changes): void {
    const counts = this.#failed === undefined ? code : [...code, ...same];
    if (counts.length > 0) {
      const names = counts.map((file) => relative('', file));
      this.#options.print(`changed: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}`);
      this.start();
    } else if (definitions && this.#starting) this.#late = true;
    else if (definitions && (this.#failed === 'definitions' || !this.#serving)) this.start();
    if (definitions && this.#serving) tell(this.#serving, { type: 'definitions' });
  }
}

function tell(child: ChildProcess, message: ToServer): void {
  if (child.connected) child.send(message);
}

/** Stops a process, and waits for its end. */
async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  tell(child, { type: 'stop' });
  const impatient = setTimeout(() => child.kill('SIGKILL'), stopMs);
  await ended;
  clearTimeout(impatient);
}
