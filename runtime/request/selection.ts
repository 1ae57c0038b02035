/** The entries that a label and a field selector let through. */
import type { Attributes, Condition, Entry, EntryFilter, Key } from '../contract/index.js';
import { compileFields, exactValue, type FieldSelector, type FieldTerm } from '../objects/selectors/field-selectors.js';
import type { LabelRequirement, LabelSelector } from '../objects/selectors/labels.js';

/** A compiled selection. */
export interface Selection extends EntryFilter {
  /** Whether it lets everything through, so that nobody needs to ask. */
  readonly everything: boolean;
  /** Whether it asks for more than names and namespaces, which keys say. */
  readonly readsAttributes: boolean;
  /** The one name that can match, where the field selector says so. */
  readonly name?: string;
  /** The one namespace that can match, where the field selector says so. */
  readonly namespace?: string;
}

export const matchEverything: Selection = {
  everything: true,
  readsAttributes: false,
  conditions: [],
  matches: () => true,
};

/** Combines both selectors. `fieldsOf` reads what entries do not keep; nothing is looked up by fields then. */
export function selectionOf(
  labels: LabelSelector,
  fields: FieldSelector,
  fieldsOf?: (entry: Entry) => Attributes['fields'],
): Selection {
  const tests = fields.terms.filter(isSaidByKey).map(keyTest);
  const others = compileFields(fields.terms.filter((term) => !isSaidByKey(term)));
  return {
    everything: labels.everything && fields.everything,
    readsAttributes: !labels.everything || !others.everything,
    name: exactValue(fields, 'metadata.name'),
    namespace: exactValue(fields, 'metadata.namespace'),
    conditions: [
      ...labels.requirements.flatMap(labelCondition),
      ...(fieldsOf ? [] : others.terms.flatMap(fieldCondition)),
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

/** Name and namespace need not be kept with an object: its key says both. */
const isSaidByKey = ({ field }: FieldTerm): boolean => field === 'metadata.name' || field === 'metadata.namespace';

function keyTest({ field, operator, value }: FieldTerm): (key: Key) => boolean {
  const read = field === 'metadata.name' ? nameOf : namespaceOf;
  return (key) => (read(key) === value) === (operator === '=');
}

const nameOf = (key: Key): string => key.slice(key.lastIndexOf('/') + 1);

/** Empty for cluster-scoped objects, whose name follows the resource directly. */
function namespaceOf(key: Key): string {
  const start = key.indexOf('/', key.indexOf('/') + 1) + 1;
  return key.slice(start, Math.max(start, key.lastIndexOf('/')));
}

/** The conditions on a label for a requirement to hold; none where the label may be absent. */
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

const fieldCondition = ({ field, operator, value }: FieldTerm): Condition[] =>
  operator === '=' ? [{ of: 'fields', key: field, values: [value] }] : [];
