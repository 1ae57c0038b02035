import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { defineVolumeAttributesClasses } from '../../../../strategies/storage.platform.io/volumeattributesclasses.js';
import { errorsOf, objectOf } from '../../../support/field-errors.js';

const handlers = defineVolumeAttributesClasses();

it.each<[JsonObject, string[]]>([
  [{}, []],
  [{ parameters: {} }, ['parameters: Required value: must contain at least one key/value pair']],
  [{ parameters: { '': 'a' } }, ['parameters: Invalid value: "": field can not be empty.']],
])('finds the mistakes in %j', (more, errors) => {
  const object = objectOf(handlers, { driverName: 'Disks.example.com', parameters: { iops: '9' }, ...more });
  expect(errorsOf(handlers, object)).toEqual(errors);
});
