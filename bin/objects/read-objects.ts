/** Reads the objects that `--objects` names: files, a store, or what a server has. */
import { existsSync } from 'node:fs';
import { parseYaml } from '../../generator/load/parse-yaml.js';
import { isObject } from '../../runtime/objects/index.js';
import type { WantedResource } from '../../server/maintenance/rewrite-all.js';
import { readDocuments } from './documents.js';

/** Reads the objects of some resources. Rejects with an error that says what cannot be read. */
export async function readObjects(text: string, wanted: readonly WantedResource[]) {
  if (existsSync(text)) return readFiles(text);
  if (!text.includes(':') && text !== 'memory') throw new Error(`--objects ${text} does not exist`);
  const { readServedObjects, readStoredObjects } = await import('../../server/maintenance/rewrite-all.js');
  const [, kind, rest = ''] = /^(server|kubeconfig):(.*)$/s.exec(text) ?? [];
  if (kind === 'server') return readServedObjects({ server: rest }, wanted);
  if (kind === 'kubeconfig') {
    const [kubeconfig = '', context] = rest.split('#');
    return readServedObjects({ kubeconfig, ...(context === undefined ? {} : { context }) }, wanted);
  }
  return readStoredObjects('--objects', text, wanted);
}

async function readFiles(path: string) {
  const documents = await readDocuments([path]);
  return documents.flatMap(({ body }) => parseYaml(body).documents.filter(isObject));
}
