/** Emits the statements of a conversion's steps in one direction. */
import type {
  AnnotationStep,
  ConstantStep,
  ConversionPath,
  ConversionStep,
  DefaultStep,
  DerivedStep,
  ExpressionStep,
  ItemStep,
  JoinStep,
  JsonValue,
  MoveStep,
  SplitStep,
  ValuesStep,
  WrapStep,
} from '../../contract/index.js';
import { indent } from '../emit/access.js';
import { literal, quoted } from '../emit/literal.js';
import type { ModuleCode } from '../emit/module-code.js';
import type { Language } from '../emit/print-module.js';
import { referenceTo } from '../emit/references.js';
import { parsePath, type Segment, stepsOf } from './path.js';

/** The number that stands for the compiled expressions, which another module has. */
export const EXPRESSIONS = -1;

export type Direction = 'toStored' | 'fromStored';

/** The variable that places are below, and the place in it that the steps begin at. */
interface Scope {
  readonly object: string;
  readonly below: readonly Segment[];
}

/** A text and its parts, and whether it is taken apart or put together. */
interface Parts {
  readonly whole: ConversionPath;
  readonly parts: readonly ConversionPath[];
  readonly separator: string;
  readonly takesApart: boolean;
}

/** Emits steps; those towards the stored version from the last to the first. */
export class StepEmitter {
  constructor(
    private readonly code: ModuleCode,
    private readonly language: Language,
    private readonly direction: Direction,
    /** Those of all steps, by their numbers. */
    private readonly expressions: readonly ExpressionStep[] = [],
  ) {}

  /** The program text before all steps where there are expressions. */
  beginning(object: string): string {
    return `const evaluate = ${referenceTo(EXPRESSIONS)}.${this.direction}(${object}, report);`;
  }

  steps(steps: readonly ConversionStep[], scope: Scope): string[] {
    const ordered = this.direction === 'toStored' ? [...steps].reverse() : steps;
    return ordered.flatMap((step) => this.step(step, scope));
  }

  private step(step: ConversionStep, scope: Scope): string[] {
    if ('move' in step) return this.move(step.move, scope);
    if ('split' in step) return this.split(step.split, scope);
    if ('join' in step) return this.join(step.join, scope);
    if ('wrap' in step) return this.wrap(step.wrap, scope);
    if ('default' in step) return this.default(step.default, scope);
    if ('constant' in step) return this.constant(step.constant, scope);
    if ('expression' in step) return this.expression(step.expression, scope);
    if ('item' in step) return this.item(step.item, scope);
    if ('annotation' in step) return this.annotation(step.annotation, scope);
    if ('values' in step) return this.values(step.values, scope);
    if ('derived' in step) return this.derived(step.derived, scope);
    return this.steps(step.within.steps, { ...scope, below: [...scope.below, ...segmentsOf(step.within.path)] });
  }

  private move({ field, stored, type, absent }: MoveStep, scope: Scope): string[] {
    const toStored = this.direction === 'toStored';
    const [from, to] = toStored ? [field, stored] : [stored, field];
    return this.each(scope, [from, to], (object, [fromKeys = [], toKeys = []]) => {
      const take = this.call('takeAt', object, fromKeys);
      if (absent !== undefined) return this.moveOrAbsent(object, fromKeys, toKeys, absent);
      const move = this.put(object, take, toKeys);
      if (type === undefined || !toStored) return [move];
      const value = this.call('valueAt', object, fromKeys);
      return [`if (${this.code.use('isOf')}(${value}, ${quoted(type)})) ${move}`];
    });
  }

  /** A value of this version that means that the stored one has none. */
  private moveOrAbsent(object: string, from: readonly string[], to: readonly string[], absent: JsonValue): string[] {
    const take = this.call('takeAt', object, from);
    const toStored = this.direction === 'toStored';
    if (!toStored) {
      const put = this.put(object, `${take} ?? ${literal(absent)}`, to);
      const container = to.slice(0, -1);
      return [container.length === 0 ? put : `if (${this.call('valueAt', object, container)} !== undefined) ${put}`];
    }
    const value = this.call('valueAt', object, from);
    const isAbsent = `${this.code.use('equal')}(${value}, ${literal(absent)})`;
    return [`if (${isAbsent}) ${take};`, this.put(object, take, to)];
  }

  private split({ field, stored, separator }: SplitStep, scope: Scope): string[] {
    return this.parts({ whole: field, parts: stored, separator, takesApart: this.direction === 'toStored' }, scope);
  }

  private join({ fields, stored, separator }: JoinStep, scope: Scope): string[] {
    return this.parts({ whole: stored, parts: fields, separator, takesApart: this.direction === 'fromStored' }, scope);
  }

