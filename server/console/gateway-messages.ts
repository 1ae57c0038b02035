/** The headers and bodies that pass between the page of a console and the server behind it. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

type Headers = Record<string, string | string[]>;

/** The headers to pass on to the server, because its API reads them. Credentials, cookies and the origin stay here. */
const passed = new Set([
  'accept',
  'accept-encoding',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'range',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-stream-protocol-version',
]);

/** Returns the headers to pass on. */
export function passedHeaders(headers: NodeJS.Dict<string[]>): Headers {
  const all = Object.entries(headers).filter(([name]) => passed.has(name) || name.startsWith('impersonate-'));
  return Object.fromEntries(all.map(([name, values = []]) => [name, oneOrMore(values)]));
}

const oneOrMore = (values: string[]): string | string[] => (values.length === 1 ? (values[0] ?? '') : values);

/** The headers of an answer that are about one connection (RFC 9110, section 7.6.1), or about the server's origin. */
const dropped =
  /^(connection|keep-alive|proxy-.*|trailer|transfer-encoding|upgrade|set-cookie|strict-transport-security|alt-svc|access-control-.*|content-security-policy.*|x-content-type-options)$/;

/** Returns the headers of an answer. They keep the browser from running the answer as a page of this origin. */
export function answerHeaders(headers: IncomingHttpHeaders): Headers {
  return {
    ...kept(headers, (name) => !dropped.test(name)),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  };
}

/** Returns the head with which the server agrees to a WebSocket. */
export function upgradeHead(headers: IncomingHttpHeaders): string {
  const own = Object.entries(kept(headers, (name) => name.startsWith('sec-websocket-')));
  const lines = own.flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`));
  return ['HTTP/1.1 101 Switching Protocols', 'connection: Upgrade', 'upgrade: websocket', ...lines, '', ''].join(
    '\r\n',
  );
}

function kept(headers: IncomingHttpHeaders, isKept: (name: string) => boolean): Headers {
  const all = Object.entries(headers).filter(([name]) => isKept(name));
  return Object.fromEntries(all.map(([name, values = '']) => [name, values]));
}

/** Returns the token among the subprotocols of a WebSocket (as Kubernetes has it), and the other subprotocols. */
export function sealedToken({ 'sec-websocket-protocol': offered = '' }: IncomingHttpHeaders): {
  readonly token: string | undefined;
  readonly protocols: string;
} {
  const all = offered.split(',').map((one) => one.trim());
  const isSealed = (one: string): boolean => one.startsWith('base64url.bearer.authorization.');
  const sealed = all.find(isSealed)?.split('.').at(-1);
  return {
    token: sealed === undefined ? undefined : Buffer.from(sealed, 'base64url').toString(),
    protocols: all.filter((one) => !isSealed(one)).join(', '),
  };
}

/** The size limit of a body, bytes: ten times the default of API servers. */
const maxPassedBytes = 32 * 1024 * 1024;

/** Reads the whole body, because the gateway may send a request twice; `undefined` without a body. */
export async function bodyOf(
  req: IncomingMessage,
  maxBodyBytes = maxPassedBytes,
): Promise<Uint8Array | 'too large' | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of req) {
    length += chunk.length;
    if (length > maxBodyBytes) return 'too large';
    chunks.push(chunk);
  }
  return length === 0 ? undefined : Buffer.concat(chunks);
}
