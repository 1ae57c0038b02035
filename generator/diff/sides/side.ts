/** One of the two sets of definitions to compare. */
import type { Definitions } from '../../check/load-definitions.js';
import { hasErrors } from '../../diagnostics/print.js';
import type { LoadedFile } from '../../load/load-folder.js';
import type { ProtobufLock } from '../../model/model.js';

export interface Side {
  /** The argument that names it. */
  readonly name: string;
  readonly definitions: Definitions;
  /** The field numbers that it promises, if any. */
  readonly lock?: ProtobufLock;
  /** `file`: perhaps one of many files. `folder`: all definitions. `server`: may include definitions of others. */
  readonly extent: 'file' | 'folder' | 'server';
  /** Returns the path of a file to print. */
  readonly show: (file: LoadedFile) => string;
  /** Whether the printed path is on this machine. */
  readonly isLocal: boolean;
}

/** A side cannot be read. The message names the side, and what to do. */
export class SideError extends Error {}

/** Returns whether a side has definitions that cannot be compared. */
export const isBroken = ({ definitions }: Side): boolean => hasErrors(definitions.diagnostics);
