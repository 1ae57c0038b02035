/** Admission webhooks: what they see, what they may change and refuse, and what they cannot do. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { objectAt } from '../../../runtime/objects/guards.js';
import {
  type AdmissionWebhook,
  type Behaviour,
  patching,
  startAdmissionWebhook,
} from '../../support/admission-webhook.js';
import { configMaps, type HookBench, rule, startHookBench } from '../../support/hook-bench.js';
import { testFolder } from '../../support/scratch-folder.js';
import { startServing } from '../../support/serving.js';

const configurations = '/apis/admissionregistration.k8s.io/v1';

let bench: HookBench;
let webhook: AdmissionWebhook;
const ask: HookBench['ask'] = (...request) => bench.ask(...request);
const create: HookBench['create'] = (...request) => bench.create(...request);
const hook: HookBench['hook'] = (...of) => bench.hook(...of);
const configure: HookBench['configure'] = (...configuration) => bench.configure(...configuration);

beforeAll(async () => {
  bench = await startHookBench();
  webhook = bench.webhook;
});
afterAll(() => bench.stop());
beforeEach(() => bench.clear());

const shadeIn = ({ review }: { readonly review: JsonObject }) =>
  objectAt(objectAt(objectAt(review, 'request'), 'object'), 'shade')?.colour;

describe('a mutating webhook', () => {
  it('changes the stored object, after pruning and defaults', async () => {
    const added = { op: 'add', path: '/spec/ports/-', value: { port: 81, name: 'more', nonsense: 1 } };
    webhook.behaviours.set('/ports', () => patching(added));
    await configure('mutating', 'ports', hook('ports', { rules: [rule('services', 'CREATE')] }));
    const service = { metadata: { name: 's' }, spec: { ports: [{ port: 80, name: 'one' }] } };
    const { body } = await ask('POST', '/api/v1/namespaces/default/services', service);
    expect(objectAt(body, 'spec')?.ports).toEqual([
      { port: 80, name: 'one', protocol: 'TCP', targetPort: 80 },
      { port: 81, name: 'more', protocol: 'TCP', targetPort: 81 },
    ]);
  });

  it('shows its additions to a custom resource to other webhooks, without storing unknown fields', async () => {
    const schema = { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer', default: 1 } } } };
    const lamps = await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'lamps.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'lamps', kind: 'Lamp' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    expect(lamps.code).toBe(201);
    const path = '/apis/example.com/v1/lamps';
    await expect.poll(async () => (await ask('GET', path)).code).toBe(200);
    const ofLamps = { rules: [rule('lamps', 'CREATE', 'UPDATE')] };
    webhook.behaviours.set('/adding', () => patching({ op: 'add', path: '/shade', value: { colour: 'red' } }));
    await configure('mutating', 'adding', hook('adding', ofLamps), hook('next', ofLamps));
    await configure('validating', 'seeing', hook('seeing', ofLamps));
    const lamp = { apiVersion: 'example.com/v1', kind: 'Lamp', metadata: { name: 'a' } };
    const made = [await ask('POST', path, lamp), await ask('PATCH', `${path}/a`, { size: 2 })];
    expect(made.map(({ code }) => code)).toEqual([201, 200]);
    for (const { body } of [...made, await ask('GET', `${path}/a`)]) expect(body.shade).toBeUndefined();
    const seen = webhook.reviews.filter((review) => review.path !== '/adding');
    expect(seen.map((review) => [review.path, shadeIn(review)])).toEqual([
      ['/next', 'red'],
      ['/seeing', 'red'],
      ['/next', 'red'],
      ['/seeing', 'red'],
    ]);
  });

  it('cannot make an object invalid, and cannot move it', async () => {
    await configure('mutating', 'bad', hook('bad'));
    webhook.behaviours.set('/bad', () => patching({ op: 'add', path: '/metadata/labels', value: { 'no key!': '' } }));
    expect(await create('a')).toMatchObject({ code: 422 });
    webhook.behaviours.set('/bad', () => patching({ op: 'add', path: '/metadata/labels', value: 'no map' }));
    expect(await create('a')).toMatchObject({ code: 500, body: { reason: 'InternalError' } });
    webhook.behaviours.set('/bad', () => patching({ op: 'add', path: '/metadata/namespace', value: 'elsewhere' }));
    expect(await create('a')).toMatchObject({ code: 400 });
  });

  it('is called in the order of configurations, and again after later changes if its policy says so', async () => {
    const append = (letter: string) => (request: JsonObject) => {
      const before = objectAt(objectAt(request, 'object'), 'data')?.order ?? '';
      return patching({ op: 'add', path: '/data', value: { order: `${before}${letter}` } });
    };
    for (const letter of ['a', 'b', 'c']) webhook.behaviours.set(`/${letter}`, append(letter));
    await configure('mutating', 'z-last', hook('c'));
    await configure('mutating', 'a-first', hook('a', { reinvocationPolicy: 'IfNeeded' }), hook('b'));
    expect((await create('ordered')).body.data).toEqual({ order: 'abca' });
  });

  it('fails with the operation of its patch that does not fit', async () => {
    await configure('mutating', 'odd', hook('odd'));
    webhook.behaviours.set('/odd', () => patching({ op: 'replace', path: '/spec/size', value: 1 }));
    expect((await create('a')).body.message).toBe(
      'Internal error occurred: replace operation does not apply: doc is missing path: /spec/size: missing value',
    );
  });

  it('may refuse a delete, and cannot change the deleted object', async () => {
    await create('kept');
    webhook.behaviours.set('/holds', () => ({ allowed: false, status: { code: 403, message: 'it stays' } }));
    await configure('mutating', 'holds', hook('holds', { rules: [rule('configmaps', 'DELETE')] }));
    expect(await ask('DELETE', `${configMaps}/kept`)).toMatchObject({ code: 403 });
    expect(webhook.reviews[0]?.review).toMatchObject({
      request: { operation: 'DELETE', object: null, oldObject: { metadata: { name: 'kept' } } },
    });
    webhook.behaviours.set('/holds', () => patching({ op: 'add', path: '/data', value: {} }));
    expect(await ask('DELETE', `${configMaps}/kept`)).toMatchObject({ code: 500 });
  });
});

describe('a validating webhook', () => {
  it('refuses in its own words, with its own code and reason', async () => {
    const status = { code: 418, reason: 'Teapot', message: 'short and stout', details: { retryAfterSeconds: 7 } };
    webhook.behaviours.set('/tea', () => ({ allowed: false, status, warnings: ['hot'] }));
    await configure('validating', 'tea', hook('tea'));
    expect(await create('cup')).toEqual({
      code: 418,
      warning: '299 - "hot"',
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'admission webhook "tea.hooks.example.com" denied the request: short and stout',
        reason: 'Teapot',
        details: { retryAfterSeconds: 7 },
        code: 418,
      },
    });
  });

  it('takes effect with the write of its configuration, and ends with the configuration', async () => {
    webhook.behaviours.set('/no', () => ({ allowed: false }));
    await configure('validating', 'no', hook('no'));
    expect((await create('refused')).body.message).toBe(
      'admission webhook "no.hooks.example.com" denied the request without explanation',
    );
    await ask('DELETE', `${configurations}/validatingwebhookconfigurations/no`);
    expect((await create('refused')).code).toBe(201);
  });

  it('is called at the same time as others', async () => {
    let free: () => void = () => undefined;
    webhook.behaviours.set('/waits', ({ uid = '' }, response) => {
      free = () =>
        response.end(
          JSON.stringify({
            apiVersion: 'admission.k8s.io/v1',
            kind: 'AdmissionReview',
            response: { uid, allowed: true },
          }),
        );
      return undefined;
    });
    webhook.behaviours.set('/frees', () => {
      free();
      return { allowed: true };
    });
    await configure('validating', 'both', hook('waits', { timeoutSeconds: 30 }), hook('frees'));
    expect((await create('side-by-side')).code).toBe(201);
  });

  it('is never called for configurations', async () => {
    webhook.behaviours.set('/all', () => ({ allowed: false }));
    await configure('validating', 'all', hook('all', { rules: [rule('*/*')] }));
    expect((await ask('DELETE', `${configurations}/validatingwebhookconfigurations/all`)).code).toBe(200);
    expect(webhook.reviews).toEqual([]);
  });

  it('sees the version that its rules name, unless it wants exact matches', async () => {
    const rules = [{ ...rule('horizontalpodautoscalers'), apiVersions: ['v1'] }];
    await configure('validating', 'versions', hook('any', { rules }), hook('exact', { rules, matchPolicy: 'Exact' }));
    const spec = { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } };
    const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
    expect((await ask('POST', path, { metadata: { name: 'h' }, spec })).code).toBe(201);
    expect(webhook.reviews).toMatchObject([
      {
        path: '/any',
        review: {
          request: {
            kind: { version: 'v1' },
            requestKind: { version: 'v2' },
            resource: { version: 'v1' },
            requestResource: { version: 'v2' },
            object: { apiVersion: 'autoscaling/v1' },
          },
        },
      },
    ]);
  });

  it('is called for objects and namespaces that its selectors match', async () => {
    const labels = { matchLabels: { watched: 'yes' } };
    await configure('validating', 'chosen', hook('chosen', { objectSelector: labels }));
    await configure('validating', 'spaces', hook('spaces', { rules: [rule('namespaces')], namespaceSelector: labels }));
    await create('plain');
    await ask('POST', configMaps, { metadata: { name: 'labelled', labels: { watched: 'yes' } } });
    // Only the old object has the label.
    await ask('PATCH', `${configMaps}/labelled`, { metadata: { labels: { watched: null } } });
    await ask('POST', '/api/v1/namespaces', { metadata: { name: 'space', labels: { watched: 'yes' } } });
    expect(webhook.reviews.map(({ path }) => path)).toEqual(['/chosen', '/chosen', '/spaces']);
  });

  it('is reached at the address that stands for its Service', async () => {
    const clientConfig = { service: { namespace: 'shop', name: 'hook', path: '/served' }, caBundle: webhook.caBundle };
    await configure('validating', 'served', hook('served', { clientConfig }));
    expect((await create('through-a-service')).code).toBe(201);
    expect(webhook.reviews).toMatchObject([{ path: '/served' }]);
  });

  it('fails if its Service does not exist', async () => {
    const clientConfig = { service: { namespace: 'shop', name: 'gone' }, caBundle: webhook.caBundle };
    await configure('validating', 'gone', hook('gone', { clientConfig }));
    expect((await create('lost')).body.message).toMatch(
      /"https:\/\/gone.shop.svc:443\/\?timeout=10s": service "gone" not found$/,
    );
  });
});

