import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { fieldErrorText } from '../../../../runtime/objects/field-error.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { type EmulatedVersion, emulate } from '../../../../runtime/objects/release.js';
import { definePersistentVolumeClaims } from '../../../../strategies/core/persistentvolumeclaims.js';
import { servingOf } from '../../../../strategies/shared/serving.js';
import { objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = definePersistentVolumeClaims(servingOf(platformNaming));
const classAnnotation = 'volume.beta.platform.io/storage-class';

const claim = (spec: JsonObject = {}, status: JsonObject = {}, annotations?: Record<string, string>): ApiObject =>
  objectOf(
    handlers,
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        volumeMode: 'Filesystem',
        ...spec,
      },
      status: { phase: 'Pending', ...status },
    },
    { name: 'c', namespace: 'default', ...(annotations ? { annotations } : {}) },
  );

const sized = (storage: string): JsonObject => ({ resources: { requests: { storage } } });
const bound = { phase: 'Bound', capacity: { storage: '1Gi' } };

/** Gates with their defaults. */
const off = new Set(['RecoverVolumeExpansionFailure', 'CrossNamespaceVolumeDataSource']);
const usual = contextOf({ featureEnabled: (gate) => !off.has(gate) });
const ofStatus = contextOf({ subresource: 'status', featureEnabled: (gate) => !off.has(gate) });

describe('a PersistentVolumeClaim', () => {
  it.each<[string, JsonObject, string[]]>([
    ['no access', { accessModes: [] }, ['spec.accessModes: Required value: at least 1 access mode is required']],
    ['no size', { resources: {} }, ['spec.resources[storage]: Required value']],
    ['a size of nothing', sized('0'), ['spec.resources[storage]: Invalid value: "0": must be greater than zero']],
    [
      'two beginnings',
      {
        dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
        dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
      },
      ['spec: Invalid value: "spec.dataSource": must match dataSourceRef'],
    ],
    [
      'contents of a namespace that has no name',
      { dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'a', namespace: 'a.b' } },
      ['spec.dataSourceRef.namespace: Invalid value: "a.b": must not contain dots'],
    ],
  ])('cannot have %s', (_what, spec, errors) =>
    expect((handlers.validate?.(claim(spec), usual) ?? []).map(fieldErrorText)).toEqual(errors),
  );

  it('warns about parts of bytes', () => {
    const resources = { requests: { storage: '1500m' }, limits: { storage: '1' } };
    expect(handlers.warn?.(claim({ resources }), undefined)).toEqual([
      'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
    ]);
  });
});

const group = 'snapshot.storage.platform.io';
const snapshot = { apiGroup: group, kind: 'VolumeSnapshot', name: 's' };
const special = { apiGroup: 'example.com', kind: 'Backup', name: 'b' };

describe('the data source of a claim', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['the older field is copied', { dataSource: snapshot }, { dataSource: snapshot, dataSourceRef: snapshot }],
    ['the newer field is copied', { dataSourceRef: special }, { dataSource: special, dataSourceRef: special }],
    ['the older field drops what it cannot name', { dataSource: special }, {}],
    ['objects of other namespaces need their gate', { dataSourceRef: { ...special, namespace: 'other' } }, {}],
    [
      'a source in both fields stays',
      { dataSource: snapshot, dataSourceRef: special },
      { dataSource: snapshot, dataSourceRef: special },
    ],
  ])('%s', (_what, spec, settled) => {
    const object = claim(spec);
    handlers.prepareForCreate?.(object, usual);
    expect(object).toEqual(claim(settled));
  });

  it('may be in another namespace with the gate', () => {
    const dataSourceRef = { ...special, namespace: 'other' };
    const object = claim({ dataSourceRef });
    handlers.prepareForCreate?.(object, contextOf());
    expect(object).toEqual(claim({ dataSourceRef }));
  });

  it('stays if it already exists', () => {
    const object = claim({ dataSource: special });
    handlers.prepareForUpdate?.(object, claim({ dataSource: special }), usual);
    expect(object).toEqual(claim({ dataSource: special, dataSourceRef: special }));
    expect(handlers.validateUpdate?.(object, claim({ dataSource: special }), usual)).toEqual([]);
  });
});

