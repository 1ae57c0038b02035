/** Rewrites the links of HTML pages while they stream through. */
import { type LocationPlace, rewrittenLocation } from './forwarded-headers.js';

/** Charsets that use bytes of ASCII in other characters. In all other charsets, markup is as in ASCII, or not found. */
const shifted = /^"?(?:iso-2022|csiso2022|hz-gb)/i;

/** Returns whether the links in a body can be rewritten, by its type. */
export function isPage(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  if (type.toLowerCase() !== 'text/html') return false;
  return !parameters.some((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.toLowerCase() === 'charset' && shifted.test(value);
  });
}

/** The longest tag to wait for, in characters. After a longer tag, the rest of the page passes unchanged. */
const longestTag = 64 * 1024;

/**
 * Rewrites the links of one page, piece by piece. Only changes values of attributes and leaves all other bytes, so the
 * charset does not matter. Holds at most one unfinished tag.
 */
export class PageLinks {
  readonly #place: LocationPlace;
  #held = '';
  /** Matches the end of a comment, or of an element with text. Until then, nothing is a tag. */
  #until: RegExp | undefined;
  #isOver = false;

  constructor({ prefix, hosts }: LocationPlace) {
    this.#place = { prefix: prefix.replace(/[&"'<>]/g, (one) => `&#${one.charCodeAt(0)};`), hosts };
  }

  /** Takes the next bytes of the page, and returns all bytes that are ready. */
  write(chunk: Uint8Array): Buffer {
    const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const text = this.#held + piece.toString('latin1');
    let [at, ready] = [0, ''];
    while (at < text.length) {
      const step = this.#step(text, at);
      if (!step && text.length - at <= longestTag) break;
      if (!step) this.#isOver = true;
      else {
        ready += step.text;
        at = step.end;
        this.#until = step.until;
      }
    }
    this.#held = text.slice(at);
    return Buffer.from(ready, 'latin1');
  }

  /** Returns the remaining bytes at the end of the page. */
  end(): Buffer {
    return Buffer.from(this.#held, 'latin1');
  }

  /** Reads plain text, a tag, or the beginning of a comment. Returns `undefined` if it needs more text. */
  #step(text: string, at: number): Step | undefined {
    if (this.#isOver) return plain(text, at, text.length);
    if (this.#until) return readUntil(this.#until, text, at);
    const open = text.indexOf('<', at);
    if (open !== at) return plain(text, at, open === -1 ? text.length : open);
    if (comment.startsWith(text.slice(at, at + comment.length))) {
      // Only passes two characters, because the same dashes may end the comment.
      return text.length - at < comment.length ? undefined : plain(text, at, at + 2, commentEnd);
    }
    return readTag(text, at, this.#place);
  }
}

/** Text to pass on. */
interface Step {
  readonly text: string;
  /** The beginning of the next step. */
  readonly end: number;
  readonly until?: RegExp | undefined;
}

const plain = (text: string, from: number, end: number, until?: RegExp): Step => ({
  text: text.slice(from, end),
  end,
  until,
});

const comment = '<!--';
const commentEnd = /-->/g;

/** The longest end of a comment or an element, in characters, or more. */
const longestEnd = 16;

function readUntil(until: RegExp, text: string, at: number): Step | undefined {
  const found = matchAt(until, text, at);
  if (found) return plain(text, at, found.index);
  const end = text.length - longestEnd;
  return end > at ? plain(text, at, end, until) : undefined;
}

// Only matches the white space of HTML, because other white space may be a byte of another character.
const tagName = /<([a-z][^\t\n\f\r />]*)/iy;
const space = /[\t\n\f\r /]*/y;
const attributeName = /[^\t\n\f\r />][^\t\n\f\r />=]*/y;
const equals = /[\t\n\f\r ]*(=[\t\n\f\r ]*)?/y;
const plainValue = /[^\t\n\f\r >]*/y;

/** Reads a tag at `<` (HTML, section 13.2.5). */
function readTag(text: string, open: number, place: LocationPlace): Step | undefined {
  const name = matchAt(tagName, text, open)?.[1]?.toLowerCase();
  if (name === undefined) return plain(text, open, open + 1);
  const links = linkAttributes.get(name) ?? [];
  let at = open + 1 + name.length;
  let taken = '';
  let passed = open;
  for (;;) {
    at = endOf(space, text, at);
    if (text[at] === '>') break;
    const read = readAttribute(text, at);
    if (!read) return undefined;
    at = read.end;
    if (!read.value || !links.includes(read.name)) continue;
    const [from, to] = read.value;
    taken += text.slice(passed, from) + rewrittenLocation(text.slice(from, to), place);
    passed = to;
  }
  return { text: taken + text.slice(passed, at + 1), end: at + 1, until: textElements.get(name) };
}

interface Attribute {
  readonly name: string;
  /** The position of the value, without quotes. */
  readonly value?: readonly [from: number, to: number];
  readonly end: number;
}

/** Returns `undefined` if the text may end within the attribute. */
function readAttribute(text: string, at: number): Attribute | undefined {
  const nameEnd = endOf(attributeName, text, at);
  const name = text.slice(at, nameEnd).toLowerCase();
  const hasValue = matchAt(equals, text, nameEnd)?.[1] !== undefined;
  const from = equals.lastIndex;
  if (from === text.length) return undefined;
  if (!hasValue) return { name, end: from };
  const quote = text[from];
  if (quote === '"' || quote === "'") {
    const to = text.indexOf(quote, from + 1);
    return to === -1 ? undefined : { name, value: [from + 1, to], end: to + 1 };
  }
  const to = endOf(plainValue, text, from);
  return to === text.length ? undefined : { name, value: [from, to], end: to };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns the end of the match, which may be empty. */
const endOf = (pattern: RegExp, text: string, at: number): number => at + (matchAt(pattern, text, at)?.[0].length ?? 0);

/** Attributes with URLs in HTML 4 and 5, by element, as in the reference. */
const linkAttributes: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    a: ['href'],
    applet: ['codebase'],
    area: ['href'],
    audio: ['src'],
    base: ['href'],
    blockquote: ['cite'],
    body: ['background'],
    button: ['formaction'],
    command: ['icon'],
    del: ['cite'],
    embed: ['src'],
    form: ['action'],
    frame: ['longdesc', 'src'],
    head: ['profile'],
    html: ['manifest'],
    iframe: ['longdesc', 'src'],
    img: ['longdesc', 'src', 'usemap'],
    input: ['src', 'usemap', 'formaction'],
    ins: ['cite'],
    link: ['href'],
    object: ['classid', 'codebase', 'data', 'usemap'],
    q: ['cite'],
    script: ['src'],
    source: ['src'],
    video: ['poster', 'src'],
  }),
);

/** Elements with plain text, even if it looks like tags, and the end of each (HTML, section 13.2.5). */
const textElements: ReadonlyMap<string, RegExp> = new Map([
  ['iframe', /<\/iframe[\t\n\f\r />]/gi],
  ['noembed', /<\/noembed[\t\n\f\r />]/gi],
  ['noframes', /<\/noframes[\t\n\f\r />]/gi],
  ['plaintext', /<\/plaintext[\t\n\f\r />]/gi],
  ['script', /<\/script[\t\n\f\r />]/gi],
  ['style', /<\/style[\t\n\f\r />]/gi],
  ['textarea', /<\/textarea[\t\n\f\r />]/gi],
  ['title', /<\/title[\t\n\f\r />]/gi],
  ['xmp', /<\/xmp[\t\n\f\r />]/gi],
]);
