/** A change with an unknown outcome is tried again. If that is refused, the outcome of the first try is still unknown. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../../runtime/contract/index.js';
import { DriverError, unavailable } from '../../../../../runtime/storage/shared/errors.js';
import { type LossyStore, loseAnswer, lossyStore, type Try } from '../../../../support/lossy-store.js';
import { commit, contentOf, encoded } from '../../../../support/store-objects.js';

const full = (): DriverError => new DriverError('refused', 'space exceeded', { full: true });
const refuseAsFull: Try = async () => Promise.reject(full());
/** Makes the change and refuses it, like etcd with the change that makes it full. */
const makeAndRefuse: Try = async (carryOut) => {
  await carryOut();
  throw full();
};

let lossy: LossyStore;
let store: Store;
let owned: Store;
let driver: LossyStore['driver'];
beforeEach(async () => {
  lossy = await lossyStore();
  ({ store, owned, driver } = lossy);
});
afterEach(() => lossy.close());

const refuse: Try = async () => ({
  outcome: 'decided',
  number: owned.revision,
  head: owned.revision,
  verdicts: [{ made: false, failure: unavailable('too busy') }],
});
const supersede: Try = async () => ({ outcome: 'superseded' });
const crash: Try = async () => {
  throw new Error('the key service does not answer');
};
const goBack: Try = async () => ({ outcome: 'decided', number: 1, head: 1, verdicts: [{ made: false }] });

describe('a change that was made, but its answer was lost', () => {
  it.each([
    ['refused', refuse],
    ['superseded by a restore or a newer format', supersede],
    ['decided on other data', goBack],
  ])('has an unknown outcome if the second try is %s', async (_, second) => {
    const { revision } = await commit(store, 'g/things/a', 0, 'one');
    await commit(store, 'g/things/b', 0, 'one');
    driver.tries.push(loseAnswer, second);
    const answer = await store.commit({ key: 'g/things/a', expected: revision, next: encoded('two') });
    expect(answer).toMatchObject({ outcome: 'failed', failure: { reason: 'Timeout' } });
    expect(contentOf(owned.get('g/things/a'))).toBe('two');
  });

  it.each<[string, Try[]]>([
    ['second', []],
    ['third', [crash]],
  ])('is recognized by the %s try', async (_, tries) => {
    const { revision } = await commit(store, 'g/things/a', 0, 'one');
    driver.tries.push(loseAnswer, ...tries);
    const answer = await store.commit({ key: 'g/things/a', expected: revision, next: encoded('two') });
    expect(answer).toEqual({ outcome: 'committed', entry: owned.get('g/things/a') });
  });

  it('is recognized if it is a creation', async () => {
    driver.tries.push(loseAnswer);
    const look = driver.look.bind(driver);
    driver.look = async () => {
      driver.look = look;
      throw new Error('the key service does not answer');
    };
    const answer = await store.commit({ key: 'g/things/a', expected: 0, next: encoded('one') });
    expect(answer).toEqual({ outcome: 'committed', entry: owned.get('g/things/a') });
  });
});

it('a change is not taken for the same change by another server', async () => {
  const { revision } = await commit(store, 'g/things/a', 0, 'one');
  driver.tries.push(async () => {
    await commit(owned, 'g/things/a', revision, 'two');
    throw new DriverError('uncertain', 'the answer was lost');
  });
  const answer = await store.commit({ key: 'g/things/a', expected: revision, next: encoded('two') });
  expect(answer).toMatchObject({ outcome: 'failed', failure: { reason: 'Timeout' } });
});

it('a change that is made in other data than before has an unknown outcome', async () => {
  await commit(store, 'g/things/a', 0, 'one');
  await commit(store, 'g/things/c', 0, 'one');
  driver.tries.push(async () => ({
    outcome: 'decided',
    number: 1,
    head: 1,
    verdicts: [{ made: true, revision: 1 }],
  }));
  const answer = await store.commit({ key: 'g/things/b', expected: 0, next: encoded('two') });
  expect(answer).toMatchObject({
    outcome: 'failed',
    failure: { reason: 'Timeout', message: expect.stringContaining('restart this server') },
  });
});

it('a change that is refused at once was not made', async () => {
  driver.tries.push(refuse);
  const refused = { outcome: 'failed', failure: { reason: 'ServiceUnavailable', message: 'too busy' } };
  expect(await store.commit({ key: 'g/things/a', expected: 0, next: encoded('one') })).toMatchObject(refused);
  driver.tries.push(supersede);
  const superseded = { outcome: 'failed', failure: { reason: 'ServiceUnavailable' } };
  expect(await store.commit({ key: 'g/things/a', expected: 0, next: encoded('one') })).toMatchObject(superseded);
});

describe('a change that a full driver refuses', () => {
  it('is committed if the driver has made it all the same', async () => {
    driver.tries.push(makeAndRefuse);
    const created = await commit(store, 'g/things/a', 0, 'one');
    expect(created).toEqual(owned.get('g/things/a'));
    driver.tries.push(makeAndRefuse);
    const answer = await store.commit({ key: 'g/things/a', expected: created.revision, next: encoded('two') });
    expect(answer).toEqual({ outcome: 'committed', entry: owned.get('g/things/a') });
    expect(contentOf(owned.get('g/things/a'))).toBe('two');
  });

  it('has an unknown outcome if the object is gone that it deletes', async () => {
    const { revision } = await commit(store, 'g/things/a', 0, 'one');
    driver.tries.push(makeAndRefuse);
    const answer = await store.commit({ key: 'g/things/a', expected: revision });
    expect(answer).toMatchObject({ outcome: 'failed', failure: { reason: 'Timeout' } });
  });

  it('was not made otherwise', async () => {
    const { revision } = await commit(store, 'g/things/a', 0, 'one');
    const refused = { outcome: 'failed', failure: { reason: 'ServiceUnavailable', message: 'space exceeded' } };
    driver.tries.push(refuseAsFull);
    expect(await store.commit({ key: 'g/things/b', expected: 0, next: encoded('one') })).toMatchObject(refused);
    driver.tries.push(refuseAsFull);
    expect(await store.commit({ key: 'g/things/a', expected: revision })).toMatchObject(refused);
    expect(store.health()).toBe('space exceeded');
  });
});
