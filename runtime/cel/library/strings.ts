/** More functions of texts; indexes count code points. */
import { int, list, string } from '../check/types.js';
import type { FunctionDeclaration, Library } from '../environment.js';
import { textLimit } from '../values/bounds.js';
import { fail } from '../values/error.js';
import { pointIndex, unitIndex } from '../values/text.js';
import { type CelList, type CelValue, type Int, itemsOf } from '../values/value.js';
import { declare, member, overload } from './declare.js';
import { earlyFormat } from './early-format.js';
import { format } from './format-text.js';

/** The functions that Kubernetes has had from the start. */
export const stringsLibrary: Library = {
  name: 'strings',
  functions: [
    declare('charAt', member('string_char_at_int', [string, int], string, charAt)),
    declare(
      'indexOf',
      member('string_index_of_string', [string, string], int, (text: string, part: string) => indexOf(text, part)),
      member('string_index_of_string_int', [string, string, int], int, (text: string, part: string, from: Int) =>
        indexOf(text, part, from),
      ),
    ),
    declare(
      'join',
      member('list_join', [list(string)], string, (values: CelList) => join(values)),
      member('list_join_string', [list(string), string], string, (values: CelList, separator: string) =>
        join(values, separator),
      ),
    ),
    declare(
      'lastIndexOf',
      member('string_last_index_of_string', [string, string], int, (text: string, part: string) =>
        lastIndexOf(text, part),
      ),
      member('string_last_index_of_string_int', [string, string, int], int, (text: string, part: string, from: Int) =>
        lastIndexOf(text, part, from),
      ),
    ),
    declare(
      'lowerAscii',
      member('string_lower_ascii', [string], string, (text: string) => ascii(text, /[A-Z]/g, 32)),
    ),
    declare(
      'upperAscii',
      member('string_upper_ascii', [string], string, (text: string) => ascii(text, /[a-z]/g, -32)),
    ),
    declare(
      'replace',
      member(
        'string_replace_string_string',
        [string, string, string],
        string,
        (text: string, from: string, to: string) => replace(text, from, to),
      ),
      member(
        'string_replace_string_string_int',
        [string, string, string, int],
        string,
        (text: string, from: string, to: string, limit: Int) => replace(text, from, to, limit),
      ),
    ),
    declare(
      'split',
      member('string_split_string', [string, string], list(string), (text: string, separator: string) =>
        split(text, separator),
      ),
      member(
        'string_split_string_int',
        [string, string, int],
        list(string),
        (text: string, separator: string, limit: Int) => split(text, separator, limit),
      ),
    ),
    declare(
      'substring',
      member('string_substring_int', [string, int], string, (text: string, start: Int) => substring(text, start)),
      member('string_substring_int_int', [string, int, int], string, (text: string, start: Int, end: Int) =>
        substring(text, start, end),
      ),
    ),
    declare('trim', member('string_trim', [string], string, trim)),
  ],
};

/** Returns the UTF-16 index of a code point. Throws an error if the text ends before it. */
function unitsAt(text: string, index: Int): number {
  const units = typeof index === 'number' && index >= 0 ? unitIndex(text, index) : undefined;
  return units ?? fail(`index out of range: ${index}`);
}

function charAt(text: string, index: Int): string {
  const at = unitsAt(text, index);
  return at >= text.length ? '' : String.fromCodePoint(text.codePointAt(at) ?? 0);
}

function indexOf(text: string, part: string, from: Int = 0): number {
  const start = unitsAt(text, from);
  const at = text.indexOf(part, start);
  return at === -1 ? -1 : pointIndex(text, at);
}

function lastIndexOf(text: string, part: string, from?: Int): number {
  const start = from === undefined ? text.length : unitsAt(text, from);
  const at = text.lastIndexOf(part, start);
  return at === -1 ? -1 : pointIndex(text, at);
}

function substring(text: string, start: Int, end?: Int): string {
  const from = unitsAt(text, start);
  if (end === undefined) return text.slice(from);
  const to = unitsAt(text, end);
  return to < from ? fail(`invalid substring range. start: ${start}, end: ${end}`) : text.slice(from, to);
}

function replace(text: string, from: string, to: string, limit: Int = -1): string {
  if (limit === 0) return text;
  const most = limit < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  const parts = from === '' ? ['', ...Array.from(text), ''] : text.split(from);
  const count = Math.min(parts.length - 1, most);
  textLimit(text.length + count * (to.length - from.length));
  const head = parts.slice(0, count + 1).join(to);
  const tail = parts.slice(count + 1);
  return tail.length === 0 ? head : `${head}${from}${tail.join(from)}`;
}

function split(text: string, separator: string, limit: Int = -1): readonly string[] {
  if (limit === 0) return [];
  if (limit === 1) return [text];
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (limit < 0 || parts.length <= limit) return parts;
  const last = Number(limit) - 1;
  return [...parts.slice(0, last), parts.slice(last).join(separator)];
}

function join(values: CelList, separator = ''): string {
  const texts = itemsOf(values).map((value) => (typeof value === 'string' ? value : fail('no such overload')));
  textLimit(texts.reduce((sum, { length }) => sum + length + separator.length, 0));
  return texts.join(separator);
}

const ascii = (text: string, pattern: RegExp, shift: number): string =>
  text.replace(pattern, (char) => String.fromCharCode(char.charCodeAt(0) + shift));

/** White space by the Unicode standard. */
const space = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const leading = new RegExp(`^${space}+`);
const trailing = new RegExp(`${space}$`);

/** Trims a text. Removes white space at the end one by one: a pattern would take quadratic time for a long run. */
function trim(text: string): string {
  let end = text.length;
  while (end > 0 && trailing.test(text.charAt(end - 1))) end--;
  return text.slice(0, end).replace(leading, '');
}

function reverse(text: string): string {
  return Array.from(text).reverse().join('');
}

const escapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

function quote(text: string): string {
  const escaped = Array.from(text.toWellFormed(), (char) => escapes[char] ?? char).join('');
  return `"${escaped}"`;
}

const formatting = (run: (text: string, args: readonly CelValue[]) => string): FunctionDeclaration =>
  declare(
    'format',
    member('string_format', [string, list({ kind: 'dyn' })], string, (text: string, args: CelList) =>
      run(text, itemsOf(args)),
    ),
  );

const quoting = declare('strings.quote', overload('strings_quote', [string], string, quote));

/** The functions that Kubernetes added. `format` is an early version of the language's function. */
export const laterStringsLibrary: Library = { name: 'laterStrings', functions: [formatting(earlyFormat), quoting] };

/** The same functions in the version of the language. */
export const languageStringsLibrary: Library = { name: 'languageStrings', functions: [formatting(format), quoting] };

export const reverseLibrary: Library = {
  name: 'reverse',
  functions: [declare('reverse', member('string_reverse', [string], string, reverse))],
};
