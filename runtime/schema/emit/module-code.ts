/** The definitions of a compiled schema as they grow. */
import { type Definition, type Definitions, type FunctionCode, keyOf } from './definitions.js';
import { type Helper, referenceTo } from './references.js';

export type { Helper } from './references.js';

/** Functions and constants with the same text are one. */
export class ModuleCode implements Definitions {
  readonly definitions = new Map<number, Definition>();
  readonly offered = new Map<number, string>();
  private readonly references = new Map<string, string>();

  /** Returns the reference to a helper. */
  use(helper: Helper): string {
    return referenceTo(helper);
  }

  /** Returns the reference to a constant with this value. */
  constant(name: string, expression: string): string {
    return this.add({ name, expression });
  }

  /** Defines a function, unless there is one with the same text, and answers what stands for it. */
  define(code: FunctionCode): string {
    return this.add(code);
  }

  /** Defines a function that the module offers, under exactly its name. Offered functions are defined last. */
  offer(name: string, code: Omit<FunctionCode, 'name'>): void {
    const number = this.definitions.size;
    this.definitions.set(number, { ...code, name });
    this.offered.set(number, name);
  }

  private add(definition: Definition): string {
    const key = `${'body' in definition ? 'function' : 'constant'} ${keyOf(definition)}`;
    const known = this.references.get(key);
    if (known !== undefined) return known;
    const reference = referenceTo(this.definitions.size);
    this.definitions.set(this.definitions.size, definition);
    this.references.set(key, reference);
    return reference;
  }
}
