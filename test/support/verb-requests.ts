/** Requests to a verb, and writes, for tests without a server. */

import type { ResourceModule } from '../../runtime/contract/index.js';
import { defineForwarder } from '../../runtime/http/forward.js';
import { emulate } from '../../runtime/objects/release.js';
import { enabledByDefault } from '../../runtime/registry/feature-gates.js';
import { Query } from '../../runtime/request/api-request.js';
import { defineContinueTokens } from '../../runtime/request/continue-token.js';
import { ListsInMaking } from '../../runtime/request/pour.js';
import type { VerbRequest, VerbServices } from '../../runtime/request/verb-request.js';
import { serveResource } from '../../runtime/resource/serve-resource.js';
import type { ServedResource } from '../../runtime/resource/served-resource.js';
import { memoryBackend, openStore } from '../../runtime/storage/index.js';
import { toWrite } from '../../runtime/write/begin.js';
import type { Write } from '../../runtime/write/write.js';
import { followIn } from './follow-in.js';
import { widgets } from './widgets.js';

const store = await openStore({
  backend: memoryBackend(),
  readAttributes: () => ({ labels: {}, fields: {} }),
});

/** The time of these requests. */
export const requestTime = '2024-05-06T07:08:09Z';

/** Services with known random parts and an empty store. */
export const services: VerbServices = {
  store,
  follow: followIn(store),
  resource: () => undefined,
  authorizer: { name: 'everyone', decide: () => ({ decision: 'allow' }) },
  authorize: () => true,
  authenticate: () => Promise.resolve(undefined),
  audiences: [],
  featureEnabled: (gate) => enabledByDefault(gate),
  release: emulate(),
  newUid: () => '00000000-0000-4000-8000-000000000001',
  nameSuffix: () => 'bcdfg',
  relations: { target: () => undefined, incoming: () => [] },
  metaGroup: 'meta.platform.io',
  protobufMediaType: 'application/vnd.platform.protobuf',
  endOfInitialEvents: 'platform.io/initial-events-end',
  clientSideApply: { manager: 'kubectl', annotation: 'last-applied' },
  maxBodyBytes: 1000,
  watchBufferBytes: 2 ** 24,
  continueTokens: defineContinueTokens(Buffer.from('secret')),
  listsInMaking: new ListsInMaking(10),
  onDefect: () => {},
  forwarder: defineForwarder({ loopback: true, isHidden: () => false, maxBodyBytes: 1000 }),
  clock: () => Date.parse(requestTime),
  convert: () => undefined,
  knowsKind: (apiVersion, kind) => apiVersion === 'example.com/v1' && kind === 'Widget',
};

/** The parts of a request that a test sets. All others have defaults. */
export interface RequestParts {
  readonly module?: ResourceModule;
  readonly resource?: ServedResource;
  readonly search?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly services?: Partial<VerbServices>;
}

/** Makes a request to a verb of widgets, or of another module. */
export function verbRequest(parts: RequestParts = {}): VerbRequest {
  const { search = '', headers = {}, body = '' } = parts;
  return {
    request: {
      method: 'GET',
      path: '/',
      search,
      headers,
      readBody: () => Promise.resolve({ ok: true, value: Buffer.from(body) }),
    },
    services: { ...services, ...parts.services },
    resource: parts.resource ?? serveResource(parts.module ?? widgets),
    namespace: parts.namespace ?? 'default',
    name: parts.name ?? '',
    subresource: undefined,
    user: { name: 'tester', uid: '', groups: [], extra: {} },
    query: new Query(search),
    warnings: [],
  };
}

/** Makes a write for the stages. */
export const writeOf = (parts: RequestParts = {}): Write =>
  toWrite(verbRequest(parts), { dryRun: false, manager: 'tester', object: {} });
