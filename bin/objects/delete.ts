/** `kindforge delete`: deletes objects of a server. */
import { type DiscoveredResource, discover, isNotFound } from '../../client/index.js';
import { readDocuments, type SourceDocument } from './documents.js';
import { Refusal } from './failure.js';
import { fieldsOf, identityOf, listOf, type Printing } from './printing.js';
import { pathOf, type Sender, senderOf } from './requests.js';
import { findResource, fullName, readAsked } from './resources.js';
import type { Target } from './target.js';

export interface DeleteRequest {
  readonly words: readonly string[];
  /** Files with the objects to delete. */
  readonly files: readonly string[];
  readonly selector?: string;
  /** All objects of the namespace. */
  readonly all?: boolean;
  readonly cascade: 'background' | 'foreground' | 'orphan';
  readonly dryRun?: boolean;
  /** Skips objects that do not exist. */
  readonly ignoreNotFound?: boolean;
}

interface Doomed {
  readonly resource: DiscoveredResource;
  readonly namespace: string;
  readonly name: string;
}

const policies = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const;

/**
 * Resolves to whether all objects were deleted. After a refused object, goes on with the others. Rejects with a
 * `Refusal`.
 */
export async function runDelete(
  target: Target,
  request: DeleteRequest,
  printing: Printing,
  onFailure: (error: unknown) => void,
): Promise<boolean> {
  const send = senderOf(target.client, (warning) => printing.error(`warning: ${warning}`));
  let failures = 0;
  for (const doomed of await findDoomed(send, target, request)) {
    try {
      printing.out(await deleteOne(send, doomed, request));
    } catch (error) {
      if (request.ignoreNotFound && isNotFound(error)) continue;
      failures++;
      onFailure(error);
    }
  }
  return failures === 0;
}

async function deleteOne(send: Sender, { resource, namespace, name }: Doomed, request: DeleteRequest): Promise<string> {
  const answer = await send.read({
    method: 'DELETE',
    path: pathOf(resource, namespace, name),
    query: { propagationPolicy: policies[request.cascade], dryRun: request.dryRun ? 'All' : undefined },
  });
  // The server returns an object that it cannot remove yet.
  const waits = fieldsOf(fieldsOf(answer).metadata).deletionTimestamp !== undefined;
  const what = `${fullName(resource)}/${name}`;
  if (request.dryRun) return `${what} would be deleted (dry run)`;
  return waits ? `${what} is being deleted: the server removes it once its finalizers are done` : `${what} deleted`;
}

async function findDoomed(send: Sender, target: Target, request: DeleteRequest): Promise<readonly Doomed[]> {
  const discovery = await discover(target.client);
  const { words, files, selector, all = false } = request;
  if (files.length > 0) {
    const documents = await readDocuments(files);
    return documents.reverse().map((document) => doomedBy(document, target, discovery));
  }
  const found: Doomed[] = [];
  for (const { resource, names } of readAsked(words, discovery)) {
    const { namespace } = target;
    for (const name of names) found.push({ resource, namespace, name });
    if (names.length > 0) continue;
    if (!all && selector === undefined) {
      throw new Refusal(`no ${fullName(resource)} are named`, 'Name some, or select with -l app=web, or give --all');
    }
    const list = await send.read({
      method: 'GET',
      path: pathOf(resource, namespace),
      query: { labelSelector: selector },
    });
    for (const item of listOf(fieldsOf(list).items)) found.push({ resource, ...identityIn(item, namespace) });
  }
  return found;
}

const identityIn = (object: unknown, namespace: string): { name: string; namespace: string } => {
  const identity = identityOf(object);
  return { name: identity.name, namespace: identity.namespace || namespace };
};

function doomedBy(document: SourceDocument, target: Target, discovery: Parameters<typeof findResource>[1]): Doomed {
  const { kind, group, name, namespace = target.namespace } = document;
  return { resource: findResource(group === '' ? kind : `${kind}.${group}`, discovery), name, namespace };
}
