/** Finds what a definition of a document refers to. */
import type { Raw } from '../../runtime/schema/read.js';
import { findReferences } from '../model/references.js';
import { idOf } from './document.js';

/** Ids that a schema refers to, each once, in the order of the text; also such that are not there. */
export function referencesOf(schema: Raw): readonly string[] {
  return [...new Set(findReferences(schema).flatMap(({ target }) => idOf(target) ?? []))];
}