  /** A text of one version that is several fields of the other one. */
  private parts({ whole, parts, separator, takesApart }: Parts, scope: Scope): string[] {
    return this.each(scope, [whole, ...parts], (object, [wholeKeys = [], ...partKeys]) => {
      if (!takesApart) {
        const taken = partKeys.map((keys) => this.call('takeAt', object, keys)).join(', ');
        return [this.put(object, `${this.code.use('joinText')}([${taken}], ${quoted(separator)})`, wholeKeys)];
      }
      const text = `${this.code.use('splitText')}(${this.call('takeAt', object, wholeKeys)}, ${quoted(separator)}, ${partKeys.length})`;
      const puts = partKeys.map((keys, at) => this.put(object, `parts[${at}]`, keys));
      return ['{', ...indent([`const parts = ${text};`, ...puts]), '}'];
    });
  }

  private wrap({ field, stored, list = 'stored', annotation }: WrapStep, scope: Scope): string[] {
    const isSplitUp = (list === 'stored') === (this.direction === 'fromStored');
    const helper = this.code.use(isSplitUp ? 'listToSingle' : 'singleToList');
    const [listPath, singlePath] = list === 'stored' ? [stored, field] : [field, stored];
    const kept = annotation === undefined ? '' : `, annotation: rename(${quoted(annotation)})`;
    return this.each(scope, [listPath, singlePath], (object, [listKeys = [], singleKeys = []]) => [
      `${helper}(${object}, { list: ${keyList(listKeys)}, single: ${keyList(singleKeys)}${kept} });`,
    ]);
  }

  private default({ field, stored, value, annotation }: DefaultStep, scope: Scope): string[] {
    const helper = this.code.use(this.isAdded(stored) ? 'addDefault' : 'dropDefault');
    const kept = annotation === undefined ? '' : `, rename(${quoted(annotation)})`;
    return this.each(scope, [stored ?? field ?? ''], (object, [keys = []]) => [
      `${helper}(${object}, ${literal(value)}, ${keyList(keys)}${kept});`,
    ]);
  }

  private constant({ field, stored, value }: ConstantStep, scope: Scope): string[] {
    return this.each(scope, [stored ?? field ?? ''], (object, [keys = []]) => {
      const place = keys.map(quoted).join(', ');
      if (!this.isAdded(stored)) return [`${this.code.use('dropAt')}(${object}, ${place});`];
      return [`${this.code.use('addAt')}(${object}, ${literal(value)}, ${place});`];
    });
  }

  /** Whether the version that has a field is the one that is converted to. */
  private isAdded(stored: ConversionPath | undefined): boolean {
    return (stored !== undefined) === (this.direction === 'toStored');
  }

  private expression(step: ExpressionStep, scope: Scope): string[] {
    const { field, stored } = step;
    const [from, to] = this.direction === 'toStored' ? [field, stored] : [stored, field];
    return this.each(scope, [from, to], (object, [fromKeys = [], toKeys = []]) => {
      const value = `evaluate(${this.expressions.indexOf(step)}, ${this.call('takeAt', object, fromKeys)})`;
      return [this.put(object, value, toKeys)];
    });
  }

  private item({ field, stored, where, value, copied = false }: ItemStep, scope: Scope): string[] {
    const place = `{ where: [${Object.entries(where)
      .map(([path, wanted]) => `{ keys: ${keysText(path)}, value: ${literal(wanted)} }`)
      .join(', ')}], value: ${keysText(value)} }`;
    return this.each(scope, [field, stored], (object, [fieldKeys = [], listKeys = []]) => {
      const list = keyList(listKeys);
      const known = this.code.constant('itemPlace', place);
      if (this.direction === 'fromStored') {
        const read = copied
          ? `${this.code.use('readItem')}(${object}, ${list}, ${known})`
          : `${this.code.use('takeItem')}(${object}, ${list}, ${known}, true)`;
        return [this.put(object, read, fieldKeys)];
      }
      const taken = this.call('takeAt', object, fieldKeys);
      const put = (value: string): string => `${this.code.use('putItem')}(${object}, ${value}, ${list}, ${known});`;
      if (!copied) return [put(taken)];
      const isList = `${this.code.use('isOf')}(${this.call('valueAt', object, listKeys)}, 'array')`;
      return [`if (!${isList}) ${put(this.call('valueAt', object, fieldKeys))}`, `${taken};`];
    });
  }

