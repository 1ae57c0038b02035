/** Warning headers (RFC 7234 §5.5): code 299, no agent, the text quoted. */
import type { VerbRequest } from './verb-request.js';

/** Bytes that the warnings of one answer may take together; what is past them is left out. */
const maxTotal = 4096;

/** The headers for the warnings gathered so far. */
export function warningHeaders({ warnings }: VerbRequest): Readonly<Record<string, string[]>> {
  if (warnings.length === 0) return {};
  const headers: string[] = [];
  let total = 0;
  for (const warning of warnings) {
    const header = `299 - ${quoted(warning)}`;
    total += header.length;
    if (total > maxTotal && headers.length > 0) break;
    headers.push(header);
  }
  return { warning: headers };
}

/** A quoted-string without control characters; beyond Latin-1 nothing fits into a header, so it is escaped. */
function quoted(text: string): string {
  const escaped = text.replace(/\p{Cc}+/gu, ' ').replace(/["\\]/g, '\\$&');
  return `"${escaped.replace(/[^\x20-\xff]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)}"`;
}
