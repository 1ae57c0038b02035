import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { defineCertificateCleaning } from '../../../controllers/index.js';
import { type RunningControllers, runControllers } from '../../../controllers/kit/index.js';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { ask } from '../../support/ask.js';
import { makeAuthority } from '../../support/certificate-authority.js';
import { makeRequest } from '../../support/certificates.js';
import { FakeClock } from '../../support/fake-clock.js';
import { servingForTests } from '../../support/serving.js';

const path = '/apis/certificates.platform.io/v1/certificatesigningrequests';
const minuteMs = 60_000;

let controllers: RunningControllers;
let clock: FakeClock;
const server = servingForTests({ controllers: 'none' });

const problems: string[] = [];
beforeEach(async () => {
  clock = new FakeClock(Date.now());
  const controller = defineCertificateCleaning('certificates.platform.io');
  const client = server().client();
  controllers = runControllers([{ controller, client }], {
    client,
    clock,
    onProblem: (_name, problem) => void problems.push(problem),
  });
  await expect.poll(() => controllers.states.get('csrcleaner')).toBe('running');
});
afterEach(async () => {
  await controllers.stop();
  expect(problems).toEqual([]);
});

const send = async (method: string, at: string, body?: JsonObject): Promise<JsonObject> =>
  (await ask(server(), method, path + at, body)).body;

/** Creates a request, for a signer that does not exist. */
async function create(name: string): Promise<JsonObject> {
  const request = Buffer.from(await makeRequest('CN=x')).toString('base64');
  const made = await send('POST', '', {
    metadata: { name },
    spec: { request, signerName: 'example.com/own', usages: ['client auth'] },
  });
  expect(made.kind).toBe('CertificateSigningRequest');
  return made;
}

const decide = async (name: string, type: string, subresource = 'approval'): Promise<JsonObject> => {
  const found = await send('GET', `/${name}`);
  const before = isObject(found.status) && Array.isArray(found.status.conditions) ? found.status.conditions : [];
  const conditions = [...before, { type, status: 'True', reason: 'Test' }];
  return send('PUT', `/${name}/${subresource}`, { ...found, status: { conditions } });
};

const names = async (): Promise<readonly string[]> => {
  const { items } = await send('GET', '');
  return Array.isArray(items)
    ? items.flatMap((one) => (isObject(one) && isObject(one.metadata) ? String(one.metadata.name) : [])).sort()
    : [];
};

/** Advances the clock once the controller has had time to see the changes. */
async function later(ms: number): Promise<void> {
  await sleep(200);
  await clock.advance(ms);
  await sleep(200);
}

it('keeps decided requests for an hour, and waiting ones for a day', async () => {
  for (const name of ['approved', 'denied', 'failed', 'pending']) await create(name);
  await decide('approved', 'Approved');
  await decide('denied', 'Denied');
  await decide('failed', 'Approved');
  await decide('failed', 'Failed', 'status');
  await later(55 * minuteMs);
  expect(await names()).toEqual(['approved', 'denied', 'failed', 'pending']);
  await later(10 * minuteMs);
  await expect.poll(names).toEqual(['pending']);
  await later(22 * 60 * minuteMs);
  expect(await names()).toEqual(['pending']);
  await later(2 * 60 * minuteMs);
  await expect.poll(names).toEqual([]);
});

it('removes a request when its certificate has expired', async () => {
  const authority = await makeAuthority('CN=own');
  const { cert } = await authority.issue({ subject: 'CN=x', until: new Date(clock.wallMs() + 10 * minuteMs) });
  for (const name of ['open', 'issued']) {
    await create(name);
    const approved = await decide(name, 'Approved');
    const status = isObject(approved.status) ? approved.status : {};
    const certificate = Buffer.from(cert).toString('base64');
    if (name === 'issued') await send('PUT', `/${name}/status`, { ...approved, status: { ...status, certificate } });
  }
  await later(8 * minuteMs);
  expect(await names()).toEqual(['issued', 'open']);
  await later(3 * minuteMs);
  await expect.poll(names).toEqual(['open']);
});
