import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConversionWebhookOptions,
  printConversionWebhook,
  type RunningConversionWebhook,
  startConversionWebhook,
} from '../../../../server/webhooks/start-webhook.js';
import { serveReviews } from '../../../../server/webhooks/webhook-server.js';
import { makeServerCertificate } from '../../../support/certificates.js';
import { scratchFolder } from '../../../support/scratch-folder.js';
import { root } from '../../../support/shared.js';

const folder = scratchFolder();
const problems: string[] = [];

const options: ConversionWebhookOptions = {
  schemas: `${root}/examples/conversion/schemas`,
  naming: 'kubernetes',
  host: '127.0.0.1',
  port: 0,
  certificate: { folder, names: ['a.b.svc'] },
  maxBodyBytes: 2_000,
  graceMs: 5_000,
  onProblem: (problem) => problems.push(problem),
};

let running: RunningConversionWebhook;
let agent: Agent;

beforeAll(async () => {
  running = await startConversionWebhook(options);
  agent = new Agent({ keepAlive: true, maxSockets: 1, ...(running.authority ? { ca: running.authority } : {}) });
});
afterAll(async () => {
  agent.destroy();
  await running.stop();
});

interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly port: number | undefined;
}

/** Sends a request to the webhook. Chunks make a body without a length. */
function send(url: string, more: RequestOptions = {}, body: string | readonly string[] = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, ...more }, (response) => {
      const port = response.socket.localPort;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          code: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
          port,
        }),
      );
    });
    asked.on('error', reject);
    if (typeof body === 'string') asked.end(body);
    else {
      for (const chunk of body) asked.write(chunk);
      asked.end();
    }
  });
}

const json = { method: 'POST', headers: { 'content-type': 'application/json; charset=utf-8' } };
const review = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: {
    uid: 'u',
    desiredAPIVersion: 'kitchen.example.com/v2',
    objects: [{ apiVersion: 'kitchen.example.com/v1', kind: 'Timer', metadata: { name: 'egg' }, spec: { minutes: 2 } }],
  },
});

describe('a webhook', () => {
  it('lists its conversions, and converts over persistent connections', async () => {
    expect(running.resources).toEqual(['timers.kitchen.example.com']);
    const first = await send(running.url, json, review);
    expect(first.code).toBe(200);
    expect(JSON.parse(first.text).response.convertedObjects[0].spec).toEqual({ seconds: 120, type: 'kitchen' });
    expect((await send(running.url, json, review)).port).toBe(first.port);
  });

  it.each(['/healthz', '/livez', '/readyz'])('reports its health at %s', async (path) => {
    const answer = await send(new URL(path, running.url).href);
    expect([answer.code, answer.text]).toEqual([200, 'ok']);
    expect((await send(new URL(path, running.url).href, { method: 'HEAD' })).text).toBe('');
  });

  it.each<[number, string, string, RequestOptions, string | readonly string[]]>([
    [404, 'there is nothing at /other', '/other', json, review],
    [405, '/convert takes POST, not GET', '/convert', {}, ''],
    [
      415,
      'reviews are application/json, not text/plain',
      '/convert',
      { method: 'POST', headers: { 'content-type': 'text/plain' } },
      review,
    ],
    [415, 'not nothing', '/convert', { method: 'POST' }, review],
    [413, 'the body has more than 2000 bytes', '/convert', json, 'x'.repeat(3000)],
    [413, 'the body has more than 2000 bytes', '/convert', json, ['x'.repeat(1500), 'x'.repeat(1500)]],
    [400, 'the body is not JSON', '/convert', json, '{'],
  ])('answers %i: %s', async (code, message, path, request, body) => {
    problems.length = 0;
    const answer = await send(new URL(path, running.url).href, request, body);
    expect(answer.code).toBe(code);
    expect(JSON.parse(answer.text)).toMatchObject({ kind: 'Status', code, message: expect.stringContaining(message) });
    expect(problems).toEqual([expect.stringContaining(message)]);
    if (code === 405) expect(answer.headers.allow).toBe('POST');
  });

  it('is trusted after a restart with the printed authority from before', async () => {
    const place = { service: { namespace: 'b', name: 'a', port: 443 } };
    const { text } = await printConversionWebhook({ ...options, what: 'patch', place });
    const bundle = /caBundle: (\S+)/.exec(text)?.[1] ?? '';
    const again = await startConversionWebhook(options);
    const ca = Buffer.from(bundle, 'base64').toString();
    const fresh = new Agent({ ca });
    expect((await send(again.url, { ...json, agent: fresh }, review)).code).toBe(200);
    expect((await send(again.url, { ...json, agent: fresh, servername: 'a.b.svc' }, review)).code).toBe(200);
    await expect(send(again.url, { ...json, agent: new Agent({ ca: [] }) }, review)).rejects.toThrow(/certificate/);
    fresh.destroy();
    await again.stop();
  });

  it('presents a given certificate', async () => {
    const { cert, key } = await makeServerCertificate();
    const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    const certificate = { files: { certFile, keyFile }, authorityFile: certFile, names: [] };
    const given = await startConversionWebhook({ ...options, certificate });
    expect(given.authority).toBe(readFileSync(certFile, 'utf8'));
    const trusting = new Agent({ ca: cert });
    expect((await send(given.url, { ...json, agent: trusting }, review)).code).toBe(200);
    trusting.destroy();
    await given.stop();
    const lacking = { files: { certFile, keyFile: join(folder, 'none') }, names: [] };
    await expect(startConversionWebhook({ ...options, certificate: lacking })).rejects.toThrow(/none/);
  });

  it('refuses definitions with mistakes, and an address in use', async () => {
    const port = Number(new URL(running.url).port);
    await expect(startConversionWebhook({ ...options, port })).rejects.toThrow(/cannot listen on 127.0.0.1 port/);
    const schemas = mkdtempSync(join(folder, 'bad-'));
    writeFileSync(join(schemas, 'a.yaml'), 'kind: ResourceDefinition');
    await expect(startConversionWebhook({ ...options, schemas })).rejects.toThrow(/mistakes/);
  });
});

describe('a webhook that gets a signal to stop', () => {
  async function held(graceMs: number) {
    const certificate = await makeServerCertificate();
    let release: () => void = () => {};
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrived: () => void = () => {};
    const under = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const listening = await serveReviews({
      ...options,
      certificate,
      graceMs,
      answer: async () => {
        arrived();
        await waiting;
        return { code: 200, body: { done: true } };
      },
    });
    const patient = new Agent({ keepAlive: true, ca: certificate.cert });
    const url = `https://localhost:${listening.port}`;
    return { listening, release, under, patient, url };
  }

  it('answers requests in flight, and accepts no new ones', async () => {
    const { listening, release, under, patient, url } = await held(60_000);
    const answered = send(`${url}/convert`, { ...json, agent: patient }, '{}');
    await under;
    let stopped = false;
    const stopping = listening.stop().then(() => {
      stopped = true;
    });
    await expect(send(`${url}/readyz`, { agent: new Agent() })).rejects.toThrow();
    expect(stopped).toBe(false);
    release();
    const answer = await answered;
    expect([answer.code, answer.headers.connection]).toEqual([200, 'close']);
    await stopping;
    patient.destroy();
  });

  it('does not wait forever', async () => {
    const { listening, under, patient, url } = await held(50);
    const answered = send(`${url}/convert`, { ...json, agent: patient }, '{}').catch(() => 'cut off');
    await under;
    await listening.stop();
    expect(await answered).toBe('cut off');
    patient.destroy();
  });
});