const changeErrors = (now: ApiObject, old: ApiObject, context = usual): readonly string[] =>
  (handlers.validateUpdate?.(now, old, context) ?? []).map(fieldErrorText);

const unchangeable = 'spec: Forbidden: spec is immutable after creation except resources.requests for bound claims';

describe('an update of a PersistentVolumeClaim', () => {
  it.each<[string, ApiObject, ApiObject]>([
    ['a volume', claim({ volumeName: 'v1' }), claim()],
    ['a larger size once it is bound', claim(sized('2Gi'), bound), claim({}, bound)],
    ['a class that it did not have', claim({ storageClassName: 'fast' }), claim()],
    [
      'the class of its annotation',
      claim({ storageClassName: 'fast' }, {}, { [classAnnotation]: 'fast' }),
      claim({}, {}, { [classAnnotation]: 'fast' }),
    ],
    [
      'the class of its annotation in place of that',
      claim({ storageClassName: 'fast' }),
      claim({}, {}, { [classAnnotation]: 'fast' }),
    ],
  ])('accepts %s', (_what, now, old) => expect(changeErrors(now, old)).toEqual([]));

  it.each<[string, ApiObject, ApiObject, string[]]>([
    [
      'a larger size before it is bound',
      claim(sized('2Gi')),
      claim(),
      [`${unchangeable}\n- spec.resources.requests.storage: "1Gi"\n+ spec.resources.requests.storage: "2Gi"\n`],
    ],
    [
      'a smaller size',
      claim(sized('1Mi'), bound),
      claim({}, bound),
      ['spec.resources.requests.storage: Forbidden: field can not be less than previous value'],
    ],
    [
      'limits',
      claim({ resources: { requests: { storage: '1Gi' }, limits: { storage: '1Gi' } } }, bound),
      claim({}, bound),
      [expect.stringContaining(unchangeable)],
    ],
    [
      'another volume',
      claim({ volumeName: 'v2' }),
      claim({ volumeName: 'v1' }),
      [`${unchangeable}\n- spec.volumeName: "v1"\n+ spec.volumeName: "v2"\n`],
    ],
    [
      'another class',
      claim({ storageClassName: 'slow' }),
      claim({ storageClassName: 'fast' }),
      [expect.stringContaining(unchangeable)],
    ],
    [
      'another mode',
      claim({ volumeMode: 'Block' }),
      claim(),
      [expect.stringContaining(unchangeable), 'volumeMode: Invalid value: "Block": field is immutable'],
    ],
    [
      'another class in its annotation',
      claim({}, {}, { [classAnnotation]: 'slow' }),
      claim({}, {}, { [classAnnotation]: 'fast' }),
      [`metadata.annotations.${classAnnotation}: Invalid value: "slow": field is immutable`],
    ],
  ])('refuses %s', (_what, now, old, errors) => expect(changeErrors(now, old)).toEqual(errors));

  it('may return to a smaller size that was never reached, with its gate', () => {
    const old = claim(sized('3Gi'), bound);
    expect(changeErrors(claim(sized('2Gi'), bound), old, contextOf())).toEqual([]);
    expect(changeErrors(claim(sized('1Gi'), bound), old, contextOf())).toEqual([
      'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    ]);
  });
});

describe('the status of a PersistentVolumeClaim', () => {
  it.each<[string, JsonObject, string[]]>([
    ['sizes', { capacity: { storage: '1Gi' } }, []],
    [
      'sizes of less than nothing',
      { capacity: { storage: '-1' } },
      ['status.capacity[storage]: Invalid value: -1: must be a valid resource quantity'],
    ],
    ['anything about growing that its gate hides', { resizeStatus: 'Halfway' }, []],
  ])('is checked for %s', (_what, status, errors) =>
    expect(changeErrors(claim({}, status), claim(), ofStatus)).toEqual(errors),
  );

  it('is checked for the progress of its expansion, if it has any', () => {
    const growing = claim({}, { resizeStatus: '' });
    const status = { resizeStatus: 'Halfway', allocatedResources: { storage: '-1', cpu: '1' } };
    expect(changeErrors(claim({}, status), growing, ofStatus)).toEqual([
      'status.resizeStatus: Unsupported value: "Halfway": supported values: "", "ControllerExpansionFailed", "ControllerExpansionInProgress", "NodeExpansionFailed", "NodeExpansionInProgress", "NodeExpansionPending"',
      'status.allocatedResources[storage]: Invalid value: -1: must be a valid resource quantity',
      'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
    ]);
  });
});

describe('the expansion in the status of a claim', () => {
  const status = {
    allocatedResourceStatuses: { storage: 'NodeResizePending', cpu: 'NodeResizeFailed' },
    allocatedResources: { memory: '1', 'example.com/speed': '2' },
  };
  const resource = (field: string, name: string): string =>
    `status.${field}: Unsupported value: "${name}": supported values: "storage"`;

  it.each<[EmulatedVersion, string[]]>([
    ['1.27', [resource('allocatedResources', 'memory'), resource('allocatedResources', 'example.com/speed')]],
    ['1.28', [resource('allocatedResources', 'memory')]],
    [
      '1.31',
      [
        'status.allocatedResourceStatus: Unsupported value: "cpu": supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"',
        resource('allocatedResources', 'memory'),
      ],
    ],
  ])('has the resources of release %s', (version, errors) => {
    const { validateUpdate } = definePersistentVolumeClaims(servingOf(platformNaming, emulate(version)));
    const found = validateUpdate?.(claim({}, status), claim(), contextOf({ subresource: 'status' })) ?? [];
    expect(found.map(fieldErrorText)).toEqual([resource('allocatedResourceStatus', 'cpu'), ...errors]);
  });
});

describe('cells of a PersistentVolumeClaim', () => {
  const reached = { ...bound, accessModes: ['ReadWriteMany'] };
  it.each<[string, ApiObject, string]>([
    ['Capacity', claim({}, reached), ''],
    ['Capacity', claim({ volumeName: 'v1' }, reached), '1Gi'],
    ['Capacity', claim({ volumeName: 'v1' }), '0'],
    ['Access Modes', claim({}, reached), ''],
    ['Access Modes', claim({ volumeName: 'v1' }, reached), 'RWX'],
    ['Status', claim(), 'Pending'],
    ['StorageClass', claim({ storageClassName: 'fast' }), 'fast'],
    ['StorageClass', claim(), ''],
    ['VolumeMode', claim({ volumeMode: 'Block' }), 'Block'],
  ])('show in %s of %j: %s', (column, object, text) => expect(handlers.columns?.[column]?.(object, 0)).toBe(text));
});

describe('the class of volume attributes of a claim', () => {
  const boundTo = (name: string | undefined, current?: string, phase = 'Bound') =>
    claim(
      { volumeName: 'v', ...(name === undefined ? {} : { volumeAttributesClassName: name }) },
      { ...bound, phase, ...(current ? { currentVolumeAttributesClassName: current } : {}) },
    );
  const errorsIn = (release: Parameters<typeof emulate>[0], object: ApiObject, old: ApiObject): string[] =>
    (
      definePersistentVolumeClaims(servingOf(platformNaming, emulate(release))).validateUpdate?.(object, old, usual) ??
      []
    )
      .map(fieldErrorText)
      .map((text) => text.split('\n')[0] ?? '');
  const field = 'spec.volumeAttributesClassName: Forbidden:';

  it.each<[ApiObject, ApiObject, string[], string[]]>([
    [boundTo('b'), boundTo('a', 'a'), [], []],
    [boundTo('b'), boundTo(undefined), [], []],
    [boundTo(undefined), boundTo('a'), [`${field} update from non-nil value to nil is forbidden`], []],
    [
      boundTo(''),
      boundTo('a', 'a'),
      [`${field} update from non-nil value to an empty string is forbidden`],
      [`${field} update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil`],
    ],
    [
      boundTo('b', undefined, 'Pending'),
      boundTo('a', undefined, 'Pending'),
      [],
      [
        'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
      ],
    ],
  ])('may change from %#', (object, old, early, late) => {
    expect([errorsIn('1.33', object, old), errorsIn('1.34', object, old)]).toEqual([early, late]);
  });
});
