/** Warning headers (RFC 7234 §5.5): code 299, no agent, the text quoted. */
import type { VerbRequest } from './verb-request.js';

/** Characters that the warnings of one answer may take together before they are cut, and then left out. */
const maxTotal = 4096;

/** The length that each warning is cut to, in characters, where all of them would be too much. */
const maxCut = 256;

const none: Readonly<Record<string, string[]>> = {};

/** The headers for the warnings gathered so far. What has control characters cannot be said in a header. */
export function warningHeaders({ warnings }: VerbRequest): Readonly<Record<string, string[]>> {
  if (warnings.length === 0) return none;
  const sayable = warnings.filter((warning) => !/\p{Cc}/u.test(warning));
  if (sayable.length === 0) return none;
  const total = sayable.reduce((sum, warning) => sum + lengthOf(warning), 0);
  const shown = total <= maxTotal ? sayable : cut(sayable);
  return { warning: shown.map((warning) => `299 - ${quoted(warning)}`) };
}

/** The beginnings of the first warnings; of the later ones, as many as are not too much. */
function cut(warnings: readonly string[]): readonly string[] {
  const shown: string[] = [];
  let whole = 0;
  let written = 0;
  for (const warning of warnings) {
    if (whole > maxTotal && written >= maxTotal) break;
    const beginning = [...warning.slice(0, 2 * maxCut)].slice(0, maxCut).join('');
    shown.push(beginning);
    whole += lengthOf(warning);
    written += lengthOf(beginning);
  }
  return shown;
}

/** In characters, those beyond 16 bits counting as one. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** A quoted-string. Headers hold bytes, written here one per character; these are UTF-8. */
function quoted(text: string): string {
  const escaped = text.replace(/["\\]/g, '\\$&');
  return Buffer.from(`"${escaped}"`).toString('latin1');
}
