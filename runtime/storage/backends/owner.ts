/** The process that holds a data folder, and checks whether it still runs. */
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A process. The fields distinguish it from every other process with the same number, before it or on another machine.
 * Unknown fields are empty.
 */
export interface Owner {
  readonly pid: number;
  readonly host: string;
  /** The time at which the process started, in clock ticks since boot. */
  readonly started: string;
  readonly boot: string;
  /** The namespace in which the pid counts: containers have their own. */
  readonly namespace: string;
}

/** The longest silence of an owner in another container before it counts as gone, in milliseconds. */
const SILENCE_MS = 3_000;
/** The interval between an owner's heartbeats, in milliseconds. */
export const HEARTBEAT_MS = 500;

/** Thrown if another process uses the data. */
export class DataInUseError extends Error {
  constructor(
    readonly path: string,
    readonly owner: Owner,
    alternative = 'data folder',
  ) {
    super(`${path} is in use by ${processOf(owner)}; stop that process, or choose another ${alternative}`);
    this.name = 'DataInUseError';
  }
}

/** Returns words for an owner, as in `process 17 on another-host`. */
export function processOf({ pid, host }: Pick<Owner, 'pid' | 'host'>): string {
  return `process ${pid}${host === hostname() ? '' : ` on ${host}`}`;
}

export function thisProcess(): Owner {
  return {
    pid: process.pid,
    host: hostname(),
    started: startOf(process.pid),
    boot: bootId(),
    namespace: pidNamespace(),
  };
}

/** Checks whether an owner still runs. A running owner keeps updating the time of `heartbeatFile`. */
export async function isAlive(owner: Owner, heartbeatFile: string): Promise<boolean> {
  if (owner.boot !== bootId()) return false;
  if (owner.namespace !== pidNamespace()) return beats(heartbeatFile);
  return exists(owner.pid) && startOf(owner.pid) === owner.started;
}

/** Reads an owner from JSON. Returns undefined for any other text. */
export function parseOwner(json: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isOwner(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Checks whether an owner still runs. Returns undefined for an owner on another machine or in another container. */
export function livesHere(owner: Owner): boolean | undefined {
  const { boot, host, namespace } = thisProcess();
  if (owner.boot !== boot || owner.namespace !== namespace || owner.host !== host) return undefined;
  return exists(owner.pid) && startOf(owner.pid) === owner.started;
}

export function isOwner(value: unknown): value is Owner {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, host, started, boot, namespace }: Partial<Record<keyof Owner, unknown>> = value;
  return Number.isInteger(pid) && [host, started, boot, namespace].every((field) => typeof field === 'string');
}

/** Waits for a heartbeat. The process numbers of another container mean nothing here. */
async function beats(file: string): Promise<boolean> {
  const first = timeOf(file);
  for (let waited = 0; waited < SILENCE_MS; waited += HEARTBEAT_MS) {
    await sleep(HEARTBEAT_MS);
    if (timeOf(file) !== first) return true;
  }
  return false;
}

function timeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Returns the 22nd field of the process's stat. The second field is a name in brackets with any characters. */
function startOf(pid: number): string {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function bootId(): string {
  return readOrEmpty('/proc/sys/kernel/random/boot_id').trim();
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/**
 * Reads a file; returns an empty text if that fails. Without /proc (macOS, Windows), only its number identifies a
 * process.
 */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
