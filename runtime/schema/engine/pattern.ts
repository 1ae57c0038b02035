/** Patterns of schemas in RE2 syntax, matched in linear time for any pattern and text. */
import { RE2JS } from 're2js';

/** The most texts that a pattern remembers, and their maximum length. */
const maxRemembered = 256;
const maxLength = 64;

/** A pattern of a schema. It matches if any part of the text does, unless it has anchors. */
export interface Pattern {
  /** As written in the schema. */
  readonly source: string;
  /** Reports whether a text matches; `undefined` (unknown) if the pattern is not valid in RE2. */
  matches(text: string): boolean | undefined;
}

/**
 * Prepares a pattern, and compiles it when first needed. Remembers texts that matched, because the values of a field
 * repeat from object to object. A repeat costs a hash lookup, about a tenth of a match. Memory per pattern is at most
 * 256 texts of 64 characters. Servers refuse definitions with invalid patterns, so they never have one. Clients may get
 * one from other servers.
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
