/** The verb `apply`: configurations merge into objects, the server records owners, and conflicts are reported. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { suiteApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

const api = await suiteApi([widgets]);

const apply = (name: string, body: unknown, manager: string, more = '') =>
  api.send('PATCH', `${widgetsPath}/${name}?fieldManager=${manager}${more}`, body, {
    'content-type': 'application/apply-patch+yaml',
  });

const configuration = (name: string, spec: JsonObject) => widget(name, spec);

describe('apply', () => {
  it('creates an object that is not there', async () => {
    const reply = await apply('new', configuration('new', { color: 'red' }), 'one');
    expect(reply).toMatchObject({
      code: 201,
      body: { spec: { color: 'red', size: 3 }, metadata: { managedFields: [{ manager: 'one', operation: 'Apply' }] } },
    });
    expect(reply.body).toHaveProperty('metadata.managedFields[0].fieldsV1', { 'f:spec': { 'f:color': {} } });
  });

  it('takes YAML', async () => {
    const yaml = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: yaml}\nspec: {size: 4}\n';
    expect(await apply('yaml', yaml, 'one')).toMatchObject({ code: 201, body: { spec: { size: 4 } } });
  });

  it('that changes nothing writes nothing', async () => {
    await apply('same', configuration('same', { size: 4 }), 'one');
    const before = api.store.revision;
    expect((await apply('same', configuration('same', { size: 4 }), 'one')).code).toBe(200);
    expect(api.store.revision).toBe(before);
  });

  it('removes the fields that its manager no longer has, and keeps fields of others', async () => {
    await apply('shared', configuration('shared', { color: 'red', parts: ['a'] }), 'one');
    await apply('shared', configuration('shared', { size: 7 }), 'two');
    const reply = await apply('shared', configuration('shared', { color: 'red' }), 'one');
    expect(reply.body.spec).toEqual({ color: 'red', size: 7 });
  });

  it('refuses a null that would go into a live object', async () => {
    await apply('nulls', configuration('nulls', { color: 'red' }), 'one');
    const reply = await apply('nulls', configuration('nulls', { color: null, size: null }), 'one');
    const error = 'spec.color: Invalid value: "null": spec.color in body must be of type string: "null"';
    expect(reply).toMatchObject({ code: 422, body: { message: `Widget.example.com "nulls" is invalid: ${error}` } });
  });

  it('does not change the status', async () => {
    const body = { ...configuration('status', {}), status: { ready: true } };
    expect((await apply('status', body, 'one')).body).not.toHaveProperty('status');
  });
});

describe('conflicts', () => {
  it('name the field and its owner, and change nothing', async () => {
    await apply('contested', configuration('contested', { color: 'red' }), 'one');
    const reply = await apply('contested', configuration('contested', { color: 'blue' }), 'two');
    expect(reply).toMatchObject({
      code: 409,
      body: {
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "one": .spec.color',
        details: { causes: [{ reason: 'FieldManagerConflict', field: '.spec.color' }] },
      },
    });
    expect((await api.send('GET', `${widgetsPath}/contested`)).body.spec).toEqual({ color: 'red', size: 3 });
  });

  it('do not occur if both want the same value', async () => {
    await apply('agreed', configuration('agreed', { color: 'red' }), 'one');
    expect((await apply('agreed', configuration('agreed', { color: 'red' }), 'two')).code).toBe(200);
  });

  it('are settled by force', async () => {
    await apply('forced', configuration('forced', { color: 'red' }), 'one');
    const reply = await apply('forced', configuration('forced', { color: 'blue' }), 'two', '&force=true');
    expect(reply).toMatchObject({ code: 200, body: { spec: { color: 'blue' } } });
  });
});

describe('a dry run', () => {
  it('answers as the apply would, and stores nothing', async () => {
    const before = api.store.revision;
    expect((await apply('dry', configuration('dry', {}), 'one', '&dryRun=All')).code).toBe(201);
    expect(api.store.revision).toBe(before);
  });
});

describe('configurations that are refused', () => {
  const good = configuration('bad', {});

  it.each<[string, unknown, string, number]>([
    ['without a manager', good, '', 422],
    ['empty', '', 'one', 400],
    ['no YAML', 'a: [', 'one', 400],
    ['a list', '[]', 'one', 400],
    ['a text', 'text', 'one', 400],
    ['no version', { ...good, apiVersion: undefined }, 'one', 400],
    ['no kind', { ...good, kind: undefined }, 'one', 400],
    ['another kind', { ...good, kind: 'Gadget' }, 'one', 400],
    ['for another name', configuration('other', {}), 'one', 400],
    ['with managed fields', { ...good, metadata: { name: 'bad', managedFields: [{ manager: 'x' }] } }, 'one', 400],
    ['out of bounds', configuration('bad', { size: 0 }), 'one', 422],
    ['with a null where none may be', configuration('bad', { color: null }), 'one', 422],
  ])('%s', async (_what, body, manager, code) => {
    const before = api.store.revision;
    const reply = await apply('bad', body, manager);
    expect(reply).toMatchObject({ code, body: { kind: 'Status', status: 'Failure' } });
    expect(api.store.revision).toBe(before);
    expect(api.defects).toEqual([]);
  });

  it('under Strict for fields that occur twice', async () => {
    const yaml = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: bad}\nspec:\n  size: 4\n  size: 5\n';
    const reply = await apply('bad', yaml, 'one', '&fieldValidation=Strict');
    const problem = 'error converting YAML to JSON: yaml: unmarshal errors:\n  line 6: key "size" already set in map';
    expect([reply.code, reply.body.message]).toEqual([400, `error strict decoding YAML: ${problem}`]);
  });

  it("for a name other than the path's", async () => {
    await apply('named', configuration('named', {}), 'one');
    expect((await apply('named', configuration('other', {}), 'one')).code).toBe(400);
  });

  it('for the status of a missing object', async () => {
    const path = `${widgetsPath}/none/status?fieldManager=one`;
    const body = { ...configuration('none', {}), spec: undefined, status: { ready: true } };
    const reply = await api.send('PATCH', path, body, { 'content-type': 'application/apply-patch+yaml' });
    expect(reply.code).toBe(404);
  });
});
