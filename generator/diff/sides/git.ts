/** Reads the definition files of a revision of git, without a working copy of it. */
import { spawnSync } from 'node:child_process';
import { posix } from 'node:path';
import { withoutTrailing } from '../../../runtime/objects/scan/numbers.js';
import { isDefinitionPath } from '../../load/find-files.js';
import { lockPath } from '../../lock/lock-store.js';
import { MANIFEST } from '../../write/manifest.js';
import { compare } from '../../write/order.js';
import { SideError } from './side.js';

/** The files of a revision, by their paths below the folder or file that was named. */
export interface RevisionFiles {
  readonly revision: string;
  /** From the working directory; empty for the directory itself. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  /** The text of the lock of field numbers, if there is one. */
  readonly lock?: string;
}

/** An entry of the tree of a revision. */
interface Entry {
  readonly hash: string;
  /** From the working directory. */
  readonly path: string;
}

/** Maximum output of git, in bytes. */
const MOST_BYTES = 2 ** 30;

/**
 * Reads `<revision>:<path>`. The path is from the working directory; without a path, reads that directory. Throws a
 * `SideError` if the revision or the path does not exist.
 */
export function readRevision(text: string): RevisionFiles {
  const colon = text.indexOf(':');
  const revision = colon < 0 ? text : text.slice(0, colon);
  const path = withoutTrailing(posix.normalize(colon < 0 ? '.' : text.slice(colon + 1) || '.'), '/') || '/';
  const entries = entriesOf(commitOf(revision), path);
  if (entries.length === 0) throw new SideError(`git:${text}: the revision has no such file or folder`);
  const isFolder = !entries.some((entry) => entry.path === path);
  const below = (entry: Entry): string => (isFolder ? posix.relative(path, entry.path) : posix.basename(entry.path));
  const wanted = isFolder ? definitionsIn(entries, below) : entries;
  const lock = isFolder ? entries.find((entry) => below(entry) === lockPath) : undefined;
  const contents = contentsOf([...wanted, ...(lock === undefined ? [] : [lock])]);
  const files = wanted.map((entry, index) => ({ path: below(entry), bytes: contents[index] ?? new Uint8Array() }));
  return {
    revision,
    path: path === '.' ? '' : path,
    isFolder,
    files: files.sort((a, b) => compare(a.path, b.path)),
    ...(lock === undefined ? {} : { lock: Buffer.from(contents.at(-1) ?? []).toString('utf8') }),
  };
}

/** Returns the files that a folder of definitions would have: no hidden, locked or generated files. */
function definitionsIn(entries: readonly Entry[], below: (entry: Entry) => string): readonly Entry[] {
  const generated = entries
    .filter((entry) => posix.basename(entry.path) === MANIFEST)
    .map((entry) => posix.dirname(below(entry)));
  return entries.filter((entry) => {
    const path = below(entry);
    return isDefinitionPath(path) && !generated.some((folder) => path.startsWith(`${folder}/`));
  });
}

/** Returns the commit of a revision, so that git takes no text of the user as an option or a path after this. */
function commitOf(revision: string): string {
  if (!/^[\w@][\w@./^~{}+-]*$/.test(revision)) {
    throw new SideError(`git:${revision}: this is not a revision; write git:<revision>:<path>, as in git:main:schemas`);
  }
  const found = git(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]);
  const commit = found?.toString('utf8').trim() ?? '';
  if (!/^[0-9a-f]{40,64}$/.test(commit)) {
    if (git(['rev-parse', '--git-dir']) === undefined) {
      throw new SideError(`git:${revision}: the working directory is not in a repository of git`);
    }
    throw new SideError(`git:${revision}: there is no such revision here; fetch it first, or correct its name`);
  }
  return commit;
}

function entriesOf(commit: string, path: string): readonly Entry[] {
  const listed = git(['--literal-pathspecs', 'ls-tree', '-r', '-z', commit, '--', path === '.' ? './' : path]);
  if (listed === undefined) throw new SideError(`git: ${path} is outside of the repository`);
  return listed
    .toString('utf8')
    .split('\0')
    .flatMap((line): Entry[] => {
      const [, hash, name] = /^100\d{3} blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      return hash === undefined || name === undefined ? [] : [{ hash, path: name }];
    });
}

/** Returns the contents of files, in their order. Starts one process. */
function contentsOf(entries: readonly Entry[]): readonly Uint8Array[] {
  if (entries.length === 0) return [];
  const output = git(['cat-file', '--batch'], entries.map(({ hash }) => `${hash}\n`).join(''));
  if (output === undefined) throw new SideError('git cannot read the files of the revision');
  let at = 0;
  return entries.map(() => {
    const end = output.indexOf(0x0a, at);
    const size = Number(output.subarray(at, end).toString('utf8').split(' ')[2]);
    const content = output.subarray(end + 1, end + 1 + size);
    at = end + size + 2;
    return content;
  });
}

/** Returns the output of git; `undefined` if git reports an error. Throws a `SideError` if git cannot be started. */
function git(args: readonly string[], input?: string): Buffer | undefined {
  const { status, stdout, error } = spawnSync('git', args, {
    ...(input === undefined ? {} : { input }),
    maxBuffer: MOST_BYTES,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  if (error !== undefined) throw new SideError(`git cannot be run: ${error.message}`);
  return status === 0 ? stdout : undefined;
}
