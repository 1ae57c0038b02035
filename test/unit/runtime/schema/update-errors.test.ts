/** The errors of updates, and of updates of the status alone. */
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../../runtime/contract/index.js';
import { schemaFunctions } from '../../../../runtime/schema/index.js';
import { updateErrors } from '../../../../runtime/schema/update-errors.js';

const schema: Schema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { n: { type: 'integer' } } },
    status: { type: 'object', properties: { n: { type: 'integer' }, i: { type: 'integer', format: 'int32' } } },
  },
};
const functions = schemaFunctions(schema, { decoding: 'structural' });
const object = { spec: { n: 'x' }, status: { n: 'x', i: 2 ** 40 } };

const messages = (ratchets: boolean, isStatus: boolean) =>
  updateErrors({ functions, decoding: 'structural', ratchets, isStatus }, object, {}).map(({ message }) => message);

const wrong = 'Invalid value: "string"';
const large = 'Invalid value: "": Checked value must be of type integer with format int32 in';

describe('errors of an update', () => {
  it('have paths of the whole object', () => {
    const all = messages(true, false);
    expect(all).toContain(`${wrong}: spec.n in body must be of type integer: "string"`);
    expect(all).toContain(`${wrong}: status.n in body must be of type integer: "string"`);
    expect(messages(false, true)).toEqual(all);
  });

  it('name paths below the status if a later release updates the status', () => {
    const found = messages(true, true);
    expect(found).toContain(`${wrong}: n in body must be of type integer: "string"`);
    expect(found.filter((text) => text.includes('status.') || text.includes('spec.'))).toEqual([]);
    expect(found).toContain(`${large} i`);
  });
});
