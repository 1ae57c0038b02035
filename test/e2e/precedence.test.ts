/**
 * Tests each rule of a list. A rule says whether the specification or the reference counts if they differ. Requests
 * here test the rule, or a test elsewhere that the rule names. If the list is beside the checkout, no rule may be
 * missing here.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { makeRequest } from '../support/certificates.js';
import { type ListeningServer, startServing } from '../support/serving.js';
import { root, shared } from '../support/shared.js';

type Ask = (method: string, path: string, body?: unknown, type?: string) => Promise<Reply>;

interface Reply {
  readonly code: number;
  readonly text: string;
  readonly body: JsonObject;
}

/** The tables of the list. */
type Table = 'specification' | 'reference';

/** Requests to a server of either naming that test a rule. */
type Requests = (ask: Ask, platform: Ask) => Promise<void>;

/** The way to test a rule: by requests, or by tests elsewhere, as file and title. */
type Shown = Requests | readonly (Requests | readonly [file: string, title: string])[];

const maps = '/api/v1/namespaces/default/configmaps';
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';
const configMap = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...more,
});

const managers = ({ body }: Reply): readonly string[] => {
  const { managedFields = [] } = isObject(body.metadata) ? body.metadata : {};
  return Array.isArray(managedFields)
    ? managedFields.map((entry) => (isObject(entry) ? String(entry.manager) : ''))
    : [];
};

/** Makes a definition with a schema for `spec`, and waits until it is served. */
async function define(ask: Ask, plural: string, kind: string, spec: JsonObject): Promise<string> {
  const group = 'precedence.example.com';
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const made = await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  expect(made.code, made.text).toBe(201);
  const path = `/apis/${group}/v1/${plural}`;
  for (let tries = 0; tries < 500 && (await ask('GET', path)).code !== 200; tries++) await sleep(20);
  return path;
}

