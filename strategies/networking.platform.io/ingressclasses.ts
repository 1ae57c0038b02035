/** IngressClass: its controller, the object with its parameters, and its columns. */
import { defineIngressClassHandlers } from '../../generated/networking.platform.io/v1/ingressclasses/handlers.js';
import type { IngressClassParametersReference, IngressClassSpec } from '../../generated/types/networking/v1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, required, tooLong } from '../../runtime/objects/field-error.js';
import { byteLength, dns1123Label, domainPrefixedPath } from '../../runtime/objects/names/name-checks.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkLocalReference } from '../shared/names.js';

type Parameters = Draft<IngressClassParametersReference>;

const maxController = 250;

const checkedFields = [
  'spec.controller',
  ...['apiGroup', 'kind', 'name', 'scope', 'namespace'].map((name) => `spec.parameters.${name}`),
];

export const defineIngressClasses = (): KindHandlers =>
  defineIngressClassHandlers({
    errorOrder: checkedFields,
    updateChecks: ['metadata changes', 'field changes', 'metadata', 'fields'],
    validate: ({ spec = {} }) => firstErrors(checkSpec(spec)),
    validateUpdate: ({ spec }, old) => changeErrors(spec?.controller ?? '', old.spec?.controller ?? ''),
    columns: { Parameters: ({ spec }) => parameterText(spec?.parameters) },
  });

/** A controller is named by a domain and a path. */
function* checkSpec({ controller, parameters }: Draft<IngressClassSpec>): FieldErrors {
  if (controller) {
    if (byteLength(controller) > maxController) yield tooLong('spec.controller', maxController);
    yield* checkText('spec.controller', controller, domainPrefixedPath);
  } else yield required('spec.controller');
  if (!parameters) return;
  yield* checkLocalReference(parameters, 'spec.parameters');
  yield* checkNamespace(parameters, 'spec.parameters.namespace');
}

/** Parameters have a namespace if and only if their scope is `Namespace`. */
function* checkNamespace({ scope, namespace }: Parameters, path: string): FieldErrors {
  if (scope === 'Cluster' && namespace !== undefined) yield forbidden(path, "`parameters.scope` is set to 'Cluster'");
  if (scope !== 'Namespace') return;
  if (namespace === undefined) yield required(path, "`parameters.scope` is set to 'Namespace'");
  else yield* checkText(path, namespace, dns1123Label);
}

/** The controller cannot be changed. */
const changeErrors = (controller: string, old: string): readonly FieldError[] =>
  controller === old ? [] : [invalidValue('spec.controller', controller, 'field is immutable')];

/** Prints parameters as in `Config.example.com/main`. */
function parameterText(parameters: Parameters | undefined): string {
  if (!parameters) return '<none>';
  const { apiGroup, kind = '', name = '' } = parameters;
  return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`;
}
