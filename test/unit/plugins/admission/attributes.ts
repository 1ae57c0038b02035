/** Writes and contexts for tests of admission plugins. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionHost,
  AdmissionPlugin,
  ApiObject,
  AuthorizationAttributes,
  ObjectSink,
} from '../../../../runtime/contract/index.js';
import { genericNotFound } from '../../../../runtime/objects/status.js';
import { moduleOf } from '../../../support/modules.js';

export const namespaces = moduleOf('', 'namespaces', 'Namespace', { scope: 'Cluster' });
export const configMaps = moduleOf('', 'configmaps', 'ConfigMap');
export const requests = moduleOf(
  'certificates.platform.io',
  'certificatesigningrequests',
  'CertificateSigningRequest',
  {
    scope: 'Cluster',
  },
);

/** Makes a write by someone, of a ConfigMap by default. */
export const write = (more: Partial<AdmissionAttributes> = {}): AdmissionAttributes => ({
  operation: 'CREATE',
  resource: configMaps,
  subresource: '',
  namespace: 'team',
  name: 'a',
  options: {},
  user: { name: 'someone', uid: '', groups: [], extra: {} },
  dryRun: false,
  ...more,
});

/** Makes an object with these parts. */
export const object = (more: Partial<ApiObject> = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Any',
  metadata: { name: 'a' },
  ...more,
});

/** Makes a context with these stored objects, each by `<group>/<resource>/<namespace>/<name>`. */
export const contextOf = (stored: Readonly<Record<string, ApiObject>>): AdmissionContext => ({
  ...contextWith({}),
  get: (...place) => stored[place.join('/')],
});

/** Starts a plugin on a server with these objects of a resource. The returned function reports changes to it. */
export function started(plugin: AdmissionPlugin, plural: string, objects: readonly ApiObject[] = []): ObjectSink {
  let sink: ObjectSink | undefined;
  const host = hostWith((_group, resource, to) => {
    if (resource === plural) sink = to;
    return { stop() {} };
  });
  plugin.start?.(host);
  if (!sink) throw new Error(`nobody follows ${plural}`);
  for (const one of objects) sink.changed(one);
  return sink;
}

/** Makes a server without objects. Nobody follows its resources unless `follow` is given. */
export const hostWith = (follow: AdmissionHost['follow'] = () => ({ stop() {} })): AdmissionHost => ({
  featureEnabled: () => true,
  resources: { find: () => undefined, all: () => [], ofKind: () => undefined, equivalents: (one) => [one] },
  objects: () => ({ get: () => undefined, list: () => [] }),
  update: async () => ({ ok: false, failure: genericNotFound() }),
  follow,
});

/** Makes a context in which namespaces have phases, with an authorizer that gives this answer. */
export function contextWith(
  phases: Readonly<Record<string, string>>,
  authorize: (attributes: AuthorizationAttributes) => boolean = () => true,
): AdmissionContext {
  return {
    get: (group, resource, namespace, name) => {
      const isNamespace = group === '' && resource === 'namespaces' && namespace === '' && Object.hasOwn(phases, name);
      return isNamespace ? object({ status: { phase: phases[name] } }) : undefined;
    },
    list: () => [],
    rely: () => {},
    authorize,
    decide: (asked) => ({ decision: 'path' in asked || authorize(asked) ? 'allow' : 'no opinion' }),
    convert: () => undefined,
    warn: () => {},
    annotate: () => {},
  };
}
