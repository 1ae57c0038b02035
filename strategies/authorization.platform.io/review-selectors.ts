/** Selectors in access reviews: which are refused, and what authorizers get of the others. */
import type { FieldSelectorAttributes, LabelSelectorAttributes } from '../../generated/types/authorization/v1/types.js';
import type { LabelSelectorRequirement } from '../../generated/types/meta/v1/types.js';
import type { Draft, FieldError, SelectorRequirement } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, required } from '../../runtime/objects/field-error.js';
import { expressionErrors } from '../../runtime/objects/selectors/labels.js';
import { fieldRequirements, labelRequirements, type Selectors } from '../../runtime/objects/selectors/requirements.js';

/** The part of a review that has selectors. */
export interface ReviewSelectors {
  readonly fieldSelector?: Draft<FieldSelectorAttributes> | null;
  readonly labelSelector?: Draft<LabelSelectorAttributes> | null;
}

/** A requirement as it was sent; the ones on fields and on labels have the same form. */
type Sent = Draft<LabelSelectorRequirement>;

/** Checks the selectors of a review. Accepts unknown operators, which a newer client may know. */
export function selectorErrors({ fieldSelector, labelSelector }: ReviewSelectors): readonly FieldError[] {
  return [
    ...formErrors(fieldSelector, `${at}.fieldSelector`, fieldErrors),
    ...formErrors(labelSelector, `${at}.labelSelector`, ({ key = '', operator = '', values = [] }, path) =>
      expressionErrors({ key, operator, values }, path, true),
    ),
  ];
}

const at = 'spec.resourceAttributes';

/** A selector is a text or requirements, not both. */
function formErrors(
  selector: ReviewSelectors['fieldSelector' | 'labelSelector'],
  path: string,
  errorsOf: (requirement: Sent, path: string) => readonly FieldError[],
): readonly FieldError[] {
  if (!selector) return [];
  const { rawSelector: text = '', requirements = [] } = selector;
  const errors: FieldError[] = [];
  if (text !== '' && requirements.length > 0) {
    errors.push(invalidValue(`${path}.rawSelector`, text, 'may not specified at the same time as requirements'));
  }
  if (text === '' && requirements.length === 0) {
    const why = `when ${path} is specified, requirements or rawSelector is required`;
    errors.push(required(`${path}.requirements`, why));
  }
  return [...errors, ...requirements.flatMap((one, i) => errorsOf(one, `${path}.requirements[${i}]`))];
}

/** A requirement names a field, and has values as its operator wants them. Any text may name a field. */
function fieldErrors({ key = '', operator = '', values = [] }: Sent, path: string): readonly FieldError[] {
  const errors = key === '' ? [required(`${path}.key`, 'must be specified')] : [];
  const takesValues = operator === 'In' || operator === 'NotIn';
  if (takesValues && values.length === 0) {
    errors.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  } else if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) {
    errors.push(forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  }
  return errors;
}

/** Selectors for the authorizer, and which of them it does not get in full. */
interface ReadSelectors {
  readonly selectors: Selectors;
  readonly problems: readonly string[];
}

/** Reads the selectors of a review. Leaves out parts that cannot be read, so the question becomes wider. */
export function readReviewSelectors({ fieldSelector, labelSelector }: ReviewSelectors): ReadSelectors {
  const fields = readSelector(fieldSelector, fieldRequirements, fieldRequirement);
  const labels = readSelector(labelSelector, labelRequirements, labelRequirement);
  return {
    selectors: {
      ...(fields.read.length === 0 ? {} : { fieldSelector: fields.read }),
      ...(labels.read.length === 0 ? {} : { labelSelector: labels.read }),
    },
    problems: [...problemOf('fieldSelector', fields), ...problemOf('labelSelector', labels)],
  };
}

interface ReadSelector {
  readonly read: readonly SelectorRequirement[];
  readonly complete: boolean;
}

function readSelector(
  selector: ReviewSelectors['fieldSelector' | 'labelSelector'],
  parse: (text: string) => readonly SelectorRequirement[] | undefined,
  toRequirement: (sent: Sent) => SelectorRequirement | undefined,
): ReadSelector {
  const { rawSelector: text = '', requirements = [] } = selector ?? {};
  if (requirements.length > 0) {
    const read = requirements.flatMap((sent) => toRequirement(sent) ?? []);
    return { read, complete: read.length === requirements.length };
  }
  const read = parse(text);
  return { read: read ?? [], complete: read !== undefined };
}

/** Fields are compared with one value. */
function fieldRequirement({ key = '', operator, values = [] }: Sent): SelectorRequirement | undefined {
  if ((operator !== 'In' && operator !== 'NotIn') || values.length !== 1) return undefined;
  return { key, operator, values };
}

function labelRequirement({ key = '', operator, values = [] }: Sent): SelectorRequirement | undefined {
  if (operator === 'In' || operator === 'NotIn') return { key, operator, values };
  return operator === 'Exists' || operator === 'DoesNotExist' ? { key, operator } : undefined;
}

function problemOf(name: string, { read, complete }: ReadSelector): readonly string[] {
  if (complete) return [];
  return [`${at}.${name} ${read.length > 0 ? 'partially ' : ''}ignored due to parse error`];
}
