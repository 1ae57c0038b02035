import { describe, expect, it } from 'vitest';
import { defineImagePolicyWebhook } from '../../../../plugins/admission/images.js';
import { defineAlwaysPullImages } from '../../../../plugins/index.js';
import type { AdmissionAttributes, AdmissionPlugin, JsonObject } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { contextOf, contextWith, hostWith, object, write } from './attributes.js';
import { pod, pods, writePod } from './pods.js';

describe('AlwaysPullImages', () => {
  const plugin = defineAlwaysPullImages();
  const context = contextOf({});
  const using = (image: string, imagePullPolicy?: string): JsonObject => ({
    name: 'c',
    image,
    ...(imagePullPolicy ? { imagePullPolicy } : {}),
  });

  describe('a pod', () => {
    it('that is created pulls the images of all its containers', async () => {
      const spec = { initContainers: [using('a', 'Never')], containers: [using('b'), using('c', 'Sometimes')] };
      expect(await runPlugin(plugin, writePod(spec), context)).toBeUndefined();
      expect(spec).toEqual({
        initContainers: [using('a', 'Always')],
        containers: [using('b', 'Always'), using('c', 'Always')],
      });
    });

    const old = { containers: [using('a', 'Always')], ephemeralContainers: [using('tool', 'Never')] };
    it.each<[string, JsonObject, JsonObject]>([
      ['no image', old, old],
      [
        'an image that another container has',
        { ...old, containers: [using('tool', 'IfNotPresent')] },
        { ...old, containers: [using('tool', 'IfNotPresent')] },
      ],
      [
        'a new image',
        { ...old, containers: [using('b', 'Never')] },
        { containers: [using('b', 'Always')], ephemeralContainers: [using('tool', 'Always')] },
      ],
    ])('that is updated with %s', async (_, sent, stored) => {
      const spec = structuredClone(sent);
      const attributes = writePod(spec, { operation: 'UPDATE', oldObject: pod(old) });
      expect(await runPlugin(plugin, attributes, context)).toBeUndefined();
      expect(spec).toEqual(stored);
    });

    it('that a later plugin has changed back is refused', async () => {
      const spec = { containers: [using('a', 'Always'), using('b', 'Never')], initContainers: [using('i')] };
      expect(await plugin.validate?.(writePod(spec), context)).toMatchObject({
        reason: 'Forbidden',
        message:
          'pods "a" is forbidden: [spec.initContainers[0].imagePullPolicy: Unsupported value: "": supported values: "Always", ' +
          'spec.containers[1].imagePullPolicy: Unsupported value: "Never": supported values: "Always"]',
      });
    });

    it('is not checked in its subresources', () =>
      expect(plugin.handles(pods, 'UPDATE', 'ephemeralcontainers')).toBe(false));
  });

  const { admit: _, ...validating } = plugin;
  testAdmissionPlugin({
    plugin: validating,
    admitted: writePod({ containers: [using('a', 'Always')] }),
    refused: writePod({ containers: [using('a', 'Never')] }),
    context,
    words: ['containers', 'ephemeralContainers', 'image', 'imagePullPolicy'],
  });
});

