/** The types that programs in TypeScript name. */
import type { Type } from '../check/types.js';

type Kinds = Readonly<Partial<Record<Type['kind'], string>>>;

/** Of values that operators of JavaScript work on. */
export const scalarTypes: Kinds = {
  bool: 'boolean',
  int: 'Int',
  uint: 'Uint',
  double: 'Double',
  string: 'string',
  bytes: 'Uint8Array',
  timestamp: 'Timestamp',
  duration: 'Duration',
};

/** Of lists, by what their items are. */
export const itemTypes: Kinds = Object.fromEntries(
  Object.entries(scalarTypes).map(([kind, name]) => [kind, `readonly ${name}[]`]),
);

/** Those that files have to import. */
export const typeNames: readonly string[] = ['CelValue', 'Data', 'Double', 'Duration', 'Int', 'Timestamp', 'Uint'];
