/** The console that a server serves: its files, and the sign-in with a code. */
import type { H3Event, Middleware } from 'h3';
import { administratorUser, type ConsoleSessions, defineConsoleSessions } from '../../plugins/index.js';
import type { Authenticator } from '../../runtime/contract/index.js';
import { applicationPages, clientCertificateOf } from '../../runtime/server/index.js';
import { type Comparison, defineComparison } from './compare.js';
import { findConsole } from './find-console.js';

export const consolePath = '/console/';

/** The path of the request that begins a session, with a code. */
const signInPath = `${consolePath}api/sign-in`;

/** The path of the request for another link. */
export const linkPath = `${consolePath}api/link`;

export interface Console {
  /** Serves the console. Everybody may load it. */
  readonly middleware: Middleware;
  /** Compares definitions, for authenticated users. */
  readonly comparison: Comparison;
  readonly sessions: ConsoleSessions;
  /** Sets the methods that recognize the administrator. Without them, nobody gets another link. */
  recognizeBy(authenticators: readonly Authenticator[]): void;
  /** Sets the function that makes links. Without it, the console makes no links for requests. */
  makeLinksBy(link: () => string | Promise<string>): void;
  /** Sets the function that begins sessions. Without it, they begin in this process. */
  beginBy(begin: ConsoleBegin): void;
}

type ConsoleBegin = (
  code: string,
) => ReturnType<ConsoleSessions['begin']> | Promise<ReturnType<ConsoleSessions['begin']>>;

/** The parts that make links for the administrator. */
interface Linking {
  authenticators: readonly Authenticator[];
  link: () => string | Promise<string>;
  begin: ConsoleBegin;
}

export interface ConsoleParts {
  /** The origin of the identity provider. The page may send requests there, and to its own origin. */
  readonly provider?: string | undefined;
  /** Milliseconds since 1970. */
  readonly clock?: (() => number) | undefined;
}

/** Makes the console. It sends no requests, and reads its files when a browser asks for them. */
export function defineConsole({ provider, clock = Date.now }: ConsoleParts): Console {
  const sessions = defineConsoleSessions(clock);
  const attempts = countAttempts(clock);
  const linking: Linking = { authenticators: [], link: () => consolePath, begin: sessions.begin };
  const pages = applicationPages({
    under: consolePath,
    folder: findConsole(),
    headers: headersFor(provider),
    missing:
      '<!doctype html><title>Kindforge</title><p>The console is not built. In a checkout, build it with ' +
      '<code>npm run build -w packages/console</code>, and load this page again.</p>',
  });
  return {
    // Handles requests in one step, because all requests of the API pass it.
    middleware(event, next) {
      const { pathname } = event.url;
      if (pathname === signInPath) return onlyPost(event, () => answerSignIn(event, linking, attempts));
      if (pathname === linkPath) return onlyPost(event, () => answerLink(event, linking));
      return pages(event, next);
    },
    comparison: defineComparison(),
    sessions,
    recognizeBy(authenticators) {
      linking.authenticators = authenticators;
    },
    makeLinksBy(link) {
      linking.link = link;
    },
    beginBy(begin) {
      linking.begin = begin;
    },
  };
}

/**
 * Lets the page load from this server and send requests to it only, and keeps texts from becoming markup (CSP level 3,
 * Trusted Types).
 */
function headersFor(provider: string | undefined): Readonly<Record<string, string>> {
  const own = "'self'";
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src ${own}`,
      `style-src ${own}`,
      `img-src ${own} data:`,
      `font-src ${own}`,
      `connect-src ${own}${provider === undefined ? '' : ` ${provider}`}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}

/** Answers a POST with `answer`. */
const onlyPost = (event: H3Event, answer: () => Promise<Response>): Response | Promise<Response> =>
  event.req.method === 'POST' ? answer() : refusal(405, 'MethodNotAllowed', 'use POST');

/** Answers `POST /console/api/sign-in` with a session for a code. */
async function answerSignIn(event: H3Event, { begin }: Linking, attempts: Attempts): Promise<Response> {
  if (!isFromThisMachine(event)) {
    return refusal(403, 'Forbidden', 'a code only works on the machine of the server; sign in with a token');
  }
  if (attempts.areTooMany()) return refusal(429, 'TooManyRequests', 'too many codes were wrong; try again in a minute');
  const code = await readCode(event);
  const session = code === undefined ? undefined : await begin(code);
  if (session) return Response.json(session, { headers: unkept });
  attempts.failed();
  return refusal(
    401,
    'Unauthorized',
    'the code is unknown, used or older than two minutes; ask the server for another',
  );
}

/** Answers `POST /console/api/link` with a link, for callers with the administrator's own credentials. */
async function answerLink(event: H3Event, { authenticators, link }: Linking): Promise<Response> {
  if (!isOfOwnPage(event) || !(await isAdministrator(event, authenticators))) {
    return refusal(
      403,
      'Forbidden',
      "a link needs the administrator's credentials, which kindforge serve keeps with its data",
    );
  }
  return Response.json({ link: await link() }, { headers: unkept });
}

/** Checks the token of the request, and the certificate of its connection: the kubeconfig has one of them. */
async function isAdministrator(event: H3Event, authenticators: readonly Authenticator[]): Promise<boolean> {
  const node = event.runtime?.node?.req;
  const clientCertificate = node && clientCertificateOf(node);
  const credentials = { headers: Object.fromEntries(event.req.headers), clientCertificate };
  for (const { authenticate } of authenticators) {
    const known = await authenticate(credentials);
    if (!known || !('user' in known)) continue;
    const { name, groups } = known.user;
    if (name === administratorUser.name && administratorUser.groups.every((group) => groups.includes(group)))
      return true;
  }
  return false;
}

const unkept = { 'cache-control': 'no-store' };

/** Counts the wrong codes in a minute. */
interface Attempts {
  areTooMany(): boolean;
  failed(): void;
}

/** The number of wrong codes in a minute. After it, the console refuses all codes until the next minute. */
const mostFailures = 20;
const minuteMs = 60_000;

function countAttempts(clock: () => number): Attempts {
  let [since, failures] = [0, 0];
  return {
    areTooMany: () => failures >= mostFailures && clock() - since < minuteMs,
    failed() {
      if (clock() - since >= minuteMs) [since, failures] = [clock(), 0];
      failures++;
    },
  };
}

/** The size limit of the body of a sign-in, bytes. */
const maxBodyBytes = 1024;

/** Returns the code in the body; `undefined` if the body is something else, or too large. */
async function readCode(event: H3Event): Promise<string | undefined> {
  try {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of event.req.body ?? []) {
      length += chunk.length;
      if (length > maxBodyBytes) return undefined;
      chunks.push(chunk);
    }
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
    return typeof code === 'string' ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Headers of proxies, which pass on requests of other machines. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Checks that the request comes from a page of this server, over a connection of this machine, and through no proxy.
 */
function isFromThisMachine(event: H3Event): boolean {
  const address = event.runtime?.node?.req.socket?.remoteAddress ?? '';
  const { headers } = event.req;
  if (!/^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address)) return false;
  return !proxyHeaders.some((name) => headers.has(name)) && isOfOwnPage(event);
}

/** Checks that the request does not come from a page of another site. */
function isOfOwnPage({ req: { headers } }: H3Event): boolean {
  const origin = headers.get('origin');
  return origin === null || (URL.canParse(origin) && new URL(origin).host === headers.get('host'));
}

function refusal(code: number, reason: string, message: string): Response {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  return Response.json(status, { status: code, headers: unkept });
}