describe('ImagePolicyWebhook', () => {
  const pods = moduleOf('', 'pods', 'Pod');

  const podWith = (containers: string[], more: JsonObject = {}, annotations: Record<string, string> = {}) =>
    object({
      metadata: { name: 'p', annotations },
      spec: { containers: containers.map((image, i) => ({ name: `c${i}`, image })), ...more },
    });

  const createOf = (pod: ReturnType<typeof podWith>, more: Partial<AdmissionAttributes> = {}): AdmissionAttributes =>
    write({ resource: pods, name: 'p', object: pod, ...more });

  type Answer = { ok: true; text: string } | { ok: false; problem: string };

  interface Started {
    readonly plugin: AdmissionPlugin;
    /** Specs of the reviews that were sent. */
    readonly asked: JsonObject[];
    answer: Answer;
    now: number;
  }

  const says = (status: JsonObject, apiVersion = 'imagepolicy.k8s.io/v1alpha1'): Answer => ({
    ok: true,
    text: JSON.stringify({ apiVersion, kind: 'ImageReview', status }),
  });

  function start(imagePolicy: JsonObject = {}): Started {
    const asked: JsonObject[] = [];
    const calls = {
      checkConnection: () => undefined,
      connect: () => async (body: string) => {
        const review: unknown = JSON.parse(body);
        if (isObject(review) && isObject(review.spec)) asked.push(review.spec);
        return started.answer;
      },
    };
    const plugin = defineImagePolicyWebhook(kubernetesNaming, calls, () => started.now);
    const started: Started = { plugin, asked, answer: says({ allowed: true }), now: 1 };
    plugin.start?.(hostWith(), { imagePolicy: { kubeConfigFile: 'file', ...imagePolicy } });
    return started;
  }

  const decide = ({ plugin }: Started, attributes: AdmissionAttributes, notes: Record<string, string> = {}) =>
    plugin.validate?.(attributes, {
      ...contextWith({}),
      annotate: (key, value) => Object.assign(notes, { [key]: value }),
    });

  describe('the review', () => {
    it('has images, namespace, and the annotations for the webhook', async () => {
      const started = start();
      const annotations = { 'own.image-policy.k8s.io/ticket': '17', other: 'x' };
      const pod = podWith(['a', 'b'], { initContainers: [{ name: 'i', image: 'c' }] }, annotations);
      expect(await decide(started, createOf(pod))).toBeUndefined();
      expect(started.asked).toEqual([
        {
          containers: [{ image: 'a' }, { image: 'b' }, { image: 'c' }],
          annotations: { 'own.image-policy.k8s.io/ticket': '17' },
          namespace: 'team',
        },
      ]);
    });

    it('of ephemeral containers has their images', async () => {
      const started = start();
      const pod = podWith(['a'], { ephemeralContainers: [{ name: 'e', image: 'debug' }] });
      await decide(started, createOf(pod, { operation: 'UPDATE', subresource: 'ephemeralcontainers' }));
      expect(started.asked).toEqual([{ containers: [{ image: 'debug' }], namespace: 'team' }]);
    });

    it('is only sent for pods and their ephemeral containers', () => {
      const { plugin } = start();
      expect(plugin.handles(pods, 'CREATE', '')).toBe(true);
      expect(plugin.handles(pods, 'UPDATE', 'ephemeralcontainers')).toBe(true);
      expect(plugin.handles(pods, 'UPDATE', 'status')).toBe(false);
      expect(plugin.handles(pods, 'DELETE', '')).toBe(false);
      expect(plugin.handles(moduleOf('', 'configmaps', 'ConfigMap'), 'CREATE', '')).toBe(false);
    });
  });

  describe('a webhook', () => {
    it.each([
      [{ allowed: false, reason: 'too old' }, 'image policy webhook backend denied one or more images: too old'],
      [{ allowed: false }, 'one or more images rejected by webhook backend'],
      [{}, 'one or more images rejected by webhook backend'],
    ])('that answers %j refuses the pod', async (status, why) => {
      const started = start();
      started.answer = says(status);
      const message = `pods "p" is forbidden: ${why}`;
      expect(await decide(started, createOf(podWith(['a'])))).toMatchObject({ reason: 'Forbidden', message });
    });

    it('adds notes to the audit', async () => {
      const started = start();
      started.answer = says({ allowed: true, auditAnnotations: { why: 'signed' } });
      const notes = {};
      await decide(started, createOf(podWith(['a'])), notes);
      expect(notes).toEqual({ 'imagepolicywebhook.image-policy.k8s.io/why': 'signed' });
    });

    it('is cached for a while, longer if it allows', async () => {
      const started = start({ allowTTL: 10, denyTTL: 2 });
      const ask = () => decide(started, createOf(podWith(['a'])));
      await ask();
      started.answer = says({ allowed: false });
      started.now = 9_000;
      expect(await ask()).toBeUndefined();
      started.now = 11_000;
      expect(await ask()).toBeDefined();
      started.answer = says({ allowed: true });
      started.now = 12_001;
      expect(await ask()).toBeDefined();
      started.now = 13_100;
      expect(await ask()).toBeUndefined();
      expect(started.asked).toHaveLength(3);
    });

    it('is called each time if answers are not cached', async () => {
      const started = start({ allowTTL: -1 });
      await decide(started, createOf(podWith(['a'])));
      await decide(started, createOf(podWith(['a'])));
      expect(started.asked).toHaveLength(2);
    });

    it.each<[string, Answer]>([
      ['cannot be asked', { ok: false, problem: 'Post "https://x": EOF' }],
      ['answers with something else', says({ allowed: true }, 'v1')],
      ['answers with nonsense', { ok: true, text: '{' }],
    ])('that %s refuses the pod, or lets it pass', async (_, answer) => {
      const strict = start();
      strict.answer = answer;
      expect(await decide(strict, createOf(podWith(['a'])))).toMatchObject({ reason: 'Forbidden' });
      const lax = start({ defaultAllow: true });
      lax.answer = answer;
      const notes = {};
      expect(await decide(lax, createOf(podWith(['a'])), notes)).toBeUndefined();
      expect(notes).toEqual({ 'imagepolicywebhook.image-policy.k8s.io/failed-open': 'true' });
      // A failure is not an opinion, so it is not cached.
      lax.answer = says({ allowed: false });
      expect(await decide(lax, createOf(podWith(['a'])))).toBeDefined();
    });

    it('has the time limit of the request', async () => {
      const calls = { checkConnection: () => undefined, connect: () => () => new Promise<Answer>(() => undefined) };
      const waiting = defineImagePolicyWebhook(kubernetesNaming, calls);
      waiting.start?.(hostWith(), { imagePolicy: { kubeConfigFile: 'file' } });
      const refused = await waiting.validate?.(createOf(podWith(['a'])), { ...contextWith({}), timeLeft: () => 10 });
      expect(refused).toMatchObject({ message: 'pods "p" is forbidden: context deadline exceeded' });
    });
  });

  it.each([
    [{ allowTTL: 1801 }, 'imagePolicy.allowTTL'],
    [{ denyTTL: -2 }, 'imagePolicy.denyTTL'],
    [{ retryBackoff: 300_001 }, 'imagePolicy.retryBackoff'],
    [{ kubeConfigFile: 7 }, 'imagePolicy.kubeConfigFile'],
    [{ nonsense: 1 }, 'imagePolicy.nonsense'],
  ])('the configuration %j is refused', (more, field) => {
    const refused: string[] = [];
    const { plugin } = start();
    plugin.configuration?.check({ imagePolicy: { kubeConfigFile: 'file', ...more } }, (path) =>
      refused.push(path.join('.')),
    );
    expect(refused).toEqual([field]);
  });
});
