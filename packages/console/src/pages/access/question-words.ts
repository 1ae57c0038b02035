/** The words of a question in an address. */
import type { AskedWords } from '../../../../../server/access/answer-questions.js';

/** Reads a question; returns `undefined` if it is incomplete. */
export function wordsOf(query: URLSearchParams, namespace: string): AskedWords | undefined {
  const [verb, resource] = [query.get('verb')?.trim(), query.get('resource')?.trim()];
  if (!verb || !resource) return undefined;
  return {
    verb,
    resource,
    name: query.get('name') ?? undefined,
    namespace,
    allNamespaces: query.has('all'),
  };
}

/** Splits words at commas and spaces. */
export const listOf = (text: string | null): readonly string[] => (text ?? '').split(/[\s,]+/).filter(Boolean);
