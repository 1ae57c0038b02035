/** The effect of differences outside the schemas: the table that verdicts follow. */
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { isObject } from '../../../runtime/objects/index.js';
import { plainSchema } from '../compare/plain-schema.js';
import type { Difference } from '../difference.js';
import { breaks, type Definitions, type KeywordRule, type Ruling, safe, warns } from './ruling.js';
import { versionRules } from './version-rules.js';

/** Returns the row of a key of the format. A key without a row affects nobody. */
export function resourceRule(keyword: string): KeywordRule {
  return Object.hasOwn(table, keyword) ? (table[keyword] ?? quiet) : quiet;
}

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
    () => breaks('requests and stored objects get other paths', 'writers', 'readers', 'stored'),
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
  listKind: row(() => breaks('lists have another kind', 'readers', 'wire'), 'keep the kind of lists'),
  singular: row(() => warns('people find the resource by another name', 'readers'), 'add the old name to shortNames'),
  shortNames: row(onlyIfGone(warns('the resource can no longer be found by this name', 'readers')), 'keep the name'),
  categories: row(
    onlyIfGone(warns('the resource can no longer be found by this category', 'readers')),
    'keep the category',
  ),
  verbs: row(({ old, new: is }) => {
    if (is !== undefined) return safe;
    return breaks(`the server answers ${String(old)} with 405`, readingVerbs.has(String(old)) ? 'readers' : 'writers');
  }, 'keep the verb; a new version cannot remove it either, because all versions share the verbs'),
  decoding: row(
    () => warns('the server reports errors and unknown fields in another way', 'writers', 'readers'),
    'keep the kind of the definition',
  ),
  virtual: row(
    ({ new: is }) =>
      breaks(is === true ? 'objects are no longer stored' : 'objects are now stored', 'writers', 'readers', 'stored'),
    'define a resource with another name',
  ),
  withoutMetadata: row(
    () => breaks('objects gain or lose their metadata', 'writers', 'readers'),
    'define a resource with another name',
  ),
  nameRule: row(judgeNameRule, 'accept all names that were valid before; stored objects have them'),
  deleteReturns: row(() => warns('a delete returns another kind', 'readers'), 'keep what a delete returns'),
  createOnUpdate: row(
    ifTurnedOff('an update of a missing object is refused'),
    'keep creating missing objects on update',
  ),
  unconditionalUpdate: row(
    ifTurnedOff('an update without a resourceVersion is refused'),
    'keep accepting such updates',
  ),
  untracked: row(() => warns('other fields have owners than before', 'ownership'), 'keep the fields'),
  featureGate: row(
    ({ new: is }) =>
      is === undefined ? safe : breaks('the resource is served only if the gate is on', 'writers', 'readers'),
    'leave the resource without a gate, or turn the gate on by default',
  ),
  storedAs: row(
    () => breaks('the server looks for stored objects in another place', 'stored'),
    'keep storing objects as before',
  ),
  access: row(
    () => warns('other roles may read or write objects', 'writers', 'readers'),
    'keep the roles, or grant the rights by a role of your own',
  ),
  references: row(judgeReference, ({ old }) =>
    old === undefined
      ? 'make clients write names of existing objects first; stored objects stay as they are'
      : 'keep the reference',
  ),
  unique: row(judgeUnique, ({ old }) =>
    old === undefined ? 'make clients write different values first; stored objects stay as they are' : 'keep the rule',
  ),
  conversionStrategy: row(judgeStrategy, 'keep the webhook while versions have different schemas', '2'),
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
    () => breaks('readers get wrong values from messages of the old definition', 'wire', 'stored'),
    'keep the number and the type; add a new field for another type',
  ),
};

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

/** Returns the effect of a reference: a new one refuses writes, and each kind of deletion has another effect. */
function judgeReference({ old, new: is }: Difference): Ruling {
  if (!isObject(is)) return warns('names of objects that do not exist are accepted', 'readers');
  if (!isObject(old)) {
    const isRefused = is.onDelete === 'refuse';
    return breaks(
      `names of objects that do not exist are refused${isRefused ? ', and deletes of referenced objects' : ''}`,
      'writers',
    );
  }
  if (old.namespaceField !== is.namespaceField) return breaks('names are looked up in other namespaces', 'writers');
  if (is.onDelete === 'refuse') return breaks('deletes of referenced objects are refused', 'writers');
  return warns('the delete of a referenced object has other effects', 'stored');
}

/**
 * Returns the effect of a rule for unique values. The new rule only accepts everything as before if it is the same rule
 * with a smaller scope.
 */
function judgeUnique({ old, new: is }: Difference): Ruling {
  if (!isObject(is)) return warns('several objects may have the same values', 'readers');
  const isNarrower = isObject(old) && old.within === 'cluster' && is.within === 'namespace' && old.when === is.when;
  return isNarrower
    ? warns('objects in several namespaces may have the same values', 'readers')
    : breaks('values that another object already has are refused', 'writers');
}

/**
 * Returns the effect of a removed webhook. Without a webhook, only the name of the version changes, which is safe if
 * all versions have one schema.
 */
function judgeStrategy({ new: is }: Difference, { new: next }: Definitions): Ruling {
  const [first, ...others] = (next?.versions ?? []).map(({ schema }) => plainSchema(schema));
  if (is !== 'None' || first === undefined || others.every((other) => equal(first, other))) return safe;
  return breaks('objects are no longer converted between versions', 'readers', 'stored');
}

function judgeSubresource(difference: Difference, definitions: Definitions): Ruling {
  const { path, old, new: is } = difference;
  if (!isObject(is))
    return breaks('the server answers requests to it with 404', 'writers', ...(path === 'status' ? [] : readers));
  if (!isObject(old)) return path === 'status' ? judgeNewStatus(definitions) : safe;
  const lost = listOf(old.verbs).filter((verb) => !listOf(is.verbs).includes(verb));
  if (lost.length > 0) return breaks(`the server answers ${lost.join(', ')} of it with 405`, 'writers');
  if (!equal(old.scale, is.scale)) return judgeScale(objectOf(old.scale), objectOf(is.scale));
  return warns('requests to it have another effect', 'writers');
}

const readers = ['readers'] as const;

/**
 * Returns the effect of a new status subresource: only it can write the status. A kind without a status is not
 * affected.
 */
function judgeNewStatus({ oldVersion }: Definitions): Ruling {
  const schema = oldVersion?.schema;
  const hadStatus =
    Object.hasOwn(schema?.properties ?? {}, 'status') || schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  return hadStatus ? breaks('the server drops a status that is written with the object', 'writers') : safe;
}

function judgeScale(old: JsonObject, is: JsonObject): Ruling {
  const changed = Object.keys(old).filter((key) => !equal(old[key], is[key]));
  return changed.length === 0
    ? safe
    : breaks('the server reads replicas and selectors from other fields', 'writers', 'readers');
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
