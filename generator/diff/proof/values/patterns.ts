/** Makes texts that match patterns. */
import { createRequire } from 'node:module';
import type fc from 'fast-check';
import { pattern as compile } from '../../../../runtime/schema/engine/pattern.js';

type FastCheck = typeof fc;

let library: FastCheck | undefined;

const made = new Map<string, readonly string[]>();

/** Number of different texts made from one pattern. */
const TEXTS = 40;

/**
 * Returns texts that match a pattern, shorter ones first, always the same. Returns none for patterns that JavaScript
 * does not support, or if no text could be made.
 */
export function textsMatching(source: string): readonly string[] {
  const known = made.get(source);
  if (known !== undefined) return known;
  const texts = make(source);
  if (made.size > 1_000) made.clear();
  made.set(source, texts);
  return texts;
}

/** Loads fast-check only for a pattern without a ready text: loading takes longer than most comparisons. */
function fastCheck(): FastCheck {
  if (library === undefined) {
    const loaded: { readonly default: FastCheck } = createRequire(import.meta.url)('fast-check');
    library = loaded.default;
  }
  return library;
}

function make(source: string): readonly string[] {
  const { matches } = compile(source);
  const found = new Set<string>();
  for (const size of ['xsmall', 'small', 'medium'] as const) {
    for (const text of sample(source, size)) if (matches(text)) found.add(text);
  }
  return [...found].sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, 3 * TEXTS);
}

function sample(source: string, size: 'xsmall' | 'small' | 'medium'): readonly string[] {
  const { sample: draw, stringMatching } = fastCheck();
  try {
    return draw(stringMatching(new RegExp(javaScript(source), 'u'), { size }), { seed: 1, numRuns: TEXTS });
  } catch {
    return [];
  }
}

/** Returns the pattern in JavaScript's syntax, if it only differs in simple ways. */
const javaScript = (source: string): string =>
  source
    .replaceAll('\\z', '$')
    .replaceAll('\\A', '^')
    .replaceAll('[[:alnum:]]', '[A-Za-z0-9]')
    .replaceAll('[[:alpha:]]', '[A-Za-z]')
    .replaceAll('[[:digit:]]', '[0-9]')
    .replace(/^\(\?[imsU]+\)/, '');
