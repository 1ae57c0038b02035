/**
 * What runs of `kindforge generate` remember of each other. By the last run's inputs and output the next one knows that there
 * is nothing to do, before anything of the generator is loaded; otherwise it goes on from what that run knew.
 */
import { join } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { hashOfFile } from '../write/hash.js';
import { MANIFEST } from '../write/manifest.js';
import { cacheFolder } from './cache-folder.js';
import { type Asked, hashInputs, readDefinitionFiles } from './inputs.js';
import type { Knowledge, keepState, Remembered, readState } from './kept-state.js';
import { entryOf, isUntouched, noteRun, readLastRun, writeLastRun } from './last-run.js';
import { seeAgain } from './seen-files.js';

/** What came of a run. */
export interface Result {
  readonly diagnostics: readonly Diagnostic[];
  /** Resources in the model, and those among them whose files were made again. */
  readonly resources: number;
  readonly emitted: number;
}

/** What can be asked of the memory of a pair of folders. */
export interface Memory {
  /** What the last run came to, with the number of its files, if another one would come to the same and change nothing. */
  readonly unchanged: () => (Result & { readonly files: number }) | undefined;
  /** What the last run knew. */
  readonly recall: (read: typeof readState) => Remembered | undefined;
  /** Remembers a run that has written everything. */
  readonly keep: (result: Result, knowledge: Knowledge, keep: typeof keepState) => void;
}

export interface MemoryOptions extends Asked {
  /** Whether output follows from the inputs alone: not from code of users, or from definitions elsewhere. */
  readonly isClosed: boolean;
  /** The folder of the cache; that of the project where absent. */
  readonly folder?: string | undefined;
}

/** Where fewer than one in so many resources are others than those that are known, it costs less to read these again. */
const FEW = 20;

/** Opens the memory of a pair of folders. Never throws: what cannot be read or written is forgotten. */
export function openMemory(options: MemoryOptions): Memory {
  const { schemas, out, isClosed, folder: cache = cacheFolder() } = options;
  const entry = entryOf(schemas, out);
  return {
    unchanged: () => {
      const run = isClosed ? readLastRun(cache, entry) : undefined;
      const files = run === undefined ? undefined : readDefinitionFiles(schemas);
      if (run === undefined || files === undefined || run.inputs !== hashInputs(options, files)) return undefined;
      if (!isUntouched(cache, entry, out, run)) return undefined;
      return { diagnostics: run.diagnostics, resources: run.resources, emitted: 0, files: run.files.length };
    },
    recall: (read) => {
      const run = readLastRun(cache, entry);
      const known = run === undefined ? undefined : read({ schemas, cache, entry });
      if (run === undefined || known === undefined) return undefined;
      return { ...known, contents: seeAgain(out, run.files) };
    },
    keep: ({ diagnostics, resources, emitted }, known, keep) => {
      const inputs = isClosed ? hashInputs(options, known.definitions.state.folder.files) : undefined;
      const manifest = hashOfFile(join(out, MANIFEST));
      const files = manifest === undefined ? known.files : new Map([...known.files, [MANIFEST, manifest]]);
      if (emitted > resources / FEW) keep({ schemas, cache, entry }, known);
      writeLastRun(cache, entry, noteRun(out, files, { inputs: inputs ?? '', resources, diagnostics }));
    },
  };
}
