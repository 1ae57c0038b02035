/** The status of a definition: worked out of the spec, the names of others, and the status there is. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../../runtime/objects/naming.js';
import { nextStatus } from '../../../../../runtime/registry/definitions/next-status.js';

const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
const empty: JsonObject = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] };
const definition = (status: JsonObject = empty, group = 'example.com', annotations = {}): ApiObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}`, annotations },
  spec: {
    group,
    names,
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
  status,
});
const [early, late] = ['2030-01-01T00:00:00Z', '2030-01-01T00:01:00Z'];
const next = (one: ApiObject, taken: string[] = [], now = early): JsonObject =>
  nextStatus(one, { inUse: { resources: new Set(), kinds: new Set(taken) }, naming: kubernetesNaming, now });

const condition = (type: string, status: string, reason: string, message: string, lastTransitionTime = early) => ({
  type,
  status,
  lastTransitionTime,
  reason,
  message,
});
const accepted = condition('NamesAccepted', 'True', 'NoConflicts', 'no conflicts found');
const established = condition('Established', 'True', 'InitialNamesAccepted', 'the initial names have been accepted');

describe('the status of a definition', () => {
  it('says that it is established once its names are accepted', () => {
    const status = next(definition());
    expect(status).toEqual({ acceptedNames: names, storedVersions: ['v1'], conditions: [accepted, established] });
    expect(next(definition(status), [], late)).toEqual(status);
  });

  it('says that it is not while another has its kind, and is mended later', () => {
    const refused = next(definition(), ['Widget']);
    expect(refused.conditions).toEqual([
      condition('NamesAccepted', 'False', 'KindConflict', '"Widget" is already in use'),
      condition('Established', 'False', 'NotAccepted', 'not all names are accepted'),
    ]);
    expect(next(definition(refused), [], late).conditions).toMatchObject([
      { status: 'True', lastTransitionTime: late },
      { status: 'True', lastTransitionTime: late },
    ]);
  });

  it('never takes back that it is established', () => {
    const status = next(definition());
    const renamed = { ...definition(status), spec: { group: 'example.com', names: { ...names, listKind: 'Widgets' } } };
    expect(next(renamed, ['Widgets'], late).conditions).toMatchObject([
      { type: 'NamesAccepted', status: 'False', reason: 'ListKindConflict' },
      { type: 'Established', status: 'True', lastTransitionTime: early },
    ]);
  });

  it.each([
    [{}, 'False', 'MissingAnnotation'],
    [{ 'api-approved.kubernetes.io': 'yes' }, 'False', 'InvalidAnnotation'],
    [{ 'api-approved.kubernetes.io': 'unapproved, a test' }, 'False', 'UnapprovedAPI'],
    [{ 'api-approved.kubernetes.io': 'https://example.com/1' }, 'True', 'ApprovedAnnotation'],
  ])('tells of the approval of the own groups: %j', (annotations, status, reason) => {
    expect(next(definition(empty, 'shop.k8s.io', annotations)).conditions).toContainEqual(
      expect.objectContaining({ type: 'KubernetesAPIApprovalPolicyConformant', status, reason }),
    );
  });

  it('tells of schemas that are not structural, as long as they are not', () => {
    const loose = definition();
    const version = { name: 'v1', schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } } };
    const status = next({ ...loose, spec: { group: 'example.com', names, versions: [version] } });
    expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'NonStructuralSchema', status: 'True' }));
    expect(next(definition(status)).conditions).toEqual([accepted, established]);
  });
});
