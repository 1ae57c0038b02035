/** The effect of each keyword of a schema: the table that verdicts follow. */
import type { JsonValue, Schema } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { getOwn, isObject } from '../../../runtime/objects/index.js';
import { jsonText } from '../compare/plain-schema.js';
import type { Difference } from '../difference.js';
import { breaks, type Definitions, type KeywordRule, nodeAt, nodesTo, type Ruling, safe, warns } from './ruling.js';

const always = (): boolean => true;
const never = (): boolean => false;

/** Returns the advice for bounds that were narrowed. */
const widen = ({ keyword, old, version }: Difference): string =>
  old === true
    ? `keep \`${keyword}: true\`; a new version may leave it out, with a conversion`
    : old === undefined
      ? `leave \`${keyword}\` out of ${version}, or add it in a new version, with a conversion`
      : `keep \`${keyword}: ${short(old)}\` or widen it; a new version may be narrower, with a conversion`;

/** Prints values for a sentence. Cuts long ones. */
export const short = (value: JsonValue): string => {
  const text = jsonText(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};

/** Makes the rule of a keyword with effects that only objects show. */
const tried: KeywordRule = { rule: '1', isTried: always, judge: () => safe, advice: widen };

/** Makes the rule of a keyword that no object shows. */
const unseen: KeywordRule = { rule: '1', isTried: never, judge: () => safe, advice: '' };

const table: Readonly<Record<string, KeywordRule>> = {
  type: {
    ...tried,
    judge: judgeType,
    advice: ({ old }) =>
      `keep the type ${String(old)}; add a new field for the new type, or a new version with a conversion`,
  },
  properties: {
    ...tried,
    also: ({ old }) => (old === undefined ? [] : ['readers']),
    advice: ({ old }) =>
      old === undefined
        ? 'give the new field a name that no stored object has, or let it take any value'
        : 'keep the field, and deprecate it in its description; a new version may leave it out, with a conversion',
  },
  required: {
    ...tried,
    judge: judgeRequired,
    advice: ({ new: is }) =>
      is === true ? 'leave the field optional, or give it a default' : 'keep the field required, or give it a default',
  },
  enum: {
    ...tried,
    judge: judgeEnum,
    advice: ({ old }) =>
      old === undefined
        ? 'leave `enum` out, or add it in a new version, with a conversion'
        : 'keep all values; a new version may remove some, with a conversion. Announce new values to readers',
  },
  // A null that was dropped before and is kept now is what its writer wanted.
  nullable: { ...tried, isTried: ({ new: is }) => is !== true, judge: judgeNullable },
  default: {
    ...tried,
    judge: judgeDefault,
    advice: ({ old }) =>
      old === undefined
        ? 'leave the field without a default here, and give it one in a new version'
        : `keep \`default: ${short(old)}\`; a new version may have another, with a conversion`,
  },
  format: { ...tried, judge: judgeFormat },
  'x-kubernetes-validations': {
    ...tried,
    isTried: ({ old, new: is }) => is !== undefined && !isSameRule(old, is),
    advice:
      'make the rule accept all that was valid before, such as unchanged values; or add it in a new version, with a conversion',
  },
  'x-kubernetes-list-type': {
    ...tried,
    judge: judgeOwnership,
    advice: ({ old }) =>
      `keep \`x-kubernetes-list-type: ${String(old ?? 'atomic')}\`, or add a field or a version with the other type`,
  },
  'x-kubernetes-list-map-keys': {
    ...tried,
    judge: judgeMapKeys,
    advice: 'keep the keys, or add a field or a version with other keys',
  },
  'x-kubernetes-map-type': {
    ...unseen,
    judge: judgeOwnership,
    advice: ({ old }) =>
      `keep \`x-kubernetes-map-type: ${String(old ?? 'granular')}\`, or add a field or a version with the other type`,
  },
  'x-kubernetes-patch-strategy': {
    ...unseen,
    judge: () => breaks('strategic merge patches have another effect', 'writers', 'ownership'),
    advice: 'keep the patch strategy',
  },
  'x-kubernetes-patch-merge-key': {
    ...unseen,
    judge: () => breaks('strategic merge patches have another effect', 'writers', 'ownership'),
    advice: 'keep the merge key',
  },
  'x-kindforge-feature-gate': {
    ...unseen,
    judge: ({ new: is }) => (is === undefined ? safe : breaks('the field is dropped if the gate is off', 'writers')),
    advice: 'leave the field without a gate, or turn the gate on by default',
  },
  'x-kindforge-report-as': unseen,
};

/** Returns the row of a keyword of a schema. */
export function schemaRule(keyword: string): KeywordRule {
  return Object.hasOwn(table, keyword) ? (table[keyword] ?? tried) : tried;
}

/** The keywords that have a row of their own. */
export const ruledKeywords: readonly string[] = Object.keys(table);

/** Types with values that another type accepts, too. */
const wider: Readonly<Record<string, readonly string[]>> = {
  integer: ['number', 'int-or-string', 'any'],
  number: ['any'],
  string: ['int-or-string', 'any'],
  'int-or-string': ['any'],
  boolean: ['any'],
  object: ['any'],
  array: ['any'],
};

function judgeType({ old, new: is }: Difference): Ruling {
  const isNarrower = (wider[String(is)] ?? []).includes(String(old));
  return isNarrower ? safe : warns(`readers may get ${word(is)} instead of ${word(old)}`, 'readers');
}

const word = (type: JsonValue | undefined): string =>
  type === 'any' ? 'any value' : `${/^[aeio]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`;

function judgeRequired({ old, node = [], property = '' }: Difference, { newVersion }: Definitions): Ruling {
  const field = nodeAt(newVersion?.schema, [...node, 'properties', property]);
  if (old !== true || field?.default !== undefined) return safe;
  return warns('readers may miss a field that was always present', 'readers');
}

function judgeEnum({ old, new: is }: Difference): Ruling {
  if (!Array.isArray(old)) return safe;
  if (!Array.isArray(is)) return warns('readers may get any value', 'readers');
  const fresh = is.filter((value) => !old.some((known) => equal(known, value)));
  return fresh.length === 0 ? safe : warns(`readers may get ${fresh.map(short).join(', ')}`, 'readers');
}

function judgeNullable({ new: is }: Difference): Ruling {
  return is === true ? warns('readers may get null', 'readers') : safe;
}

function judgeDefault({ new: is, node = [] }: Difference, { newVersion }: Definitions): Ruling {
  if (is !== undefined || isRequired(newVersion?.schema, node)) return safe;
  return warns('readers may miss a field that was always present', 'readers');
}

/** Returns whether the field of a node is required by its object. */
function isRequired(schema: Schema | undefined, node: readonly string[]): boolean {
  const name = node.at(-1) ?? '';
  return node.at(-2) === 'properties' && (nodeAt(schema, node.slice(0, -2))?.required ?? []).includes(name);
}

/** Values that fit a number type beyond each format. */
const narrow: Readonly<Record<string, string>> = {
  int32: 'integers beyond 32 bits',
  float: 'numbers of double precision',
};

function judgeFormat({ old }: Difference): Ruling {
  const beyond = typeof old === 'string' ? narrow[old] : undefined;
  return beyond === undefined ? safe : warns(`readers may get ${beyond}`, 'readers');
}

/** Returns whether two rules require the same. Ignores their messages. */
function isSameRule(old: JsonValue | undefined, is: JsonValue): boolean {
  if (!isObject(old) || !isObject(is)) return false;
  return ['rule', 'optionalOldSelf'].every((key) => equal(getOwn(old, key), getOwn(is, key)));
}

/** Returns no effect for fields below a field that is owned as a whole, because they have no owners of their own. */
function judgeOwnership({ node = [] }: Difference, { oldVersion, newVersion }: Definitions): Ruling {
  const isHidden = [oldVersion, newVersion].every((version) =>
    nodesTo(version?.schema, node).slice(0, -1).some(isAtomic),
  );
  return isHidden ? safe : breaks('fields get other owners, or none', 'ownership');
}

function isAtomic(schema: Schema): boolean {
  if (schema.type === 'array') return !['set', 'map'].includes(schema['x-kubernetes-list-type'] ?? 'atomic');
  return schema['x-kubernetes-map-type'] === 'atomic';
}

/** Returns the effect of other keys, if the list has keys before and after; otherwise its type decides. */
function judgeMapKeys(difference: Difference, definitions: Definitions): Ruling {
  const { node = [] } = difference;
  const { oldVersion, newVersion } = definitions;
  const isMap = [oldVersion, newVersion].every(
    (version) => nodeAt(version?.schema, node)?.['x-kubernetes-list-type'] === 'map',
  );
  return isMap ? judgeOwnership(difference, definitions) : safe;
}
