/** Turns findings about schema keywords into field errors. */
import {
  forbidden,
  invalidValue,
  notSupported,
  required,
  stringList,
  Verbatim,
} from '../../../runtime/objects/field-error.js';
import {
  errorsOf,
  type Finding,
  type KeywordRule,
  keysOf,
  type ListRule,
  listType,
  mapKeys,
  must,
  never,
  type RootRule,
  type SchemaRule,
  statusRootKeywords,
  type TextRule,
  types,
  type Words,
} from '../../../runtime/schema/structural/index.js';
import type { FieldErrors } from '../../shared/field-checks.js';

const one =
  (...values: readonly string[]): Words =>
  ({ value }, field) =>
    notSupported(field, value, values);

const keys =
  (detail: string): Words =>
  ({ node }, field) =>
    invalidValue(field, stringList(keysOf(node.schema)), detail);

const withStatus = 'at the root of the schema if the status subresource is enabled';
const isKey = `this property is in ${mapKeys}, so it`;
const ofKeyed = `if parent array's ${listType} is map`;

const rootWords: Readonly<Record<RootRule, Words>> = {
  'status-root-type': must(`only "object" is allowed as the type ${withStatus}`),
  'status-root-keywords': ({ parts = [] }, field) => {
    const allowed = Object.values(statusRootKeywords).join(' ');
    const source = new Verbatim(`apiextensions.JSONSchemaProps{${parts.join(', ')}}`);
    return invalidValue(field, source, `only [${allowed}] fields are allowed ${withStatus}`);
  },
  'root-nullable': never('nullable cannot be true at the root'),
};

const words: Readonly<Record<KeywordRule | ListRule | TextRule, Words>> = {
  'type-unknown': one(...types),
  'default-in-meta': ({ name }, field) => {
    const place = name === 'map' ? 'inside additionalProperties applying to object metadata' : `in top-level ${name}`;
    return forbidden(field, `must not be set ${place}`);
  },
  'keyword-unsupported': ({ name }, field) => forbidden(field, `${name} is not supported`),
  'type-null': never('type cannot be set to null, use nullable as an alternative'),
  'items-list': never('items must be a schema object and not an array'),
  'embedded-in-meta': never('must not be used inside of resource meta'),
  'unique-items': never('uniqueItems cannot be set to true since the runtime complexity becomes quadratic'),
  'map-with-properties': ({ value: isOpen }, field) =>
    isOpen ? undefined : forbidden(field, 'additionalProperties and properties are mutual exclusive'),
  'keeps-nothing': must('must be true or undefined'),
  'map-type-elsewhere': must('must be object if x-kubernetes-map-type is specified'),
  'map-type-unknown': one('atomic', 'granular'),
  'list-type-elsewhere': must(`must be array if ${listType} is specified`),
  'list-type-unknown': one('atomic', 'set', 'map'),
  'set-item-not-atomic': ({ value }, field) =>
    invalidValue(field, value, `must be atomic as item of a list with ${listType}=set`),
  'keys-elsewhere': must(`must be map if ${mapKeys} is non-empty`),
  'keys-missing': must(`must not be empty if ${listType} is map`),
  'keyed-without-items': ({ value }, field) =>
    value === undefined
      ? required(field, `must have a schema if ${listType} is map`)
      : invalidValue(field, value, `must only have a single schema if ${listType} is map`),
  'keyed-item-type': must(`must be object ${ofKeyed}`),
  // The reference prints the type of the items here.
  'key-not-scalar': (_, field) => invalidValue(field, 'object', `must be a scalar type ${ofKeyed}`),
  'key-unknown': keys('entries must all be names of item properties'),
  'key-twice': keys('must not contain duplicate entries'),
  'items-nullable': ({ value }, field) => forbidden(field, `cannot be nullable when ${listType} is ${value}`),
  'key-optional': must(`${isKey} must have a default or be a required property`),
  'key-nullable': never(`${isKey} cannot be nullable`),
  'rule-empty': must('rule is not specified'),
  'message-empty': ({ value }, field) =>
    value === '' ? undefined : invalidValue(field, value, 'message must be non-empty if specified'),
  'message-line-break': must('message must not contain line breaks'),
  'message-missing': must('message must be specified if rule contains line breaks'),
  'message-expression-empty': must('messageExpression must be non-empty if specified'),
};

/** Reports the keywords of a root schema. */
export const rootErrors = (findings: Iterable<Finding>, path: string): FieldErrors =>
  errorsOf(findings, path, rootWords);

/** Reports the keywords of any schema. */
export const keywordErrors = (findings: readonly Finding[], path: string, ratchets: SchemaRatchets): FieldErrors =>
  errorsOf(
    findings.filter(({ rule }) => isAsked(ratchetOf(rule), ratchets)),
    path,
    words,
  );

const isAsked = (ratchet: Ratchet | undefined, ratchets: SchemaRatchets): boolean =>
  ratchet === undefined || ratchets[ratchet];

type Ratchet = 'requireKnownTypes' | 'requireAtomicSets' | 'requireListKeys';

/** Returns the setting that allows an update to break a rule, if there is one. */
export function ratchetOf(rule: SchemaRule): Ratchet | undefined {
  switch (rule) {
    case 'type-unknown':
      return 'requireKnownTypes';
    case 'set-item-not-atomic':
      return 'requireAtomicSets';
    case 'items-nullable':
    case 'key-optional':
    case 'key-nullable':
      return 'requireListKeys';
    default:
      return undefined;
  }
}

/** Rules that an update may break if the stored definition already breaks them. */
export interface SchemaRatchets {
  /** Types must be known. */
  readonly requireKnownTypes: boolean;
  /** Schemas must be structural. */
  readonly requireStructure: boolean;
  /** Defaults must hold no unknown fields. Computed only if there is a default, because it is expensive. */
  readonly requirePrunedDefaults: () => boolean;
  /** Items of sets must be atomic. */
  readonly requireAtomicSets: boolean;
  /** Keys of lists of type `map` must be required. */
  readonly requireListKeys: boolean;
  /** No single rule may cost too much. A version with an unchanged schema keeps its rules. */
  readonly requireCheapRules: boolean;
}

/** Everything is required, as for a new definition. */
export const allRequired: SchemaRatchets = {
  requireKnownTypes: true,
  requireStructure: true,
  requirePrunedDefaults: () => true,
  requireAtomicSets: true,
  requireListKeys: true,
  requireCheapRules: true,
};
