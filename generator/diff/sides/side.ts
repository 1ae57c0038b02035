/** One of the two sets of definitions that are compared, wherever it comes from. */
import type { Definitions } from '../../check/load-definitions.js';
import { hasErrors } from '../../diagnostics/print.js';
import type { LoadedFile } from '../../load/load-folder.js';
import type { ProtobufLock } from '../../model/model.js';

export interface Side {
  /** As it was named. */
  readonly name: string;
  readonly definitions: Definitions;
  /** The field numbers that it promises; absent where it promises none. */
  readonly lock?: ProtobufLock;
  /** `file`: perhaps one of many files. `folder`: all definitions. `server`: may include definitions of others. */
  readonly extent: 'file' | 'folder' | 'server';
  /** A file of it as people are to see it. */
  readonly show: (file: LoadedFile) => string;
  /** Whether that is a path on this machine. */
  readonly isLocal: boolean;
}

/** A side cannot be read; the message says which and what to do. */
export class SideError extends Error {}

/** Whether a side has definitions that cannot be compared. */
export const isBroken = ({ definitions }: Side): boolean => hasErrors(definitions.diagnostics);
