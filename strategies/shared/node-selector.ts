/** Which nodes are meant, in the form that affinities, volumes and resource classes share. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { dns1123Subdomain } from '../../runtime/objects/dns-names.js';
import { forbidden, invalidValue, required } from '../../runtime/objects/field-error.js';
import { stringAt } from '../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../runtime/objects/key-names.js';
import { checkText, type FieldErrors } from './field-checks.js';
import { objectsAt, textsAt } from './reading.js';

/** Terms of which one has to hold. */
export function* checkNodeSelector(selector: JsonObject, path: string): FieldErrors {
  const terms = objectsAt(selector, 'nodeSelectorTerms');
  const at = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) yield required(at, 'must have at least one node selector term');
  for (const [i, term] of terms.entries()) yield* checkNodeSelectorTerm(term, `${at}[${i}]`);
}

/** Conditions on labels and fields of a node, all of which have to hold. */
export function* checkNodeSelectorTerm(term: JsonObject, path: string): FieldErrors {
  for (const [i, requirement] of objectsAt(term, 'matchExpressions').entries()) {
    yield* checkLabel(requirement, `${path}.matchExpressions[${i}]`);
  }
  for (const [i, requirement] of objectsAt(term, 'matchFields').entries()) {
    yield* checkField(requirement, `${path}.matchFields[${i}]`);
  }
}

function* checkLabel(requirement: JsonObject, path: string): FieldErrors {
  const operator = stringAt(requirement, 'operator');
  const count = textsAt(requirement, 'values').length;
  const at = `${path}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (count === 0) yield required(at, "must be specified when `operator` is 'In' or 'NotIn'");
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (count > 0) yield forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      break;
    case 'Gt':
    case 'Lt':
      if (count !== 1) yield required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'");
      break;
    default:
      yield invalidValue(`${path}.operator`, operator, 'not a valid selector operator');
  }
  yield* checkText(`${path}.key`, stringAt(requirement, 'key'), qualifiedNameCheck);
}

function* checkField(requirement: JsonObject, path: string): FieldErrors {
  const operator = stringAt(requirement, 'operator');
  const key = stringAt(requirement, 'key');
  const values = textsAt(requirement, 'values');
  if (operator !== 'In' && operator !== 'NotIn') {
    yield invalidValue(`${path}.operator`, operator, 'not a valid selector operator');
  } else if (values.length !== 1) {
    const problem = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    yield required(`${path}.values`, problem);
  }
  if (key !== 'metadata.name') yield invalidValue(`${path}.key`, key, 'not a valid field selector key');
  else for (const [i, value] of values.entries()) yield* checkText(`${path}.values[${i}]`, value, dns1123Subdomain);
}
