/** How the schema of a resource becomes that of a document. */
import type { Schema } from '../../contract/index.js';

/** How one resource's nodes are written. */
export interface Conversion {
  readonly version: 2 | 3;
  readonly decoding: 'typed' | 'structural';
  /** Fields that came after this release are left out; none where absent. */
  readonly release: string | undefined;
  /**
   * The `$ref` to a shared type, and the type's own schema; called for every node that has a name. Undefined for
   * types that are written in place wherever they are used.
   */
  readonly reference: (type: string, node: Schema) => { readonly $ref: string; readonly own: Schema } | undefined;
}

/** The place of a node in the one around it: a field with a meaning of its own, or an item or value among others. */
export type Place = 'field' | 'part';
