/**
 * Builds a page of a test and serves it like the console: before an API server, with a strict content security policy.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { listenLocally } from '../../../../test/support/local-server.js';

export interface HostPage {
  /** As in `http://127.0.0.1:8080/console/`. */
  readonly url: string;
  close(): Promise<void>;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Builds the page in a folder of `test/support` into another folder. */
export async function buildHost(folder: string, files: string): Promise<void> {
  const root = fileURLToPath(new URL(`./${folder}`, import.meta.url));
  const configFile = fileURLToPath(new URL('../../vite.config.ts', import.meta.url));
  // The config has its own root, but a plugin can still change it.
  const moved = { name: 'host', config: () => ({ root, publicDir: false as const }) };
  await build({
    configFile,
    plugins: [moved],
    logLevel: 'warn',
    build: { outDir: files, emptyOutDir: true, minify: false },
  });
}

/** Serves a built page, and sends all other requests to an API server. */
export async function serveHost(files: string, api: string): Promise<HostPage> {
  const server = createServer((asked, answer) => {
    if (asked.url?.startsWith('/console/')) void sendFile(files, asked.url, answer);
    else forward(api, asked, answer);
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}/console/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with a file, or with 404. Never rejects. */
async function sendFile(files: string, url: string, answer: ServerResponse): Promise<void> {
  const path = normalize(new URL(url, 'http://host').pathname.slice('/console/'.length)) || 'index.html';
  const file = path === '.' ? 'index.html' : path;
  const body = await readFile(join(files, file)).catch(() => undefined);
  const type = types[extname(file)] ?? 'application/octet-stream';
  answer.writeHead(body ? 200 : 404, { 'Content-Type': type, 'Content-Security-Policy': policy });
  answer.end(body);
}

function forward(api: string, asked: IncomingMessage, answer: ServerResponse): void {
  const sent = request(new URL(asked.url ?? '/', api), { method: asked.method ?? 'GET', headers: asked.headers });
  sent.on('response', (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers);
    got.pipe(answer);
  });
  sent.on('error', () => answer.writeHead(502).end());
  answer.on('close', () => sent.destroy());
  asked.pipe(sent);
}