/** The rules by table. Each key has the section of the list, and the beginning of the sentence. */
const rules: Readonly<Record<Table, Readonly<Record<string, Shown>>>> = {
  specification: {
    'G Dry run: An empty `?dryRun`': async (ask) => {
      expect((await ask('POST', `${maps}?dryRun`, configMap('empty-dry'))).code).toBe(201);
      expect((await ask('PATCH', `${maps}/empty-dry?dryRun=`, { data: { a: 'b' } }, merge)).code).toBe(200);
      expect((await ask('GET', `${maps}/empty-dry`)).body.data).toEqual({ a: 'b' });
      expect((await ask('DELETE', `${maps}/empty-dry?dryRun`)).code).toBe(200);
      expect((await ask('GET', `${maps}/empty-dry`)).code).toBe(404);
    },
    'G Dry run: A DELETE is a dry run if': async (ask) => {
      await ask('POST', maps, configMap('dry-delete'));
      const path = `${maps}/dry-delete`;
      for (const body of [undefined, {}, { gracePeriodSeconds: 0 }, { dryRun: ['All'] }]) {
        expect((await ask('DELETE', `${path}?dryRun=All`, body)).code, JSON.stringify(body)).toBe(200);
      }
      expect((await ask('DELETE', path, { dryRun: ['All'] })).code).toBe(200);
      expect((await ask('DELETE', `${path}?gracePeriodSeconds=1`, { gracePeriodSeconds: 2 })).code).toBe(400);
      expect((await ask('GET', path)).code).toBe(200);
      expect((await ask('DELETE', path, {})).code).toBe(200);
      expect((await ask('GET', path)).code).toBe(404);
    },
    'G Server-side apply: `managedFields: []` resets nothing': async (ask) => {
      await ask('PATCH', `${maps}/owned?fieldManager=first`, configMap('owned', { data: { a: '1' } }), apply);
      const path = `${maps}/owned?fieldManager=other`;
      const cleared = { metadata: { managedFields: [] } };
      expect(managers(await ask('PATCH', path, cleared, merge))).toEqual(['first']);
      const json = [{ op: 'replace', path: '/metadata/managedFields', value: [] }];
      expect(managers(await ask('PATCH', path, json, 'application/json-patch+json'))).toEqual(['first']);
      const whole = configMap('owned', { data: { a: '1' }, metadata: { name: 'owned', managedFields: [] } });
      expect(managers(await ask('PUT', path, whole))).toEqual(['first']);
    },
    'G Server-side apply: A reset (`[{}]`) together': async (ask) => {
      await ask('PATCH', `${maps}/reset?fieldManager=first`, configMap('reset', { data: { a: '1', b: '1' } }), apply);
      const change = { metadata: { managedFields: [{}] }, data: { b: '2' } };
      const changed = await ask('PATCH', `${maps}/reset?fieldManager=author`, change, merge);
      expect(managers(changed)).toEqual(['author']);
      expect(changed.text).toContain('"fieldsV1":{"f:data":{"f:b":{}}}');
    },
    "G Server-side apply: kubectl's last-applied annotation": async (...asks) => {
      for (const ask of asks) {
        const applied = configMap('moved', { data: { a: '1' } });
        const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(applied) };
        const made = { ...applied, metadata: { name: 'moved', annotations } };
        expect((await ask('POST', `${maps}?fieldManager=kubectl-client-side-apply`, made)).code).toBe(201);
        const next = configMap('moved', { data: { a: '2' } });
        const moved = await ask('PATCH', `${maps}/moved?fieldManager=kubectl`, next, apply);
        expect([moved.code, moved.body.data]).toEqual([200, { a: '2' }]);
      }
    },
    'G Expression language: `datetime` is taken': async (ask) => {
      const at = { type: 'string', format: 'datetime' };
      const rule = { rule: 'self.at < timestamp("2030-01-01T00:00:00Z")', message: 'too late' };
      const spec = { type: 'object', properties: { at }, 'x-kubernetes-validations': [rule] };
      const path = await define(ask, 'moments', 'Moment', spec);
      const moment = (name: string, text: string) =>
        ask('POST', path, {
          apiVersion: 'precedence.example.com/v1',
          kind: 'Moment',
          metadata: { name },
          spec: { at: text },
        });
      expect((await moment('good', '2020-01-01T00:00:00Z')).code).toBe(201);
      expect((await moment('late', '2031-01-01T00:00:00Z')).text).toContain('too late');
      expect((await moment('none', 'no time')).code).toBe(422);
    },
    'G Health endpoints: Each name that the verbose form': async (ask) => {
      for (const endpoint of ['healthz', 'livez', 'readyz']) {
        const { text } = await ask('GET', `/${endpoint}?verbose`);
        const names = [...text.matchAll(/^\[\+\](\S+) ok$/gm)].map(([, name]) => name);
        expect(names.filter((name) => name?.includes('/')).length, endpoint).toBeGreaterThan(0);
        for (const name of names) expect((await ask('GET', `/${endpoint}/${name}`)).text, name).toBe('ok');
        expect(text.trimEnd().split('\n').at(-1)).toBe(`${endpoint} check passed`);
      }
    },
    'G Service account tokens: One key file may hold': [
      [
        'test/unit/server/service-accounts.test.ts',
        'with every key of every file, and with the serving key only without files',
      ],
    ],
    'G OpenID Connect: Without `--oidc-ca-file`': [
      [
        'test/unit/server/webhooks/machine-authorities.test.ts',
        'are read from SSL_CERT_FILE, or else from the first file',
      ],
    ],
    'G Token webhook: `status.error` is shown': [
      [
        'test/unit/plugins/authentication/token-webhook.test.ts',
        'of %j is public and goes to the log once for each answer',
      ],
    ],
    'G Token webhook: `--authentication-token-webhook-version`': [
      ['test/unit/bin/flags/serve-options.test.ts', 'the version of token reviews'],
    ],
    'G Authentication, flags: Boolean flags take': [
      ['test/unit/bin/flags/boolean-forms.test.ts', 'takes all three forms'],
    ],
    'G API versions no longer served: The group of flow control': async (ask, platform) => {
      const own = await platform('GET', '/apis/flowcontrol.platform.io/v1beta3/flowschemas/exempt');
      expect([own.code, own.body.apiVersion]).toEqual([200, 'flowcontrol.platform.io/v1beta3']);
      expect((await platform('GET', '/apis/flowcontrol.apiserver.platform.io')).code).toBe(404);
      expect((await ask('GET', '/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas/exempt')).code).toBe(200);
    },
    'G API versions no longer served: `convert` knows every pair': [
      ['test/unit/server/webhooks/convert-file.test.ts', 'converts a %s of %s to %s'],
    ],
    'G API versions no longer served: EndpointSlice: `topology` becomes': async (ask) => {
      const path = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
      const endpoints = [{ addresses: ['10.1.1.1'], zone: 'z', deprecatedTopology: { a: 'b' } }];
      const slice = { metadata: { name: 'slice' }, addressType: 'IPv4', endpoints, ports: [] };
      const made = await ask('POST', path, slice);
      expect(made.code).toBe(201);
      expect((await ask('PUT', `${path}/slice`, slice)).code).toBe(200);
      expect((await ask('GET', `${path}/slice`)).text).not.toContain('deprecatedTopology":');
    },
    'G Deprecation rules: A deprecated metric or flag': [
      ['test/unit/runtime/metrics/metrics.test.ts', 'is logged once when it is read with a value'],
      ['test/unit/bin/flags/fill-in.test.ts', '--old-port is deprecated since release 0.2'],
    ],
    'G Limits; Paged listing: A client library that pages': [
      ['test/unit/client/resource/remote-resource.test.ts', 'pages after a 410'],
    ],
    'R CSIDriver: Names: at most 63': async (ask) => {
      const named = async (name: string) =>
        (await ask('POST', '/apis/storage.k8s.io/v1/csidrivers', { metadata: { name }, spec: {} })).code;
      for (const name of ['A', 'a..B', 'a-.-9', 'd'.repeat(63)]) expect(await named(name), name).toBe(201);
      for (const name of ['-a', 'a-', 'a_b', 'd'.repeat(64)]) expect(await named(name), name).toBe(422);
    },
    'R Admission control: PersistentVolumeLabel may be named': [
      ['test/unit/server/parts/open-admission.test.ts', 'adds no labels, because no source of labels is configured'],
    ],
    'R Admission control: DefaultIngressClass with several': async (ask) => {
      const [networking, storage] = ['/apis/networking.k8s.io/v1', '/apis/storage.k8s.io/v1'];
      for (const name of ['one', 'two']) {
        const metadata = { name, annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } };
        expect(
          (await ask('POST', `${networking}/ingressclasses`, { metadata, spec: { controller: 'example.com/c' } })).code,
        ).toBe(201);
      }
      const spec = { ingressClassName: 'one', defaultBackend: { service: { name: 's', port: { number: 80 } } } };
      const ingresses = `${networking}/namespaces/default/ingresses`;
      expect((await ask('POST', ingresses, { metadata: { name: 'named' }, spec })).code).toBe(403);
      for (const name of ['one', 'two']) {
        const metadata = { name, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } };
        expect((await ask('POST', `${storage}/storageclasses`, { metadata, provisioner: 'example.com/p' })).code).toBe(
          201,
        );
      }
      const claim = (name: string, more: JsonObject) =>
        ask('POST', '/api/v1/namespaces/default/persistentvolumeclaims', {
          metadata: { name },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
        });
      expect((await claim('bare', {})).code).toBe(403);
      expect((await claim('with', { storageClassName: 'two' })).code).toBe(201);
    },
    'R Admission control: RuntimeClass refuses a Pod': async (ask) => {
      const overhead = { cpu: '10m' };
      const metadata = { name: 'heavy' };
      await ask('POST', '/apis/node.k8s.io/v1/runtimeclasses', {
        metadata,
        handler: 'h',
        overhead: { podFixed: overhead },
      });
      const pod = (name: string, more: JsonObject) =>
        ask('POST', '/api/v1/namespaces/default/pods', {
          metadata: { name },
          spec: { containers: [{ name: 'c', image: 'i' }], runtimeClassName: 'heavy', ...more },
        });
      expect((await pod('equal', { overhead })).text).toContain('overhead');
      expect((await pod('equal', { overhead })).code).toBe(403);
      expect((await pod('other', { overhead: { cpu: '1' } })).code).toBe(403);
      expect((await pod('absent', {})).text).toContain('"overhead":{"cpu":"10m"}');
    },
    'R Admission control: `imagepolicy.platform.io/v1alpha1`': [
      ['test/unit/server/features.test.ts', 'takes the version of the image policy, which has no resources'],
      ['test/unit/server/webhooks/post-json.test.ts', 'https; plain http is for webhooks on this machine'],
    ],
    'R Endpoints: The verb `proxy` connects': [['test/unit/runtime/http/forward.test.ts', '%s of %j asks for %j']],
    'R Node restriction: A node may not delete its own': [
      ['test/unit/plugins/admission/node-restriction.test.ts', 'its own node'],
    ],
    'R PodSchedulingContext: An entry of `status.resourceClaims`': [
      ['test/unit/strategies/resource.platform.io/podschedulingcontexts.test.ts', 'names each claim of its status'],
    ],
  },
  reference: {
    'G General rules, R Endpoints: PUT of an absent object': [
      async (ask) => {
        expect((await ask('PUT', `${maps}/absent`, configMap('absent'))).code).toBe(404);
        const lease = '/apis/coordination.k8s.io/v1/namespaces/default/leases/absent';
        const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'absent' }, spec: {} };
        expect((await ask('PUT', lease, body)).code).toBe(201);
      },
      ['test/unit/runtime/write/create-on-update.test.ts', 'asks for the right to create, too'],
    ],
    'G get and list semantics: Invalid combinations': async (ask) => {
      for (const search of [
        'resourceVersionMatch=Exact',
        'resourceVersion=0&resourceVersionMatch=Exact',
        'resourceVersion=1&resourceVersionMatch=x',
      ])
        expect((await ask('GET', `${maps}?${search}`)).code, search).toBe(422);
      const all = await ask('GET', '/api/v1/namespaces?resourceVersion=0&limit=1');
      expect(all.body.items).toHaveLength(4);
    },
    "G Bookmarks: A bookmark's metadata": [
      [
        'test/unit/runtime/request/representation/json.test.ts',
        "metadata: { resourceVersion: '7', creationTimestamp: null }",
      ],
    ],
    'G Field validation: An apply with an unknown field': async (ask) => {
      for (const level of ['', '&fieldValidation=Ignore', '&fieldValidation=Warn', '&fieldValidation=Strict']) {
        const sent = configMap('unknown', { colour: 'red' });
        expect((await ask('PATCH', `${maps}/unknown?fieldManager=a${level}`, sent, apply)).code, level).toBe(400);
      }
    },
    'G Health endpoints: `/livez` and `/readyz`': async (ask) => {
      for (const name of ['livez', 'readyz'])
        expect((await ask('GET', `/${name}?verbose`)).text.trimEnd()).toMatch(new RegExp(`\n${name} check passed$`));
    },
    "G Expression language: A list literal's estimate": [
      ['test/unit/runtime/cel/check/call-cost.test.ts', 'counts 10 for a literal beside its items'],
    ],
    'G Table representation: Custom resources without columns': async (ask) => {
      const path = await define(ask, 'bare', 'Bare', { type: 'object' });
      await ask('POST', path, { apiVersion: 'precedence.example.com/v1', kind: 'Bare', metadata: { name: 'a' } });
      const shown = await ask('GET', path, undefined, 'application/json;as=Table;v=v1;g=meta.k8s.io');
      const columns = Array.isArray(shown.body.columnDefinitions) ? shown.body.columnDefinitions : [];
      expect(columns.map((column) => isObject(column) && column.name)).toEqual(['Name', 'Age']);
    },
    'G OpenID Connect: A groups claim that is a single': [
      ['test/unit/plugins/authentication/oidc.test.ts', "[{ groups: 'a' }, ['g:a']]"],
    ],
    'G Server-side apply: An object made without any field': async (ask) => {
      expect(managers(await ask('POST', maps, configMap('untracked')))).toEqual([]);
      expect(managers(await ask('PATCH', `${maps}/untracked`, { data: { a: 'b' } }, merge))).toEqual([]);
      expect(managers(await ask('PUT', `${maps}/untracked`, configMap('untracked', { data: { a: 'c' } })))).toEqual([]);
      const applied = await ask(
        'PATCH',
        `${maps}/untracked?fieldManager=a&force=true`,
        configMap('untracked', { data: { a: 'd' } }),
        apply,
      );
      expect(managers(applied)).toContain('a');
    },
    'G Protobuf envelope: Raw bytes are protobuf': async (ask) => {
      const json = Buffer.from(JSON.stringify(configMap('enveloped')));
      const type = Buffer.from('application/json');
      const head = Buffer.from([0x6b, 0x38, 0x73, 0, 0x0a, 0x0f, 0x0a, 2, 0x76, 0x31, 0x12, 9]);
      const raw = Buffer.concat([
        head,
        Buffer.from('ConfigMap'),
        Buffer.from([0x12, json.length]),
        json,
        Buffer.from([0x22, type.length]),
        type,
      ]);
      const answer = await ask('POST', maps, raw, 'application/vnd.kubernetes.protobuf');
      expect(answer.code).toBe(400);
      expect((await ask('GET', `${maps}/enveloped`)).code).toBe(404);
    },
    'R CSIDriver: `tokenRequests` without': [
      ['test/unit/strategies/specified-rules.test.ts', 'takes a token request of a CSIDriver without an audience'],
    ],
    'R Admission control: SecurityContextDeny is alpha': [
      ['test/unit/server/parts/open-admission.test.ts', 'turns on one that needs a gate together with the gate only'],
    ],
    'R IPAddress: Of the parent reference': [
      ['test/unit/strategies/specified-rules.test.ts', 'needs a parent with resource and name, and nothing else of it'],
    ],
    'R CertificateSigningRequest: Condition types other than': async (ask) => {
      const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
      const request = Buffer.from(await makeRequest('CN=a')).toString('base64');
      const spec = { request, signerName: 'example.com/signer', usages: ['client auth'] };
      const made = await ask('POST', path, { metadata: { name: 'typed' }, spec });
      expect(made.code, made.text).toBe(201);
      const conditions = [{ type: 'Custom', status: 'True', reason: 'r', message: 'm' }];
      const approval = { ...made.body, status: { conditions } };
      expect((await ask('PUT', `${path}/typed/approval`, approval)).text).toContain('"type":"Custom"');
    },
    'G DELETE of collections: Both a Status and the list': async (ask) => {
      await ask('POST', maps, { ...configMap('many'), metadata: { name: 'many', labels: { many: 'yes' } } });
      const gone = await ask('DELETE', `${maps}?labelSelector=many=yes`);
      expect([gone.code, gone.body.kind, gone.body.status]).toEqual([200, 'Status', 'Success']);
      expect((await ask('GET', `${maps}/many`)).code).toBe(404);
    },
  },
};

