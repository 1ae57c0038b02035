/** Gives each namespace the service account `default`, and makes it again where it is deleted. */
import {
  type ApiObjectLike,
  createResourceClient,
  defineResource,
  follow,
  isAlreadyExists,
  isForbidden,
  isNotFound,
} from '../client/index.js';
import type { Controller, ControllerParts } from './controller.js';
import { sleep } from './sleep.js';

interface Namespace extends ApiObjectLike {
  status?: { phase?: string };
}

const namespaces = defineResource<Namespace>()({
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  scope: 'Cluster',
  subresources: [],
} as const);

const accounts = defineResource<ApiObjectLike>()({
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  scope: 'Namespaced',
  subresources: [],
} as const);

const name = 'default';

/** How long to wait before an account that could not be made is tried again, milliseconds. */
const retryMs = 1000;

export const defaultAccount: Controller = {
  name: 'serviceaccount',
  run: async (parts) => {
    const ending = new AbortController();
    const signal = AbortSignal.any([parts.signal, ending.signal]);
    try {
      await Promise.all([followNamespaces({ ...parts, signal }), followAccounts({ ...parts, signal })]);
    } finally {
      ending.abort();
    }
  },
};

async function followNamespaces(parts: ControllerParts): Promise<void> {
  const { client, signal } = parts;
  for await (const change of follow(createResourceClient(namespaces, client), { signal })) {
    if (change.type !== 'synced' && change.type !== 'removed' && !isEnding(change.object)) {
      void ensureAccount(parts, change.object.metadata.name ?? '');
    }
  }
}

/** An account that goes is made again; the server refuses that in a namespace that ends. */
async function followAccounts(parts: ControllerParts): Promise<void> {
  const { client, signal } = parts;
  const options = { signal, fieldSelector: `metadata.name=${name}` };
  for await (const change of follow(createResourceClient(accounts, client), options)) {
    if (change.type === 'removed') void ensureAccount(parts, change.object.metadata.namespace ?? '');
  }
}

const isEnding = ({ metadata, status }: Namespace): boolean =>
  metadata.deletionTimestamp !== undefined || status?.phase === 'Terminating';

/** Never rejects. */
async function ensureAccount({ client, signal, onError }: ControllerParts, namespace: string): Promise<void> {
  while (!signal.aborted) {
    try {
      await createResourceClient(accounts, client).in(namespace).create({ metadata: { name } }, { signal });
      return;
    } catch (error) {
      // The account is there, or its namespace ends or is gone.
      if (signal.aborted || isAlreadyExists(error) || isForbidden(error) || isNotFound(error)) return;
      onError(`namespace ${namespace}`, error);
      await sleep(retryMs, signal);
    }
  }
}
