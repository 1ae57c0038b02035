/** Deletes bootstrap tokens that have expired. */
import { createResourceClient } from '../client/index.js';
import { endOf, type TokenOptions, tokenSelector } from './bootstrap-tokens.js';
import type { Controller } from './controller.js';
import { secrets } from './core-resources.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

/** Defines the controller. A key is the key of a secret. */
export const defineTokenCleaning = (options: TokenOptions): Controller =>
  defineController({
    name: 'tokencleaner',
    watches: [watch(secrets, { fieldSelector: tokenSelector(options) })],
    async reconcile(key, { client, cacheOf, queue, clock, signal }) {
      const secret = cacheOf(secrets).get(key);
      if (secret === undefined) return;
      const leftMs = endOf(secret) - clock.wallMs();
      if (leftMs > 0) {
        if (Number.isFinite(leftMs)) queue.addAfter(key, leftMs);
        return;
      }
      // Keeps a token that was prolonged in the meantime.
      const { name = '', uid = '', resourceVersion = '' } = secret.metadata;
      const preconditions = { uid, resourceVersion };
      const beside = createResourceClient(secrets, client).in(options.namespace);
      await beside.delete(name, { preconditions, signal }).catch(ignoreNotFound);
    },
  });
