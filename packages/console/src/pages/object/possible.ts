/** Finds the actions that the kind has and the user may do with the object. */
import { mayDo, type Shown } from './kind-client.js';

export type Deed = 'edit' | 'delete' | 'create' | 'scale' | 'approve' | 'token' | 'evict' | 'status' | 'logs' | 'exec';

const needs: readonly (readonly [deed: Deed, verb: string, subresource?: string])[] = [
  ['edit', 'update'],
  ['delete', 'delete'],
  ['create', 'create'],
  ['scale', 'patch', 'scale'],
  ['approve', 'update', 'approval'],
  ['token', 'create', 'token'],
  ['evict', 'create', 'eviction'],
  ['status', 'update', 'status'],
  ['logs', 'get', 'log'],
  ['exec', 'get', 'exec'],
];

/** Resolves to the actions to offer. */
export async function possibleDeeds(shown: Shown): Promise<ReadonlySet<Deed>> {
  const { verbs, subresources } = shown.kind;
  // A WebSocket cannot impersonate: the command would run with the rights of the real user.
  const isSomebodyElse = shown.session.credentials.impersonate !== undefined;
  const offered = needs.filter(([deed, verb, part]) =>
    part === undefined ? verbs.includes(verb) : subresources.includes(part) && !(deed === 'exec' && isSomebodyElse),
  );
  const allowed = await Promise.all(offered.map(([, verb, part]) => mayDo(shown, verb, part)));
  return new Set(offered.flatMap(([deed], index) => (allowed[index] ? [deed] : [])));
}
