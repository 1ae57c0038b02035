/** A file that an import makes. */
import type { JsonObject } from '../../runtime/contract/index.js';

export interface ImportedFile {
  /** Relative to the folder of definitions, with forward slashes. */
  readonly path: string;
  readonly value: JsonObject;
}
