/**
 * Migrates objects to another version while several clients write, and kills the migration and starts it again. No
 * write is lost, only the version changes, and `storedVersions` names only the new version once this is true.
 * KINDFORGE_MIGRATED_OBJECTS sets the number of objects.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../client/index.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { migrateVersions } from '../../server/maintenance/migrate-versions.js';
import { effort } from '../support/effort.js';
import { checkHistory } from '../support/history/check-history.js';
import { Recorder } from '../support/history/recorder.js';
import type { History, Seen } from '../support/history/records.js';
import { type Load, writeTools } from '../support/migration/load.js';
import { storedIn } from '../support/migration/stored-in.js';
import { defineTools, storeAs, storedVersionsOf, type Tool, toolsOf } from '../support/migration/tools.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { spawnCommand, startServerProcess } from '../support/server-process.js';

const objects = effort('KINDFORGE_MIGRATED_OBJECTS', 500, 10_000);
const writesPerSecond = 200;
/** Objects to migrate per second, so that the migration is neither too short nor too long. */
const rate = Math.max(200, objects / 15);

const folder = scratchFolder();

async function makeTools(client: ClientOptions, recorder: Recorder): Promise<string[]> {
  const names = Array.from({ length: objects }, (_, index) => `t${index}`);
  const tools = toolsOf(client, 'v1').in('default');
  const rest = [...names];
  const make = async (): Promise<void> => {
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
      const began = recorder.moment();
      const value = `first-${name}`;
      // An applier owns half of them.
      const wanted = { metadata: { name }, spec: { value } };
      const made = await (rest.length % 2 === 0
        ? tools.create(wanted)
        : tools.apply(wanted, { fieldManager: 'maker' }));
      const outcome = Number(made.metadata.resourceVersion);
      recorder.write({ key: name, value, expected: 0, began, ended: recorder.moment(), outcome });
    }
  };
  await Promise.all(Array.from({ length: 32 }, make));
  return names;
}

/** Records all changes of tools from a revision on. Resolves when it has seen a value. */
function watchTools(client: ClientOptions, resourceVersion: string, last: string) {
  const events: ToolEvent[] = [];
  const done = (async () => {
    for await (const event of toolsOf(client, 'v2').watch({ resourceVersion })) {
      events.push(event);
      if (event.object.spec?.value === last) return;
    }
    throw new Error('the watch ended');
  })();
  return { events, done };
}

/** Reports whether a migration is in flight: its state file has a token. */
const isUnderWay = (file: string): boolean =>
  existsSync(file) && /"tools\.example\.com"[^}]*"token": "\w/.test(readFileSync(file, 'utf8'));

describe('a migration under load', () => {
  it(`of ${objects} objects loses nothing, also when it is killed in between`, async () => {
    const storage = `lmdb:${join(folder, 'data')}`;
    const state = join(folder, 'state.json');
    const server = await startServerProcess('--storage', storage, '--allow-everyone', '--controllers', 'none');
    const client = { baseUrl: server.url };
    const recorder = new Recorder();
    await defineTools(client);
    const names = await makeTools(client, recorder);
    const since = await storeAs(client, 'v2');
    const before = await toolsOf(client, 'v2').list();
    const watched = watchTools(client, before.metadata.resourceVersion ?? '', 'the last');
    const ending = new AbortController();
    const load: Load = {
      recorder,
      deletions: new Map(),
      client,
      writers: 12,
      perSecond: writesPerSecond,
      ending: ending.signal,
      // The migration gets the other half.
      names: names.slice(0, objects / 2),
    };
    const written = recorder.writes.length;
    const began = performance.now();
    const writing = writeTools(load);

    const flags = { server: server.url, rate: String(Math.round(rate)), state };
    const named = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
    const first = spawnCommand('storage', 'migrate-versions', ...named);
    while (!isUnderWay(state) && first.child.exitCode === null) await sleep(5);
    first.child.kill('SIGKILL');
    expect((await first.ended).code).toBeNull();
    expect(await storedVersionsOf(client)).toEqual(['v1', 'v2']);
    let seen = 0;
    const second = await migrateVersions({ ...flags, naming: 'platform' }, (_done, _total, what) => {
      if (what.endsWith('tools')) seen++;
    });
    const lasted = (performance.now() - began) / 1000;
    const pruned = ['tools.example.com: nothing is stored in v1 any more'];
    expect(second).toMatchObject({ kind: 'rewritten', pruned, problems: [] });
    expect(await storedVersionsOf(client)).toEqual(['v2']);
    expect(existsSync(state)).toBe(false);
    if (process.env.KINDFORGE_LONG === '1')
      console.log(`${recorder.writes.length - written} writes in ${lasted.toFixed(1)} s`);
    const acknowledged = recorder.writes.length + load.deletions.size - written;

    ending.abort();
    await writing;
    await toolsOf(client, 'v2')
      .in('default')
      .create({ metadata: { name: 'the-last' }, spec: { value: 'the last' } });
    await watched.done;
    const listing = recorder.moment();
    const list = await toolsOf(client, 'v2').list();
    const items: readonly Tool[] = list.items.filter(({ metadata }) => metadata.name !== 'the-last');
    const folded = foldRewrites(
      recorder,
      load,
      before.items,
      watched.events.filter(({ object }) => object.metadata.name !== 'the-last'),
      { items, revision: Number(list.metadata.resourceVersion), began: listing, ended: recorder.moment() },
      since,
    );
    expect(folded.problems.slice(0, 5)).toEqual([]);
    expect(checkHistory(folded.history).slice(0, 5)).toEqual([]);
    // Checks that clients made enough requests.
    expect(folded.rewrites).toBeGreaterThanOrEqual(objects / 2);
    expect(acknowledged).toBeGreaterThan(100);
    // The second run continued where the first one ended.
    expect(seen).toBeGreaterThan(0);
    expect(seen).toBeLessThan(objects);
    await server.end('SIGTERM');
    expect(await storedIn(storage)).toEqual(['v2']);
  });
});

// Removes the writes of a migration from the events of a watch, after a check that they changed nothing.

interface ToolEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Tool;
}

interface Folded {
  readonly history: History;
  /** The number of rewritten objects. */
  readonly rewrites: number;
  /** One line for each rewrite that changed something, or that was unnecessary. */
  readonly problems: readonly string[];
}

const revisionOf = ({ metadata }: Tool): number => Number(metadata.resourceVersion);
const nameOf = ({ metadata }: Tool): string => metadata.name ?? '';
const textOf = ({ spec }: Tool): string => spec?.value ?? '';

/**
 * Returns the history without rewrites. A client that saw the revision of a rewrite counts as having seen the revision
 * before.
 * @param since the first revision that stored objects in the new version.
 */
function foldRewrites(
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

/** Checks that a rewrite changes only the revision, and that no client wrote the object in the new version before. */
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
