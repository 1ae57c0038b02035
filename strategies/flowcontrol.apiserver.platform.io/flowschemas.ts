/** FlowSchema: the requests that it may select, and how tables show it. */
import { defineFlowSchemaHandlers } from '../../generated/flowcontrol.apiserver.platform.io/v1beta3/flowschemas/handlers.js';
import type { FlowSchema } from '../../generated/flowcontrol.apiserver.platform.io/v1beta3/flowschemas/types.js';
import type { FlowDistinguisherMethod } from '../../generated/types/flowcontrol/v1beta3/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required, Verbatim } from '../../runtime/objects/field-error.js';
import { dns1123Subdomain } from '../../runtime/objects/names/dns-names.js';
import { quote } from '../../runtime/objects/printing.js';
import { flowConditionErrors } from './conditions.js';
import { mandatoryFlowSchemas } from './mandatory-flow-control.js';
import { fixedSpecErrors } from './mandatory-specs.js';
import { flowRuleErrors } from './rules.js';

const methods = ['ByNamespace', 'ByUser'] as const;

type Schema = DraftObject<FlowSchema>;

export const defineFlowSchemas = (): KindHandlers =>
  defineFlowSchemaHandlers({
    errorOrder: ['status.conditions[]'],
    validate(schema, { subresource }) {
      const conditions = flowConditionErrors(schema.status?.conditions);
      if (subresource === 'status') return conditions;
      return [...specErrors(schema), ...fixedSpecErrors(schema, mandatoryFlowSchemas), ...conditions];
    },
    columns: {
      MatchingPrecedence: ({ spec }) => spec?.matchingPrecedence ?? 0,
      DistinguisherMethod: ({ spec }) => spec?.distinguisherMethod?.type || '<none>',
      MissingPL: dangling,
    },
  });

/** The only schema that may come before all others. */
const firstSchema = 'exempt';

function specErrors(schema: Schema): readonly FieldError[] {
  const { distinguisherMethod, priorityLevelConfiguration, rules = [] } = schema.spec ?? {};
  return [
    ...precedenceErrors(schema),
    ...methodErrors(distinguisherMethod),
    ...levelErrors(priorityLevelConfiguration?.name ?? ''),
    ...rules.flatMap((rule, i) => flowRuleErrors(rule, `spec.rules[${i}]`)),
  ];
}

function precedenceErrors({ metadata, spec }: Schema): readonly FieldError[] {
  if (spec?.matchingPrecedence !== 1 || metadata.name === firstSchema) return [];
  const rule = `only the schema named '${firstSchema}' may have matchingPrecedence 1`;
  return [invalidValue('spec.matchingPrecedence', 1, rule)];
}

function methodErrors(method: Draft<FlowDistinguisherMethod> | undefined): readonly FieldError[] {
  if (method === undefined) return [];
  const { type = '' } = method;
  if (methods.some((known) => known === type)) return [];
  const printed = new Verbatim(`flowcontrol.FlowDistinguisherMethod{Type:${quote(type)}}`);
  return [notSupported('spec.distinguisherMethod.type', printed, methods)];
}

function levelErrors(name: string): readonly FieldError[] {
  const field = 'spec.priorityLevelConfiguration.name';
  if (name === '') return [required(field, 'must reference a priority level')];
  return dns1123Subdomain(name).map((problem) => invalidValue(field, name, problem));
}

/** The status of the condition that the priority level is missing; `?` while there is none. */
function dangling({ status }: Schema): string {
  return status?.conditions?.find(({ type }) => type === 'Dangling')?.status || '?';
}
