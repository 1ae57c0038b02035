/** Selects entries by a label selector and a field selector. */
import type { Condition, EntryFilter, FieldReader, Key } from '../contract/index.js';
import { compileFields, exactValue, type FieldSelector, type FieldTerm } from '../objects/selectors/field-selectors.js';
import type { LabelRequirement, LabelSelector } from '../objects/selectors/labels.js';

/** A compiled selection. */
export interface Selection extends EntryFilter {
  /** Whether it selects everything, so that callers need not check entries. */
  readonly everything: boolean;
  /** Whether it needs more than the name and the namespace, which are in the key. */
  readonly readsAttributes: boolean;
  /** The only name that can match, if the field selector says so. */
  readonly name?: string;
  /** The only namespace that can match, if the field selector says so. */
  readonly namespace?: string;
}

export const matchEverything: Selection = {
  everything: true,
  readsAttributes: false,
  conditions: [],
  matches: () => true,
};

/** Combines both selectors. `fieldsOf` reads fields that entries do not keep. */
export function selectionOf(labels: LabelSelector, fields: FieldSelector, fieldsOf?: FieldReader): Selection {
  const tests = fields.terms.filter(isSaidByKey).map(keyTest);
  const others = compileFields(fields.terms.filter((term) => !isSaidByKey(term)));
  return {
    everything: labels.everything && fields.everything,
    readsAttributes: !labels.everything || !others.everything,
    name: exactValue(fields, 'metadata.name'),
    namespace: exactValue(fields, 'metadata.namespace'),
    conditions: [
      ...labels.requirements.flatMap(labelCondition),
      ...others.terms.flatMap((term) => fieldCondition(term, fieldsOf)),
    ],
    matches: (entry) =>
      tests.every((test) => test(entry.key)) &&
      (labels.everything || labels.matches(entry.attributes.labels)) &&
      (others.everything || others.matches(fieldsOf ? fieldsOf(entry) : entry.attributes.fields)),
  };
}

/** Narrows a selection to objects of one name. */
export const onlyNamed = (selection: Selection, name: string): Selection => ({
  ...selection,
  everything: false,
  name,
  matches: (entry) => nameOf(entry.key) === name && selection.matches(entry),
});

/**
 * Returns whether a field is the name or the namespace. These are in the key of an object, so its attributes do not
 * have them.
 */
const isSaidByKey = ({ field }: FieldTerm): boolean => field === 'metadata.name' || field === 'metadata.namespace';

function keyTest({ field, operator, value }: FieldTerm): (key: Key) => boolean {
  const read = field === 'metadata.name' ? nameOf : namespaceOf;
  return (key) => (read(key) === value) === (operator === '=');
}

const nameOf = (key: Key): string => key.slice(key.lastIndexOf('/') + 1);

/** Returns the namespace in a key; empty for cluster-scoped objects. */
function namespaceOf(key: Key): string {
  const start = key.indexOf('/', key.indexOf('/') + 1) + 1;
  return key.slice(start, Math.max(start, key.lastIndexOf('/')));
}

/** Returns the conditions on a label for a requirement to match; none if the label may be absent. */
function labelCondition({ key, operator, values }: LabelRequirement): Condition[] {
  switch (operator) {
    case 'Equals':
    case 'In':
      return [{ of: 'labels', key, values }];
    case 'Exists':
    case 'Gt':
    case 'Lt':
      return [{ of: 'labels', key }];
    case 'NotEquals':
    case 'NotIn':
    case 'DoesNotExist':
      return [];
  }
}

const fieldCondition = ({ field, operator, value }: FieldTerm, read?: FieldReader): Condition[] =>
  operator === '=' ? [{ of: 'fields', key: field, values: [value], ...(read ? { read } : {}) }] : [];
