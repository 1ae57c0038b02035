/**
 * Reads every definition file of a folder. Does not parse files again if they have not changed since an earlier
 * reading.
 */
import { readFileSync } from 'node:fs';
import type { JsonValue } from '../../runtime/contract/index.js';
import { hashOf } from '../write/output-file.js';
import { type Decoded, decodeText, type TextProblem } from './decode-text.js';
import { describe, type FoundFile, findFiles, type Unreadable } from './find-files.js';
import { MAX_FILE_BYTES } from './limits.js';
import { parseYaml } from './parse-yaml.js';

/** A file as read. It stays the same object while its content does not change. */
export interface LoadedFile {
  /** Relative to the schemas folder, with forward slashes. */
  readonly path: string;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
  /** Empty if the bytes are not text. */
  readonly text: string;
  /** `undefined` for an empty document, so that indexes match the text. */
  readonly documents: readonly (JsonValue | undefined)[];
  readonly problems: readonly TextProblem[];
}

/** A folder as read. */
export interface LoadedFolder {
  /** Sorted by path. */
  readonly files: readonly LoadedFile[];
  readonly unreadable: readonly Unreadable[];
  /** Stamps by path that show whether a file has changed. */
  readonly stamps: ReadonlyMap<string, string>;
}

/** Called after each file, for progress: once it has been read, and again once it has been checked. */
export type OnFile = (done: number, total: number, path: string, stage: 'reading' | 'checking') => void;

/** Reads a folder. `previous` is an earlier reading of the same folder. */
export function loadFolder(folder: string, previous?: LoadedFolder, onFile?: OnFile): LoadedFolder {
  const found = findFiles(folder);
  const known = new Map(previous?.files.map((file) => [file.path, file]));
  const unreadable: Unreadable[] = [...found.unreadable];
  const files: LoadedFile[] = [];
  const stamps = new Map<string, string>();
  found.files.forEach((each, index) => {
    const file = readFile(each, known.get(each.path), previous?.stamps.get(each.path), unreadable);
    if (file !== undefined) {
      files.push(file);
      stamps.set(each.path, each.stamp);
    }
    onFile?.(index + 1, found.files.length, each.path, 'reading');
  });
  return { files, unreadable, stamps };
}

/** Returns texts as if they had been read from files. */
export function folderOfTexts(texts: readonly { readonly path: string; readonly text: string }[]): LoadedFolder {
  const files = texts.map(({ path, text }) => parseFile(path, hashOf(text), { text }));
  return { files, unreadable: [], stamps: new Map(files.map(({ path, hash }) => [path, hash])) };
}

/**
 * Returns files with bytes from another place than a folder. A file with the same path and bytes as an earlier one is
 * the same object.
 */
export function folderOfBytes(
  entries: readonly { readonly path: string; readonly bytes: Uint8Array }[],
  previous?: LoadedFolder,
): LoadedFolder {
  const known = new Map(previous?.files.map((file) => [file.path, file]));
  const files = entries.map(({ path, bytes }) => {
    const hash = hashOf(bytes);
    const same = known.get(path);
    if (same?.hash === hash) return same;
    if (bytes.length > MAX_FILE_BYTES) return tooLarge({ path, absolute: path, bytes: bytes.length, stamp: hash });
    return parseFile(path, hash, decodeText(bytes));
  });
  return { files, unreadable: [], stamps: new Map(files.map(({ path, hash }) => [path, hash])) };
}

function readFile(
  found: FoundFile,
  known: LoadedFile | undefined,
  knownStamp: string | undefined,
  unreadable: Unreadable[],
): LoadedFile | undefined {
  if (known !== undefined && knownStamp === found.stamp) return known;
  if (found.bytes > MAX_FILE_BYTES) return tooLarge(found);
  try {
    const bytes = readFileSync(found.absolute);
    const hash = hashOf(bytes);
    return known?.hash === hash ? known : parseFile(found.path, hash, decodeText(bytes));
  } catch (error) {
    unreadable.push({ path: found.path, message: describe(error) });
    return undefined;
  }
}

function parseFile(path: string, hash: string, decoded: Decoded): LoadedFile {
  if (decoded.problem !== undefined)
    return { path, hash, text: decoded.text, documents: [], problems: [decoded.problem] };
  const { documents, problems } = parseYaml(decoded.text);
  return { path, hash, text: decoded.text, documents, problems };
}

function tooLarge(found: FoundFile): LoadedFile {
  const limit = MAX_FILE_BYTES / 1024 / 1024;
  const message = `the file has ${found.bytes} bytes; at most ${limit} MiB are read`;
  const problem = { code: 'KF1005', offset: 0, message, suggestion: 'write fewer definitions per file' } as const;
  return { path: found.path, hash: `too-large-${found.stamp}`, text: '', documents: [], problems: [problem] };
}
