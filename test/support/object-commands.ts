/** Runs `kindforge get` and `apply` against a server with a few Services and ConfigMaps, and keeps what they print. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runApply } from '../../bin/objects/apply.js';
import { reportFailure } from '../../bin/objects/failure.js';
import { type GetRequest, runGet } from '../../bin/objects/get.js';
import type { Printing } from '../../bin/objects/printing.js';
import { targetOf } from '../../bin/objects/target.js';
import { type ListeningServer, startServing } from './serving.js';

export const service = (name: string, spec: object, labels: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels, annotations: { 'example.com/note': `<${name}> & "more"` } },
  spec,
});
export const ports = (...numbers: readonly number[]): object[] => numbers.map((port) => ({ name: `p${port}`, port }));
const objects = [
  service('web-10', { ports: ports(80, 443), selector: { app: 'web', tier: 'front' } }, { app: 'web', weight: '10Gi' }),
  service('web-2', { ports: ports(8080), selector: { app: 'web' } }, { weight: '2Mi' }),
  service('db', { ports: ports(5432), sessionAffinity: 'ClientIP' }, { app: 'db', weight: '3Ki' }),
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'empty' } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'full' }, data: { 'a.b': 'dot', c: 'line\nline' } },
];

/** A printer that keeps what it prints. */
export type Kept = { readonly said: { out: string; err: string } } & Printing;

export function keep(): Kept {
  const said = { out: '', err: '' };
  const add = (kind: 'out' | 'err', text: string): void => {
    said[kind] += text;
  };
  return {
    said,
    out: (line) => add('out', `${line}\n`),
    text: (text) => add('out', text),
    error: (line) => add('err', `${line}\n`),
  };
}

export interface ObjectCommands {
  readonly server: ListeningServer;
  /** A folder for files. */
  readonly folder: string;
  /** The output of a get; `words` have spaces between. */
  readonly get: (words: string, request: Partial<GetRequest>, to?: Kept) => Promise<string>;
  readonly apply: (...objects: readonly object[]) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startObjectCommands(): Promise<ObjectCommands> {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-output-'));
  const server = await startServing({ naming: 'kubernetes' });
  const target = targetOf({ server: server.url });
  const get: ObjectCommands['get'] = async (words, request, to = keep()) => {
    const tell = (error: unknown): void => reportFailure(error).lines.forEach(to.error);
    await runGet(target, { words: words.split(' '), output: 'table', ...request }, { printing: to, tell }).catch(tell);
    return to.said.out + to.said.err;
  };
  const apply: ObjectCommands['apply'] = async (...all) => {
    const path = join(folder, 'objects.json');
    writeFileSync(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: all }));
    expect(await runApply(target, { files: [path], fieldManager: 'test' }, keep(), () => {})).toBe(true);
  };
  await apply(...objects);
  return {
    server,
    folder,
    get,
    apply,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
