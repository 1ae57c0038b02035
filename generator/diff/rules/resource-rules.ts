/** The effect of differences outside the schemas: the table that verdicts follow. */
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { isObject } from '../../../runtime/objects/index.js';
import { plainSchema } from '../compare/plain-schema.js';
import type { Difference } from '../difference.js';
import { breaks, type Definitions, type KeywordRule, type Ruling, safe, warns } from './ruling.js';
import { versionRules } from './version-rules.js';

const never = (): boolean => false;

const row = (
  judge: KeywordRule['judge'],
  advice: KeywordRule['advice'],
  rule: KeywordRule['rule'] = '1',
): KeywordRule => ({
  rule,
  isTried: never,
  judge,
  advice,
});

const quiet: KeywordRule = row(() => safe, '');

const onlyIfGone =
  (ruling: Ruling): KeywordRule['judge'] =>
  (difference) =>
    difference.new === undefined ? ruling : safe;

const ifTurnedOff =
  (why: string): KeywordRule['judge'] =>
  ({ new: is }) =>
    is === false ? breaks(why, 'writers') : safe;

const readingVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

const table: Readonly<Record<string, KeywordRule>> = {
  ...versionRules,
  scope: row(
    () => breaks('requests and stored objects have other addresses', 'writers', 'readers', 'stored'),
    'keep the scope; define a resource with another name for the other scope, and move objects to it',
  ),
  kind: row(
    () =>
      breaks(
        'objects of the old kind are refused, and clients read objects of another kind',
        'writers',
        'readers',
        'stored',
        'wire',
      ),
    'keep the kind; define a resource with another name, and move objects to it',
  ),
  listKind: row(() => breaks('lists are of another kind', 'readers', 'wire'), 'keep the kind of lists'),
  singular: row(
    () => warns('people find the resource by another name', 'readers'),
    'keep the old name among shortNames',
  ),
  shortNames: row(onlyIfGone(warns('the resource can no longer be found by this name', 'readers')), 'keep the name'),
  categories: row(
    onlyIfGone(warns('the resource can no longer be found by this category', 'readers')),
    'keep the category',
  ),
  verbs: row(({ old, new: is }) => {
    if (is !== undefined) return safe;
    return breaks(`${String(old)} is answered with 405`, readingVerbs.has(String(old)) ? 'readers' : 'writers');
  }, "keep the verb; a new version cannot take it away either, as verbs are the resource's"),
  decoding: row(
    () => warns('errors and unknown fields are reported in another way', 'writers', 'readers'),
    'keep the kind of the definition',
  ),
  virtual: row(
    ({ new: is }) =>
      breaks(is === true ? 'nothing is stored any more' : 'objects are stored', 'writers', 'readers', 'stored'),
    'define a resource with another name',
  ),
  withoutMetadata: row(
    () => breaks('objects gain or lose their metadata', 'writers', 'readers'),
    'define a resource with another name',
  ),
  nameRule: row(judgeNameRule, 'let all names that were valid stay so; stored objects have them'),
  deleteReturns: row(() => warns('a deletion is answered with another kind', 'readers'), 'keep the answer'),
  createOnUpdate: row(ifTurnedOff('an update of what is not there is refused'), 'keep creating on update'),
  unconditionalUpdate: row(ifTurnedOff('an update without a resourceVersion is refused'), 'keep such updates'),
  untracked: row(() => warns('different fields have owners', 'ownership'), 'keep the fields'),
  featureGate: row(
    ({ new: is }) =>
      is === undefined ? safe : breaks('the resource is served only where the gate is on', 'writers', 'readers'),
    'leave the resource without a gate, or turn the gate on by default',
  ),
  storedAs: row(() => breaks('stored objects are looked for elsewhere', 'stored'), 'keep where objects are stored'),
  access: row(
    () => warns('other roles may read or write objects', 'writers', 'readers'),
    'keep the roles, or grant the rights by a role of your own',
  ),
  references: row(judgeReference, ({ old }) =>
    old === undefined ? 'write names that exist first; stored objects keep what they have' : 'keep the reference',
  ),
  unique: row(judgeUnique, ({ old }) =>
    old === undefined ? 'write different values first; stored objects keep what they have' : 'keep the rule',
  ),
  conversionStrategy: row(judgeStrategy, 'keep the webhook as long as versions differ', '2'),
  conversion: row(
    () => warns('objects are converted differently', 'readers', 'stored'),
    'keep every field through the round trip; run kindforge check',
    '2',
  ),
  subresources: row(judgeSubresource, 'keep the subresource as it is'),
  additionalPrinterColumns: row(
    onlyChanged(warns('tables have another column', 'readers')),
    'keep the column; people and scripts read tables',
  ),
  selectableFields: row(
    onlyIfGone(breaks('selectors with this field are refused', 'readers')),
    'keep the field selectable',
  ),
  protobuf: row(
    () => breaks('messages of the old definition are read wrong', 'wire', 'stored'),
    'keep the number and the type; give what has another type a new field',
  ),
};

