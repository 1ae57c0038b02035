/** IngressClass: who serves it, the object that says more, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { dns1123Label, domainPrefixedPath } from '../../runtime/objects/dns-names.js';
import { forbidden, invalidValue, required, tooLong } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { byteLength } from '../../runtime/objects/printing.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkLocalReference } from '../shared/local-reference.js';
import { hasAt } from '../shared/reading.js';

const maxController = 250;

export function defineIngressClassStrategy(): Strategy {
  return {
    kind: 'networking.platform.io/IngressClass',
    validate: (object) => firstErrors(checkSpec(specOf(object))),
    validateUpdate: changeErrors,
    cell: (object, column) => (column === 'Parameters' ? parameterText(object) : undefined),
  };
}

const specOf = (object: ApiObject): JsonObject => objectAt(object, 'spec') ?? {};

function* checkSpec(spec: JsonObject): FieldErrors {
  const controller = stringAt(spec, 'controller');
  if (controller === '') yield required('spec.controller');
  else {
    if (byteLength(controller) > maxController) yield tooLong('spec.controller', maxController);
    yield* checkText('spec.controller', controller, domainPrefixedPath);
  }
  const parameters = objectAt(spec, 'parameters');
  if (!parameters) return;
  yield* checkLocalReference(parameters, 'spec.parameters');
  yield* checkNamespace(parameters, 'spec.parameters.namespace');
}

function* checkNamespace(parameters: JsonObject, path: string): FieldErrors {
  const scope = stringAt(parameters, 'scope');
  const isThere = hasAt(parameters, 'namespace');
  if (scope === 'Cluster' && isThere) yield forbidden(path, "`parameters.scope` is set to 'Cluster'");
  if (scope !== 'Namespace') return;
  if (isThere) yield* checkText(path, stringAt(parameters, 'namespace'), dns1123Label);
  else yield required(path, "`parameters.scope` is set to 'Namespace'");
}

function changeErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const controller = stringAt(specOf(object), 'controller');
  if (controller === stringAt(specOf(old), 'controller')) return [];
  return [invalidValue('spec.controller', controller, 'field is immutable')];
}

/** As in `Config.example.com/main`. */
function parameterText(object: ApiObject): string {
  const parameters = objectAt(specOf(object), 'parameters');
  if (!parameters) return '<none>';
  const group = hasAt(parameters, 'apiGroup') ? `.${stringAt(parameters, 'apiGroup')}` : '';
  return `${stringAt(parameters, 'kind')}${group}/${stringAt(parameters, 'name')}`;
}
