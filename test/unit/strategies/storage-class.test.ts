/** StorageClass: parameters, places, and what cannot be changed. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { defineStorageClassStrategy } from '../../../strategies/storage-class.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../support/field-errors.js';
import { testStrategy } from '../../support/strategy-suite.js';

const strategy = defineStorageClassStrategy();
const storageClass = (rest: JsonObject) => objectOf('StorageClass', { provisioner: 'example.com/p', ...rest });
const place = (...matchLabelExpressions: JsonObject[]) => ({ matchLabelExpressions });

testStrategy({
  strategy,
  stored: storageClass({ reclaimPolicy: 'Delete', parameters: { a: 'b' } }),
  words: ['parameters', 'provisioner', 'allowedTopologies', 'matchLabelExpressions', 'key', 'values'],
  columns: ['AllowVolumeExpansion'],
});

describe('a storage class', () => {
  it.each([
    [{ provisioner: 'No Spaces' }, [/^provisioner: Invalid value: "no spaces": name part must consist/]],
    [{ parameters: { '': 'x' } }, [/^parameters: Invalid value: "": field can not be empty\.$/]],
    [{ parameters: { a: 'x'.repeat(262_144) } }, [/^parameters: Too long: must have at most 262144 bytes$/]],
    [{ allowedTopologies: [place({ key: 'a', values: [] })] }, [/matchLabelExpressions\[0\]\.values: Required value$/]],
    [
      { allowedTopologies: [place({ key: 'a', values: ['x', 'x'] }, { key: 'a', values: ['y'] })] },
      [/values\[1\]: Duplicate value: "x"$/, /matchLabelExpressions\[1\]\.key: Duplicate value: "a"$/],
    ],
    [
      { allowedTopologies: [place({ key: 'a', values: ['x', 'y'] }), place({ key: 'a', values: ['y', 'x'] })] },
      [/^allowedTopologies\[1\]\.matchLabelExpressions: Duplicate value: ""$/],
    ],
  ])('is refused with %j', (rest, expected) => {
    const errors = errorsOf(strategy, storageClass(rest));
    expect(errors).toHaveLength(expected.length);
    for (const [i, pattern] of expected.entries()) expect(errors[i]).toMatch(pattern);
  });

  it('stays as volumes have been made', () => {
    const changed = storageClass({ provisioner: 'other', parameters: { a: 'c' }, reclaimPolicy: 'Retain' });
    expect(
      changeErrorsOf(strategy, changed, storageClass({ parameters: { a: 'b' }, reclaimPolicy: 'Delete' })),
    ).toEqual([
      'parameters: Forbidden: updates to parameters are forbidden.',
      'provisioner: Forbidden: updates to provisioner are forbidden.',
      'reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.',
    ]);
  });

  it('says whether claims may grow', () => {
    expect(strategy.cell?.(storageClass({}), 'AllowVolumeExpansion', 0)).toBe(false);
    expect(strategy.cell?.(storageClass({ allowVolumeExpansion: true }), 'AllowVolumeExpansion', 0)).toBe(true);
  });
});
