/** The status of a definition: computed from the spec, the names of others, and the current status. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../../runtime/contract/index.js';
import { conditionsOf } from '../../../../../runtime/objects/definition-conditions.js';
import { objectAt } from '../../../../../runtime/objects/guards.js';
import { kubernetesNaming } from '../../../../../runtime/objects/names/naming.js';
import { emulate, type Release } from '../../../../../runtime/objects/release.js';
import { acceptNames, nextStatus } from '../../../../../runtime/registry/definitions/next-status.js';

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
const next = (one: ApiObject, taken: string[] = [], now = early, release = emulate()): JsonObject =>
  nextStatus(one, { inUse: { resources: new Set(), kinds: new Set(taken) }, naming: kubernetesNaming, release, now });

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
  it('is not established with unreadable authorities of its conversion, since 1.31', () => {
    const hooked = definition();
    const webhook = { clientConfig: { caBundle: 'b2Rk' } };
    hooked.spec = { ...objectAt(hooked, 'spec'), conversion: { strategy: 'Webhook', webhook } };
    const reason = (release: Release) =>
      conditionsOf(next(hooked, [], early, release)).find(({ type }) => type === 'Established')?.reason;
    expect(reason(emulate('1.30'))).toBe('InitialNamesAccepted');
    expect(reason(emulate('1.31'))).toBe('InvalidCABundle');
  });

  it('is established once its names are accepted', () => {
    const status = next(definition());
    expect(status).toEqual({ acceptedNames: names, storedVersions: ['v1'], conditions: [accepted, established] });
    expect(next(definition(status), [], late)).toEqual(status);
  });

  it('is not established while another has its kind, and recovers later', () => {
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

  it('never becomes unestablished again', () => {
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
  ])("reports the approval of the platform's own groups: %j", (annotations, status, reason) => {
    expect(next(definition(empty, 'shop.k8s.io', annotations)).conditions).toContainEqual(
      expect.objectContaining({ type: 'KubernetesAPIApprovalPolicyConformant', status, reason }),
    );
  });

  it('reports schemas that are not structural, while they are not', () => {
    const loose = definition();
    const version = { name: 'v1', schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } } };
    const status = next({ ...loose, spec: { group: 'example.com', names, versions: [version] } });
    expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'NonStructuralSchema', status: 'True' }));
    expect(next(definition(status)).conditions).toEqual([accepted, established]);
  });
});

const wanted: JsonObject = {
  plural: 'widgets',
  singular: 'widget',
  shortNames: ['wd', 'wi'],
  kind: 'Widget',
  listKind: 'WidgetList',
  categories: ['all'],
};
const nothing: JsonObject = { plural: '', kind: '' };
const accept = (resources: string[], kinds: string[] = [], accepted = nothing) =>
  acceptNames(wanted, accepted, { resources: new Set(resources), kinds: new Set(kinds) });

describe('the names of a definition', () => {
  it('are accepted if they are free', () => {
    expect(accept(['gadgets', 'gd'], ['Gadget'])).toEqual({
      names: wanted,
      condition: { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
    });
  });

  it.each([
    ['plural', ['widgets'], [], 'PluralConflict', '"widgets" is already in use'],
    ['singular', ['widget'], [], 'SingularConflict', '"widget" is already in use'],
    ['shortNames', ['wi'], [], 'ShortNamesConflict', '"wi" is already in use'],
    ['shortNames', ['wd', 'wi'], [], 'ShortNamesConflict', '["wd" is already in use, "wi" is already in use]'],
    ['kind', [], ['Widget'], 'KindConflict', '"Widget" is already in use'],
    ['listKind', [], ['WidgetList'], 'ListKindConflict', '"WidgetList" is already in use'],
  ] as const)('are accepted except a %s that another resource has', (field, resources, kinds, reason, message) => {
    const { names, condition } = accept([...resources], [...kinds]);
    const { [field]: _taken, ...rest } = wanted;
    expect(names).toEqual({ ...nothing, ...rest });
    expect(condition).toMatchObject({ status: 'False', reason, message });
  });

  it('are reported in one conflict, the last', () => {
    expect(accept(['widgets', 'wd'], ['WidgetList']).condition.reason).toBe('ListKindConflict');
  });

  it('stay accepted even if others want them later', () => {
    expect(accept(['widgets', 'wd'], ['Widget'], wanted).condition.status).toBe('True');
  });

  it('keep their old values if a new one is taken, except categories', () => {
    const before = { ...wanted, kind: 'Old', categories: ['none'] };
    expect(accept([], ['Widget'], before).names).toEqual({ ...wanted, kind: 'Old' });
  });

  it('may lack short names and categories', () => {
    const few = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
    const accepted = acceptNames(few, wanted, { resources: new Set(), kinds: new Set() });
    expect(accepted.names).toEqual(few);
  });
});
