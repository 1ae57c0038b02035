/** Documents as JSON text. */

const marker = '\u0000int:';
const marked = /"\\u0000int:(-?\d+)"/g;

/** Encodes JSON in one line; integers beyond 2^53 (a `default`, a `maximum`) are exact. */
export function encodeOpenApiJson(document: unknown): string {
  let wide = false;
  const text = JSON.stringify(document, (_key, value: unknown) => {
    if (typeof value !== 'bigint') return value;
    wide = true;
    return marker + value;
  });
  return wide ? text.replace(marked, '$1') : text;
}
