/** Finds the first problem of a text that is not JSON, and words it as clients know it. */
import { quote } from '../objects/printing.js';

/** The first problem of a text. */
export interface JsonProblem {
  readonly message: string;
  /** In UTF-16 units from the start of the text. */
  readonly offset: number;
}

/** The token that must come next. */
type State = 'value' | 'first-value' | 'first-key' | 'key' | 'colon' | 'after-value';

const literals: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };
const valueContext = 'looking for beginning of value';

/** Returns the first problem of a text, or `undefined` if it has none. Takes linear time, and does not recurse. */
export function findJsonProblem(text: string): JsonProblem | undefined {
  return new ProblemFinder(text).find();
}

class Problem extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

class ProblemFinder {
  private at = 0;
  private readonly open: ('{' | '[')[] = [];
  private state: State = 'value';

  constructor(private readonly text: string) {}

  find(): JsonProblem | undefined {
    try {
      this.run();
      return undefined;
    } catch (problem) {
      if (problem instanceof Problem) return { message: problem.message, offset: problem.offset };
      throw problem;
    }
  }

  private run(): void {
    for (;;) {
      this.skipBlank();
      if (this.at >= this.text.length) {
        if (this.state === 'after-value' && this.open.length === 0) return;
        this.fail('');
      }
      this.step(this.text.charAt(this.at));
    }
  }

  private step(char: string): void {
    switch (this.state) {
      case 'first-value':
        if (char === ']') this.close();
        else this.value(char);
        break;
      case 'value':
        this.value(char);
        break;
      case 'first-key':
        if (char === '}') this.close();
        else this.key(char);
        break;
      case 'key':
        this.key(char);
        break;
      case 'colon':
        if (char !== ':') this.fail('after object key');
        this.at++;
        this.state = 'value';
        break;
      case 'after-value':
        this.afterValue(char);
    }
  }

  private value(char: string): void {
    const literal = literals[char];
    if (char === '{' || char === '[') {
      this.open.push(char);
      this.at++;
      this.state = char === '{' ? 'first-key' : 'first-value';
      return;
    }
    if (char === '"') this.string();
    else if (literal !== undefined) this.literal(literal);
    else if (char === '-' || isDigit(char)) this.number();
    else this.fail(valueContext);
    this.state = 'after-value';
  }

  private key(char: string): void {
    if (char !== '"') this.fail('looking for beginning of object key string');
    this.string();
    this.state = 'colon';
  }

  private afterValue(char: string): void {
    const inside = this.open.at(-1);
    if (inside === undefined) this.fail('after top-level value');
    if (char === (inside === '{' ? '}' : ']')) this.close();
    else if (char === ',') {
      this.at++;
      this.state = inside === '{' ? 'key' : 'value';
    } else this.fail(inside === '{' ? 'after object key:value pair' : 'after array element');
  }

  private close(): void {
    this.at++;
    this.open.pop();
    this.state = 'after-value';
  }

  private literal(word: string): void {
    for (let i = 0; i < word.length; i++, this.at++) {
      if (this.text.charAt(this.at) !== word.charAt(i)) this.fail(`in literal ${word} (expecting '${word.charAt(i)}')`);
    }
  }

  private string(): void {
    this.at++;
    for (;;) {
      const char = this.text.charAt(this.at);
      if (char === '"') break;
      if (char === '\\') this.escape();
      else if (char < ' ') this.fail('in string literal');
      else this.at++;
    }
    this.at++;
  }

  private escape(): void {
    this.at++;
    const char = this.text.charAt(this.at);
    if (char === '' || !'bfnrt\\/"u'.includes(char)) this.fail('in string escape code');
    this.at++;
    if (char !== 'u') return;
    for (let i = 0; i < 4; i++, this.at++) {
      if (!/^[0-9a-fA-F]$/.test(this.text.charAt(this.at))) this.fail('in \\u hexadecimal character escape');
    }
  }

  private number(): void {
    if (this.text.charAt(this.at) === '-') this.at++;
    if (this.text.charAt(this.at) === '0') this.at++;
    else this.digits('in numeric literal');
    if (this.text.charAt(this.at) === '.') {
      this.at++;
      this.digits('after decimal point in numeric literal');
    }
    if (/^[eE]$/.test(this.text.charAt(this.at))) {
      this.at++;
      if (/^[-+]$/.test(this.text.charAt(this.at))) this.at++;
      this.digits('in exponent of numeric literal');
    }
  }

  private digits(context: string): void {
    if (!isDigit(this.text.charAt(this.at))) this.fail(context);
    while (isDigit(this.text.charAt(this.at))) this.at++;
  }

  private skipBlank(): void {
    while (/^[ \t\r\n]$/.test(this.text.charAt(this.at))) this.at++;
  }

  private fail(context: string): never {
    if (this.at >= this.text.length) throw new Problem('unexpected end of JSON input', this.text.length);
    throw new Problem(`invalid character ${quoteByte(this.text, this.at)} ${context}`, this.at);
  }
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9';
}

/** Returns the character at an offset as messages print it: the first byte of its UTF-8 form, in single quotes. */
function quoteByte(text: string, at: number): string {
  const first = Buffer.from(String.fromCodePoint(text.codePointAt(at) ?? 0), 'utf8')[0] ?? 0;
  const char = String.fromCharCode(first);
  if (char === "'") return "'\\''";
  if (char === '"') return "'\"'";
  return `'${quote(char).slice(1, -1)}'`;
}
