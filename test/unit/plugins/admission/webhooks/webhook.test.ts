import { describe, expect, it } from 'vitest';
import { Conditions, webhookSpecs } from '../../../../../plugins/admission/webhooks/webhook.js';
import type { AdmissionContext, JsonObject } from '../../../../../runtime/contract/index.js';
import { contextWith, object, write } from '../attributes.js';

const seen = { object: object({ metadata: { name: 'a', labels: { team: 'shop' } } }), oldObject: undefined };

const areMet = (texts: readonly string[], ignoresFailures = false, context: AdmissionContext = contextWith({})) =>
  new Conditions(texts, ignoresFailures).areMet(write({ dryRun: true }), seen, context);

const forbidden = (why: string) => ({
  ok: false,
  failure: { reason: 'Forbidden', message: `configmaps "a" is forbidden: ${why}` },
});

describe('conditions', () => {
  it.each([
    [[], true],
    [['true'], true],
    [['true', 'false'], false],
    [['object.metadata.labels.team == "shop"', 'oldObject == null'], true],
    [['request.operation == "CREATE" && request.dryRun', 'request.userInfo.username == "someone"'], true],
    [['request.namespace == "elsewhere"'], false],
  ])('%j are met: %s', async (texts, value) => expect(await areMet(texts)).toEqual({ ok: true, value }));

  it('may use later libraries after release 1.27', async () => {
    const texts = ['!has(object.spec) || object.?spec.size.orValue(0) < 3', 'namespaceObject == null'];
    const met = (later: boolean) => new Conditions(texts, true, later).areMet(write(), seen, contextWith({}));
    expect(await met(true)).toEqual({ ok: true, value: true });
    expect(await met(false)).toEqual({ ok: true, value: false });
  });

  it('ask the authorizer, and wait for it', async () => {
    const context: AdmissionContext = {
      ...contextWith({}),
      decide: async (asked) => ({ decision: 'verb' in asked && asked.verb === 'update' ? 'allow' : 'no opinion' }),
    };
    const may = (verb: string) => `authorizer.requestResource.check("${verb}").allowed()`;
    expect(await areMet([may('update')], false, context)).toEqual({ ok: true, value: true });
    expect(await areMet([may('update'), may('delete')], false, context)).toEqual({ ok: true, value: false });
  });
});

describe('conditions that cannot be evaluated', () => {
  const broken = 'object.spec.replicas > 1';
  const problem = `expression '${broken}' resulted in error: no such key: spec`;

  it('refuse the request, with every problem once', async () => {
    expect(await areMet([broken])).toMatchObject(forbidden(problem));
    expect(await areMet([broken, 'true', broken])).toMatchObject(forbidden(problem));
    const other = 'object.status.ready';
    const both = `[${problem}, expression '${other}' resulted in error: no such key: status]`;
    expect(await areMet([broken, other])).toMatchObject(forbidden(both));
  });

  it('skip the webhook if its failures are ignored', async () =>
    expect(await areMet([broken], true)).toEqual({ ok: true, value: false }));

  it('do not matter if another one is false', async () =>
    expect(await areMet([broken, 'false'])).toEqual({ ok: true, value: false }));

  it('include expressions that cost too much, and expressions of another release', async () => {
    const numbers = `[${[...Array(400).keys()].join(',')}]`;
    const dear = `${numbers}.all(a, ${numbers}.all(b, ${numbers}.all(c, a + b + c >= 0)))`;
    expect(await areMet([dear])).toMatchObject({ ok: false, failure: { reason: 'Forbidden' } });
    expect(await areMet(['noSuchThing > 1'])).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('undeclared reference to ') },
    });
  });
});

const specOf = (webhook: JsonObject) =>
  webhookSpecs({ apiVersion: 'v1', kind: 'Configuration', metadata: { name: 'c' }, webhooks: [webhook] })[0];

it.each([
  [['v1', 'v1beta1'], 'v1'],
  [['v1beta1', 'v1'], 'v1beta1'],
  [['v7', 'v1'], 'v1'],
  [['v7'], undefined],
])('of the versions %j the first known one counts', (admissionReviewVersions, review) =>
  expect(specOf({ admissionReviewVersions })?.review).toBe(review),
);

it('a stored webhook that has side effects is not called for dry runs', () => {
  expect(specOf({ sideEffects: 'Some' })?.allowsDryRun).toBe(false);
  expect(specOf({ sideEffects: 'NoneOnDryRun' })?.allowsDryRun).toBe(true);
});

it('a webhook has ten seconds by default', () => {
  expect(specOf({})?.timeoutMs).toBe(10_000);
  expect(specOf({ timeoutSeconds: 3 })?.timeoutMs).toBe(3000);
});
