import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  admissionPlugins,
  defineAnonymous,
  defineCertificateSubjectRestriction,
  defineTokenFile,
} from '../../../plugins/index.js';
import type { AdmissionAttributes, ApiObject, Failure, JsonObject } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { kubernetesNaming } from '../../../runtime/objects/names/naming.js';
import { toStatus } from '../../../runtime/objects/status.js';
import { runPlugin } from '../../support/admission-suite.js';
import { moduleOf } from '../../support/modules.js';
import { hasShared, shared } from '../../support/shared.js';
import { contextWith, object, write } from './admission/attributes.js';

interface Step {
  readonly as?: string;
  readonly request?: {
    readonly method: string;
    readonly path: string;
    readonly headers?: { readonly [name: string]: string };
    readonly body?: JsonObject;
  };
  readonly response?: { readonly status: number; readonly body?: JsonObject };
}

/** Lists recorded steps of an area that a server answered, with the name of their scenario. */
function stepsOf(area: string): readonly (Required<Step> & { readonly scenario: string })[] {
  if (!hasShared) return [];
  const text = readFileSync(shared('conformance', 'suites', `${area}.json`), 'utf8');
  const all: readonly { name: string; steps: Step[] }[] = JSON.parse(text);
  return all.flatMap(({ name, steps }) =>
    steps.flatMap(({ as = 'admin', request, response }) =>
      request && response ? [{ scenario: name, as, request, response }] : [],
    ),
  );
}

const bodyOf = (failure: Failure | undefined): unknown =>
  failure === undefined ? undefined : JSON.parse(JSON.stringify(toStatus(failure).body));

describe.skipIf(!hasShared)('recorded users (needs ../shared)', () => {
  const file = hasShared ? defineTokenFile(readFileSync(shared('conformance', 'tokens.csv'), 'utf8')) : undefined;
  const chain = file?.ok ? [file.authenticator, defineAnonymous()] : [];

  /** Returns the name of the user that the chain recognizes; `undefined` if it refuses. */
  async function userName(authorization: string): Promise<string | undefined> {
    for (const authenticator of chain) {
      const found = await authenticator.authenticate({ headers: { authorization } });
      if (found && 'user' in found) return found.user.name;
    }
    return undefined;
  }

  const steps = stepsOf('authn').filter(
    ({ scenario, request }) =>
      /static tokens|Authorization header|invalid bearer/.test(scenario) &&
      request.headers?.authorization !== undefined,
  );

  it('exist in the recordings', () => expect(steps.length).toBeGreaterThan(15));

  it.each(steps)('$scenario: $request.headers.authorization', async ({ request, response }) => {
    const status = isObject(response.body?.status) ? response.body.status : {};
    const info = isObject(status.userInfo) ? status.userInfo : {};
    const expected = response.status === 401 ? undefined : (info.username ?? 'system:anonymous');
    expect(await userName(request.headers?.authorization ?? '')).toBe(expected);
  });
});

describe.skipIf(!hasShared)('recorded refusals of client certificates (needs ../shared)', () => {
  const resource = moduleOf('certificates.k8s.io', 'certificatesigningrequests', 'CertificateSigningRequest', {
    scope: 'Cluster',
  });
  const plugin = defineCertificateSubjectRestriction(kubernetesNaming);
  const steps = ['resources', 'admission', 'authz']
    .flatMap(stepsOf)
    .filter(
      ({ request, response, as }) =>
        as === 'admin' &&
        request.headers?.['impersonate-user'] === undefined &&
        request.method === 'POST' &&
        request.path.includes('/certificatesigningrequests') &&
        [201, 403].includes(response.status),
    );

  it('exist in the recordings, and so do accepted requests', () => {
    expect(steps.filter(({ response }) => response.status === 403).length).toBeGreaterThan(3);
    expect(steps.filter(({ response }) => response.status === 201).length).toBeGreaterThan(10);
  });

  it('are refused with the same answer, and others pass', async () => {
    for (const { request, response } of steps) {
      const sent: ApiObject = object({ metadata: {}, ...request.body });
      const attributes = write({ resource, namespace: '', name: sent.metadata.name ?? '', object: sent });
      const failure = await runPlugin(plugin, attributes, contextWith({}));
      if (response.body && 'message' in response.body) expect(bodyOf(failure)).toEqual(response.body);
      else expect(failure?.reason).toBe(response.status === 403 ? 'Forbidden' : undefined);
    }
  });
});

describe.skipIf(!hasShared)('recorded refusals of writes in namespaces (needs ../shared)', () => {
  const pattern = /^\/apis?\/(?:([^/]+)\/)?v1\/namespaces(?:\/([^/?]+)(?:\/([a-z]+)(?:\/([^/?]+))?)?)?/;
  const steps = ['metadata', 'admission']
    .flatMap(stepsOf)
    .filter(
      ({ response }) =>
        /being terminated$|may not be deleted$/.test(String(response.body?.message)) &&
        response.body?.kind === 'Status',
    );

  /** Builds the attributes that the pipeline would pass to plugins for a request. */
  function attributesOf({ request }: Required<Step>): AdmissionAttributes {
    const [, group = '', namespace = '', plural, name = ''] = pattern.exec(request.path) ?? [];
    const sent: ApiObject = object({ metadata: {}, ...request.body });
    if (plural === undefined) {
      const resource = moduleOf('', 'namespaces', 'Namespace', { scope: 'Cluster' });
      return write({ operation: 'DELETE', resource, namespace: '', name: namespace });
    }
    const resource = moduleOf(request.path.startsWith('/api/') ? '' : group, plural, 'Any');
    return write({ resource, namespace, name: name || (sent.metadata.name ?? ''), object: sent });
  }

  it('exist in the recordings', () => expect(steps.length).toBeGreaterThan(8));

  it('are refused with the same answer', async () => {
    for (const step of steps) {
      const attributes = attributesOf(step);
      const context = contextWith({ [attributes.namespace]: 'Terminating' });
      const failures = await Promise.all(
        admissionPlugins(kubernetesNaming).map((plugin) => runPlugin(plugin, attributes, context)),
      );
      expect(bodyOf(failures.find((failure) => failure))).toEqual(step.response.body);
    }
  });
});
