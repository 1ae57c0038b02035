/** PersistentVolumeClaim: data sources, growth, and what tables show. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../runtime/objects/naming.js';
import { definePersistentVolumeClaimStrategy } from '../../../strategies/persistent-volume-claim.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../support/field-errors.js';
import { contextOf, testStrategy } from '../../support/strategy-suite.js';

const strategy = definePersistentVolumeClaimStrategy(kubernetesNaming);
const sized = (storage: string) => ({ resources: { requests: { storage } } });
const claim = (spec: JsonObject = {}, status: JsonObject = {}): ApiObject =>
  objectOf('PersistentVolumeClaim', {
    spec: { accessModes: ['ReadWriteOnce'], volumeMode: 'Filesystem', ...sized('1Gi'), ...spec },
    status,
  });
const bound = { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } };
const immutable = 'spec: Forbidden: spec is immutable after creation except resources.requests for bound claims';
const shrunk = 'spec.resources.requests.storage: Forbidden: field can not be less than previous value';

testStrategy({
  strategy,
  stored: claim(),
  words: ['accessModes', 'resources', 'requests', 'storage', 'dataSource', 'dataSourceRef', 'volumeName'],
  subresources: ['status'],
  columns: ['Status', 'Capacity', 'Access Modes', 'StorageClass', 'VolumeMode'],
});

describe('a claim', () => {
  it.each([
    [{ accessModes: [] }, 'spec.accessModes: Required value: at least 1 access mode is required'],
    [{ resources: {} }, 'spec.resources[storage]: Required value'],
    [sized('0'), 'spec.resources[storage]: Invalid value: "0": must be greater than zero'],
  ])('is refused with %j', (spec, error) => {
    expect(errorsOf(strategy, claim(spec))).toEqual([error]);
  });

  it.each([
    [claim(sized('2Gi')), claim(), [immutable]],
    [claim(sized('2Gi'), bound), claim({}, bound), []],
    [claim(sized('1Mi'), bound), claim({}, bound), [shrunk]],
    [claim({ volumeName: 'v' }), claim(), []],
    [claim({ volumeName: 'w' }), claim({ volumeName: 'v' }), [immutable]],
    [claim({ storageClassName: 'fast' }), claim(), []],
    [claim({ storageClassName: 'fast' }), claim({ storageClassName: 'slow' }), [immutable]],
    [claim({ accessModes: ['ReadWriteMany'] }, bound), claim({}, bound), [immutable]],
  ])('changes from case to case (%#)', (object, old, errors) => {
    expect(changeErrorsOf(strategy, object, old)).toEqual(errors);
  });

  const other = { kind: 'PersistentVolumeClaim', name: 'b' };
  const custom = { apiGroup: 'example.com', kind: 'Image', name: 'i' };
  it.each([
    [{ dataSource: other }, { dataSource: other, dataSourceRef: other }],
    [{ dataSourceRef: custom }, { dataSource: custom, dataSourceRef: custom }],
    [{ dataSourceRef: { ...custom, namespace: 'n' } }, { dataSourceRef: { ...custom, namespace: 'n' } }],
    [{ dataSource: custom }, {}],
  ])('of %j begins with %j', (given, expected) => {
    const object = objectOf('PersistentVolumeClaim', { spec: { ...given } });
    strategy.prepareForCreate?.(object, contextOf());
    expect(object.spec).toEqual(expected);
  });

  it('shows its volume where it has one', () => {
    const columns = ['Status', 'Capacity', 'Access Modes', 'VolumeMode'];
    const cells = (object: ApiObject) => columns.map((name) => strategy.cell?.(object, name, 0));
    expect(cells(claim({ volumeName: 'v' }, bound))).toEqual(['Bound', '1Gi', 'RWO', 'Filesystem']);
    expect(cells(claim({}, { phase: 'Pending' }))).toEqual(['Pending', '', '', 'Filesystem']);
  });
});
