/** Chooses the role of this process in a server with workers, and the options for it. */
import { availableParallelism, tmpdir } from 'node:os';
import { OptionError } from '../option-error.js';
import type { StartOptions } from '../options.js';
import type { StorageOption } from '../parts/storage-options.js';
import { defineOwner } from './owner.js';
import { type Place, type Role, type WorkerRole, workerNumber, workerVariable } from './role.js';
import { beginWorker } from './worker.js';

export interface Chosen {
  /** Absent if one process does everything. */
  readonly role: Role | undefined;
  readonly options: StartOptions;
}

/** Whether this process has started a server with workers, or is a worker of such a server. */
let hasRole = false;

/**
 * The most bytes of the path of the folder for temporary files, so that the paths of the sockets there, such as
 * `/kindforge-workers-AbCdEf/4194304-https`, fit into a socket's address. Node cuts longer ones off.
 */
const longestFolder = (process.platform === 'linux' ? 107 : 103) - 39;

/** Rejects with an `OptionError` if this program cannot have workers. */
export async function chooseRole(options: StartOptions): Promise<Chosen> {
  const count = options.workers === 'auto' ? availableParallelism() : (options.workers ?? 1);
  const number = workerNumber();
  if (count === 1 && number === undefined) return { role: undefined, options };
  checkProgram(options);
  hasRole = true;
  if (number === undefined) return { role: defineOwner(count), options };
  // Programs that this one starts are not workers.
  delete process.env[workerVariable];
  const { role, places } = await beginWorker(number);
  return { role, options: optionsOf(options, role, { count, places }) };
}

function checkProgram({ http = {}, tls }: StartOptions): void {
  const refuse = (problem: string): never => {
    throw new OptionError((nameOf) => `${nameOf('workers')}: ${problem}`);
  };
  if (hasRole) refuse('only one server of a program can have workers');
  if (process.argv[1] === undefined) refuse('workers run the file of this program, but it has no file');
  if (http === false && !tls) refuse('only for servers that listen');
  if (Buffer.byteLength(tmpdir()) > longestFolder) {
    const limit = `sockets of workers need a path of at most ${longestFolder} bytes`;
    refuse(`the folder for temporary files is ${tmpdir()}, but ${limit}; set TMPDIR to such a folder`);
  }
}

interface Shared {
  readonly count: number;
  /** The addresses at which the owner listens. */
  readonly places: readonly Place[];
}

/** Returns the options of a worker: with its share of the limits, and without the jobs of the owner. */
function optionsOf(options: StartOptions, { sinks }: WorkerRole, { count, places }: Shared): StartOptions {
  const { onStart, onStop, onLoading, ...others } = options;
  const { audit, storage } = options;
  const [plain, secure] = [false, true].map((wanted) => places.find(({ isSecure }) => isSecure === wanted));
  const { fd, ...tls } = options.tls ?? {};
  return {
    ...others,
    ...(plain ? { http: { host: plain.host, port: plain.port } } : {}),
    ...(secure ? { tls: { ...tls, host: secure.host, port: secure.port } } : {}),
    ...(storage === undefined ? {} : { storage: withoutCompaction(storage) }),
    ...(audit ? { audit: { policyFile: audit.policyFile, sinks: [...sinks, ...(audit.sinks ?? [])] } } : {}),
    bootstrapped: true,
    limits: partOf(options.limits, count),
  };
}

/** Leaves it to the owner to remove old changes. */
function withoutCompaction(storage: StorageOption): StorageOption {
  if (storage === 'memory') return storage;
  if ('etcd' in storage) return { etcd: { ...storage.etcd, compaction: false } };
  return 'postgres' in storage ? { postgres: { ...storage.postgres, compaction: false } } : storage;
}

/** Divides the limits of the whole server among the workers. */
function partOf(limits: StartOptions['limits'] = {}, count: number): StartOptions['limits'] {
  const { requests = 400, mutatingRequests = 200, connections = 10_000, connectionsPerUser = 5000 } = limits;
  const part = (whole: number): number => Math.ceil(whole / count);
  return {
    ...limits,
    requests: part(requests),
    mutatingRequests: part(mutatingRequests),
    connections: part(connections),
    connectionsPerUser: part(connectionsPerUser),
  };
}
