/** Profiles of the process at paths below `/debug/pprof`: of its CPU, and of its heap. One is taken at a time. */
import type { ApiRequest, ApiResponse, OwnPath } from '../../runtime/server/index.js';
import { heapSnapshot } from './heap-snapshot.js';
import { cpuProfile, heapProfile, type Take } from './timed-profiles.js';

export interface Profiles {
  readonly paths: readonly OwnPath[];
  /** Ends the one that is being taken. */
  close(): void;
}

const root = '/debug/pprof';
const usualSeconds = 30;
const mostSeconds = 300;

const index = `CPU, for Chrome DevTools and speedscope:    ${root}/profile?seconds=${usualSeconds}
what the heap is allocated by, for the same: ${root}/heap?seconds=${usualSeconds}
all that is in the heap, secrets too:       ${root}/heap-snapshot
`;

export function defineProfiles(): Profiles {
  const closing = new AbortController();
  let busy = false;
  /** Has one taken, unless another is. */
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
    if (seconds === undefined) return text(400, `seconds is a whole number from 1 to ${mostSeconds}\n`);
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

/** `undefined` for what is no such number. */
function secondsOf({ search }: ApiRequest): number | undefined {
  const given = new URLSearchParams(search).get('seconds') ?? String(usualSeconds);
  const seconds = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  return seconds >= 1 && seconds <= mostSeconds ? seconds : undefined;
}

/** A page from elsewhere could not read the answer, but have the server busy with it. */
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