  private annotation({ key, field, stored, as = 'json', steps = [] }: AnnotationStep, scope: Scope): string[] {
    const toAnnotation = (stored === undefined) === (this.direction === 'toStored');
    const name = `rename(${quoted(key)})`;
    return this.each(scope, [stored ?? field ?? ''], (object, [keys = []]) => {
      const inner = (box: string): string[] => this.steps(steps, { object: box, below: [] });
      if (toAnnotation) {
        const taken = this.call('takeAt', object, keys);
        const put = this.code.use('putAnnotation');
        if (steps.length === 0) return [`${put}(${object}, ${taken}, ${name}, ${quoted(as)});`];
        const body = [`const box: JsonObject = { value: ${taken} };`, ...inner('box')];
        return this.block([...body, `${put}(${object}, box['value'], ${name}, ${quoted(as)});`]);
      }
      const taken = `${this.code.use('takeAnnotation')}(${object}, ${name}, ${quoted(as)})`;
      if (steps.length === 0) return [this.put(object, taken, keys)];
      const body = [`const box: JsonObject = { value: ${taken} };`, ...inner('box')];
      return this.block([...body, this.put(object, "box['value']", keys)]);
    });
  }

  private values({ field, stored, pairs }: ValuesStep, scope: Scope): string[] {
    const toStored = this.direction === 'toStored';
    const rows = pairs.map((pair) =>
      toStored ? [named(pair.field), named(pair.stored)] : [named(pair.stored), named(pair.field)],
    );
    const table = `[${rows.map((row) => `[${row.join(', ')}]`).join(', ')}]`;
    const [from, to] = toStored ? [field, stored] : [stored, field];
    return this.each(scope, [from, to], (object, [fromKeys = [], toKeys = []]) => {
      const meaning = `${this.code.use('meaningOf')}(${this.call('takeAt', object, fromKeys)}, ${table})`;
      return [this.put(object, meaning, toKeys)];
    });
  }

  private derived({ stored, from }: DerivedStep, scope: Scope): string[] {
    const values = Object.keys(from);
    return this.each(scope, [stored, ...Object.values(from)], (object, [keys = [], ...places]) => {
      const choices = places.map((place, at) => {
        const value = quoted(values[at] ?? '');
        const present = `${this.call('valueAt', object, place)} !== undefined`;
        if (this.direction === 'toStored') return `if (${present}) ${this.put(object, value, keys)}`;
        return `if (${present} && ${this.call('valueAt', object, keys)} === ${value}) ${this.call('takeAt', object, keys)};`;
      });
      return choices.map((choice, at) => (at === 0 || this.direction === 'fromStored' ? choice : `else ${choice}`));
    });
  }

  /**
   * Statements for each object that all paths have in common: what lies in lists is converted item by item. Paths go
   * through the same lists, which `check` has made sure of.
   */
  private each(
    { object, below }: Scope,
    paths: readonly string[],
    emit: (object: string, keys: readonly (readonly string[])[]) => string[],
  ): string[] {
    const split = paths.map((path) => stepsOf([...below, ...segmentsOf(path)]));
    const lists = split[0]?.lists ?? [];
    const loop = (at: number, variable: string): string[] => {
      const keys = lists[at];
      if (keys === undefined) {
        return emit(
          variable,
          split.map((one) => one.keys),
        );
      }
      const item = `item${at === 0 ? '' : at + 1}`;
      const items = this.call('itemsAt', variable, keys);
      return [`for (const ${item} of ${items}) {`, ...indent(loop(at + 1, item)), '}'];
    };
    return loop(0, object);
  }

  private put(object: string, value: string, keys: readonly string[]): string {
    return `${this.code.use('putAt')}(${[object, value, ...keys.map(quoted)].join(', ')});`;
  }

  private call(helper: 'takeAt' | 'valueAt' | 'itemsAt', object: string, keys: readonly string[]): string {
    return `${this.code.use(helper)}(${[object, ...keys.map(quoted)].join(', ')})`;
  }

  private block(lines: readonly string[]): string[] {
    const typed = this.language === 'ts';
    return [
      '{',
      ...indent(lines.map((line) => (typed ? line : line.replace('const box: JsonObject', 'const box')))),
      '}',
    ];
  }
}

const segmentsOf = (path: string): readonly Segment[] => parsePath(path) ?? [];

const keyList = (keys: readonly string[]): string => `[${keys.map(quoted).join(', ')}]`;

const keysText = (path: string): string => keyList(stepsOf(segmentsOf(path)).keys);

/** A name of something below a domain, as keys of labels are. */
const nameBelowDomain = /^[a-z0-9-]+(\.[a-z0-9-]+)+\/[\w.-]+$/i;

/** A value in which names of the platform become those that are served. */
const named = (value: JsonValue): string =>
  literal(value, (text) => (nameBelowDomain.test(text) ? `rename(${quoted(text)})` : quoted(text)));
