/** Takes out of a text what looks like a secret, before it is logged. */

const patterns: readonly (readonly [RegExp, string])[] = [
  // Credentials of RFC 9110, whatever stands before them.
  [/\b(bearer|basic|negotiate|digest)\s+[\w\-.~+/:]{6,}=*/gi, '$1 …'],
  // Protocols of WebSockets that carry a token.
  [/(base64url\.bearer\.[\w.-]*?\.)[\w-]{6,}/gi, '$1…'],
  // JSON Web Tokens.
  [/\beyJ[\w-]{6,}\.[\w-]+(\.[\w-]*)?/g, '…'],
  // Bootstrap tokens.
  [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, '…'],
  // User and password in a URL.
  [/(\b\w+:\/\/)[^\s/@]+@/g, '$1…@'],
  [
    /-----BEGIN ([A-Z ]*)PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    '-----BEGIN $1PRIVATE KEY-----…',
  ],
  // Members, headers and parameters that are called so.
  [
    /(["']?(?<![\w-])(?:[\w-]*(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|authorization|cookie|private[_-]?key))["']?\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s,;&}"']+)/gi,
    '$1…',
  ],
];

export const scrub = (text: string): string =>
  patterns.reduce((scrubbed, [pattern, instead]) => scrubbed.replace(pattern, instead), text);

/** The trace of an error and of its causes, scrubbed. */
export function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return scrub(String(error));
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return scrub(error.cause === undefined ? own : `${own}\n  cause: ${traceOf(error.cause)}`);
}