/** Returns the row of a key of the format. A key without a row affects nobody. */
export function resourceRule(keyword: string): KeywordRule {
  return Object.hasOwn(table, keyword) ? (table[keyword] ?? quiet) : quiet;
}

/** The keys that have a row. */
export const ruledKeys: readonly string[] = Object.keys(table);

function onlyChanged(ruling: Ruling): KeywordRule['judge'] {
  return ({ old }) => (old === undefined ? safe : ruling);
}

/**
 * Returns the effect of another rule for names. Does not try names: any other format or shorter length counts as
 * narrower.
 */
function judgeNameRule({ old, new: is }: Difference): Ruling {
  if (!isObject(old) || !isObject(is)) return safe;
  const isShorter = Number(is.maxLength ?? 253) < Number(old.maxLength ?? 253);
  const isOther = is.format !== old.format && is.format !== 'any';
  return isShorter || isOther ? breaks('names that were valid are refused', 'writers', 'stored') : safe;
}

/** Returns the effect of a reference: a new one refuses writes, and each kind of deletion does something else. */
function judgeReference({ old, new: is }: Difference): Ruling {
  if (!isObject(is)) return warns('names of objects that do not exist are accepted', 'readers');
  if (!isObject(old)) {
    const isRefused = is.onDelete === 'refuse';
    return breaks(
      `names of objects that do not exist are refused${isRefused ? ', and deletes of objects that are named' : ''}`,
      'writers',
    );
  }
  if (old.namespaceField !== is.namespaceField) return breaks('names are looked up in other namespaces', 'writers');
  if (is.onDelete === 'refuse') return breaks('deletes of objects that are named are refused', 'writers');
  return warns('the delete of a named object has other effects', 'stored');
}

/** Returns the effect of a rule for unique values. Only the same rule in fewer places accepts all that it did. */
function judgeUnique({ old, new: is }: Difference): Ruling {
  if (!isObject(is)) return warns('several objects may have the same values', 'readers');
  const isNarrower = isObject(old) && old.within === 'cluster' && is.within === 'namespace' && old.when === is.when;
  return isNarrower
    ? warns('objects in several namespaces may have the same values', 'readers')
    : breaks('values that another object has are refused', 'writers');
}

/**
 * Returns the effect of a removed webhook. Without one, versions are only renamed, which is safe if they have one
 * schema.
 */
function judgeStrategy({ new: is }: Difference, { new: next }: Definitions): Ruling {
  const [first, ...others] = (next?.versions ?? []).map(({ schema }) => plainSchema(schema));
  if (is !== 'None' || first === undefined || others.every((other) => equal(first, other))) return safe;
  return breaks('objects are no longer converted between versions', 'readers', 'stored');
}

function judgeSubresource(difference: Difference, definitions: Definitions): Ruling {
  const { path, old, new: is } = difference;
  if (!isObject(is))
    return breaks('requests to it are answered with 404', 'writers', ...(path === 'status' ? [] : readers));
  if (!isObject(old)) return path === 'status' ? judgeNewStatus(definitions) : safe;
  const lost = listOf(old.verbs).filter((verb) => !listOf(is.verbs).includes(verb));
  if (lost.length > 0) return breaks(`${lost.join(', ')} of it is answered with 405`, 'writers');
  if (!equal(old.scale, is.scale)) return judgeScale(objectOf(old.scale), objectOf(is.scale));
  return warns('requests to it do something else', 'writers');
}

const readers = ['readers'] as const;

/**
 * Returns the effect of a status subresource: status can only be written through it. A kind without a status is not
 * affected.
 */
function judgeNewStatus({ oldVersion }: Definitions): Ruling {
  const schema = oldVersion?.schema;
  const hadStatus =
    Object.hasOwn(schema?.properties ?? {}, 'status') || schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  return hadStatus ? breaks('a status that is written with the object is dropped', 'writers') : safe;
}

function judgeScale(old: JsonObject, is: JsonObject): Ruling {
  const changed = Object.keys(old).filter((key) => !equal(old[key], is[key]));
  return changed.length === 0 ? safe : breaks('counts and selectors are looked for elsewhere', 'writers', 'readers');
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
