/** Runs a regular expression by backtracking, as the engine does, and counts the steps. */
import type { Node } from './parse-expression.js';

/** An instruction. All have the same fields, because the engine reads objects of one shape several times faster. */
interface Instruction {
  readonly do: 'read' | 'try' | 'go' | 'save' | 'moved' | 'look' | 'edge' | 'reference' | 'end';
  /** The address of the next instruction to run, if it is not the one that follows. */
  readonly to: number;
  /** The address to continue at after a failure or after a look. */
  readonly other: number;
  /** A register, or a group that the text refers to. */
  readonly register: number;
  /** Whether to read towards the start of the text. */
  readonly back: boolean;
  readonly negated: boolean;
  readonly edge: '^' | '$' | 'b' | 'B';
  readonly accepts: (character: string) => boolean;
}

const instruction = (what: Instruction['do'], more: Partial<Instruction> = {}): Instruction => {
  const { to = 0, other = 0, register = 0, back = false, negated = false, edge = '^', accepts = Boolean } = more;
  return { do: what, to, other, register, back, negated, edge, accepts };
};

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
    this.#code.push(instruction('end'));
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
    // What to try after a failure, two numbers each: the address and the position, or `-1 - register` and its old value.
    const waiting: number[] = [];
    const code = this.#code;
    let at = start;
    let position = from;
    while (this.#steps++ <= this.#most) {
      const next = code[at];
      if (!next || next.do === 'end') return position;
      let holds = true;
      at++;
      if (next.do === 'read') {
        const character = text.charAt(next.back ? position - 1 : position);
        holds = character !== '' && next.accepts(character);
        position += next.back ? -1 : 1;
      } else if (next.do === 'try') {
        waiting.push(next.other, position);
        at = next.to;
      } else if (next.do === 'go') {
        at = next.to;
      } else if (next.do === 'save') {
        waiting.push(-1 - next.register, this.#registers[next.register] ?? -1);
        this.#registers[next.register] = position;
      } else if (next.do === 'moved') {
        holds = this.#registers[next.register] !== position;
      } else if (next.do === 'look') {
        holds = (this.#run(text, next.to, position) !== undefined) !== next.negated;
        at = next.other;
      } else if (next.do === 'edge') {
        holds = this.#isEdge(text, position, next.edge);
      } else {
        const was = text.slice(this.#registers[2 * next.register], this.#registers[2 * next.register + 1]);
        const begin = next.back ? position - was.length : position;
        this.#steps += was.length;
        holds = begin >= 0 && text.startsWith(was, begin);
        position += next.back ? -was.length : was.length;
      }
      while (!holds) {
        const value = waiting.pop();
        const address = waiting.pop();
        if (value === undefined || address === undefined) return undefined;
        if (address < 0) this.#registers[-1 - address] = value;
        else {
          at = address;
          position = value;
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
    if (node.kind === 'character') code.push(instruction('read', { accepts: node.accepts, back }));
    else if (node.kind === 'sequence')
      for (const part of back ? node.parts.toReversed() : node.parts) this.#emit(part, back);
    else if (node.kind === 'choice') this.#emitChoice(node.options, back);
    else if (node.kind === 'repeat') this.#emitRepeat(node, back);
    else if (node.kind === 'group') {
      code.push(instruction('save', { register: 2 * node.index + Number(back) }));
      this.#emit(node.body, back);
      code.push(instruction('save', { register: 2 * node.index + Number(!back) }));
    } else if (node.kind === 'look') {
      const at = code.push(instruction('end')) - 1;
      this.#emit(node.body, !node.ahead);
      code.push(instruction('end'));
      code[at] = instruction('look', { to: at + 1, negated: node.negated, other: code.length });
    } else if (node.kind === 'edge') code.push(instruction('edge', { edge: node.edge }));
    else code.push(instruction('reference', { register: node.index, back }));
  }

  #emitChoice([first, ...others]: readonly Node[], back: boolean): void {
    if (!first) return;
    if (others.length === 0) {
      this.#emit(first, back);
      return;
    }
    const choose = this.#code.push(instruction('end')) - 1;
    this.#emit(first, back);
    const leave = this.#code.push(instruction('end')) - 1;
    this.#code[choose] = instruction('try', { to: choose + 1, other: this.#code.length });
    this.#emitChoice(others, back);
    this.#code[leave] = instruction('go', { to: this.#code.length });
  }

  #emitRepeat({ body, min, max, greedy }: Node & { kind: 'repeat' }, back: boolean): void {
    const code = this.#code;
    for (let i = 0; i < min; i++) this.#emit(body, back);
    const leave: number[] = [];
    const choose = (): void => void leave.push(code.push(instruction('end')) - 1);
    if (max === Infinity) {
      const register = 2 * this.#loops++;
      const top = code.length;
      choose();
      code.push(instruction('save', { register }));
      this.#emit(body, back);
      code.push(instruction('moved', { register }), instruction('go', { to: top }));
    }
    for (let i = min; i < max && max !== Infinity; i++) {
      choose();
      this.#emit(body, back);
    }
    for (const at of leave) {
      const [to, other] = greedy ? [at + 1, code.length] : [code.length, at + 1];
      code[at] = instruction('try', { to, other });
    }
  }
}
