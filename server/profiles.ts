/** Profiles of the process's CPU and heap, at paths below `/debug/pprof`. The server takes only one at a time. */
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import type { Session } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiRequest, ApiResponse, OwnPath, StreamSink } from '../runtime/server/index.js';

export interface Profiles {
  readonly paths: readonly OwnPath[];
  /** Ends the profile in progress. */
  close(): void;
}

const root = '/debug/pprof';
const usualSeconds = 30;
const mostSeconds = 300;

const index = `CPU profile, for Chrome DevTools or speedscope:  ${root}/profile?seconds=${usualSeconds}
heap profile, for the same programs:             ${root}/heap?seconds=${usualSeconds}
heap snapshot, which contains secrets:           ${root}/heap-snapshot
`;

export function defineProfiles(): Profiles {
  const closing = new AbortController();
  let busy = false;
  /** Takes a profile, unless another is in progress. */
  const alone = async (take: (done: () => void) => Promise<ApiResponse>): Promise<ApiResponse> => {
    if (busy) return text(429, 'another profile is being taken; try again later\n', { 'retry-after': '10' });
    busy = true;
    const done = (): void => {
      busy = false;
    };
    try {
      return await take(done);
    } catch (error) {
      done();
      throw error;
    }
  };
  const timed = (name: string, take: Take) => async (request: ApiRequest) => {
    const seconds = secondsOf(request);
    if (seconds === undefined) return text(400, `seconds: must be a whole number from 1 to ${mostSeconds}\n`);
    return alone(async (done) => {
      const json = await take(seconds, closing.signal);
      done();
      return file(name, 'application/json', Buffer.from(json));
    });
  };
  const paths: readonly OwnPath[] = [
    { path: root, answer: () => text(200, index) },
    { path: `${root}/`, answer: () => text(200, index) },
    { path: `${root}/profile`, answer: timed('kindforge.cpuprofile', cpuProfile) },
    { path: `${root}/heap`, answer: timed('kindforge.heapprofile', heapProfile) },
    {
      path: `${root}/heap-snapshot`,
      answer: () =>
        alone(async (done) =>
          file('kindforge.heapsnapshot', 'application/json', await heapSnapshot(closing.signal, done)),
        ),
    },
  ];
  return { paths: paths.map(notForPages), close: () => closing.abort() };
}

/** Returns `undefined` if the value is not a valid number. */
function secondsOf({ search }: ApiRequest): number | undefined {
  const given = new URLSearchParams(search).get('seconds') ?? String(usualSeconds);
  const seconds = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  return seconds >= 1 && seconds <= mostSeconds ? seconds : undefined;
}

/** Refuses pages from other sites. They could not read the answer, but could keep the server busy. */
const notForPages = ({ path, answer }: OwnPath): OwnPath => ({
  path,
  answer: (request) => {
    const site = request.headers['sec-fetch-site'];
    const isOwn = site === undefined || site === 'same-origin' || site === 'none';
    return isOwn ? answer(request) : text(403, 'pages of other sites may not take profiles\n');
  },
});

const text = (code: number, body: string, headers: Readonly<Record<string, string>> = {}): ApiResponse => ({
  code,
  contentType: 'text/plain; charset=utf-8',
  headers: { ...headers, 'x-content-type-options': 'nosniff' },
  body: Buffer.from(body),
});

const file = (name: string, contentType: string, body: ApiResponse['body']): ApiResponse => ({
  code: 200,
  contentType,
  headers: {
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  },
  body,
});

/** Takes a profile, and resolves to its JSON. An abort ends the profile early, with the data until then. */
type Take = (seconds: number, signal: AbortSignal) => Promise<string>;

/** Samples the functions that use the CPU: a `.cpuprofile`. */
const cpuProfile: Take = (seconds, signal) =>
  inSession(async (post) => {
    await post('Profiler.enable');
    await post('Profiler.start');
    await pause(seconds, signal);
    return post('Profiler.stop');
  });

/** Samples the functions that allocated live objects in these seconds: a `.heapprofile`. */
const heapProfile: Take = (seconds, signal) =>
  inSession(async (post) => {
    await post('HeapProfiler.startSampling');
    await pause(seconds, signal);
    return post('HeapProfiler.stopSampling');
  });

const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  sleep(seconds * 1000, undefined, { signal }).catch(() => {});

type Post = (method: string) => Promise<unknown>;

async function inSession(take: (post: Post) => Promise<unknown>): Promise<string> {
  // Only the first profile loads it.
  const inspector = await import('node:inspector');
  const session = new inspector.Session();
  session.connect();
  try {
    const taken = await take((method) => ask(session, method));
    const profile = typeof taken === 'object' && taken !== null && 'profile' in taken ? taken.profile : undefined;
    return JSON.stringify(profile);
  } finally {
    session.disconnect();
  }
}

const ask = (session: Session, method: string): Promise<unknown> =>
  new Promise((resolve, reject) =>
    session.post(method, (error: Error | null, answer?: unknown) => (error ? reject(error) : resolve(answer))),
  );

const pieceBytes = 256 * 1024;
/** How long a client may read nothing before the server disconnects it, in milliseconds. */
const longestPieceMs = 60_000;

/**
 * Takes a snapshot, which blocks the process meanwhile, and returns it as a body. V8 writes it to a file, because only
 * then V8 writes in pieces. This function removes the file before it sends any of it, so nothing is left behind.
 */
async function heapSnapshot(signal: AbortSignal, done: () => void): Promise<ApiResponse['body']> {
  const { writeHeapSnapshot } = await import('node:v8');
  const folder = await mkdtemp(join(tmpdir(), 'kindforge-heap-'));
  let file: FileHandle;
  try {
    makeLineTable();
    file = await open(writeHeapSnapshot(join(folder, 'heap')), 'r');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const end = (): void => {
    done();
    file.close().catch(() => {});
  };
  return {
    ends: true,
    abandoned: end,
    stream(sink) {
      const stopping = new AbortController();
      void send(file, sink, AbortSignal.any([signal, stopping.signal])).finally(end);
      return () => stopping.abort();
    },
  };
}

/**
 * Makes V8 compute its table of line numbers, as for the stack trace of an error. A snapshot has the line of every
 * function. Without the table, V8 reads the program from its start for each function: 14 s of CPU instead of 2 s.
 */
const makeLineTable = (): string | undefined => new Error('for its trace').stack;

/** Sends a file at the pace of its client. Never rejects. */
async function send(file: FileHandle, sink: StreamSink, signal: AbortSignal): Promise<void> {
  const late = setTimeout(() => sink.destroy(), longestPieceMs);
  late.unref();
  try {
    while (!signal.aborted) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes);
      if (bytesRead === 0) return sink.end();
      sink.write(buffer.subarray(0, bytesRead));
      await sink.taken();
      late.refresh();
    }
    sink.destroy();
  } catch {
    sink.destroy();
  } finally {
    clearTimeout(late);
  }
}
