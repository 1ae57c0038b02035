/** A server in the test's process with a webhook beside it, and the requests that tests of webhooks make. */
import type { ServeFlags } from '../../bin/flags/serve/index.js';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { type AdmissionWebhook, startAdmissionWebhook } from './admission-webhook.js';
import { send } from './ask.js';
import { type ListeningServer, startServing } from './serving.js';

const configurations = '/apis/admissionregistration.k8s.io/v1';
export const configMaps = '/api/v1/namespaces/default/configmaps';

export interface Answer {
  readonly code: number;
  readonly body: JsonObject;
  readonly warning: string | null;
}

/** Makes a rule about resources, for all operations by default. */
export const rule = (resources: string, ...operations: string[]): JsonObject => ({
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: [resources],
  operations: operations.length === 0 ? ['*'] : operations,
});

/** Tests may replace the server for a while. */
export interface HookBench {
  readonly webhook: AdmissionWebhook;
  running: ListeningServer;
  ask(method: string, path: string, body?: JsonValue): Promise<Answer>;
  /** Creates a ConfigMap. */
  create(name: string, more?: JsonObject): Promise<Answer>;
  /** Makes a webhook about ConfigMaps. Its path is also its name. */
  hook(path: string, more?: JsonObject): JsonObject;
  /** Writes a configuration; throws if the server refuses it. */
  configure(kind: 'mutating' | 'validating', name: string, ...webhooks: JsonObject[]): Promise<void>;
  /** Removes configurations, reviews and behaviours. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the bench. The certificate of the webhook is also valid for `hook.shop.svc`, a name that the server resolves.
 */
export async function startHookBench(flags: Partial<ServeFlags> = {}): Promise<HookBench> {
  const webhook = await startAdmissionWebhook('hook.shop.svc');
  const serviceResolver = [`shop/hook=${webhook.url}`];
  const running = await startServing({ naming: 'kubernetes', controllers: 'none', serviceResolver, ...flags });
  const bench: HookBench = {
    webhook,
    running,
    async ask(method, path, body) {
      const answer = await send(bench.running, method, path, { body });
      return { code: answer.status, body: JSON.parse(await answer.text()), warning: answer.headers.get('warning') };
    },
    create: (name, more = {}) => bench.ask('POST', configMaps, { metadata: { name }, ...more }),
    hook: (path, more = {}) => ({
      name: `${path}.hooks.example.com`,
      clientConfig: { url: `${webhook.url}/${path}`, caBundle: webhook.caBundle },
      rules: [rule('configmaps')],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      ...more,
    }),
    async configure(kind, name, ...webhooks) {
      const path = `${configurations}/${kind}webhookconfigurations`;
      const { code, warning, body } = await bench.ask('POST', path, { metadata: { name }, webhooks });
      if (code !== 201 || warning !== null) throw new Error(`${code} ${warning}: ${JSON.stringify(body)}`);
    },
    async clear() {
      webhook.behaviours.clear();
      webhook.reviews.length = 0;
      for (const kind of ['mutating', 'validating']) {
        await bench.ask('DELETE', `${configurations}/${kind}webhookconfigurations`);
      }
    },
    async stop() {
      await bench.running.stop();
      webhook.close();
    },
  };
  return bench;
}
