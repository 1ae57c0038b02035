/** Makes texts that match a regular expression, for the forms that patterns of schemas usually have. */

/** A source of numbers from 0 up to 1. */
type Random = () => number;

/** Maximum number of times that `*` and `+` repeat something. */
const MAX_REPEATS = 3;

/** Some characters of each class. */
const CLASSES: Readonly<Record<string, string>> = { d: '0123456789', w: 'abcXYZ019_', s: ' ' };

/**
 * Makes a text that matches a pattern. Returns `undefined` for patterns with unknown parts, such as look-aheads. The
 * caller checks that the text really matches, since anchors within a pattern are ignored.
 */
export function textMatching(pattern: string, random: Random): string | undefined {
  try {
    return new TextMaker(pattern, random).all();
  } catch (error) {
    if (error instanceof UnknownPart) return undefined;
    throw error;
  }
}

class UnknownPart extends Error {}

class TextMaker {
  private at = 0;

  constructor(
    private readonly pattern: string,
    private readonly random: Random,
  ) {}

  all(): string {
    const text = this.alternatives();
    if (this.at < this.pattern.length) throw new UnknownPart();
    return text;
  }

  /** Reads all alternatives, and returns the text of one. */
  private alternatives(): string {
    const texts = [this.sequence()];
    while (this.takes('|')) texts.push(this.sequence());
    return texts[Math.floor(this.random() * texts.length)] ?? '';
  }

  private sequence(): string {
    let text = '';
    while (this.at < this.pattern.length && !'|)'.includes(this.peek())) text += this.repeated();
    return text;
  }

  /** Reads a repeated part again for each time, so that repetitions differ. */
  private repeated(): string {
    const start = this.at;
    let text = this.atom();
    const times = this.times();
    const end = this.at;
    if (times === 0) return '';
    for (let count = 1; count < times; count++) {
      this.at = start;
      text += this.atom();
    }
    this.at = end;
    return text;
  }

  private times(): number {
    const some = (least: number, most: number): number => least + Math.floor(this.random() * (most - least + 1));
    let times = 1;
    if (this.takes('?')) times = some(0, 1);
    else if (this.takes('*')) times = some(0, MAX_REPEATS);
    else if (this.takes('+')) times = some(1, MAX_REPEATS);
    else {
      const bounds = /^\{(\d+)(?:(,)(\d*))?\}/.exec(this.pattern.slice(this.at));
      if (bounds === null) return 1;
      this.at += bounds[0].length;
      const least = Number(bounds[1]);
      const most = bounds[2] === undefined ? least : bounds[3] === '' ? least + MAX_REPEATS : Number(bounds[3]);
      times = some(least, Math.min(most, least + MAX_REPEATS));
    }
    this.takes('?');
    return times;
  }

  private atom(): string {
    const char = this.next();
    switch (char) {
      case '^':
      case '$':
        return '';
      case '.':
        return this.from('ab-1.');
      case '(':
        return this.group();
      case '[':
        return this.from(this.set());
      case '\\':
        return this.from(this.escaped());
      default:
        return char;
    }
  }

  private group(): string {
    if (this.takes('?') && !this.takes(':')) throw new UnknownPart();
    const text = this.alternatives();
    if (!this.takes(')')) throw new UnknownPart();
    return text;
  }

  /** Returns the characters of a set. Negated sets are unknown. */
  private set(): string {
    let chars = '';
    if (this.takes('^')) throw new UnknownPart();
    while (!this.takes(']')) {
      const char = this.next();
      const first = char === '\\' ? this.escaped() : char;
      const isRange = first.length === 1 && this.peek() === '-' && this.pattern[this.at + 1] !== ']';
      if (!isRange) chars += first;
      else {
        this.next();
        chars += charsBetween(first, this.next());
      }
    }
    return chars;
  }

  private escaped(): string {
    const char = this.next();
    if (/[A-Za-z0-9]/.test(char)) {
      const known = CLASSES[char];
      if (known === undefined) throw new UnknownPart();
      return known;
    }
    return char;
  }

  private from(chars: string): string {
    return chars[Math.floor(this.random() * chars.length)] ?? '';
  }

  private peek(): string {
    return this.pattern[this.at] ?? '';
  }

  private next(): string {
    const char = this.pattern[this.at++];
    if (char === undefined) throw new UnknownPart();
    return char;
  }

  private takes(char: string): boolean {
    if (this.peek() !== char) return false;
    this.at++;
    return true;
  }
}

/** Returns the ends and the middle of a range. */
function charsBetween(first: string, last: string): string {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
  return to < from ? first : String.fromCharCode(from, Math.floor((from + to) / 2), to);
}
