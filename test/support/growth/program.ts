/** Runs a regular expression by backtracking, as the engine does, and counts the steps. */
import type { Node } from './parse-expression.js';

/** An instruction. Numbers are addresses of other instructions. */
type Instruction =
  | { readonly do: 'read'; readonly accepts: (character: string) => boolean; readonly back: boolean }
  | { readonly do: 'try'; readonly first: number; readonly other: number }
  | { readonly do: 'go'; readonly to: number }
  | { readonly do: 'save'; readonly register: number }
  | { readonly do: 'moved'; readonly register: number }
  | { readonly do: 'look'; readonly start: number; readonly negated: boolean; readonly after: number }
  | { readonly do: 'edge'; readonly edge: '^' | '$' | 'b' | 'B' }
  | { readonly do: 'reference'; readonly index: number; readonly back: boolean }
  | { readonly do: 'end' };

/** The alternative to try after a failure, or a register that then gets its old value back. */
type Alternative =
  | { readonly at: number; readonly position: number }
  | { readonly register: number; readonly was: number };

/** The way to search a text: for the first match, for all matches, or from the end of the last match. */
export type Search = 'first' | 'all' | 'sticky';

/** An expression that can be run. */
export class Program {
  readonly #code: Instruction[] = [];
  readonly #registers: number[] = [];
  readonly #multiline: boolean;
  #loops = 100;
  #steps = 0;
  #most = 0;

  constructor(node: Node, flags: string) {
    this.#multiline = flags.includes('m');
    this.#emit(node, false);
    this.#code.push({ do: 'end' });
  }

  /** Counts the steps of a search in a text. Stops counting beyond `most`. */
  stepsOf(text: string, search: Search, most: number): number {
    this.#steps = 0;
    this.#most = most;
    this.#registers.fill(-1);
    for (let from = 0; from <= text.length && this.#steps <= most; ) {
      const end = this.#run(text, 0, from);
      if (end === undefined && search === 'sticky') break;
      if (end !== undefined && search === 'first') break;
      // A run without a match has restored all registers.
      if (end !== undefined) this.#registers.fill(-1);
      from = end === undefined || end === from ? from + 1 : end;
    }
    return this.#steps;
  }

  /**
   * Returns the end of a match that begins at a position; `undefined` if the text does not match, or if all steps are
   * used.
   */
  #run(text: string, start: number, from: number): number | undefined {
    const waiting: Alternative[] = [];
    let at = start;
    let position = from;
    while (this.#steps++ <= this.#most) {
      const next = this.#code[at];
      if (!next || next.do === 'end') return position;
      let holds = true;
      at++;
      if (next.do === 'read') {
        const character = text.charAt(next.back ? position - 1 : position);
        holds = character !== '' && next.accepts(character);
        position += next.back ? -1 : 1;
      } else if (next.do === 'try') {
        waiting.push({ at: next.other, position });
        at = next.first;
      } else if (next.do === 'go') {
        at = next.to;
      } else if (next.do === 'save') {
        waiting.push({ register: next.register, was: this.#registers[next.register] ?? -1 });
        this.#registers[next.register] = position;
      } else if (next.do === 'moved') {
        holds = this.#registers[next.register] !== position;
      } else if (next.do === 'look') {
        holds = (this.#run(text, next.start, position) !== undefined) !== next.negated;
        at = next.after;
      } else if (next.do === 'edge') {
        holds = this.#isEdge(text, position, next.edge);
      } else {
        const was = text.slice(this.#registers[2 * next.index], this.#registers[2 * next.index + 1]);
        const begin = next.back ? position - was.length : position;
        this.#steps += was.length;
        holds = begin >= 0 && text.startsWith(was, begin);
        position += next.back ? -was.length : was.length;
      }
      while (!holds) {
        const other = waiting.pop();
        if (!other) return undefined;
        if ('register' in other) this.#registers[other.register] = other.was;
        else {
          ({ at, position } = other);
          holds = true;
        }
      }
    }
    return undefined;
  }

  #isEdge(text: string, position: number, edge: '^' | '$' | 'b' | 'B'): boolean {
    if (edge === '^') return position === 0 || (this.#multiline && text.charAt(position - 1) === '\n');
    if (edge === '$') return position === text.length || (this.#multiline && text.charAt(position) === '\n');
    const isWord = (at: number): boolean => /^\w$/.test(text.charAt(at));
    return (isWord(position - 1) !== isWord(position)) === (edge === 'b');
  }

  #emit(node: Node, back: boolean): void {
    const code = this.#code;
    if (node.kind === 'character') code.push({ do: 'read', accepts: node.accepts, back });
    else if (node.kind === 'sequence')
      for (const part of back ? node.parts.toReversed() : node.parts) this.#emit(part, back);
    else if (node.kind === 'choice') this.#emitChoice(node.options, back);
    else if (node.kind === 'repeat') this.#emitRepeat(node, back);
    else if (node.kind === 'group') {
      code.push({ do: 'save', register: 2 * node.index + Number(back) });
      this.#emit(node.body, back);
      code.push({ do: 'save', register: 2 * node.index + Number(!back) });
    } else if (node.kind === 'look') {
      const at = code.push({ do: 'end' }) - 1;
      this.#emit(node.body, !node.ahead);
      code.push({ do: 'end' });
      code[at] = { do: 'look', start: at + 1, negated: node.negated, after: code.length };
    } else if (node.kind === 'edge') code.push({ do: 'edge', edge: node.edge });
    else code.push({ do: 'reference', index: node.index, back });
  }

  #emitChoice([first, ...others]: readonly Node[], back: boolean): void {
    if (!first) return;
    if (others.length === 0) {
      this.#emit(first, back);
      return;
    }
    const choose = this.#code.push({ do: 'end' }) - 1;
    this.#emit(first, back);
    const leave = this.#code.push({ do: 'end' }) - 1;
    this.#code[choose] = { do: 'try', first: choose + 1, other: this.#code.length };
    this.#emitChoice(others, back);
    this.#code[leave] = { do: 'go', to: this.#code.length };
  }

  #emitRepeat({ body, min, max, greedy }: Node & { kind: 'repeat' }, back: boolean): void {
    const code = this.#code;
    for (let i = 0; i < min; i++) this.#emit(body, back);
    const leave: number[] = [];
    const choose = (): void => void leave.push(code.push({ do: 'end' }) - 1);
    if (max === Infinity) {
      const register = 2 * this.#loops++;
      const top = code.length;
      choose();
      code.push({ do: 'save', register });
      this.#emit(body, back);
      code.push({ do: 'moved', register }, { do: 'go', to: top });
    }
    for (let i = min; i < max && max !== Infinity; i++) {
      choose();
      this.#emit(body, back);
    }
    for (const at of leave)
      code[at] = { do: 'try', first: greedy ? at + 1 : code.length, other: greedy ? code.length : at + 1 };
  }
}
