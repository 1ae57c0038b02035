/** Sends requests to the parts of a pod that do not answer with an object: its log, and commands in it. */
import { toApiError } from 'kindforge/client';
import type { Session } from '../../../session/session.js';
import type { Shown } from '../kind-client.js';

/** Returns the path of a part, with its query. Leaves out empty and false values. */
export function partPath(
  { kind, namespace, name }: Shown,
  part: string,
  query: Readonly<Record<string, string | number | boolean | readonly string[]>>,
): string {
  const path = ['api', kind.version, 'namespaces', namespace ?? '', kind.plural, name, part].map(encodeURIComponent);
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    [value].flat().map((one): [string, string] => [key, one === false ? '' : String(one)]),
  );
  return `/${path.join('/')}?${new URLSearchParams(pairs.filter(([, value]) => value !== ''))}`;
}

/** Yields the text of an answer while it arrives. Throws an `ApiError` with the reason if the server refuses. */
export async function* readPart(
  { session }: { readonly session: Pick<Session, 'transport'> },
  path: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const answer = await session.transport.send({ method: 'GET', path, headers: { accept: '*/*' }, signal });
  if (answer.status >= 400) throw toApiError(answer.status, await answer.text());
  const decoder = new TextDecoder();
  for await (const chunk of answer.chunks()) yield decoder.decode(chunk, { stream: true });
}
