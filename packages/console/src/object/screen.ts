/**
 * The lines that a program writes to a log or a terminal, as plain text. Follows the control characters that move
 * within a line, as shells and progress bars use them (ECMA-48). Ignores colours and all others.
 */

export interface ScreenLimits {
  /** The most lines to keep; older ones are dropped. */
  readonly lines: number;
  /** The most characters to keep in all lines together. */
  readonly characters: number;
  /** The most characters of a line; a longer line continues in the next one. */
  readonly width: number;
}

const usual: ScreenLimits = { lines: 20_000, characters: 8_000_000, width: 16_000 };

export class Screen {
  /** Whether lines were dropped. */
  isCut = false;
  readonly #limits: ScreenLimits;
  #done: string[] = [];
  #characters = 0;
  /** The line that is being written, and the position in it. */
  #line = '';
  #column = 0;
  /** The beginning of a sequence, until its end arrives. */
  #pending = '';

  constructor(limits: Partial<ScreenLimits> = {}) {
    this.#limits = { ...usual, ...limits };
  }

  /** Returns the lines so far, without an empty last one. The last line may still grow. */
  get lines(): readonly string[] {
    return this.#line === '' ? [...this.#done] : [...this.#done, this.#line];
  }

  /** Adds written text. It may end anywhere, even within a control sequence. */
  write(text: string): void {
    const all = this.#pending + text;
    const [rest = ''] = unfinished.exec(all) ?? [];
    // Drops a sequence that does not end.
    this.#pending = rest.length <= longestSequence ? rest : '';
    for (const [part, plain] of all.slice(0, all.length - rest.length).matchAll(parts)) {
      if (plain === undefined) this.#obey(part);
      else this.#put(plain);
    }
    this.#drop();
  }

  #obey(part: string): void {
    if (part === '\n') this.#end();
    else if (part === '\r') this.#column = 0;
    else if (part === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (part.startsWith(`${esc}[`)) this.#control(part);
  }

  #put(text: string): void {
    const { width } = this.#limits;
    for (let rest = text; rest !== ''; ) {
      if (this.#column >= width) this.#end();
      const next = rest.slice(0, width - this.#column);
      rest = rest.slice(next.length);
      const before = this.#line.slice(0, this.#column).padEnd(this.#column);
      this.#line = before + next + this.#line.slice(this.#column + next.length);
      this.#column += next.length;
    }
  }

  #end(): void {
    this.#done.push(this.#line);
    this.#characters += this.#line.length;
    [this.#line, this.#column] = ['', 0];
  }

  #control(sequence: string): void {
    const number = Number(/\d+/.exec(sequence)?.[0] ?? 0);
    const move = Math.min(number || 1, this.#limits.width);
    const [before, after] = [this.#line.slice(0, this.#column), this.#line.slice(this.#column)];
    switch (sequence.at(-1)) {
      case 'J':
        if (number > 1) this.#clear();
        else this.#line = before;
        break;
      case 'K':
        this.#line = number === 0 ? before : number === 1 ? ' '.repeat(before.length) + after : '';
        break;
      case 'P':
        this.#line = before + after.slice(move);
        break;
      case 'C':
        this.#column = Math.min(this.#column + move, this.#limits.width);
        break;
      case 'D':
        this.#column = Math.max(0, this.#column - move);
        break;
      case 'G':
        this.#column = move - 1;
        break;
      default:
    }
  }

  #clear(): void {
    [this.#done, this.#characters, this.#line, this.#column] = [[], 0, '', 0];
  }

  #drop(): void {
    const { lines, characters } = this.#limits;
    let first = Math.max(0, this.#done.length - lines);
    let left = this.#characters;
    for (const line of this.#done.slice(0, first)) left -= line.length;
    for (; left > characters && first < this.#done.length; first++) left -= this.#done[first]?.length ?? 0;
    if (first === 0) return;
    this.isCut = true;
    this.#done = this.#done.slice(first);
    this.#characters = left;
  }
}

const esc = '\u001b';
const longestSequence = 200;

/** Matches the end of operating system commands, such as the title of a window: BEL or ST. */
const command = `${esc}\\][^\\u0007${esc}]*`;
const control = '\\u0000-\\u0008\\n-\\u001f\\u007f';
/** Matches a control sequence, a command, another sequence, a control character, or (captured) text between them. */
const parts = new RegExp(
  [
    `${esc}\\[[0-?]*[ -/]*[@-~]`,
    `${command}(?:\\u0007|${esc}\\\\)`,
    `${esc}[ -/]*[^ -/\\[\\]]`,
    `[${control}]`,
    `([^${control}]+)`,
  ].join('|'),
  'g',
);
const unfinished = new RegExp(`${esc}(?:\\[[0-?]*[ -/]*|\\][^\\u0007${esc}]*${esc}?|[ -/]+)?$`);
