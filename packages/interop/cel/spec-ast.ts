/** Converts syntax trees of the engine to trees of the CEL specification, for comparison. */
import {
  type CheckedExpr,
  CheckedExprSchema,
  type Type as SpecType,
  Type_PrimitiveType,
  Type_WellKnownType,
  TypeSchema,
} from '@bufbuild/cel-spec/cel/expr/checked_pb.js';
import { ExprSchema, type Expr as SpecExpr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { Checked } from '../../../runtime/cel/check/references.js';
import type { Type } from '../../../runtime/cel/check/types.js';
import type { Expr, Literal } from '../../../runtime/cel/syntax/ast.js';

type ExprInit = MessageInitShape<typeof ExprSchema>;

export function toSpec(expr: Expr, checked?: Checked): { expr: SpecExpr; checkedExpr: CheckedExpr } {
  const typeMap: Record<string, MessageInitShape<typeof TypeSchema>> = {};
  const referenceMap: Record<string, { name: string; overloadId: string[] }> = {};
  let count = 0n;
  const node = (one: Expr): ExprInit => {
    const id = ++count;
    const type = checked?.types.get(one);
    if (type !== undefined) typeMap[String(id)] = specType(type);
    const reference = checked?.references.get(one);
    if (reference !== undefined) {
      const overloadId = reference.kind === 'function' ? reference.overloads.map(({ id: name }) => name) : [];
      referenceMap[String(id)] = { name: reference.kind === 'function' ? '' : reference.name, overloadId };
    }
    const name = reference !== undefined && reference.kind !== 'local' ? reference.name : undefined;
    return { id, exprKind: kindOf(one, name, reference?.kind === 'function' && reference.namespaced) };
  };
  const kindOf = (one: Expr, name: string | undefined, namespaced: boolean): ExprInit['exprKind'] => {
    switch (one.kind) {
      case 'constant':
        return { case: 'constExpr', value: { constantKind: literal(one.literal) } };
      case 'ident':
        return { case: 'identExpr', value: { name: name ?? one.name } };
      case 'select':
        if (name !== undefined) return { case: 'identExpr', value: { name } };
        return { case: 'selectExpr', value: { operand: node(one.operand), field: one.field, testOnly: one.test } };
      case 'call': {
        const target = one.target === undefined || namespaced ? {} : { target: node(one.target) };
        return { case: 'callExpr', value: { function: name ?? one.name, ...target, args: one.args.map(node) } };
      }
      case 'list':
        return { case: 'listExpr', value: { elements: one.items.map(node), optionalIndices: [...one.optional] } };
      case 'map':
        return {
          case: 'structExpr',
          value: {
            entries: one.entries.map(({ key, value, optional }) => ({
              id: ++count,
              keyKind: { case: 'mapKey', value: node(key) },
              value: node(value),
              optionalEntry: optional,
            })),
          },
        };
      case 'message':
        return {
          case: 'structExpr',
          value: {
            messageName: name ?? one.name,
            entries: one.fields.map(({ name: field, value, optional }) => ({
              id: ++count,
              keyKind: { case: 'fieldKey', value: field },
              value: node(value),
              optionalEntry: optional,
            })),
          },
        };
      case 'comprehension':
        return {
          case: 'comprehensionExpr',
          value: {
            iterVar: one.variable,
            iterVar2: one.second ?? '',
            iterRange: node(one.range),
            accuVar: one.accumulator,
            accuInit: node(one.init),
            loopCondition: node(one.condition),
            loopStep: node(one.step),
            result: node(one.result),
          },
        };
    }
  };
  const made = create(ExprSchema, node(expr));
  return { expr: made, checkedExpr: create(CheckedExprSchema, { expr: made, typeMap, referenceMap }) };
}

function literal(value: Literal) {
  switch (value.type) {
    case 'null':
      return { case: 'nullValue', value: 0 } as const;
    case 'bool':
      return { case: 'boolValue', value: value.value } as const;
    case 'int':
      return { case: 'int64Value', value: value.value } as const;
    case 'uint':
      return { case: 'uint64Value', value: value.value } as const;
    case 'double':
      return { case: 'doubleValue', value: value.value } as const;
    case 'string':
      return { case: 'stringValue', value: value.value } as const;
    case 'bytes':
      return { case: 'bytesValue', value: Uint8Array.from(value.value) } as const;
  }
}

const primitives = {
  bool: Type_PrimitiveType.BOOL,
  int: Type_PrimitiveType.INT64,
  uint: Type_PrimitiveType.UINT64,
  double: Type_PrimitiveType.DOUBLE,
  string: Type_PrimitiveType.STRING,
  bytes: Type_PrimitiveType.BYTES,
} as const;

const wellKnown = {
  timestamp: Type_WellKnownType.TIMESTAMP,
  duration: Type_WellKnownType.DURATION,
  any: Type_WellKnownType.ANY,
} as const;

export function specType(type: Type): SpecType {
  return create(TypeSchema, { typeKind: typeKind(type) });
}

function typeKind(type: Type): MessageInitShape<typeof TypeSchema>['typeKind'] {
  switch (type.kind) {
    case 'dyn':
      return { case: 'dyn', value: {} };
    case 'error':
      return { case: 'error', value: {} };
    case 'null':
      return { case: 'null', value: 0 };
    case 'timestamp':
    case 'duration':
    case 'any':
      return { case: 'wellKnown', value: wellKnown[type.kind] };
    case 'list':
      return { case: 'listType', value: { elemType: specType(type.element) } };
    case 'map':
      return { case: 'mapType', value: { keyType: specType(type.key), valueType: specType(type.value) } };
    case 'type':
      return { case: 'type', value: type.of === undefined ? create(TypeSchema) : specType(type.of) };
    case 'object':
      return { case: 'messageType', value: type.name };
    case 'opaque':
      return { case: 'abstractType', value: { name: type.name, parameterTypes: type.params.map(specType) } };
    case 'wrapper':
      return { case: 'wrapper', value: primitiveOf(type.of) };
    case 'param':
      return { case: 'typeParam', value: type.name };
    case 'none':
      throw new Error('the suite knows no such type');
    default:
      return { case: 'primitive', value: primitives[type.kind] };
  }
}

function primitiveOf({ kind }: Type): Type_PrimitiveType {
  return (
    Object.entries(primitives).find(([name]) => name === kind)?.[1] ?? Type_PrimitiveType.PRIMITIVE_TYPE_UNSPECIFIED
  );
}
