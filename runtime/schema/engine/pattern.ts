/** Patterns of schemas: RE2 syntax, matched in linear time whatever the pattern and the text. */
import { RE2JS } from 're2js';

/** How many texts a pattern remembers, and up to which length. */
const maxRemembered = 256;
const maxLength = 64;

/** A pattern of a schema. It matches if any part of the text does, unless it has anchors. */
export interface Pattern {
  /** As written in the schema. */
  readonly source: string;
  /** Reports whether a text matches; `undefined` if the pattern is not valid in RE2, so the answer is unknown. */
  matches(text: string): boolean | undefined;
}

/**
 * Prepares a pattern; it is compiled when first needed. Texts that matched before are remembered, since the values of
 * a field repeat from object to object: a repeat costs a hash lookup, about a tenth of a match. Memory per pattern is
 * bounded by 256 texts of 64 characters. Definitions are refused if a pattern cannot be compiled, so servers have no
 * such pattern; clients may get one from other servers.
 */
export function pattern(source: string): Pattern {
  let compiled: RE2JS | undefined | 'broken';
  const matched = new Set<string>();
  return {
    source,
    matches(text) {
      if (matched.has(text)) return true;
      compiled ??= compile(source);
      if (compiled === 'broken') return undefined;
      if (!compiled.test(text)) return false;
      if (text.length <= maxLength) {
        if (matched.size >= maxRemembered) matched.clear();
        matched.add(text);
      }
      return true;
    },
  };
}

function compile(source: string): RE2JS | 'broken' {
  try {
    return RE2JS.compile(source);
  } catch {
    return 'broken';
  }
}
