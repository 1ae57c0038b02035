/** Checks that the command reports each usual mistake with the fault, the place and the cure. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runHere } from '../support/run-here.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { root } from '../support/shared.js';

const shop = join(root, 'examples/shop/schemas');

/** Each row: the command, its exit code, the fault with its place, and the advice. */
const mistakes: readonly (readonly [readonly string[], number, RegExp, RegExp])[] = [
  // A missing or empty folder.
  [
    ['check', '--schemas', 'nowhere'],
    1,
    /nowhere does not exist/,
    /name the folder of your definitions with --schemas/,
  ],
  [
    ['generate', '--schemas', 'empty'],
    1,
    /the folder has no definitions/,
    /write a definition into a file that ends in/,
  ],
  [
    ['serve', '--schemas', 'nowhere'],
    2,
    /--schemas nowhere: must be a folder/,
    /name the one that has your definitions/,
  ],
  [['explain', 'widgets', '--schemas', 'nowhere'], 1, /nowhere does not exist/, /--schemas/],
  [['generate', '--schemas', shop, '--out', 'file/x'], 2, /--out file\/x: ENOTDIR/, /a part of the path is a file/],
  // Ports and stores.
  [['serve', '--http-port', '99999'], 2, /--http-port 99999: must be a port up to 65535/, /auto for a free one/],
  [
    ['serve', '--allow-everyone', '--storage', 'memory', '--secure-port', '0', '--http-port', 'TAKEN'],
    2,
    /port \d+ of 127\.0\.0\.1 is in use/,
    /choose another one with --http-port/,
  ],
  [['serve', '--storage', 'floppy:a'], 2, /--storage floppy:a: unknown/, /use one of: memory, lmdb:<folder>/],
  [
    ['storage', 'verify', '--storage', 'lmdb:nowhere'],
    2,
    /lmdb:nowhere: nothing is stored there/,
    /name the store that the server uses/,
  ],
  // Unknown words and flags.
  [['serv'], 2, /unknown command 'serv'/, /Did you mean serve\?/],
  [['serve', '--schmas', 'a'], 2, /unknown option '--schmas'/, /Did you mean --schemas\?/],
  [['get', 'ns', '-o', 'xml'], 2, /-o xml is not an output format/, /There are table, wide, yaml, json, name/],
  [['get'], 2, /name a resource/, /kindforge get --list prints what there is/],
  [['apply'], 2, /-f, --filename|say what to apply/, /-f FILE|--help/],
  [['delete'], 2, /say what to delete/, /files with -f/],
  [['serve', '--naming', 'klingon'], 2, /--naming klingon: /, /must be platform or kubernetes/],
  // Files that cannot be read.
  [
    ['serve', '--config', 'nowhere.yaml'],
    2,
    /--config nowhere\.yaml cannot be read: ENOENT/,
    /check the path; a relative path begins at/,
  ],
  [
    ['serve', '--token-auth-file', 'nowhere.csv'],
    2,
    /--token-auth-file nowhere\.csv: ENOENT/,
    /a relative path begins at/,
  ],
  [['serve', '--token-auth-file', 'empty'], 2, /--token-auth-file empty: EISDIR/, /this is a folder/],
  [['convert', 'nowhere.yaml'], 2, /ENOENT.*nowhere\.yaml/, /a relative path begins at/],
  [
    ['apply', '-f', 'nowhere.yaml', '--server', 'http://127.0.0.1:9'],
    1,
    /-f nowhere\.yaml is not there/,
    /The path is relative to/,
  ],
  [['apply', '-f', 'broken.yaml', '--server', 'http://127.0.0.1:9'], 1, /broken\.yaml:\d+:\d+: /, /Write|valid YAML/],
  // No server, or a server that does not answer.
  [['get', 'ns'], 2, /no server is known/, /Start a server with: kindforge serve/],
  [['get', 'ns', '--server', 'there'], 2, /--server there is not the URL/, /Write it as in --server http:/],
  [
    ['get', 'ns', '--server', 'http://127.0.0.1:CLOSED'],
    2,
    /no answer from http:\/\/127\.0\.0\.1:\d+/,
    /Is the server running\?/,
  ],
  [['get', 'ns', '--kubeconfig', 'nowhere'], 2, /the kubeconfig nowhere cannot be used/, /--server URL/],
  [
    ['access', 'why', 'get', 'pods'],
    2,
    /no kubeconfig found at .*\.kube\/config/,
    /name the server with --kubeconfig FILE or --server URL/,
  ],
  [
    ['controllers'],
    2,
    /no kubeconfig found at .*\.kube\/config/,
    /name the server with --kubeconfig FILE or --server URL/,
  ],
  [['import', 'crds', '--out', 'x'], 2, /give either --kubeconfig or --server/, /--help/],
];

describe('usual mistakes', () => {
  const folder = scratchFolder();
  const before = process.cwd();
  let taken: Server;
  let closed: number;
  beforeAll(async () => {
    process.chdir(folder);
    vi.stubEnv('HOME', folder);
    vi.stubEnv('KUBECONFIG', undefined);
    mkdirSync(join(folder, 'empty'));
    writeFileSync(join(folder, 'file'), '');
    writeFileSync(join(folder, 'broken.yaml'), 'apiVersion: v1\nkind: [\n');
    taken = await listening();
    const other = await listening();
    closed = portOf(other);
    await new Promise((resolve) => other.close(resolve));
  });
  afterAll(() => {
    taken.close();
    vi.unstubAllEnvs();
    process.chdir(before);
  });

  it.each(mistakes)('%j ends with %d, and prints %s and %s', async (words, expected, wrong, advice) => {
    const args = words.map((word) => word.replace('TAKEN', String(portOf(taken))).replace('CLOSED', String(closed)));
    const { code, out, err } = await runHere(...args);
    const text = out + err;
    expect(text).toMatch(wrong);
    expect(text).toMatch(advice);
    expect(code).toBe(expected);
    // Stack traces are for defects of the program, not for mistakes of users.
    expect(text).not.toMatch(/^ {4}at /m);
  });
});

const listening = (): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
