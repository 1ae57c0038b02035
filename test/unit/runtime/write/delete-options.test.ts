/** Options of deletes, from the body or the query, and refused ones. */
import { describe, expect, it } from 'vitest';
import { readDeleteOptions } from '../../../../runtime/write/delete.js';
import { verbRequest } from '../../../support/verb-requests.js';

interface Sent {
  readonly search?: string;
  readonly body?: object | string;
  readonly contentType?: string;
}

const read = ({ search = '', body = '', contentType = 'application/json' }: Sent) =>
  readDeleteOptions(
    verbRequest({
      name: 'a',
      search,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': contentType },
    }),
  );

async function optionsOf(sent: Sent) {
  const options = await read(sent);
  if (!options.ok) throw new Error(options.failure.message);
  return options.value;
}

async function failureOf(sent: Sent) {
  const options = await read(sent);
  if (options.ok) throw new Error('nothing was refused');
  return options.failure;
}

const envelope = { kind: 'DeleteOptions', apiVersion: 'meta.platform.io/v1' };

describe('delete options', () => {
  it('are empty if the client sends nothing', async () => {
    const nothing = { dryRun: false, plan: { preconditions: {}, propagation: undefined }, object: envelope };
    expect(await optionsOf({})).toEqual(nothing);
    expect(await optionsOf({ body: 'null', search: 'dryRun' })).toEqual(nothing);
    expect(await optionsOf({ search: 'dryRun=&uid=' })).toEqual(nothing);
  });

  it('come from the body', async () => {
    const body = {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      dryRun: ['All'],
      gracePeriodSeconds: 0,
      preconditions: { uid: 'u', resourceVersion: '4' },
      propagationPolicy: 'Foreground',
    };
    expect(await optionsOf({ body })).toEqual({
      dryRun: true,
      plan: { preconditions: { uid: 'u', resourceVersion: '4' }, propagation: 'Foreground', gracePeriodSeconds: 0 },
      object: { ...body, ...envelope },
    });
  });

  it('come from the query without a body', async () => {
    const search = 'dryRun=All&gracePeriodSeconds=0&propagationPolicy=Orphan&uid=u&resourceVersion=4';
    const preconditions = { uid: 'u', resourceVersion: '4' };
    expect(await optionsOf({ search })).toEqual({
      dryRun: true,
      plan: { preconditions, propagation: 'Orphan', gracePeriodSeconds: 0 },
      object: { ...envelope, dryRun: ['All'], gracePeriodSeconds: 0, propagationPolicy: 'Orphan', preconditions },
    });
  });

  it.each<object | string>([
    {},
    'null',
    { dryRun: [], preconditions: {} },
    { dryRun: null, preconditions: { uid: null } },
    { dryRun: ['All'], gracePeriodSeconds: 5, propagationPolicy: 'Orphan', preconditions: { uid: 'u' } },
  ])('come from the query if the body %j leaves them out', async (body) => {
    const search = 'dryRun=All&gracePeriodSeconds=5&propagationPolicy=Orphan&uid=u';
    const plan = { preconditions: { uid: 'u' }, propagation: 'Orphan', gracePeriodSeconds: 5 };
    expect(await optionsOf({ search, body })).toMatchObject({ dryRun: true, plan });
  });

  it('join the preconditions of query and body', async () => {
    const body = { preconditions: { resourceVersion: '4' } };
    expect((await optionsOf({ search: 'uid=u', body })).plan.preconditions).toEqual({ uid: 'u', resourceVersion: '4' });
  });

  it.each<[string, object, string]>([
    ['propagationPolicy=Orphan', { propagationPolicy: 'Background' }, 'propagationPolicy is "Orphan" in the query'],
    ['gracePeriodSeconds=1', { gracePeriodSeconds: 2 }, 'gracePeriodSeconds is 1 in the query and 2 in the body'],
    ['orphanDependents=1', { orphanDependents: false }, 'orphanDependents is true in the query and false in the body'],
    ['uid=u', { preconditions: { uid: 'v' } }, 'uid is "u" in the query and "v" in the body: they must be equal'],
  ])('are refused if %s and the body %j differ', async (search, body, message) => {
    const failure = await failureOf({ search, body });
    expect(failure.reason).toBe('BadRequest');
    expect(failure.message).toContain(message);
  });

  it.each([
    [{ body: { orphanDependents: true } }, 'Orphan'],
    [{ body: { orphanDependents: false } }, 'Background'],
    [{ search: 'orphanDependents=true' }, 'Orphan'],
    [{ body: { propagationPolicy: 'Background' } }, 'Background'],
  ])('%j means %s', async (sent, propagation) => {
    expect((await optionsOf(sent)).plan.propagation).toBe(propagation);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', '*/*', 'application/merge-patch+json', 'a'])(
    'have no media type without a body, so that the client may send %s',
    async (contentType) => {
      expect((await optionsOf({ search: 'propagationPolicy=Orphan', contentType })).plan.propagation).toBe('Orphan');
      expect((await failureOf({ body: {}, contentType })).reason).toBe('UnsupportedMediaType');
    },
  );

  it('ignore nulls', async () => {
    const body = { preconditions: null, propagationPolicy: null, dryRun: null, gracePeriodSeconds: null };
    expect((await optionsOf({ body })).object).toEqual(envelope);
    const partly = { preconditions: { uid: null, resourceVersion: '4' } };
    expect((await optionsOf({ body: partly })).plan.preconditions).toEqual({ resourceVersion: '4' });
  });
});

describe('delete options that are refused', () => {
  it.each<[Sent, string]>([
    [{ body: { propagationPolicy: 'Some' } }, 'propagationPolicy: Unsupported value: "Some"'],
    [{ body: { dryRun: ['Some'] } }, 'dryRun: Unsupported value: []string{"Some"}: supported values: "All"'],
    [
      { body: { propagationPolicy: 'Orphan', orphanDependents: true } },
      'orphanDependents and deletionPropagation cannot be both set',
    ],
    [{ search: 'dryRun=Some' }, 'dryRun: Unsupported value: []string{"Some"}: supported values: "All"'],
    [{ search: 'propagationPolicy=Some' }, 'propagationPolicy: Unsupported value: "Some"'],
    [{ search: 'propagationPolicy=' }, 'propagationPolicy: Unsupported value: ""'],
    [{ search: 'propagationPolicy&orphanDependents=0' }, 'deletionPropagation cannot be both set'],
  ])('as invalid: %j', async (sent, message) => {
    const failure = await failureOf(sent);
    expect(failure.reason).toBe('Invalid');
    expect(failure.message).toContain(message);
  });

  const wrong = 'json: cannot unmarshal';
  it.each<[Sent, string]>([
    [{ body: '[]' }, "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type"],
    [{ body: '{' }, "couldn't get version/kind; json parse error: unexpected end of JSON input"],
    [{ body: { kind: 'Widget', apiVersion: 'v1' } }, 'no kind "Widget" is registered for version "v1"'],
    [{ body: { dryRun: 'All' } }, `${wrong} string into Go struct field DeleteOptions.dryRun of type []string`],
    [{ body: { dryRun: [1] } }, `${wrong} number into Go struct field DeleteOptions.dryRun of type string`],
    [
      { body: { gracePeriodSeconds: 'soon' } },
      `${wrong} string into Go struct field DeleteOptions.gracePeriodSeconds of type int64`,
    ],
    [
      { body: { gracePeriodSeconds: 1.5 } },
      `${wrong} number 1.5 into Go struct field DeleteOptions.gracePeriodSeconds of type int64`,
    ],
    [
      { body: { preconditions: ['u'] } },
      `${wrong} array into Go struct field DeleteOptions.preconditions of type v1.Preconditions`,
    ],
    [
      { body: { preconditions: { uid: 5 } } },
      `${wrong} number into Go struct field Preconditions.preconditions.uid of type types.UID`,
    ],
    [
      { body: { propagationPolicy: 1 } },
      `${wrong} number into Go struct field DeleteOptions.propagationPolicy of type v1.DeletionPropagation`,
    ],
    [
      { body: { orphanDependents: 'true' } },
      `${wrong} string into Go struct field DeleteOptions.orphanDependents of type bool`,
    ],
    [{ search: 'gracePeriodSeconds=soon' }, ''],
  ])('as a bad request: %j', async (sent, message) => {
    const failure = await failureOf(sent);
    expect(failure.reason).toBe('BadRequest');
    expect(failure.message.slice(0, message.length)).toBe(message);
  });
});
