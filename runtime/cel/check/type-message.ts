/** Prints types as release 1.27 shows some of them: as the text of the message that a type is in its protobuf form. */
import { formatType, type SimpleKind, type Type } from './types.js';

const primitives: Partial<Readonly<Record<SimpleKind, string>>> = {
  bool: 'BOOL',
  int: 'INT64',
  uint: 'UINT64',
  double: 'DOUBLE',
  string: 'STRING',
  bytes: 'BYTES',
};

const wellKnown: Partial<Readonly<Record<SimpleKind, string>>> = {
  any: 'ANY',
  timestamp: 'TIMESTAMP',
  duration: 'DURATION',
};

/** A type as the text of its message: `primitive:INT64`, `list_type:{elem_type:{primitive:STRING}}`. */
export function typeMessage(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list_type:{elem_type:{${typeMessage(type.element)}}}`;
    case 'map':
      return `map_type:{key_type:{${typeMessage(type.key)}} value_type:{${typeMessage(type.value)}}}`;
    case 'type':
      return `type:{${type.of === undefined ? '' : typeMessage(type.of)}}`;
    case 'object':
      return `message_type:"${type.name}"`;
    case 'opaque':
      return `abstract_type:{name:"${type.name}"${type.params.map((of) => ` parameter_types:{${typeMessage(of)}}`).join('')}}`;
    case 'wrapper':
      return typeMessage(type.of).replace(/^primitive:/, 'wrapper:');
    case 'param':
      return `type_param:"${type.name}"`;
    case 'null':
      return 'null:NULL_VALUE';
    case 'dyn':
      return 'dyn:{}';
    case 'error':
      return 'error:{}';
    default:
      return simpleMessage(type.kind);
  }
}

function simpleMessage(kind: SimpleKind): string {
  const primitive = primitives[kind];
  if (primitive !== undefined) return `primitive:${primitive}`;
  const known = wellKnown[kind];
  return known === undefined ? formatType({ kind }) : `well_known:${known}`;
}
