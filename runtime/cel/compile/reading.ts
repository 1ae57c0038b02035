/** Program text that reads decoded JSON as values. */

import type { DataType } from '../schema/data-type.js';
import { type Code, optionalProperty, type ProgramCode } from './code.js';
import { isInherited, quoted } from './program-text.js';

const simpleReaders = {
  text: 'readText',
  int: 'readInt',
  double: 'readDouble',
  bool: 'readBool',
  bytes: 'readBytes',
  date: 'readDate',
  timestamp: 'readTimestamp',
  duration: 'readDuration',
  dyn: 'readDyn',
} as const;

/** Shapes that can always be read from valid data. */
const certain = new Set(['text', 'int', 'double', 'bool', 'list', 'map', 'object', 'dyn']);

/** Shapes with reads that count for the limit. */
const composite = new Set(['list', 'map', 'object', 'optional', 'dyn']);

/** Emits readers. Emits each composite one once. */
export class ReadingEmitter {
  private readonly readers = new Map<DataType, string>();
  private readonly presents = new Map<DataType, DataType>();

  constructor(private readonly code: ProgramCode) {}

  /** Converts code for decoded JSON to code for a value of the language. */
  value(code: Code): Code {
    const { data } = code;
    if (data === undefined) return code;
    const fails = code.fails || !certain.has(data.shape);
    const orNull = data.nullable && data.shape !== 'dyn';
    const meter = composite.has(data.shape) || orNull ? ', meter' : '';
    const read = `${this.reader(data)}(${code.text}${meter})`;
    const text = orNull ? this.code.known(read, code.type) : read;
    return { text, type: code.type, cost: code.cost, fails };
  }

  /** Returns the name of the function that reads a type. */
  private reader(data: DataType): string {
    const known = this.readers.get(data);
    if (known !== undefined) return known;
    const made = this.make(data);
    const name =
      data.nullable && data.shape !== 'dyn'
        ? this.code.constant('orNullReader', `${this.code.use('orNull')}(${made})`)
        : made;
    this.readers.set(data, name);
    return name;
  }

  private make(data: DataType): string {
    switch (data.shape) {
      case 'list':
        return this.list(data);
      case 'map':
        return this.code.constant('mapReader', `${this.code.use('readMap')}(${this.inner(data.values)})`);
      case 'object':
        return this.object(data);
      case 'optional':
        return this.code.constant('optionalReader', `${this.code.use('readOptional')}(${this.inner(data.values)})`);
      default:
        return this.code.use(simpleReaders[data.shape]);
    }
  }

  private list(data: DataType): string {
    const item = this.inner(data.items);
    if (data.listType === 'set') return this.code.constant('setReader', `${this.code.use('readSet')}(${item})`);
    if (data.listType !== 'map') return this.code.constant('listReader', `${this.code.use('readList')}(${item})`);
    const fields = [...(data.items?.fields ?? [])];
    const keys = (data.keys ?? []).map((key) => fields.find(([, field]) => field.property === key)?.[0] ?? key);
    return this.code.constant(
      'keyedReader',
      `${this.code.use('readKeyedList')}(${item}, [${keys.map(quoted).join(', ')}])`,
    );
  }

  private object(data: DataType): string {
    const fields = [...(data.fields ?? [])].map(
      ([name, field]) => `[${quoted(name)}]: { property: ${quoted(field.property)}, read: ${this.inner(field.data)} }`,
    );
    const typeName = 'name' in data.type ? data.type.name : 'object';
    return this.code.constant(
      'objectReader',
      `${this.code.use('readObject')}(${quoted(typeName)}, { ${fields.join(', ')} })`,
    );
  }

  private inner(data: DataType | undefined): string {
    return data === undefined ? this.code.use('readDyn') : this.reader(data);
  }

  /**
   * Returns the code for a field of decoded JSON, still as decoded JSON, or `undefined` if the schema does not have the
   * field. A null field of an object counts as absent, even if the schema allows null. Values in maps and lists may be
   * null.
   */
  select(operand: Code, name: string): Code | undefined {
    const { data } = operand;
    if (data?.shape === 'object') return this.property(operand, data, name);
    const field = data?.shape === 'dyn' ? data : data?.shape === 'map' ? data.values : undefined;
    if (field === undefined) return undefined;
    const text = `${this.code.use('jsonEntry')}(${operand.text}, ${quoted(name)})`;
    return { text, type: field.type, cost: operand.cost + 1, fails: true, data: field };
  }

  private property(operand: Code, data: DataType, name: string): Code | undefined {
    const field = data.fields?.get(name);
    if (field === undefined) return undefined;
    const base = { type: field.data.type, cost: operand.cost + 1, fails: true, data: this.present(field.data) };
    if (isInherited(field.property)) {
      const text = `${this.code.use('jsonField')}(${operand.text}, ${quoted(field.property)}, ${quoted(name)})`;
      return { ...base, text };
    }
    return {
      ...base,
      text: `(${optionalProperty(operand.text, field.property)} ?? ${this.code.use('noSuchKey')}(${quoted(name)}))`,
    };
  }

  /** Returns a type without null. */
  private present(data: DataType): DataType {
    if (!data.nullable || data.shape === 'dyn') return data;
    const known = this.presents.get(data) ?? { ...data, nullable: false };
    this.presents.set(data, known);
    return known;
  }

  /** Emits the test whether a field of decoded JSON is present. */
  has(operand: Code, name: string): string | undefined {
    const { data } = operand;
    if (data === undefined) return undefined;
    if (data.shape === 'dyn' || data.shape === 'map')
      return `${this.code.use('hasJsonEntry')}(${operand.text}, ${quoted(name)})`;
    const known = data.fields?.get(name)?.property;
    if (known === undefined) return undefined;
    if (!isInherited(known)) return `(${optionalProperty(operand.text, known)} != null)`;
    return `${this.code.use('hasJsonField')}(${operand.text}, ${quoted(known)})`;
  }
}
