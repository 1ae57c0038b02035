/**
 * Sends requests for which the SDK has no function: discovery of one version, warnings, and Kindforge's report of a
 * change.
 */
import { ApiError, type ServedKind, type TransportResponse, toApiError } from 'kindforge/client';
import type { Session } from '../../session/session.js';
import { type DiffReport, readReport } from './diff-report.js';
import { listAt, textAt } from './json.js';

/** Facts about a version that come only from the older form of discovery and from a request. */
export interface VersionFacts {
  /** Changes when objects are stored in another version; empty if the server does not report it. */
  readonly storageVersionHash: string;
  /** Warnings of the server to users of the version. */
  readonly warnings: readonly string[];
}

/** Reads the facts with two small requests. Leaves out facts that cannot be read. */
export async function readVersionFacts(session: Session, kind: ServedKind): Promise<VersionFacts> {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const [list, first] = await Promise.all([
    send(session, 'GET', root)
      .then(async (answer): Promise<unknown> => JSON.parse(await answer.text()))
      .catch(() => undefined),
    kind.verbs.includes('list')
      ? send(session, 'GET', `${root}/${kind.plural}?limit=1`).catch(() => undefined)
      : undefined,
  ]);
  const resource = listAt(list, 'resources').find((one) => textAt(one, 'name') === kind.plural);
  return { storageVersionHash: textAt(resource, 'storageVersionHash'), warnings: warningsOf(first?.header('warning')) };
}

/** Compares two definitions, in YAML. Resolves to `undefined` if the server cannot: only Kindforge's console can. */
export async function compare(session: Session, old: string, next: string): Promise<DiffReport | undefined> {
  try {
    const answer = await send(session, 'POST', '/console/api/diff', JSON.stringify({ old, new: next }));
    if (!answer.header('content-type').includes('json')) return undefined;
    return readReport(JSON.parse(await answer.text()));
  } catch (error) {
    if (error instanceof ApiError && [404, 405].includes(error.code)) return undefined;
    throw error;
  }
}

async function send(session: Session, method: string, path: string, body?: string): Promise<TransportResponse> {
  const answer = await session.transport.send({
    method,
    path,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  });
  if (answer.status < 400) return answer;
  throw toApiError(answer.status, await answer.text());
}

/** Returns the texts of a Warning header: `299 - "text"`. */
const warningsOf = (header = ''): readonly string[] =>
  [...header.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
