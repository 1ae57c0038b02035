/** AlwaysPullImages: pods that bring an image pull all of theirs each time. */
import { describe, expect, it } from 'vitest';
import { defineAlwaysPullImages } from '../../../../plugins/index.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { contextOf } from './attributes.js';
import { pod, pods, writePod } from './pods/pods.js';

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

  it('is not looked at in its subresources', () => {
    expect(plugin.handles(pods, 'UPDATE', 'ephemeralcontainers')).toBe(false);
  });
});

const { admit: _, ...validating } = plugin;
testAdmissionPlugin({
  plugin: validating,
  admitted: writePod({ containers: [using('a', 'Always')] }),
  refused: writePod({ containers: [using('a', 'Never')] }),
  context,
  words: ['containers', 'ephemeralContainers', 'image', 'imagePullPolicy'],
});