describe('a webhook that fails', () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const doubling = [...Array(40).keys()].map(() => ({ op: 'copy', from: '/data', path: '/data/a' }));
  const failing: Readonly<Record<string, Behaviour>> = {
    'says another uid': () => ({ allowed: true, uid: 'another' }),
    'hangs up': (_, response) => void response.destroy(),
    'never answers': () => undefined,
    'stops in the middle': (_, response) => void response.write('{"apiVersion":'),
    'never ends': (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, ' ')));
      };
      response.on('drain', more);
      more();
      return undefined;
    },
    'sends a gzip bomb': (_, response) => void response.setHeader('content-encoding', 'gzip').end(bomb),
    redirects: (_, response) => void response.writeHead(302, { location: `${webhook.url}/allow` }).end(),
    'answers with nonsense': (_, response) => void response.end('nonsense'),
    'is not there': (_, response) => void response.writeHead(503).end(),
  };

  it.each(Object.keys(failing))('if it %s, is reported or skipped, as its policy says', async (what) => {
    const behaviour = failing[what];
    if (behaviour) webhook.behaviours.set('/failing', behaviour);
    const more = { timeoutSeconds: 1 };
    await configure('validating', 'failing', hook('failing', more));
    expect(await create('unanswered')).toMatchObject({
      code: 500,
      body: {
        message: expect.stringMatching(
          /^Internal error occurred: failed calling webhook "failing.hooks.example.com": /,
        ),
      },
    });
    await ask('DELETE', `${configurations}/validatingwebhookconfigurations/failing`);
    await configure('validating', 'passed-over', hook('failing', { ...more, failurePolicy: 'Ignore' }));
    expect((await create(`unanswered-${Object.keys(failing).indexOf(what)}`)).code).toBe(201);
  });

  it('by its certificate gets no request', async () => {
    const stranger = await startAdmissionWebhook();
    await configure(
      'validating',
      'stranger',
      hook('stranger', { clientConfig: { url: `${stranger.url}/x`, caBundle: webhook.caBundle } }),
    );
    expect((await create('untrusted')).code).toBe(500);
    expect(stranger.reviews).toEqual([]);
    stranger.close();
  });

  it('does not prevent another start', async () => {
    const folder = testFolder();
    const flags = { naming: 'kubernetes', storage: `lmdb:${folder}` };
    const served = bench.running;
    bench.running = await startServing(flags);
    const clientConfig = { url: 'https://127.0.0.1:1/x' };
    await configure('mutating', 'dead', hook('dead', { clientConfig, rules: [rule('*/*')] }));
    await bench.running.stop();
    bench.running = await startServing(flags);
    expect((await create('refused')).code).toBe(500);
    await bench.running.stop();
    bench.running = served;
  });

  it('by a patch that grows without limit is refused', async () => {
    webhook.behaviours.set('/bomb', () => patching({ op: 'add', path: '/data', value: { a: 'x' } }, ...doubling));
    await configure('mutating', 'bomb', hook('bomb'));
    expect((await create('bombed')).code).toBe(500);
    expect((await ask('GET', `${configMaps}/bombed`)).code).toBe(404);
  });

  it('by a patch that cannot be decoded is a failure of the webhook since release 1.34', async () => {
    const patch = Buffer.from('{"op":').toString('base64');
    webhook.behaviours.set('/junk', () => ({ allowed: true, patchType: 'JSONPatch', patch }));
    const served = bench.running;
    const outcomes: unknown[] = [];
    for (const emulatedVersion of ['1.33', '1.34']) {
      bench.running = await startServing({ naming: 'kubernetes', controllers: 'none', emulatedVersion });
      for (const failurePolicy of ['Fail', 'Ignore']) {
        await configure('mutating', failurePolicy.toLowerCase(), hook('junk', { failurePolicy }));
        const { code, body } = await create('a');
        outcomes.push(code === 201 ? code : body.message);
        await bench.clear();
        webhook.behaviours.set('/junk', () => ({ allowed: true, patchType: 'JSONPatch', patch }));
      }
      await bench.running.stop();
    }
    bench.running = served;
    const problem = 'unexpected end of JSON input';
    expect(outcomes).toEqual([
      `Internal error occurred: ${problem}`,
      `Internal error occurred: ${problem}`,
      `Internal error occurred: failed calling webhook "junk.hooks.example.com": received undecodable patch in webhook response: ${problem}`,
      201,
    ]);
  });

  it('has no more time than its request', async () => {
    webhook.behaviours.set('/slow', () => undefined);
    await configure('validating', 'slow', hook('slow', { timeoutSeconds: 30, failurePolicy: 'Ignore' }));
    expect((await ask('POST', `${configMaps}?timeout=1s`, { metadata: { name: 'late' } })).code).toBe(504);
    expect((await ask('GET', `${configMaps}/late`)).code).toBe(404);
  });
});
