/**
 * Turns values in the notation of Go's `%#v` into JSON. Messages of 1.27 print the former, messages of later releases
 * the latter.
 */
import { recursionLevels } from './from-below.js';

/** Returns a printed value as JSON, or the text itself if it is in another notation. */
export function sourceAsJson(text: string): string {
  const reader = new SourceReader(text);
  const json = reader.value(0);
  return json !== undefined && reader.done ? json : text;
}

/** A type before its value: names, pointers, lists and maps of them. */
const typePattern = /(?:interface \{\}|[*[\]\w.])*/y;
const scalarPattern = /"(?:[^"\\]|\\.)*"|-?[\w.+]+/y;
const namePattern = /\w+(?=:)/y;

class SourceReader {
  private at = 0;

  constructor(private readonly text: string) {}

  get done(): boolean {
    return this.at === this.text.length;
  }

  /** Reads a value; `undefined` if there is none. */
  value(level: number): string | undefined {
    const start = this.at;
    const pointer = this.skips('(');
    const type = this.take(typePattern);
    if (pointer && !this.skips(')')) return undefined;
    if (this.skips('(nil)')) return 'null';
    if (this.skips('{')) return level > recursionLevels ? undefined : this.members(type, level + 1);
    this.at = start;
    return scalar(this.take(scalarPattern));
  }

  private members(type: string, level: number): string | undefined {
    if (type.startsWith('[]')) return this.items(level, type === '[]byte' || type === '[]uint8');
    const versioned = /^v\d/.test(type);
    const entries: string[] = [];
    while (!this.skips('}')) {
      const isMap = type.startsWith('map[');
      const name = isMap ? scalar(this.take(scalarPattern)) : this.take(namePattern);
      if (name === undefined || !this.skips(':')) return undefined;
      const value = this.value(level);
      if (value === undefined) return undefined;
      this.skips(', ');
      // Types of API versions have their JSON names, and leave out empty fields. Other types have the names of the
      // source.
      if (versioned && empty.has(value)) continue;
      entries.push(`${isMap ? name : JSON.stringify(versioned ? lowerFirst(name) : name)}:${value}`);
    }
    return `{${entries.join(',')}}`;
  }

  private items(level: number, bytes: boolean): string | undefined {
    const items: string[] = [];
    while (!this.skips('}')) {
      const value = this.value(level);
      if (value === undefined) return undefined;
      items.push(value);
      this.skips(', ');
    }
    return bytes ? JSON.stringify(btoa(String.fromCharCode(...items.map(Number)))) : `[${items.join(',')}]`;
  }

  private skips(text: string): boolean {
    const found = this.text.startsWith(text, this.at);
    if (found) this.at += text.length;
    return found;
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.text) ?? [];
    this.at += found.length;
    return found;
  }
}

const empty = new Set(['null', '""', '0', 'false', '[]', '{}']);

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Returns a scalar in JSON; hexadecimal numbers become decimal ones. */
function scalar(text: string): string | undefined {
  if (text.startsWith('"')) return htmlSafe(text.replace(/\\(?:x([\da-f]{2})|U([\da-f]{8})|.)/gs, toJsonEscape));
  if (/^0x[\da-f]+$/i.test(text)) return BigInt(text).toString();
  return /^(?:true|false|-?\d[\d.e+-]*)$/.test(text) ? text : undefined;
}

/** Returns an escape as JSON has it. JSON has the other escapes of quoted texts, too. */
function toJsonEscape(escaped: string, byte: string | undefined, point: string | undefined): string {
  if (byte !== undefined) return `\\u00${byte}`;
  if (point !== undefined) return String.fromCodePoint(Number.parseInt(point, 16));
  return escaped === '\\a' ? '\\u0007' : escaped === '\\v' ? '\\u000b' : escaped;
}

/** Escapes HTML markup, as the reference's encoders do. */
export const htmlSafe = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
