/** Writes values as YAML in the layout that API clients know: sorted keys, lists not indented, long texts folded. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { indentedLevels } from '../../objects/from-below.js';
import { formatNumber } from '../../objects/printing.js';
import { longestIndented } from '../indentation.js';
import { encodeJson } from '../json.js';
import { blockHints, compareKeys, escapeYaml, styleOf } from './styles.js';

/** The column after which a text continues in the next line, at the first blank. */
const width = 80;
/** The longest key without a question mark and a line of its own. */
const longestSimpleKey = 128;

/**
 * Encodes one YAML document with a line break at its end. Takes several times as long as JSON. Writes a value with too
 * much indentation, or deeper than 1,000 levels, as JSON in one line, which is also YAML.
 */
export function encodeYaml(value: JsonValue): string {
  const text = writeBounded((writer) => writer.node(value, typeof value === 'string' ? 2 : 0, 0));
  return `${text ?? encodeJson(value)}\n`;
}

/** Encodes an item of a list that is not indented, with a line break at its end. */
export function encodeYamlItem(item: JsonValue): string {
  const text = writeBounded((writer) => writer.item(item, 0));
  return `${text ?? `- ${encodeJson(item)}`}\n`;
}

/** Returns the written text, or `undefined` if it becomes too long. */
function writeBounded(write: (writer: YamlWriter) => void): string | undefined {
  const writer = new YamlWriter();
  try {
    write(writer);
    return writer.text;
  } catch (problem) {
    if (problem instanceof DocumentTooLong) return undefined;
    throw problem;
  }
}

/** Ends the writing at any depth. */
class DocumentTooLong extends Error {}

class YamlWriter {
  text = '';
  private column = 0;
  private level = 0;

  /** Writes a value. Its further lines are indented by `indent`; the items of a list by `listIndent`. */
  node(value: JsonValue, indent: number, listIndent: number): void {
    if (Array.isArray(value)) {
      if (value.length === 0) this.write('[]');
      else this.list(value, listIndent);
    } else if (typeof value === 'object' && value !== null) {
      const keys = Object.keys(value).filter((key) => value[key] !== undefined);
      if (keys.length === 0) this.write('{}');
      else this.map(value, keys.sort(compareKeys), indent);
    } else if (typeof value === 'string') this.string(value, indent, false);
    else this.write(value === null ? 'null' : typeof value === 'boolean' ? String(value) : formatNumber(value));
  }

  private list(items: readonly JsonValue[], indent: number): void {
    this.goDown();
    items.forEach((item, index) => {
      if (index > 0) this.newLine(indent);
      this.item(item, indent);
    });
    this.level--;
  }

  /** Writes an item of a list that is indented by `indent`. */
  item(item: JsonValue, indent: number): void {
    this.write('- ');
    this.node(item, indent + 2, indent + 2);
  }

  private map(object: JsonObject, keys: readonly string[], indent: number): void {
    this.goDown();
    keys.forEach((key, index) => {
      if (index > 0) this.newLine(indent);
      this.key(key, indent);
      const value = object[key] ?? null;
      if (isFilled(value)) {
        // A list below a key begins in the same column as the key.
        this.newLine(Array.isArray(value) ? indent : indent + 2);
        this.node(value, indent + 2, indent);
      } else {
        this.write(' ');
        this.node(value, indent + 2, indent);
      }
    });
    this.level--;
  }

  private goDown(): void {
    if (++this.level > indentedLevels) throw new DocumentTooLong();
  }

  private key(key: string, indent: number): void {
    if (key.length <= longestSimpleKey) this.string(key, indent, true);
    else {
      this.write('? ');
      this.string(key, indent + 2, false);
      this.newLine(indent);
    }
    this.write(':');
  }

  private string(text: string, indent: number, isKey: boolean): void {
    switch (styleOf(text, isKey)) {
      case 'literal':
        this.literal(text, indent);
        break;
      case 'plain':
        this.folded(text, indent, isKey, (char) => char);
        break;
      case 'single':
        this.write("'");
        this.folded(text, indent, isKey, (char) => (char === "'" ? "''" : char));
        this.write("'");
        break;
      case 'double':
        this.double(text, indent, isKey);
    }
  }

  /** Folds a text: replaces a blank beyond the width by a line break, unless another blank is next to it. */
  private folded(text: string, indent: number, isKey: boolean, encode: (char: string) => string): void {
    const chars = [...text];
    chars.forEach((char, i) => {
      if (this.breaksAt(chars, i, isKey) && chars[i + 1] !== ' ') this.newLine(indent);
      else this.write(encode(char));
    });
  }

  private double(text: string, indent: number, isKey: boolean): void {
    const chars = [...text.replace(/\p{Surrogate}/gu, '\ufffd')];
    this.write('"');
    chars.forEach((char, i) => {
      if (!this.breaksAt(chars, i, isKey)) this.write(escapeYaml(char));
      else {
        this.newLine(indent);
        // Without a backslash, readers would drop blanks at the start of the line.
        if (chars[i + 1] === ' ') this.write('\\');
      }
    });
    this.write('"');
  }

  private breaksAt(chars: readonly string[], i: number, isKey: boolean): boolean {
    const inside = i > 0 && i < chars.length - 1;
    return chars[i] === ' ' && !isKey && inside && this.column > width && chars[i - 1] !== ' ';
  }

  private literal(text: string, indent: number): void {
    this.write(`|${blockHints(text)}`);
    const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
    for (const line of lines) {
      if (line === '') this.newLine(0);
      else {
        this.newLine(indent);
        this.write(line);
      }
    }
  }

  private newLine(indent: number): void {
    if (this.text.length > longestIndented) throw new DocumentTooLong();
    this.text += `\n${' '.repeat(indent)}`;
    this.column = indent;
  }

  private write(text: string): void {
    this.text += text;
    this.column += text.length;
  }
}

function isFilled(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.length > 0 : Object.values(value).some((child) => child !== undefined);
}
