/** Reads the headers of a request as they were sent: Node joins some that are repeated, and passes over others. */

/** Names and values by turns, as Node has them. */
export type RawHeaders = readonly string[];

/**
 * The first value of each header by its lower-case name, as the reference takes those that are said once. Of names such
 * as `__proto__` none means anything else.
 */
export function firstValues(rawHeaders: RawHeaders): Readonly<Record<string, string>> {
  const headers = new FirstValues();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    headers[name] ??= text(rawHeaders[i + 1] ?? '');
  }
  return headers;
}

/** Headers by name. Of a class, so that requests with the same headers share a shape, and their reading is quick. */
class FirstValues {
  [name: string]: string;
}
// Nothing is inherited, whatever a header is called.
Object.setPrototypeOf(FirstValues.prototype, null);
Reflect.deleteProperty(FirstValues.prototype, 'constructor');

/** All values of a header, by its lower-case name, in order. */
export function valuesOf(rawHeaders: RawHeaders, name: string): readonly string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === name) values.push(text(rawHeaders[i + 1] ?? ''));
  }
  return values;
}

const beyondAscii = /[\u0080-\uffff]/;
const beyondBytes = /[\u0100-\uffff]/;

/** Node reads the bytes of a value as Latin-1; where they are UTF-8, that is what the client means by them. */
function text(value: string): string {
  if (!beyondAscii.test(value) || beyondBytes.test(value)) return value;
  const decoded = Buffer.from(value, 'latin1').toString('utf8');
  return decoded.includes('\ufffd') ? value : decoded;
}
