/** Takes the writes of a migration out of what a watch has seen, once they have been shown to change nothing. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import type { Recorder } from '../history/recorder.js';
import type { History, Seen } from '../history/records.js';
import type { Load } from './load.js';
import type { Tool } from './tools.js';

export interface ToolEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Tool;
}

export interface Folded {
  readonly history: History;
  /** How many objects were written again. */
  readonly rewrites: number;
  /** One line for each write again that changed something, or that was not needed. */
  readonly problems: readonly string[];
}

const revisionOf = ({ metadata }: Tool): number => Number(metadata.resourceVersion);
const nameOf = ({ metadata }: Tool): string => metadata.name ?? '';
const textOf = ({ spec }: Tool): string => spec?.value ?? '';

/**
 * Returns the history without rewrites. Who saw the revision of a rewrite counts as having seen the one before it.
 *
 * @param since the revision from which on objects were stored in the new version.
 */
export function foldRewrites(
  recorder: Recorder,
  { deletions }: Pick<Load, 'deletions'>,
  before: readonly Tool[],
  events: readonly ToolEvent[],
  after: { readonly items: readonly Tool[]; readonly revision: number; readonly began: number; readonly ended: number },
  since: number,
): Folded {
  const states = new Map(before.map((tool) => [nameOf(tool), tool]));
  const aliases = new Map<number, number>();
  const ends = new Map<string, number>();
  const problems: string[] = [];
  const watch = recorder.watch(Math.max(0, ...before.map(revisionOf)));
  for (const { type, object } of events) {
    const known = states.get(nameOf(object));
    if (type === 'DELETED') states.delete(nameOf(object));
    else states.set(nameOf(object), object);
    const isRewrite = type === 'MODIFIED' && known !== undefined && textOf(known) === textOf(object);
    if (isRewrite) {
      aliases.set(revisionOf(object), revisionOf(known));
      problems.push(...rewriteProblems(known, object, since, aliases));
      continue;
    }
    if (type === 'DELETED') ends.set(object.metadata.uid ?? '', revisionOf(object));
    watch.changes.push({ type, ...seenOf(object), at: after.began });
  }
  const plain = (revision: number): number => aliases.get(revision) ?? revision;
  const told = [...deletions].map(([uid, { expected = 0, ...write }]) => {
    const outcome = ends.get(uid);
    if (outcome === undefined) problems.push(`nobody saw the deletion of ${write.key}`);
    return { ...write, expected: plain(expected), outcome: outcome ?? ('unknown' as const) };
  });
  const writes = [...recorder.writes, ...told].map((write) =>
    write.expected === undefined ? write : { ...write, expected: plain(write.expected) },
  );
  const entries = after.items.map((tool) => ({ ...seenOf(tool), revision: plain(revisionOf(tool)) }));
  const { began, ended, revision } = after;
  const list = { began, ended, latest: true, revisions: [revision], entries };
  return {
    history: { writes, gets: [], lists: [list], watches: [watch] },
    rewrites: aliases.size,
    problems,
  };
}

const seenOf = (tool: Tool): Seen => ({ key: nameOf(tool), revision: revisionOf(tool), value: textOf(tool) });

/**
 * Checks that a rewrite changes nothing but the revision, and that nobody wrote the object in the new version before.
 */
function* rewriteProblems(
  before: Tool,
  after: Tool,
  since: number,
  aliases: ReadonlyMap<number, number>,
): Generator<string> {
  if (!equal(withoutRevision(before), withoutRevision(after))) {
    yield `${nameOf(after)} was changed: ${JSON.stringify(before)} became ${JSON.stringify(after)}`;
  }
  if (revisionOf(before) > since || aliases.has(revisionOf(before))) yield `${nameOf(after)} was written needlessly`;
}

function withoutRevision(tool: Tool): JsonObject {
  const { metadata, ...rest } = JSON.parse(JSON.stringify(tool));
  const { resourceVersion: _revision, ...others } = metadata;
  return { ...rest, metadata: others };
}
