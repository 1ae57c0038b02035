/**
 * Plays etcd for test suites: listens where clients of etcd connect, answers health checks, and stores
 * nothing.
 */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { textBefore } from '../../runtime/objects/scan/numbers.js';
import { etcdHelp, etcdVersion } from './etcd-help.js';

const answers: Readonly<Record<string, string>> = {
  '/health': '{"health":"true","reason":""}',
  '/livez': 'ok\n',
  '/readyz': 'ok\n',
  '/version': '{"etcdserver":"3.5.0","etcdcluster":"3.5.0"}',
};

/**
 * Finds the last value of a flag, in any of the forms that etcd takes: one or two dashes, and `=` or a space before
 * the value.
 */
function flagValue(args: readonly string[], name: string): string | undefined {
  const at = args.findLastIndex((arg) => [`-${name}`, `--${name}`].includes(textBefore(arg, '=')));
  const found = args[at];
  if (found === undefined) return undefined;
  return found.includes('=') ? found.replace(/^[^=]*=/, '') : args[at + 1];
}

const answer: RequestListener = ({ url = '/' }, response) => {
  const text = answers[textBefore(url, '?')];
  response.writeHead(text === undefined ? 404 : 200, {
    'content-type': text?.startsWith('{') ? 'application/json' : 'text/plain; charset=utf-8',
  });
  response.end(text ?? '404 page not found\n');
};

function open(url: URL, args: readonly string[]): Server {
  if (url.protocol !== 'https:') return createServer(answer);
  const read = (name: string): Buffer => readFileSync(flagValue(args, name) ?? '');
  return createSecureServer({ cert: read('cert-file'), key: read('key-file') }, answer);
}

function fail(problem: string): never {
  process.stderr.write(`etcd: ${problem}\n`);
  process.exit(1);
}

function listen(text: string, args: readonly string[]): Server {
  if (!URL.canParse(text)) fail(`--listen-client-urls: ${text} is not a URL`);
  const url = new URL(text);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const server = open(url, args);
  server.on('error', (error) => fail(`listen tcp ${url.host}: ${error.message}`));
  server.listen(Number(url.port || '2379'), host, () => {
    // Older suites wait for these words.
    const serving = url.protocol === 'https:' ? 'serving client requests' : 'serving insecure client requests';
    process.stderr.write(`etcd: ${serving} on ${url.host}\n`);
  });
  return server;
}

function run(args: readonly string[]): void {
  if (args.some((arg) => /^(--?help|-h)$/.test(arg))) return void process.stdout.write(etcdHelp);
  if (args.some((arg) => /^--?version$/.test(arg))) return void process.stdout.write(etcdVersion);
  const urls = flagValue(args, 'listen-client-urls') ?? process.env.ETCD_LISTEN_CLIENT_URLS ?? 'http://localhost:2379';
  const servers = urls.split(',').map((url) => listen(url.trim(), args));
  const stop = (): void => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

run(process.argv.slice(2));
