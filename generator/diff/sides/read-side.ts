/** Reads the definitions that an argument names: a file, a folder, a revision of git, or a server. */
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { analyseFolder, type Definitions } from '../../check/load-definitions.js';
import { describe } from '../../load/find-files.js';
import { folderOfBytes, loadFolder } from '../../load/load-folder.js';
import { type ProtobufLock, readLock } from '../../lock/lock.js';
import { lockPath, readLockFile } from '../../lock/lock-store.js';
import type { RevisionFiles } from './git.js';
import { isBroken, type Side, SideError } from './side.js';

/**
 * Reads a side: `git:<revision>:<path>`, `server:<url>`, `kubeconfig:<file>#<context>`, or a path. Definitions that
 * have not changed since `previous` are the same objects. Rejects with a `SideError` if it cannot be read.
 */
export async function readSide(name: string, previous?: Side): Promise<Side> {
  const side = await readNamed(name, previous?.definitions);
  // A server may have no definitions. Any other empty side is an error: with a wrong name, nothing would be compared,
  // and every change would pass.
  if (side.extent !== 'server' && side.definitions.model.resources.length === 0 && !isBroken(side)) {
    throw new SideError(`${name} has no definitions of resources, so nothing can be compared with it`);
  }
  return side;
}

async function readNamed(name: string, known: Definitions | undefined): Promise<Side> {
  if (name.startsWith('git:')) {
    const { readRevision } = await import('./git.js');
    return ofRevision(name, readRevision(name.slice('git:'.length)), known);
  }
  if (name.startsWith('server:') || name.startsWith('kubeconfig:')) {
    const { readServerSide } = await import('./server.js');
    return readServerSide(name);
  }
  return readPath(name, known);
}

/** Reads a file or a folder. Throws a `SideError`. */
export function readPath(name: string, known?: Definitions): Side {
  try {
    return statSync(name).isDirectory() ? ofFolder(name, known) : ofFile(name, known);
  } catch (error) {
    if (error instanceof SideError) throw error;
    throw new SideError(`${name} ${describe(error)}; name a file, a folder, git:<revision>:<path> or server:<url>`);
  }
}

function ofFolder(name: string, known: Definitions | undefined): Side {
  const definitions = analyseFolder(loadFolder(name, known?.state.folder), known, 'shape');
  const { lock, text } = readLockFile(name);
  return {
    name,
    definitions,
    ...(text === '' ? {} : { lock }),
    extent: 'folder',
    show: ({ path }) => join(name, path),
    isLocal: true,
  };
}

function ofFile(name: string, known: Definitions | undefined): Side {
  const files = folderOfBytes([{ path: basename(name), bytes: readFileSync(name) }], known?.state.folder);
  return { name, definitions: analyseFolder(files, known, 'shape'), extent: 'file', show: () => name, isLocal: true };
}

function ofRevision(name: string, found: RevisionFiles, known: Definitions | undefined): Side {
  const { revision, path, isFolder, files, lock } = found;
  const shown = (file: string): string => `${revision}:${isFolder ? join(path, file) : path}`;
  return {
    name,
    definitions: analyseFolder(folderOfBytes(files, known?.state.folder), known, 'shape'),
    ...(lock === undefined ? {} : { lock: lockOf(lock, `${revision}:${join(path, lockPath)}`) }),
    extent: isFolder ? 'folder' : 'file',
    show: (file) => shown(file.path),
    isLocal: false,
  };
}

function lockOf(text: string, path: string): ProtobufLock {
  const { lock, problems } = readLock(text);
  const [first] = problems;
  if (first !== undefined) throw new SideError(`${path}:${first.line} ${first.message}`);
  return lock;
}
