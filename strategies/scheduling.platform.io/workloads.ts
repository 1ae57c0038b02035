/** Workload: the object it belongs to, and the policies of its groups. */
import { defineWorkloadHandlers } from '../../generated/scheduling.platform.io/v1alpha2/workloads/handlers.js';
import type {
  PodGroupResourceClaim,
  PodGroupSchedulingPolicy,
  PodGroupTemplate,
  TypedLocalObjectReference,
} from '../../generated/types/scheduling/v1alpha2/types.js';
import type { Draft, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, required, Verbatim } from '../../runtime/objects/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { pathSegment } from '../../runtime/objects/names/names.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';

export const defineWorkloads = (): KindHandlers =>
  defineWorkloadHandlers({
    validate: ({ spec = {} }) => [
      ...firstErrors(checkController(spec.controllerRef)),
      ...firstErrors(checkTemplates(spec.podGroupTemplates ?? [])),
    ],
    validateUpdate: ({ spec }, old) => {
      const before = old.spec?.controllerRef;
      if (before === undefined || equal(before, spec?.controllerRef)) return [];
      return [invalidValue('spec.controllerRef', spec?.controllerRef ?? null, 'field is immutable')];
    },
  });

function* checkController(controller: Draft<TypedLocalObjectReference> | undefined): FieldErrors {
  if (!controller) return;
  const { apiGroup = '', kind = '', name = '' } = controller;
  if (apiGroup !== '') yield* checkText('spec.controllerRef.apiGroup', apiGroup, dns1123Subdomain);
  if (kind !== '') yield* checkText('spec.controllerRef.kind', kind, pathSegment);
  if (name !== '') yield* checkText('spec.controllerRef.name', name, pathSegment);
}

function* checkTemplates(templates: readonly Draft<PodGroupTemplate>[]): FieldErrors {
  for (const [i, { name = '', schedulingPolicy, resourceClaims }] of templates.entries()) {
    const path = `spec.podGroupTemplates[${i}]`;
    if (name !== '') yield* checkText(`${path}.name`, name, dns1123Label);
    yield* checkPolicy(schedulingPolicy ?? {}, `${path}.schedulingPolicy`);
    yield* checkClaims(resourceClaims ?? [], `${path}.resourceClaims`);
  }
}

/** A policy is exactly one of the two; a gang has at least one pod. */
export function* checkPolicy({ basic, gang }: Draft<PodGroupSchedulingPolicy>, path: string): FieldErrors {
  if (basic && gang) {
    const shown = new Verbatim('{`basic`, `gang`}');
    yield invalidValue(path, shown, 'exactly one of `basic`, `gang` is required, but multiple fields are set');
  } else if (gang) {
    const { minCount = 0 } = gang;
    if (minCount === 0) yield required(`${path}.gang.minCount`);
    else if (minCount < 0) yield invalidValue(`${path}.gang.minCount`, minCount, 'must be greater than zero');
  } else if (!basic) {
    yield invalidValue(path, '', 'must specify one of: `basic`, `gang`');
  }
}

/** A claim is either there or made from a template. */
export function* checkClaims(claims: readonly Draft<PodGroupResourceClaim>[], path: string): FieldErrors {
  for (const [i, { name = '', resourceClaimName, resourceClaimTemplateName }] of claims.entries()) {
    if (name !== '') yield* checkText(`${path}[${i}].name`, name, dns1123Label);
    const sources = [resourceClaimName, resourceClaimTemplateName].filter((one) => one !== undefined);
    if (sources.length !== 1) {
      const rule = 'must specify exactly one of: `resourceClaimName`, `resourceClaimTemplateName`';
      yield invalidValue(`${path}[${i}]`, '', rule);
    }
    for (const [field, text] of [
      ['resourceClaimName', resourceClaimName],
      ['resourceClaimTemplateName', resourceClaimTemplateName],
    ] as const) {
      if (text !== undefined) yield* checkText(`${path}[${i}].${field}`, text, dns1123Subdomain);
    }
  }
}
