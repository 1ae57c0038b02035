/** Finds changes of files: at once if the system reports them, else within a second. */
import { type FSWatcher, readFileSync, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { findFiles } from '../../../generator/load/find-files.js';
import type { Watched } from './messages.js';
import { codeBelow } from './sources.js';

/** Milliseconds after the last change of a burst; editors write a file in several steps. */
const settleMs = 25;
/** Milliseconds between two checks of all files, for changes that the system does not report. */
const lookEveryMs = 1_000;

/** The changes since the last check. */
export interface Changes {
  /** Paths of code that has changed. */
  readonly code: readonly string[];
  /** Paths of rewritten code that is the same as before, except the comment at its start. */
  readonly same: readonly string[];
  readonly definitions: boolean;
}

export interface Watching {
  /**
   * Watches these files from now on. A file that is newly watched counts as changed if it changed after `since`,
   * milliseconds since 1970.
   */
  follow(watched: Watched, since: number): void;
  close(): void;
}

/** Calls `changed` after each burst of changes. */
export function watchFiles(changed: (changes: Changes) => void): Watching {
  let following: Watched = { files: [] };
  let code: Stamps = new Map();
  const texts = new Map<string, string | undefined>();
  let definitions: Stamps = new Map();
  let hints: readonly FSWatcher[] = [];
  let settling: NodeJS.Timeout | undefined;
  const look = (): void => {
    const files = filesOf(following);
    const [codeNow, definitionsNow] = [stampsOf(files), definitionsOf(following.schemas)];
    const written = files.filter((file) => codeNow.get(file) !== code.get(file));
    const different = written.filter((file) => {
      const before = texts.get(file);
      const now = codeText(file);
      texts.set(file, now);
      return before === undefined || before !== now;
    });
    const areOther = !isSame(definitions, definitionsNow);
    code = codeNow;
    definitions = definitionsNow;
    const same = written.filter((file) => !different.includes(file));
    if (written.length > 0 || areOther) changed({ code: different, same, definitions: areOther });
  };
  const hint = (): void => {
    clearTimeout(settling);
    settling = setTimeout(look, settleMs);
  };
  const looking = setInterval(look, lookEveryMs);
  const closeHints = (): void => {
    for (const watcher of hints) watcher.close();
  };
  return {
    follow(next, since) {
      closeHints();
      hints = hintsOf(next, hint);
      const stamps = asOf(stampsOf(filesOf(next)), since);
      for (const [file, stamp] of stamps) if (!code.has(file) && stamp !== unknown) texts.set(file, codeText(file));
      code = new Map([...stamps, ...code]);
      if (next.schemas !== following.schemas) definitions = asOf(definitionsOf(next.schemas), since);
      following = next;
      hint();
    },
    close() {
      clearTimeout(settling);
      clearInterval(looking);
      closeHints();
    },
  };
}

const filesOf = ({ files, allBelow }: Watched): readonly string[] =>
  allBelow === undefined ? files : [...new Set([...files, ...codeBelow(allBelow)])];

/** A text for each path. It differs if the file may have changed; empty for missing files. */
type Stamps = ReadonlyMap<string, string>;

const isSame = (a: Stamps, b: Stamps): boolean =>
  a.size === b.size && [...a].every(([path, stamp]) => b.get(path) === stamp);

const unknown = 'unknown';

/** Marks files that changed after a time as unknown. */
const asOf = (stamps: Stamps, since: number): Stamps =>
  new Map([...stamps].map(([path, stamp]) => [path, Number(stamp.split(':').at(-1)) > since ? unknown : stamp]));

function stampsOf(files: readonly string[]): Stamps {
  return new Map(
    files.map((file) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      return [file, stats ? `${stats.ino}:${stats.size}:${stats.mtimeMs}` : ''];
    }),
  );
}

function definitionsOf(schemas: string | undefined): Stamps {
  if (schemas === undefined) return new Map();
  const { files, unreadable } = findFiles(schemas);
  return new Map([
    ...stampsOf(files.map(({ absolute }) => absolute)),
    ...unreadable.map(({ path, message }) => [path, message] as const),
  ]);
}

/** Watches the folders of all files, because many editors replace a file by renaming another one. */
function hintsOf(watched: Watched, hint: () => void): readonly FSWatcher[] {
  const { schemas } = watched;
  const folders = [...new Set(filesOf(watched).map((file) => dirname(file)))];
  return [
    ...folders.flatMap((folder) => watcher(folder, false, hint)),
    ...(schemas === undefined ? [] : watcher(schemas, true, hint)),
  ];
}

function watcher(folder: string, recursive: boolean, hint: () => void): readonly FSWatcher[] {
  try {
    return [watch(folder, { recursive }, hint).on('error', hint)];
  } catch {
    // The check every second still finds changes.
    return [];
  }
}

/** Matches the comment lines at the start of a file. In generated code they name the definition and its hash. */
const head = /^(?:\/\/[^\n]*(?:\n|$))+/;

/** Reads a text without the comment at its start; returns `undefined` if the file cannot be read. */
function codeText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(head, '');
  } catch {
    return undefined;
  }
}