describe('differences between the specification and the reference', () => {
  const servers: ListeningServer[] = [];
  const askOf =
    (at: number): Ask =>
    async (method, path, body, type = 'application/json') => {
      const sent = body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
      const headers = { [method === 'GET' ? 'accept' : 'content-type']: type };
      const answer = await fetch(`${servers[at]?.url}${path}`, {
        method,
        headers,
        ...(sent === undefined ? {} : { body: sent }),
      });
      const text = await answer.text();
      const read: unknown = text.startsWith('{') ? JSON.parse(text) : {};
      return { code: answer.status, text, body: isObject(read) ? read : {} };
    };

  beforeAll(async () => {
    for (const naming of ['kubernetes', 'platform'] as const)
      servers.push(
        await startServing({
          naming,
          controllers: 'none',
          authorizationMode: 'AlwaysAllow',
          disableAdmissionPlugins: ['ServiceAccount'],
        }),
      );
  }, 300_000);
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  for (const [table, all] of Object.entries(rules)) {
    it.each(Object.entries(all))(`the ${table} counts: %s`, async (_rule, shown) => {
      for (const one of typeof shown === 'function' ? [shown] : shown) {
        if (typeof one === 'function') await one(askOf(0), askOf(1));
        else expect(readFileSync(join(root, one[0]), 'utf8'), one[0]).toContain(one[1]);
      }
    });
  }
});

const list = shared('spec', 'precedence.md');

describe.skipIf(!existsSync(list))('the list of differences (skipped if it is not beside the checkout)', () => {
  const [, specification = '', reference = ''] = (existsSync(list) ? readFileSync(list, 'utf8') : '').split(
    /^## The .* counts$/m,
  );
  const rowsOf = (part: string) => [...part.matchAll(/^\| ([^|]+?) \| ([^|]+?) \|$/gm)].slice(2);

  it.each([
    ['specification', specification],
    ['reference', reference],
  ] as const)('has a test for each rule by which the %s counts', (table, part) => {
    const listed = rowsOf(part).map(([, section, what]) => `${section}: ${what}`);
    const own = Object.keys(rules[table]);
    expect(listed.filter((rule) => !own.some((begins) => rule.startsWith(begins)))).toEqual([]);
    expect(own).toHaveLength(listed.length);
  });
});
