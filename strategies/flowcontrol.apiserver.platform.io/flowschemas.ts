/** FlowSchema: which requests it may mean, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { dns1123Subdomain } from '../../runtime/objects/dns-names.js';
import { invalidValue, notSupported, required, Verbatim } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { quote } from '../../runtime/objects/printing.js';
import { numberAt, objectsAt } from '../shared/reading.js';
import { flowConditionErrors } from './conditions.js';
import { mandatoryFlowSchemas } from './mandatory-flow-control.js';
import { fixedSpecErrors } from './mandatory-specs.js';
import { flowRuleErrors } from './rules.js';

const methods = ['ByNamespace', 'ByUser'] as const;

export function defineFlowSchemaStrategy(): Strategy {
  return {
    kind: 'flowcontrol.apiserver.platform.io/FlowSchema',
    validate: (object, { subresource }) =>
      subresource === 'status'
        ? flowConditionErrors(object)
        : [...specErrors(object), ...fixedSpecErrors(object, mandatoryFlowSchemas), ...flowConditionErrors(object)],
    cell: schemaCell,
  };
}

const specOf = (object: ApiObject): JsonObject | undefined => objectAt(object, 'spec');

/** The one schema that may come before all others. */
const firstSchema = 'exempt';

function specErrors(object: ApiObject): readonly FieldError[] {
  const spec = specOf(object);
  return [
    ...precedenceErrors(object, spec),
    ...methodErrors(objectAt(spec, 'distinguisherMethod')),
    ...levelErrors(stringAt(objectAt(spec, 'priorityLevelConfiguration'), 'name')),
    ...objectsAt(spec, 'rules').flatMap((rule, i) => flowRuleErrors(rule, `spec.rules[${i}]`)),
  ];
}

function precedenceErrors({ metadata }: ApiObject, spec: JsonObject | undefined): readonly FieldError[] {
  if (numberAt(spec, 'matchingPrecedence') !== 1 || metadata.name === firstSchema) return [];
  const rule = `only the schema named '${firstSchema}' may have matchingPrecedence 1`;
  return [invalidValue('spec.matchingPrecedence', 1, rule)];
}

function methodErrors(method: JsonObject | undefined): readonly FieldError[] {
  if (method === undefined) return [];
  const type = stringAt(method, 'type');
  if (methods.some((known) => known === type)) return [];
  const printed = new Verbatim(`flowcontrol.FlowDistinguisherMethod{Type:${quote(type)}}`);
  return [notSupported('spec.distinguisherMethod.type', printed, methods)];
}

function levelErrors(name: string): readonly FieldError[] {
  const field = 'spec.priorityLevelConfiguration.name';
  if (name === '') return [required(field, 'must reference a priority level')];
  return dns1123Subdomain(name).map((problem) => invalidValue(field, name, problem));
}

const schemaCell: Strategy['cell'] = (object, column) => {
  const spec = specOf(object);
  if (column === 'MatchingPrecedence') return numberAt(spec, 'matchingPrecedence');
  if (column === 'DistinguisherMethod') return stringAt(objectAt(spec, 'distinguisherMethod'), 'type') || '<none>';
  return column === 'MissingPL' ? dangling(object) : undefined;
};

/** Whether the priority level is missing, as its condition says; `?` while nothing is known. */
function dangling(object: ApiObject): string {
  const conditions = objectsAt(objectAt(object, 'status'), 'conditions');
  return (
    stringAt(
      conditions.find((condition) => condition.type === 'Dangling'),
      'status',
    ) || '?'
  );
}
