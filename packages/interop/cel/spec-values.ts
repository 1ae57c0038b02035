/** Converts values and types of the CEL conformance cases to values and types of the engine. */
import type { Type as SpecType } from '@bufbuild/cel-spec/cel/expr/checked_pb.js';
import { Type_PrimitiveType, Type_WellKnownType } from '@bufbuild/cel-spec/cel/expr/checked_pb.js';
import type { Value } from '@bufbuild/cel-spec/cel/expr/value_pb.js';
import { getTestRegistry } from '@bufbuild/cel-spec/testdata/registry.js';
import { isMessage } from '@bufbuild/protobuf';
import { anyUnpack, DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { Type } from '../../../runtime/cel/check/types.js';
import * as types from '../../../runtime/cel/check/types.js';
import { toInt } from '../../../runtime/cel/values/int.js';
import { EntryMap } from '../../../runtime/cel/values/maps.js';
import { type CelValue, Double, Duration, Timestamp, TypeValue, Uint } from '../../../runtime/cel/values/value.js';

/** Thrown if a case needs a feature that the engine does not have, such as protobuf messages. */
export class NotApplicable extends Error {}

export function toValue(value: Value): CelValue {
  const { kind } = value;
  switch (kind.case) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'stringValue':
    case 'bytesValue':
      return kind.value;
    case 'int64Value':
      return toInt(kind.value);
    case 'uint64Value':
      return new Uint(kind.value);
    case 'doubleValue':
      return new Double(kind.value);
    case 'typeValue':
      return new TypeValue(kind.value);
    case 'listValue':
      return kind.value.values.map(toValue);
    case 'mapValue': {
      const map = new EntryMap();
      for (const { key, value: item } of kind.value.entries)
        if (key !== undefined && item !== undefined) map.insert(toValue(key), toValue(item));
      return map;
    }
    case 'objectValue': {
      const message = anyUnpack(kind.value, getTestRegistry());
      if (isMessage(message, TimestampSchema))
        return new Timestamp(message.seconds * 1_000_000_000n + BigInt(message.nanos));
      if (isMessage(message, DurationSchema))
        return new Duration(message.seconds * 1_000_000_000n + BigInt(message.nanos));
      throw new NotApplicable(`a value of ${kind.value.typeUrl}`);
    }
    default:
      throw new NotApplicable(`a value of kind ${kind.case}`);
  }
}

const primitives: Readonly<Partial<Record<Type_PrimitiveType, Type>>> = {
  [Type_PrimitiveType.BOOL]: types.bool,
  [Type_PrimitiveType.INT64]: types.int,
  [Type_PrimitiveType.UINT64]: types.uint,
  [Type_PrimitiveType.DOUBLE]: types.double,
  [Type_PrimitiveType.STRING]: types.string,
  [Type_PrimitiveType.BYTES]: types.bytes,
};

const wellKnown: Readonly<Partial<Record<Type_WellKnownType, Type>>> = {
  [Type_WellKnownType.DURATION]: types.duration,
  [Type_WellKnownType.TIMESTAMP]: types.timestamp,
  [Type_WellKnownType.ANY]: { kind: 'any' },
};

export function toType(type: SpecType | undefined): Type {
  const kind = type?.typeKind;
  switch (kind?.case) {
    case 'dyn':
      return types.dyn;
    case 'null':
      return types.nullType;
    case 'primitive':
      return primitives[kind.value] ?? types.dyn;
    case 'wellKnown':
      return wellKnown[kind.value] ?? types.dyn;
    case 'wrapper':
      return { kind: 'wrapper', of: primitives[kind.value] ?? types.dyn };
    case 'listType':
      return types.list(toType(kind.value.elemType));
    case 'mapType':
      return types.map(toType(kind.value.keyType), toType(kind.value.valueType));
    case 'type':
      return types.typeOf(toType(kind.value));
    case 'typeParam':
      return types.param(kind.value);
    case 'abstractType':
      return types.opaque(kind.value.name, ...kind.value.parameterTypes.map(toType));
    case 'messageType':
      throw new NotApplicable(`a variable of message type ${kind.value}`);
    default:
      return types.dyn;
  }
}
